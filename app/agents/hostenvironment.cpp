// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/agents/hostenvironment.h"

#include <QRegularExpression>

namespace proctor
{

static const QString keyVariable = QStringLiteral("LLM_API_KEY");

static const QStringList &inheritedVariables()
{
    static const QStringList names =
        QStringLiteral("PATH HOME USER LOGNAME TMPDIR TMP TEMP LANG LC_ALL SYSTEMROOT WINDIR").split(u' ');
    return names;
}

QString modelKey(const EvalConfig &config, const QProcessEnvironment &parent)
{
    return config.agent.llmApiKey.isEmpty() ? parent.value(keyVariable) : config.agent.llmApiKey;
}

static QStringList passedVariables(const EvalConfig &config)
{
    return config.agent.registration ? config.agent.registration->passEnv : QStringList();
}

QProcessEnvironment hostEnvironment(const EvalConfig &config, const QProcessEnvironment &parent)
{
    const QStringList passed = passedVariables(config);
    // By taking away, as a copied value would lose bytes that are no text.
    QProcessEnvironment environment = parent;
    for (const QString &name : parent.keys()) {
        if (!inheritedVariables().contains(name) && !passed.contains(name))
            environment.remove(name);
    }
    environment.insert(QStringLiteral("LLM_BASE_URL"), hostModelUrl(config.agent.llmBaseUrl));
    environment.insert(keyVariable, modelKey(config, parent));
    environment.insert(QStringLiteral("LLM_MODEL"), config.agent.llmModel);
    environment.insert(QStringLiteral("PYTHONUNBUFFERED"), QStringLiteral("1"));
    environment.insert(QStringLiteral("PYTHONUTF8"), QStringLiteral("1"));
    return environment;
}

QString hostModelUrl(const QString &url)
{
    static const QRegularExpression engineHost(
        QStringLiteral("\\A([a-z][a-z0-9+.-]*://(?:[^/?#@]*@)?)host\\.docker\\.internal(?=[:/?#]|\\z)"),
        QRegularExpression::CaseInsensitiveOption);
    const auto match = engineHost.match(url);
    if (!match.hasMatch())
        return url;
    return match.captured(1) + QStringLiteral("127.0.0.1") + url.mid(match.capturedEnd());
}

QStringList secretsOf(const EvalConfig &config, const QProcessEnvironment &parent)
{
    static const QRegularExpression secretName(QStringLiteral("KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL"),
                                               QRegularExpression::CaseInsensitiveOption);
    QStringList secrets{config.verifier.judgeApiKey, modelKey(config, parent)};
    for (const QString &name : passedVariables(config)) {
        if (name.contains(secretName))
            secrets << parent.value(name);
    }
    return secrets;
}

} // namespace proctor
