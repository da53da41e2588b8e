// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/exam/instanceid.h"

#include <QTest>

using namespace proctor;

class TestInstanceId : public QObject
{
    Q_OBJECT

private slots:
    void tellsUnsafeIds_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("said");
        QTest::newRow("plain") << "hotel_hangzhou_001"
                               << "";
        QTest::newRow("spaces") << "two words"
                                << "";
        QTest::newRow("chinese") << QStringLiteral("酒店") << "";
        QTest::newRow("300 characters") << QString(300, u'x') << "";
        QTest::newRow("one dot inside") << "v1.2"
                                        << "";
        QTest::newRow("hidden") << ".hidden"
                                << "";
        QTest::newRow("empty") << ""
                               << "empty";
        QTest::newRow("slash") << "a/b"
                               << "'/'";
        QTest::newRow("escape") << "../../escape"
                                << "'/'";
        QTest::newRow("parent") << ".."
                                << "'..'";
        QTest::newRow("dots inside") << "a..b"
                                     << "'..'";
        QTest::newRow("here") << "."
                              << "'.'";
        QTest::newRow("nul") << QString(QChar(u'\0')) + QStringLiteral("a") << "NUL";
    }
    void tellsUnsafeIds()
    {
        QFETCH(QString, id);
        QFETCH(QString, said);
        const auto problem = idProblem(id);
        QCOMPARE(problem.has_value(), !said.isEmpty());
        if (problem)
            QVERIFY2(problem->contains(said), qPrintable(*problem));
    }

    void namesFolders_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("folder");
        const auto keeps = [](const char *row, const QString &id) { QTest::newRow(row) << id << id; };
        keeps("plain", QStringLiteral("hotel_hangzhou_001"));
        keeps("spaces", QStringLiteral("two words"));
        keeps("chinese", QStringLiteral("酒店"));
        keeps("200 bytes", QString(200, u'x'));
        keeps("run without number", QStringLiteral("run_"));
        keeps("run of words", QStringLiteral("run_to_hills"));
        // The digits are those of `printf %s ID | sha256sum`.
        QTest::newRow("201 bytes") << QString(201, u'x')
                                   << QString(40, u'x') + QStringLiteral("-84a0678c9093");
        QTest::newRow("hidden") << ".prompt"
                                << "_prompt-cb1e1ddc588b";
        QTest::newRow("run folder") << "run_1"
                                    << "run_1-37ddff8ee13f";
        QTest::newRow("journal") << "events.jsonl"
                                 << "events.jsonl-2a803041b920";
        QTest::newRow("shard") << "scores.1of4.jsonl"
                               << "scores.1of4.jsonl-04017fc7411f";
        QTest::newRow("newline") << "a\nb"
                                 << "a_b-7e18f737311b";
    }
    void namesFolders()
    {
        QFETCH(QString, id);
        QTEST(instanceFolderName(id), "folder");
    }

    void keepsLongIdsApart()
    {
        const QString start(300, u'a');
        QVERIFY(instanceFolderName(start + u'1') != instanceFolderName(start + u'2'));
    }

    void countsBytesNotCharacters()
    {
        const QString id(67, QChar(0x9152)); // 201 bytes
        QVERIFY(instanceFolderName(id) != id);
        QCOMPARE(instanceFolderName(id.left(66)), id.left(66));
    }
};

QTEST_GUILESS_MAIN(TestInstanceId)
#include "tst_instanceid.moc"
