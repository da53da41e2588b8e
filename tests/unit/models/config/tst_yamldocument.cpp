// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/yamldocument.h"

#include <QTest>

using namespace proctor;

static QString print(const YamlNode &node)
{
    QStringList parts;
    if (node.isScalar())
        return node.scalar.text;
    if (node.isSequence()) {
        for (const auto &item : node.items)
            parts << print(*item);
        return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
    }
    for (const auto &entry : node.entries)
        parts << print(*entry.key) + QStringLiteral(": ") + print(*entry.value);
    return QStringLiteral("{%1}").arg(parts.join(QStringLiteral(", ")));
}

class TestYamlDocument : public QObject
{
    Q_OBJECT

private slots:
    void readsLikeTheLoader_data();
    void readsLikeTheLoader();
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
    void knowsPlaces();
    void tellsWhereValuesCameFrom();
    void readsNothingAsNoRoot();
};

void TestYamlDocument::readsLikeTheLoader_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("tree");
    QTest::newRow("plain") << QByteArray("a: 1\nb: [x, 'y']\n") << "{a: 1, b: [x, y]}";
    QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbf"
                                                   "a: 1")
                                     << "{a: 1}";
    QTest::newRow("byte order mark, several lines") << QByteArray("\xef\xbb\xbf"
                                                                  "a: 1\nb: 2\n")
                                                    << "{a: 1, b: 2}";
    QTest::newRow("windows line ends") << QByteArray("a: 1\r\nb: 2\r\n") << "{a: 1, b: 2}";
    QTest::newRow("last of equal keys") << QByteArray("a: 1\nb: 2\na: 3") << "{a: 3, b: 2}";
    QTest::newRow("alias") << QByteArray("a: &x {k: 1}\nb: *x") << "{a: {k: 1}, b: {k: 1}}";
    QTest::newRow("merge") << QByteArray("a: &x {k: 1, l: 2}\nb: {<<: *x, k: 3}")
                           << "{a: {k: 1, l: 2}, b: {k: 3, l: 2}}";
    QTest::newRow("merge list, first wins")
        << QByteArray("b: {<<: [{k: 1}, {k: 2, l: 3}]}") << "{b: {k: 1, l: 3}}";
    QTest::newRow("quoted merge key is text") << QByteArray("b: {'<<': 1}") << "{b: {<<: 1}}";
    QTest::newRow("explicit end") << QByteArray("---\na: 1\n...\n") << "{a: 1}";
    QTest::newRow("block text") << QByteArray("a: |\n  x\n  y\n") << "{a: x\ny\n}";
}

void TestYamlDocument::readsLikeTheLoader()
{
    QFETCH(QByteArray, text);
    const auto document = YamlDocument::parse(text, QStringLiteral("f"));
    QVERIFY2(document.hasValue(), qPrintable(document ? QString() : document.error().text()));
    QVERIFY(!hasErrors(document->diagnostics));
    QTEST(print(*document->root), "tree");
}

void TestYamlDocument::saysWhatIsWrong_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("start");
    QTest::addColumn<QString>("word");
    QTest::newRow("not closed") << QByteArray("a: [1\nb: 2\n") << "f:2:2: "
                                << "not YAML";
    QTest::newRow("tab") << QByteArray("a:\n\tb: 1\n") << "f:2:1: "
                         << "not YAML";
    QTest::newRow("control character") << QByteArray("a: 1\nb: \x01\n") << "f:2: "
                                       << "control characters";
    QTest::newRow("not UTF-8") << QByteArray("a: 1\nb: \xff\n") << "f:2: "
                               << "UTF-8";
    QTest::newRow("UTF-16") << QByteArray("\xff\xfe"
                                          "a\0:\0",
                                          6)
                            << "f:1: "
                            << "UTF-8";
    QTest::newRow("two documents") << QByteArray("a: 1\n---\nb: 2\n") << "f:2:1: "
                                   << "second YAML document";
    QTest::newRow("no anchor") << QByteArray("a: *x\n") << "f:1:4: "
                               << "no anchor 'x'";
    QTest::newRow("anchor twice") << QByteArray("a: &x 1\nb: &x 2") << "f:2:4: "
                                  << "already defined";
    QTest::newRow("endless") << QByteArray("a: &x [*x]\n") << "f:1:8: "
                             << "inside what it refers to";
    QTest::newRow("deep") << QByteArray(5000, '[') << "f:1:"
                          << "nested";
    QTest::newRow("key twice") << QByteArray("a: 1\na: 2\n") << "f:2:1: warning: "
                               << "line 1";
    QTest::newRow("true is 1 as a key") << QByteArray("1: a\nyes: b\n") << "f:2:1: warning: "
                                        << "line 1";
    QTest::newRow("list as key") << QByteArray("[a]: 1\n") << "f:1:1: error: "
                                 << "cannot be a key";
    QTest::newRow("unknown tag") << QByteArray("a: !mine 1\n") << "f:1:4: error: "
                                 << "'!mine'";
    QTest::newRow("python object") << QByteArray("a: !!python/name:os.system x\n") << "f:1:4: error: "
                                   << "python";
    QTest::newRow("tag of another kind") << QByteArray("a: !!str [1]\n") << "f:1:4: error: "
                                         << "tag";
    QTest::newRow("no date") << QByteArray("a: 2026-13-01\n") << "f:1:4: error: "
                             << "quotes";
    QTest::newRow("merging text") << QByteArray("a: {<<: text}\n") << "f:1:9: error: "
                                  << "'<<'";
    QTest::newRow("merging a list of text") << QByteArray("a: {<<: [text]}\n") << "f:1:10: error: "
                                            << "'<<'";
}

void TestYamlDocument::saysWhatIsWrong()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, start);
    QFETCH(QString, word);
    const auto document = YamlDocument::parse(text, QStringLiteral("f"));
    QString said;
    if (!document)
        said = document.error().text();
    else if (document->diagnostics.size() == 1)
        said = toText(document->diagnostics.first());
    QVERIFY2(said.startsWith(start), qPrintable(said));
    QVERIFY2(said.contains(word), qPrintable(said));
}

void TestYamlDocument::knowsPlaces()
{
    const auto document = YamlDocument::parse("# 注释\nagent:\n  cmd: 'x'  # end\n", QStringLiteral("f"));
    const YamlEntry *agent = document->root->entry(QStringLiteral("agent"));
    QVERIFY(agent);
    const YamlEntry *cmd = agent->value->entry(QStringLiteral("cmd"));
    QVERIFY(cmd);
    QCOMPARE(cmd->key->start, (YamlMark{3, 3, 14}));
    QCOMPARE(cmd->value->start, (YamlMark{3, 8, 19}));
    QCOMPARE(cmd->value->end, (YamlMark{3, 11, 22}));
    QCOMPARE(cmd->value->style, YamlNode::Style::SingleQuoted);
    QVERIFY(!agent->value->entry(QStringLiteral("mode")));
}

void TestYamlDocument::tellsWhereValuesCameFrom()
{
    const auto document =
        YamlDocument::parse("a: &x {k: 1}\nb: *x\nc: {<<: *x, own: 2}\n", QStringLiteral("f"));
    const auto at = [](const YamlNode &node, const char *key) { return node.entry(QLatin1String(key)); };
    const YamlNode &root = *document->root;
    QVERIFY(!at(root, "a")->isAlias);
    QVERIFY(at(root, "b")->isAlias);
    QVERIFY(at(*at(root, "c")->value, "k")->isMerged);
    QVERIFY(!at(*at(root, "c")->value, "own")->isMerged);
    QCOMPARE(at(root, "c")->value->written.size(), 2);
}

void TestYamlDocument::readsNothingAsNoRoot()
{
    for (const QByteArray &text : {QByteArray(), QByteArray("# only a comment\n"), QByteArray("\n\n")}) {
        const auto document = YamlDocument::parse(text, QStringLiteral("f"));
        QVERIFY(document.hasValue());
        QVERIFY(!document->root);
    }
}

QTEST_GUILESS_MAIN(TestYamlDocument)
#include "tst_yamldocument.moc"
