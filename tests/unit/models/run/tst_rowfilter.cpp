// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run/rowfilter.h"
#include "models/run/runmodel.h"

#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QSignalSpy>
#include <QStringListModel>
#include <QTest>

using namespace proctor;

static AttemptUpdate attempt(const QString &id, double reward, const QString &domain = {})
{
    AttemptUpdate update;
    update.slot = {id, 1};
    update.domain = domain;
    update.attempt = 1;
    update.outcome = Outcome::scored(reward);
    return update;
}

static QList<AttemptUpdate> manyAttempts(int count)
{
    QList<AttemptUpdate> attempts;
    for (int i = 0; i < count; ++i)
        attempts << attempt(QStringLiteral("id-%1").arg(i), i % 1000 / 1000.0);
    return attempts;
}

/// A list of words whose rows can come and go anywhere.
class WordsSnapshot : public RowSnapshot
{
public:
    explicit WordsSnapshot(const QStringList &words)
        : m_words(words)
    {
    }
    int count() const override { return static_cast<int>(m_words.size()); }
    bool matches(int row, const QString &text) const override { return m_words[row].contains(text); }
    int compare(int, int left, int right) const override { return m_words[left].compare(m_words[right]); }

private:
    QStringList m_words;
};

class TestRowFilter : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void showsAllInTheOrderOfTheSource();
    void filtersAtOnceWhenSmall_data();
    void filtersAtOnceWhenSmall();
    void sortsByRawNumbers();
    void followsLiveChanges();
    void selectionFollowsItsRow();
    void newRowsRespectTheFilter();
    void survivesClear();
    void rowsComeAndGoAnywhere();
    void largeTablesAreSortedElsewhere();
    void olderQuestionsAreDropped();

private:
    QStringList shown() const;

    std::unique_ptr<RunModel> model;
    std::unique_ptr<RowFilter> filter;
    std::unique_ptr<QAbstractItemModelTester> tester;
};

void TestRowFilter::init()
{
    tester.reset();
    filter.reset();
    model = std::make_unique<RunModel>();
    filter = std::make_unique<RowFilter>();
    filter->setSource(model.get(), [this] { return model->snapshot(); });
    tester = std::make_unique<QAbstractItemModelTester>(
        filter.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
}

QStringList TestRowFilter::shown() const
{
    QStringList ids;
    for (int row = 0; row < filter->rowCount(); ++row)
        ids << filter->index(row, RunModel::Instance).data().toString();
    return ids;
}

static const QList<AttemptUpdate> three{
    attempt(QStringLiteral("hotel"), 0.5, QStringLiteral("travel")),
    attempt(QStringLiteral("food"), 1.0, QStringLiteral("shop")),
    attempt(QStringLiteral("train"), 0.25, QStringLiteral("travel")),
};

void TestRowFilter::showsAllInTheOrderOfTheSource()
{
    model->apply(three);
    QCOMPARE(shown(),
             QStringList({QStringLiteral("hotel"), QStringLiteral("food"), QStringLiteral("train")}));
    QCOMPARE(filter->headerData(RunModel::Reward, Qt::Horizontal),
             model->headerData(RunModel::Reward, Qt::Horizontal));
}

void TestRowFilter::filtersAtOnceWhenSmall_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("ids");
    QTest::newRow("instance") << "FOO" << QStringList{QStringLiteral("food")};
    QTest::newRow("domain") << "travel" << QStringList{QStringLiteral("hotel"), QStringLiteral("train")};
    QTest::newRow("state") << "scored"
                           << QStringList{QStringLiteral("hotel"), QStringLiteral("food"),
                                          QStringLiteral("train")};
    QTest::newRow("nothing") << "zebra" << QStringList{};
}

void TestRowFilter::filtersAtOnceWhenSmall()
{
    QFETCH(QString, text);
    model->apply(three);
    filter->setText(text);
    QTEST(shown(), "ids");
    QVERIFY(!filter->isBusy());
    filter->setText({});
    QCOMPARE(filter->rowCount(), 3);
}

void TestRowFilter::sortsByRawNumbers()
{
    model->apply(three);
    filter->sort(RunModel::Reward);
    QCOMPARE(shown(),
             QStringList({QStringLiteral("train"), QStringLiteral("hotel"), QStringLiteral("food")}));
    filter->sort(RunModel::Reward, Qt::DescendingOrder);
    QCOMPARE(shown(),
             QStringList({QStringLiteral("food"), QStringLiteral("hotel"), QStringLiteral("train")}));
    filter->sort(-1);
    QCOMPARE(shown().first(), QStringLiteral("hotel"));
}

void TestRowFilter::followsLiveChanges()
{
    model->apply(three);
    filter->sort(RunModel::Reward);
    model->apply({attempt(QStringLiteral("train"), 0.75)});
    QTRY_COMPARE(shown(),
                 QStringList({QStringLiteral("hotel"), QStringLiteral("train"), QStringLiteral("food")}));
}

void TestRowFilter::selectionFollowsItsRow()
{
    model->apply(three);
    QItemSelectionModel selection(filter.get());
    selection.setCurrentIndex(filter->index(2, 0),
                              QItemSelectionModel::SelectCurrent | QItemSelectionModel::Rows);
    filter->sort(RunModel::Reward);
    QCOMPARE(selection.currentIndex().data().toString(), QStringLiteral("train"));
    QCOMPARE(selection.selectedRows().size(), 1);
    QCOMPARE(selection.selectedRows().first().row(), 0);
    filter->setText(QStringLiteral("shop"));
    QVERIFY(selection.selectedRows().isEmpty());
}

void TestRowFilter::newRowsRespectTheFilter()
{
    filter->setText(QStringLiteral("travel"));
    model->apply(three);
    QCOMPARE(filter->rowCount(), 2);
    model->apply(
        {attempt(QStringLiteral("boat"), 0, QStringLiteral("travel")), attempt(QStringLiteral("tea"), 0)});
    QCOMPARE(shown().last(), QStringLiteral("boat"));
    QCOMPARE(filter->mapToSource(filter->index(2, 0)).row(), 3);
    QVERIFY(!filter->mapFromSource(model->index(4, 0)).isValid());
}

void TestRowFilter::survivesClear()
{
    model->apply(three);
    filter->sort(RunModel::Reward);
    model->clear();
    QCOMPARE(filter->rowCount(), 0);
    model->apply(three);
    QCOMPARE(shown().first(), QStringLiteral("train"));
}

void TestRowFilter::rowsComeAndGoAnywhere()
{
    QStringListModel words({QStringLiteral("b1"), QStringLiteral("a"), QStringLiteral("b2")});
    filter->setSource(&words, [&words] { return std::make_shared<const WordsSnapshot>(words.stringList()); });
    filter->setText(QStringLiteral("b"));
    QCOMPARE(shown(), QStringList({QStringLiteral("b1"), QStringLiteral("b2")}));
    words.insertRow(1);
    words.setData(words.index(1), QStringLiteral("b0"));
    filter->sort(0);
    QCOMPARE(shown(), QStringList({QStringLiteral("b0"), QStringLiteral("b1"), QStringLiteral("b2")}));
    words.removeRows(0, 2);
    QCOMPARE(shown(), QStringList{QStringLiteral("b2")});
    filter->setText({});
    QCOMPARE(shown(), QStringList({QStringLiteral("a"), QStringLiteral("b2")}));
    tester.reset();
    filter.reset();
}

void TestRowFilter::largeTablesAreSortedElsewhere()
{
    model->apply(manyAttempts(2 * RowFilter::largeTable));
    QSignalSpy settled(filter.get(), &RowFilter::settled);
    filter->sort(RunModel::Reward, Qt::DescendingOrder);
    QVERIFY(filter->isBusy());
    QCOMPARE(shown().first(), QStringLiteral("id-0"));
    QTRY_COMPARE(settled.count(), 1);
    QCOMPARE(shown().first(), QStringLiteral("id-999"));
    QCOMPARE(filter->rowCount(), 2 * RowFilter::largeTable);

    model->apply({attempt(QStringLiteral("best"), 1)});
    QTRY_COMPARE(shown().first(), QStringLiteral("best"));
}

void TestRowFilter::olderQuestionsAreDropped()
{
    model->apply(manyAttempts(2 * RowFilter::largeTable));
    filter->setText(QStringLiteral("id-1"));
    filter->setText(QStringLiteral("id-77"));
    QTRY_VERIFY(!filter->isBusy());
    QVERIFY(filter->rowCount() > 0);
    for (const QString &id : shown())
        QVERIFY2(id.startsWith(QStringLiteral("id-77")), qPrintable(id));
    filter->setText(QStringLiteral("id-5"));
    model->clear();
    QTRY_VERIFY(!filter->isBusy());
    QCOMPARE(filter->rowCount(), 0);
}

QTEST_GUILESS_MAIN(TestRowFilter)
#include "tst_rowfilter.moc"
