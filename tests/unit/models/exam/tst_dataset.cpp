// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/exam/dataset.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <ctime>

using namespace proctor;
using Severity = Diagnostic::Severity;

class TestDataset : public QObject
{
    Q_OBJECT

private slots:
    void readsColumns_data();
    void readsColumns();
    void tellsNullFromEmptyDomain();
    void loadsTheRestOfABrokenFile_data();
    void loadsTheRestOfABrokenFile();
    void refuses_data();
    void refuses();
    void takesWholeNumbersAsIds();
    void findsBundles();
    void namesMissingSources();
    void fingerprintsTasks();
    void limitsRemarks();
    void loadsManyRowsQuickly();

private:
    LoadedDataset load(const char *name, const QByteArray &text);
    QString said(const LoadedDataset &loaded) const;

    QTemporaryDir m_folder;
};

LoadedDataset TestDataset::load(const char *name, const QByteArray &text)
{
    const QString path = m_folder.filePath(QLatin1String(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write %s", name);
    file.write(text);
    file.close();
    return loadDataset(path);
}

/// One remark a line, without the folder.
QString TestDataset::said(const LoadedDataset &loaded) const
{
    QStringList lines;
    for (const Diagnostic &diagnostic : loaded.diagnostics)
        lines << toText(diagnostic).remove(m_folder.path() + u'/');
    return lines.join(u'\n');
}

static QString ids(const LoadedDataset &loaded)
{
    QStringList list;
    for (const Instance &instance : loaded.instances)
        list << QStringLiteral("%1@%2").arg(instance.id).arg(instance.row);
    return list.join(u' ');
}

void TestDataset::readsColumns_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("row");
    const QByteArray object = R"({"instance_id": "a 1", "docker_image": "reg/i:1", "domain": "酒店",
        "user_question": "两\n行, \"q\"", "bundle": "b/one", "level": "hard"})";
    const QByteArray line = QByteArray(object).replace('\n', ' ');
    QTest::newRow("jsonl") << "t.jsonl" << QByteArray(line + "\n") << 1;
    QTest::newRow("jsonl with mark, blank lines and CRLF")
        << "t.JSONL" << QByteArray("\xef\xbb\xbf\r\n" + line + "\r\n\r\n") << 2;
    QTest::newRow("json") << "t.json" << QByteArray("[" + object + "]") << 1;
    QTest::newRow("csv") << "t.csv"
                         << QByteArray("level,instance_id,docker_image,domain,user_question,bundle\n"
                                       "hard,a 1,reg/i:1,酒店,\"两\n行, \"\"q\"\"\",b/one\n")
                         << 2;
    QTest::newRow("csv with mark and CRLF")
        << "t.csv"
        << QByteArray("\xef\xbb\xbfinstance_id,docker_image, domain ,question,bundle,level\r\n"
                      "a 1,reg/i:1,酒店,\"两\n行, \"\"q\"\"\",b/one,hard\r\n")
        << 2;
}

void TestDataset::readsColumns()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(int, row);
    const LoadedDataset loaded = load(qPrintable(name), text);
    QCOMPARE(said(loaded), QString());
    Instance expected;
    expected.id = QStringLiteral("a 1");
    expected.image = QStringLiteral("reg/i:1");
    expected.domain = QStringLiteral("酒店");
    expected.question = QStringLiteral("两\n行, \"q\"");
    expected.bundle = m_folder.filePath(QStringLiteral("b/one"));
    expected.extra = {{QStringLiteral("level"), QStringLiteral("hard")}};
    expected.row = row;
    QCOMPARE(loaded.instances.size(), 1);
    QVERIFY(loaded.instances.first() == expected);
}

void TestDataset::tellsNullFromEmptyDomain()
{
    const auto loaded = load("t.jsonl", R"({"instance_id": "a", "domain": null}
{"instance_id": "b", "domain": ""}
{"instance_id": "c"}
{"instance_id": "d", "domain": 5})");
    QCOMPARE(said(loaded), QString());
    QVERIFY(!loaded.instances[0].domain);
    QCOMPARE(loaded.instances[1].domain, std::optional(QString()));
    QCOMPARE(loaded.instances[2].domain, std::optional(QString()));
    QCOMPARE(loaded.instances[3].domain, std::optional(QStringLiteral("5")));
}

void TestDataset::loadsTheRestOfABrokenFile_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("ids");
    QTest::addColumn<QString>("said");
    QTest::newRow("jsonl")
        << "t.jsonl"
        << QByteArray(
               "{\"instance_id\": \"a\"}\n{\"instance_id\": \"b\"\n[1]\n{\"instance_id\": \"d\"}\n{\"inst")
        << "a@1 d@4"
        << "t.jsonl:2: warning: .*\nt.jsonl:3: warning: .*no JSON object\nt.jsonl:5: warning: .*";
    QTest::newRow("jsonl, not UTF-8")
        << "t.jsonl" << QByteArray("{\"instance_id\": \"\xff\"}\n{\"instance_id\": \"b\"}") << "b@2"
        << "t.jsonl:1: warning: .*UTF.*";
    QTest::newRow("json") << "t.json" << QByteArray("[{\"instance_id\": \"a\"}, 5, {\"instance_id\": \"c\"}]")
                          << "a@1 c@3"
                          << "t.json: warning: row 2 is left out.*";
    QTest::newRow("csv")
        << "t.csv" << QByteArray("instance_id,domain\na,x\nb\nc,\"x\"y\nd,x,y\n\xff,x\ne,\"open\nf,x\n")
        << "a@2 f@8"
        << "t.csv:3: warning: .*1 fields.*2\nt.csv:4: warning: .*closing.*\nt.csv:5: warning: .*3 fields.*\n"
           "t.csv:6: warning: .*UTF-8\nt.csv:7: warning: .*does not end";
    QTest::newRow("ids")
        << "t.jsonl"
        << QByteArray(
               "{\"instance_id\": \"a\"}\n{\"instance_id\": \"a\"}\n{\"instance_id\": \"\"}\n"
               "{\"instance_id\": \"x/y\"}\n{\"instance_id\": null}\n{\"id\": 1}\n{\"instance_id\": [1]}\n"
               "{\"instance_id\": \"a\\u0000b\"}\n{\"instance_id\": \"..\"}\n{\"instance_id\": \"z\"}")
        << "a@1 z@10"
        << "t.jsonl:2: error: .*'a' is already used in row 1\nt.jsonl:3: error: .*empty\n"
           "t.jsonl:4: error: .*'/'\nt.jsonl:5: error: .*no instance_id\nt.jsonl:6: error: .*no instance_id\n"
           "t.jsonl:7: error: .*whole number\nt.jsonl:8: error: .*NUL.*\nt.jsonl:9: error: .*";
    QTest::newRow("ids in an array") << "t.json"
                                     << QByteArray("[{\"instance_id\": \"a\"},{\"instance_id\": \"a\"}]")
                                     << "a@1"
                                     << "t.json: error: row 2: .*row 1";
}

void TestDataset::loadsTheRestOfABrokenFile()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    const LoadedDataset loaded = load(qPrintable(name), text);
    QTEST(::ids(loaded), "ids");
    const QRegularExpression pattern(QStringLiteral("\\A%1\\z").arg(said));
    QVERIFY2(pattern.match(this->said(loaded)).hasMatch(), qPrintable(this->said(loaded)));
}

void TestDataset::refuses_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("said");
    QTest::newRow("no column, csv") << "t.csv" << QByteArray("id,image\na,b\n")
                                    << "'instance_id' is missing; there are: id, image";
    QTest::newRow("no column, jsonl")
        << "t.jsonl" << QByteArray("{\"id\": 1, \"image\": 2}") << "there are: id, image";
    QTest::newRow("no column, json") << "t.json" << QByteArray("[{\"id\": 1}]") << "there are: id";
    QTest::newRow("column twice") << "t.csv" << QByteArray("instance_id,instance_id\na,b\n") << "twice";
    QTest::newRow("open header") << "t.csv" << QByteArray("\"instance_id\na\n")
                                 << "the header cannot be read";
    QTest::newRow("empty jsonl") << "t.jsonl" << QByteArray("\n") << "no instances";
    QTest::newRow("empty json") << "t.json" << QByteArray("[]") << "no instances";
    QTest::newRow("empty csv") << "t.csv" << QByteArray() << "no instances";
    QTest::newRow("header alone") << "t.csv" << QByteArray("instance_id\n") << "no instances";
    QTest::newRow("object") << "t.json" << QByteArray("{\"instance_id\": 1}") << "array of objects";
    QTest::newRow("lines in .json") << "t.json" << QByteArray("{\"instance_id\": 1}\n{\"instance_id\": 2}")
                                    << ".jsonl";
    QTest::newRow("cut json") << "t.json" << QByteArray("[{\"instance_id\": 1},\n{")
                              << "t.json:2: error: this is not JSON";
    QTest::newRow("other ending") << "t.parquet" << QByteArray("x") << ".jsonl, .json or .csv";
}

void TestDataset::refuses()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    const LoadedDataset loaded = load(qPrintable(name), text);
    QVERIFY2(loaded.diagnostics.size() == 1, qPrintable(this->said(loaded)));
    QCOMPARE(loaded.diagnostics.first().severity, Severity::Error);
    QVERIFY2(this->said(loaded).contains(said), qPrintable(this->said(loaded)));
    QVERIFY(loaded.instances.isEmpty());

    QVERIFY(hasErrors(loadDataset(m_folder.filePath(QStringLiteral("none.jsonl"))).diagnostics));
    QVERIFY(hasErrors(loadDataset(m_folder.path()).diagnostics));
}

void TestDataset::takesWholeNumbersAsIds()
{
    const auto loaded = load(
        "t.jsonl",
        "{\"instance_id\": 7}\n{\"instance_id\": 8.0}\n{\"instance_id\": 7.5}\n{\"instance_id\": 1e300}\n"
        "{\"instance_id\": \"7\"}\n{\"instance_id\": true}");
    QCOMPARE(ids(loaded), QStringLiteral("7@1 8@2"));
    QCOMPARE(loaded.diagnostics.size(), 4);
}

void TestDataset::findsBundles()
{
    for (const char *name : {"beside", "b/given", "artifacts"})
        QVERIFY(QDir(m_folder.path()).mkpath(QLatin1String(name)));
    const auto loaded = load("t.jsonl", R"({"instance_id": "beside"}
{"instance_id": "other", "bundle": "./b/given/"}
{"instance_id": "absolute", "bundle": "/srv/tasks/x"}
{"instance_id": "artifacts"}
{"instance_id": "nowhere"})");
    QCOMPARE(said(loaded), QString());
    QStringList bundles;
    for (const Instance &instance : loaded.instances)
        bundles << QString(instance.bundle).remove(m_folder.path() + u'/');
    QCOMPARE(bundles.join(u' '), QStringLiteral("beside b/given /srv/tasks/x artifacts "));
}

void TestDataset::namesMissingSources()
{
    QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("there")));
    const auto loaded = load("t.jsonl", R"({"instance_id": "there", "docker_image": "i"}
{"instance_id": "gone", "bundle": "gone", "docker_image": null}
{"instance_id": "none", "docker_image": "i"})");
    const QString file = m_folder.filePath(QStringLiteral("t.jsonl"));
    const auto bundles = missingSources(loaded.instances, InstanceSource::Bundle, file);
    QCOMPARE(bundles.size(), 2);
    QCOMPARE(bundles[0].where.line, 2);
    QVERIFY(bundles[0].where.message.contains(QLatin1String("/gone")));
    QCOMPARE(bundles[1].where.line, 3);
    const auto images = missingSources(loaded.instances, InstanceSource::Image, file);
    QCOMPARE(images.size(), 1);
    QVERIFY2(toText(images[0]).endsWith(
                 QLatin1String("t.jsonl:2: error: the instance 'gone' has no docker_image")),
             qPrintable(toText(images[0])));

    const auto odd = load(
        "odd.jsonl", R"({"instance_id": "a", "docker_image": "registry.example:5000/a/b_c-d.e:1.0@sha256:0f"}
{"instance_id": "b", "docker_image": "--privileged"}
{"instance_id": "c", "docker_image": "img --rm"})");
    const auto strange = missingSources(odd.instances, InstanceSource::Image, file);
    QCOMPARE(strange.size(), 2);
    QCOMPARE(strange[0].where.line, 2);
    QCOMPARE(strange[1].where.message, QStringLiteral("“img --rm” cannot name an image (instance 'c')"));
}

void TestDataset::fingerprintsTasks()
{
    const auto one = load(
        "a.jsonl",
        "{\"instance_id\":\"a\",\"docker_image\":\"x\"}\n{\"instance_id\":\"b\",\"docker_image\":\"y\"}");
    const auto turned = load("b.csv", "docker_image,domain,instance_id\ny,d,b\nx,e,a\n");
    const auto other = load(
        "c.jsonl",
        "{\"instance_id\":\"a\",\"docker_image\":\"x\"}\n{\"instance_id\":\"b\",\"docker_image\":\"z\"}");
    // printf 'a\0x\nb\0y\n' | sha256sum
    QCOMPARE(one.fingerprint,
             QStringLiteral("sha256:1daaa098f3889f74c5c9d7bac7c9d40d6bd577004676b876137ed1dc54ae80b0"));
    QCOMPARE(turned.fingerprint, one.fingerprint);
    QVERIFY(other.fingerprint != one.fingerprint);
}

void TestDataset::limitsRemarks()
{
    QByteArray text("{\"instance_id\": \"a\"}\n");
    for (int i = 0; i < 1000; ++i)
        text += "broken\n";
    text += "{\"instance_id\": \"a\"}\n";
    const auto loaded = load("t.jsonl", text);
    QCOMPARE(loaded.diagnostics.size(), 101);
    QCOMPARE(loaded.diagnostics.first().severity, Severity::Error);
    QVERIFY(loaded.diagnostics.last().where.message.contains(QLatin1String("901")));
}

void TestDataset::loadsManyRowsQuickly()
{
    QByteArray text;
    for (int i = 0; i < 100'000; ++i) {
        text += "{\"instance_id\": \"hotel_hangzhou_" + QByteArray::number(i) +
                "\", \"docker_image\": \"registry.example/exam/hotel:1\", \"domain\": \"hotel\", \"config\": "
                "\"travel\", "
                "\"user_question\": \"Find a cheap hotel near the lake for two nights.\"}\n";
    }
    // Processor time beside that of parsing alone: a busy machine changes both. Unoptimised code takes
    // nine times the parsing alone, a quadratic search hundreds of times.
    const auto secondsSince = [](std::clock_t start) {
        return double(std::clock() - start) / CLOCKS_PER_SEC;
    };
    std::clock_t start = std::clock();
    for (const QByteArray &line : text.split('\n'))
        QJsonDocument::fromJson(line);
    const double parsing = secondsSince(start);
    start = std::clock();
    const auto loaded = load("t.jsonl", text);
    const double loading = secondsSince(start);
    QCOMPARE(loaded.instances.size(), 100'000);
    qInfo("100,000 rows: %.2f s, of which JSON alone %.2f s", loading, parsing);
    QVERIFY2(loading < 40 * parsing,
             qPrintable(QStringLiteral("%1 s, parsing %2 s").arg(loading).arg(parsing)));
}

QTEST_GUILESS_MAIN(TestDataset)
#include "tst_dataset.moc"
