// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/shellwords.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTest>

using namespace proctor;

static const char *const askShlex = R"(
import json, shlex, sys
def split(line):
    try: return shlex.split(line)
    except ValueError: return None
print(json.dumps([split(line) for line in json.load(sys.stdin)]))
)";

class TestShellWords : public QObject
{
    Q_OBJECT

private slots:
    void agreesWithShlex()
    {
        const QStringList lines{QStringLiteral("python3 -m agent --context {context} --max-turns 30"),
                                QStringLiteral("  a\t b\nc\r\n "),
                                QStringLiteral("'a b' \"c d\" e\\ f"),
                                QStringLiteral("a''b \"\" ''"),
                                QStringLiteral("\"a\\\"b\\\\c\\d\\$e\""),
                                QStringLiteral("'a\\'"),
                                QStringLiteral("'a\\'b'"),
                                QStringLiteral("\"open"),
                                QStringLiteral("'open"),
                                QStringLiteral("end\\"),
                                QStringLiteral("\"end\\"),
                                QStringLiteral("a#b # c"),
                                QStringLiteral("a;b|c>d&"),
                                QStringLiteral("路径 '引 号'"),
                                QString(),
                                QStringLiteral("   "),
                                QStringLiteral("\\"),
                                QStringLiteral("\\\n"),
                                QStringLiteral("a\\\nb"),
                                QStringLiteral("\"\\\n\""),
                                QStringLiteral("a\u00a0b"),
                                QStringLiteral("\"\\'\"")};
        QProcess python;
        python.start(QStringLiteral("/usr/bin/python3"), {QStringLiteral("-c"), QString::fromUtf8(askShlex)});
        python.write(QJsonDocument(QJsonArray::fromStringList(lines)).toJson());
        python.closeWriteChannel();
        QVERIFY(python.waitForFinished());
        const QJsonArray theirs = QJsonDocument::fromJson(python.readAllStandardOutput()).array();
        QCOMPARE(theirs.size(), lines.size());
        for (qsizetype i = 0; i < lines.size(); ++i) {
            const auto ours = splitShellWords(lines[i]);
            QVERIFY2(ours.hasValue() == theirs[i].isArray(), qPrintable(lines[i]));
            if (ours)
                QCOMPARE(QJsonArray::fromStringList(*ours), theirs[i].toArray());
        }
    }
};

QTEST_GUILESS_MAIN(TestShellWords)
#include "tst_shellwords.moc"
