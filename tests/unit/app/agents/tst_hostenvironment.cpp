// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/hostenvironment.h"

#include <QTest>

using namespace proctor;

class TestHostEnvironment : public QObject
{
    Q_OBJECT

private slots:
    void inheritsWhatIsAllowed();
    void setsTheModel();
    void takesTheKeyOfTheParent();
    void leadsToThisMachine_data();
    void leadsToThisMachine();
    void knowsItsSecrets();

private:
    static EvalConfig registered(const QStringList &passed);
    static QProcessEnvironment environmentOf(const QStringList &names);
    static QStringList sorted(QStringList names);
};

EvalConfig TestHostEnvironment::registered(const QStringList &passed)
{
    EvalConfig config;
    AgentRegistration registration;
    registration.passEnv = passed;
    config.agent.registration = registration;
    return config;
}

/// Each variable holds its own name.
QProcessEnvironment TestHostEnvironment::environmentOf(const QStringList &names)
{
    QProcessEnvironment environment;
    for (const QString &name : names)
        environment.insert(name, name);
    return environment;
}

QStringList TestHostEnvironment::sorted(QStringList names)
{
    names.sort();
    return names;
}

void TestHostEnvironment::inheritsWhatIsAllowed()
{
    const QStringList allowed =
        QStringLiteral("PATH HOME USER LOGNAME TMPDIR TMP TEMP LANG LC_ALL SYSTEMROOT WINDIR").split(u' ');
    const QStringList refused =
        QStringLiteral("LC_CTYPE LANGUAGE SHELL PWD LD_PRELOAD LD_LIBRARY_PATH PYTHONPATH PYTHONHOME path "
                       "Path OPENAI_API_KEY JUDGE_API_KEY SSH_AUTH_SOCK DOCKER_HOST HTTP_PROXY DISPLAY")
            .split(u' ');
    const QStringList passed{QStringLiteral("MY_TOKEN"), QStringLiteral("ABSENT")};
    const QProcessEnvironment made =
        hostEnvironment(registered(passed),
                        environmentOf(allowed + refused +
                                      QStringList{QStringLiteral("MY_TOKEN"), QStringLiteral("my_token")}));
    const QStringList set =
        QStringLiteral("LLM_BASE_URL LLM_API_KEY LLM_MODEL PYTHONUNBUFFERED PYTHONUTF8").split(u' ');
    QCOMPARE(sorted(made.keys()), sorted(allowed + set + QStringList(QStringLiteral("MY_TOKEN"))));
    for (const QString &name : allowed)
        QCOMPARE(made.value(name), name);
}

void TestHostEnvironment::setsTheModel()
{
    EvalConfig config = registered({QStringLiteral("LLM_MODEL"), QStringLiteral("LLM_BASE_URL"),
                                    QStringLiteral("LLM_API_KEY"), QStringLiteral("PYTHONUTF8")});
    config.agent.llmBaseUrl = QStringLiteral("http://host.docker.internal:4000/v1");
    config.agent.llmApiKey = QStringLiteral("of the configuration");
    config.agent.llmModel.clear();
    const QProcessEnvironment made =
        hostEnvironment(config, environmentOf(config.agent.registration->passEnv));
    QCOMPARE(made.value(QStringLiteral("LLM_BASE_URL")), QStringLiteral("http://127.0.0.1:4000/v1"));
    QCOMPARE(made.value(QStringLiteral("LLM_API_KEY")), QStringLiteral("of the configuration"));
    QVERIFY(made.contains(QStringLiteral("LLM_MODEL")));
    QCOMPARE(made.value(QStringLiteral("LLM_MODEL")), QString());
    QCOMPARE(made.value(QStringLiteral("PYTHONUTF8")), QStringLiteral("1"));
}

void TestHostEnvironment::takesTheKeyOfTheParent()
{
    const QString name = QStringLiteral("LLM_API_KEY");
    QCOMPARE(hostEnvironment(registered({}), environmentOf({name})).value(name), name);
    const QProcessEnvironment none = hostEnvironment(registered({}), {});
    QVERIFY(none.contains(name));
    QCOMPARE(none.value(name), QString());
}

void TestHostEnvironment::leadsToThisMachine_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *url, const char *expected) {
        QTest::newRow(*url ? url : "nothing") << QString::fromLatin1(url) << QString::fromLatin1(expected);
    };
    const auto stays = [&row](const char *url) { row(url, url); };
    row("http://host.docker.internal:4000", "http://127.0.0.1:4000");
    row("http://host.docker.internal", "http://127.0.0.1");
    row("https://host.docker.internal/v1/?a=b#c", "https://127.0.0.1/v1/?a=b#c");
    row("http://user:pass@host.docker.internal:1/x", "http://user:pass@127.0.0.1:1/x");
    row("HTTP://Host.Docker.Internal:4000/V1", "HTTP://127.0.0.1:4000/V1");
    stays("http://host.docker.internal.example.org/v1");
    stays("http://my-host.docker.internal/v1");
    stays("http://host-docker.internal/v1");
    stays("http://llm.example/host.docker.internal");
    stays("http://llm.example/?to=http://host.docker.internal:4000");
    stays("http://llm.example/@host.docker.internal");
    stays("http://localhost:4000/v1");
    stays("");
}

void TestHostEnvironment::leadsToThisMachine()
{
    QFETCH(QString, url);
    QTEST(hostModelUrl(url), "expected");
}

void TestHostEnvironment::knowsItsSecrets()
{
    const QStringList passed =
        QStringLiteral("MY_TOKEN my_secret AWS_CREDENTIALS db_password COLOUR").split(u' ');
    EvalConfig config = registered(passed);
    config.verifier.judgeApiKey = QStringLiteral("judge");
    QStringList parent = passed;
    parent << QStringLiteral("LLM_API_KEY") << QStringLiteral("OTHER_TOKEN");
    const QStringList secrets = secretsOf(config, environmentOf(parent));
    for (const char *secret :
         {"judge", "LLM_API_KEY", "MY_TOKEN", "my_secret", "AWS_CREDENTIALS", "db_password"})
        QVERIFY2(secrets.contains(QLatin1String(secret)), secret);
    for (const char *open : {"COLOUR", "OTHER_TOKEN"})
        QVERIFY2(!secrets.contains(QLatin1String(open)), open);
    config.agent.llmApiKey = QStringLiteral("model");
    QVERIFY(secretsOf(config, {}).contains(QStringLiteral("model")));
}

QTEST_GUILESS_MAIN(TestHostEnvironment)
#include "tst_hostenvironment.moc"
