// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/config/outputpaths.h"

#include <QTest>

using namespace proctor;

class TestOutputPaths : public QObject
{
    Q_OBJECT

private slots:
    void checksPaths_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("normalised");
        QTest::addColumn<QString>("said");
        const auto good = [](const char *path, const char *normalised) {
            QTest::newRow(path) << QString::fromUtf8(path) << QString::fromUtf8(normalised) << QString();
        };
        const auto bad = [](const char *path, const char *said) {
            QTest::newRow(path) << QString::fromUtf8(path) << QString() << QString::fromUtf8(said);
        };
        good("answer.json", "answer.json");
        good("./answer.json", "answer.json");
        good("answer.md", "answer.md");
        good("artifacts", "artifacts");
        good("artifacts//a", "artifacts/a");
        good("artifacts/a/", "artifacts/a");
        good("artifacts/./a b.txt", "artifacts/a b.txt");
        good("artifacts/..a", "artifacts/..a");
        bad("", "is empty");
        bad("artifacts\\a", "backslash");
        bad("/artifacts/a", "below the output folder");
        bad("//artifacts/a", "below the output folder");
        bad(".", "below the output folder");
        bad("./", "below the output folder");
        bad("..", "below the output folder");
        bad("artifacts/../answer.json", "below the output folder");
        bad("notes.txt", "below artifacts/");
        bad("answer.json/x", "below artifacts/");
        bad("Artifacts/x", "below artifacts/");
    }
    void checksPaths()
    {
        QFETCH(QString, path);
        QFETCH(QString, normalised);
        QFETCH(QString, said);
        const auto result = normalisedOutputPath(path);
        QCOMPARE(result.hasValue(), said.isEmpty());
        if (result)
            QCOMPARE(*result, normalised);
        else
            QVERIFY2(result.error().message.contains(said), qPrintable(result.error().message));
    }

    void putsAnswersFirst()
    {
        const QStringList configured{QStringLiteral("artifacts/b"), QStringLiteral("answer.md"),
                                     QStringLiteral("artifacts/b"), QStringLiteral("artifacts/a")};
        QCOMPARE(declaredOutputs(configured).join(u' '),
                 QStringLiteral("answer.json answer.md artifacts/b artifacts/a"));
    }
};

QTEST_GUILESS_MAIN(TestOutputPaths)
#include "tst_outputpaths.moc"
