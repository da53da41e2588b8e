// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/logview.h"
#include "widgets/parts/plaintext.h"

#include <QScrollBar>
#include <QTest>

using namespace proctor;

class TestLogView : public QObject
{
    Q_OBJECT

private slots:
    void foreignTextBecomesPlain_data();
    void foreignTextBecomesPlain();
    void anyCutGivesTheSame_data();
    void anyCutGivesTheSame();
    void longLinesAreBroken();
    void keepsTheLastLines();
    void showsAFloodInPieces();
    void keepsTheEndOfAFlood();
    void followsWhenTold();
};

void TestLogView::foreignTextBecomesPlain_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("plain");
    QTest::newRow("plain") << "a\tb\n"
                           << "a\tb\n";
    QTest::newRow("colours") << "\x1b[1;31mred\x1b[0m"
                             << "red";
    QTest::newRow("window title") << "\x1b]0;title\x07"
                                     "after"
                                  << "after";
    QTest::newRow("carriage returns") << "1%\r2%\r\n3%"
                                      << "1%\n2%\n3%";
    QTest::newRow("control characters")
        << QStringLiteral("a\x01") + QChar(0x7f) << QStringLiteral("a\uFFFD\uFFFD");
    QTest::newRow("turned direction") << QStringLiteral("a\u202Eb") << QStringLiteral("a\uFFFDb");
    QTest::newRow("other scripts") << QStringLiteral("杭州 🏨") << QStringLiteral("杭州 🏨");
}

void TestLogView::foreignTextBecomesPlain()
{
    QFETCH(QString, text);
    QTEST(PlainText().next(text), "plain");
}

void TestLogView::anyCutGivesTheSame_data()
{
    foreignTextBecomesPlain_data();
}

void TestLogView::anyCutGivesTheSame()
{
    QFETCH(QString, text);
    for (qsizetype cut = 0; cut <= text.size(); ++cut) {
        PlainText plain;
        QString shown = plain.next(text.left(cut));
        shown += plain.next(text.mid(cut));
        QTEST(shown, "plain");
    }
}

void TestLogView::longLinesAreBroken()
{
    PlainText plain;
    QString shown;
    for (int i = 0; i < 100; ++i)
        shown += plain.next(QString(100, QLatin1Char('x')));
    for (const QString &line : shown.split(QLatin1Char('\n')))
        QVERIFY(line.size() <= 4000);
    QCOMPARE(shown.count(QLatin1Char('x')), 10'000);
}

void TestLogView::keepsTheLastLines()
{
    LogView view;
    for (int i = 0; i < 30'000; ++i)
        view.appendLog(QStringLiteral("line %1\n").arg(i));
    QTRY_VERIFY(view.toPlainText().endsWith(QStringLiteral("line 29999\n")));
    QVERIFY(view.blockCount() <= 20'000);
    view.setLog(QStringLiteral("other"));
    QCOMPARE(view.toPlainText(), QStringLiteral("other"));
}

/// A turn of the event loop lays out a few lines only, so that the window can be used meanwhile.
void TestLogView::showsAFloodInPieces()
{
    LogView view;
    QList<int> additions;
    int before = 0;
    connect(view.document(), &QTextDocument::contentsChanged, &view, [&] {
        additions << view.blockCount() - before;
        before = view.blockCount();
    });
    QString flood;
    for (int i = 0; i < 5'000; ++i)
        flood += QStringLiteral("line %1\r\n").arg(i);
    view.appendLog(flood);
    view.appendLog(flood);
    QTRY_COMPARE(view.blockCount(), 10'001);
    QVERIFY(*std::max_element(additions.begin(), additions.end()) <= 201);
    QCOMPARE(view.toPlainText(), flood.replace(QStringLiteral("\r\n"), QStringLiteral("\n")).repeated(2));
}

void TestLogView::keepsTheEndOfAFlood()
{
    LogView view;
    QString flood;
    for (int i = 0; i < 300'000; ++i)
        flood += QStringLiteral("%1\n").arg(i);
    view.appendLog(flood);
    QTRY_VERIFY(view.toPlainText().endsWith(QStringLiteral("\n299999\n")));
    QVERIFY(view.toPlainText().startsWith(QStringLiteral("280001\n")));
    QCOMPARE(view.blockCount(), 20'000);
}

void TestLogView::followsWhenTold()
{
    LogView view;
    view.resize(300, 100);
    view.show();
    const QString lines = QStringLiteral("line\n").repeated(100);
    view.setLog(lines);
    QScrollBar *bar = view.verticalScrollBar();
    QTRY_VERIFY(bar->maximum() > 0);
    QCOMPARE(bar->value(), bar->maximum());
    view.setFollowing(false);
    bar->setValue(3);
    view.appendLog(lines);
    QTRY_VERIFY(view.blockCount() > 150);
    QCOMPARE(bar->value(), 3);
}

QTEST_MAIN(TestLogView)
#include "tst_logview.moc"
