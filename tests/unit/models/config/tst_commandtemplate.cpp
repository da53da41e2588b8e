// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/commandtemplate.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTest>

using namespace proctor;

// What the rules of the peer make of each argument: the filled-in text, or null where it refuses.
static const char *const askPython = R"(
import json, string, sys
def fill(argument, values):
    out = ""
    for literal, field, spec, conversion in string.Formatter().parse(argument):
        out += literal
        if field is None: continue
        if field not in values or spec or conversion: raise ValueError
        out += values[field]
    return out
def answer(argument):
    try: return fill(argument, {"context": "/a b/c", "output_dir": "/out"})
    except ValueError: return None
print(json.dumps([answer(argument) for argument in json.load(sys.stdin)]))
)";

class TestCommandTemplate : public QObject
{
    Q_OBJECT

private slots:
    void agreesWithPython()
    {
        const QStringList arguments{QStringLiteral("plain"),
                                    QStringLiteral("{context}"),
                                    QStringLiteral("--out={output_dir}/x{context}"),
                                    QStringLiteral("{{context}}"),
                                    QStringLiteral("{{{context}}}"),
                                    QStringLiteral("{"),
                                    QStringLiteral("}"),
                                    QStringLiteral("a{b"),
                                    QStringLiteral("a}b"),
                                    QStringLiteral("{}"),
                                    QStringLiteral("{0}"),
                                    QStringLiteral("{contxt}"),
                                    QStringLiteral("{context.x}"),
                                    QStringLiteral("{context[0]}"),
                                    QStringLiteral("{context!r}"),
                                    QStringLiteral("{context:>9}"),
                                    QStringLiteral("{context:}"),
                                    QStringLiteral("{context!}"),
                                    QStringLiteral("{context!r"),
                                    QStringLiteral("{context:{output_dir}}"),
                                    QStringLiteral("{context:{"),
                                    QStringLiteral("{a{b}"),
                                    QStringLiteral("{context[}]}"),
                                    QStringLiteral("{ context}"),
                                    QStringLiteral("{\"json\": 1}"),
                                    QStringLiteral("{{\"json\": {context}}}"),
                                    QStringLiteral("}}{{"),
                                    QStringLiteral("}}}"),
                                    QString()};
        QProcess python;
        python.start(QStringLiteral("/usr/bin/python3"),
                     {QStringLiteral("-c"), QString::fromUtf8(askPython)});
        python.write(QJsonDocument(QJsonArray::fromStringList(arguments)).toJson());
        python.closeWriteChannel();
        QVERIFY(python.waitForFinished());
        const QJsonArray theirs = QJsonDocument::fromJson(python.readAllStandardOutput()).array();
        QCOMPARE(theirs.size(), arguments.size());
        const QHash<QString, QString> values{{QStringLiteral("context"), QStringLiteral("/a b/c")},
                                             {QStringLiteral("output_dir"), QStringLiteral("/out")}};
        for (qsizetype i = 0; i < arguments.size(); ++i) {
            const auto ours = fillPlaceholders(arguments[i], values);
            QVERIFY2(ours.hasValue() == theirs[i].isString(), qPrintable(arguments[i]));
            if (ours)
                QCOMPARE(*ours, theirs[i].toString());
        }
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<QString>("argument");
        QTest::addColumn<QString>("said");
        QTest::newRow("slip") << "{contxt}"
                              << "did you mean '{context}'?";
        QTest::newRow("unknown") << "{zzzzzz}"
                                 << "{task_context_path}";
        QTest::newRow("formatting") << "{context!r}"
                                    << "cannot use formatting";
        QTest::newRow("brace") << "a{b"
                               << "no partner";
    }
    void saysWhatIsWrong()
    {
        QFETCH(QString, argument);
        QFETCH(QString, said);
        const auto filled = fillPlaceholders(argument, {});
        QVERIFY(!filled);
        QVERIFY2(filled.error().message.contains(said), qPrintable(filled.error().message));
    }
};

QTEST_GUILESS_MAIN(TestCommandTemplate)
#include "tst_commandtemplate.moc"
