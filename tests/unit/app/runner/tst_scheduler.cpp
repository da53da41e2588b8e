// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/completion.h"
#include "app/runner/scheduler.h"

#include <QSignalSpy>
#include <QTest>

#include <map>
#include <memory>

using namespace proctor;

/// A scheduler whose attempts end when the test says so.
class TestScheduler : public QObject
{
    Q_OBJECT

private:
    struct Begun {
        Completion<bool> end;
        CancellationRegistration registration;
        bool cancelled = false;
    };
    std::map<QString, std::shared_ptr<Begun>> m_begun;
    QStringList m_order;

    QCoro::Task<void> attempt(RunPlan::Item item, CancellationToken token)
    {
        const auto begun = std::make_shared<Begun>();
        m_begun[item.slot.key()] = begun;
        m_order << item.slot.key();
        begun->registration = token.onCancelled(this, [begun] {
            begun->cancelled = true;
            begun->end.complete(true);
        });
        co_await begun->end;
        m_begun.erase(item.slot.key());
    }

    std::unique_ptr<Scheduler> scheduler(int concurrency, int items)
    {
        m_begun.clear();
        m_order.clear();
        auto made = std::make_unique<Scheduler>(
            [this](RunPlan::Item item, CancellationToken token) { return attempt(std::move(item), token); },
            concurrency);
        QList<RunPlan::Item> plan;
        for (int i = 0; i < items; ++i) {
            RunPlan::Item item;
            item.slot = {QString::number(i), 1};
            plan << item;
        }
        made->add(plan);
        return made;
    }

    void end(const QString &key) { m_begun.at(key)->end.complete(true); }
    int running() const { return static_cast<int>(m_begun.size()); }

private slots:
    void keepsConcurrencyAndOrder()
    {
        auto tested = scheduler(2, 4);
        QCOMPARE(running(), 0);
        QSignalSpy settled(tested.get(), &Scheduler::settled);
        tested->start();
        QCOMPARE(running(), 2);
        end(QStringLiteral("1#1"));
        QTRY_COMPARE(m_order.size(), 3);
        QCOMPARE(running(), 2);
        end(QStringLiteral("0#1"));
        end(QStringLiteral("2#1"));
        QTRY_COMPARE(m_order.size(), 4);
        QCOMPARE(settled.size(), 0);
        end(QStringLiteral("3#1"));
        QTRY_COMPARE(settled.size(), 1);
        QCOMPARE(m_order, QStringList({QStringLiteral("0#1"), QStringLiteral("1#1"), QStringLiteral("2#1"),
                                       QStringLiteral("3#1")}));
    }

    void nothingToDoSettlesAtOnce()
    {
        auto tested = scheduler(2, 0);
        QSignalSpy settled(tested.get(), &Scheduler::settled);
        tested->start();
        QCOMPARE(settled.size(), 1);
    }

    void pauseLetsRunningOnesEnd()
    {
        auto tested = scheduler(1, 2);
        QSignalSpy settled(tested.get(), &Scheduler::settled);
        tested->start();
        tested->pause();
        QCOMPARE(running(), 1);
        QVERIFY(!m_begun.begin()->second->cancelled);
        end(QStringLiteral("0#1"));
        QTRY_COMPARE(settled.size(), 1);
        QCOMPARE(running(), 0);
        tested->start();
        QCOMPARE(running(), 1);
        QCOMPARE(tested->waiting(), 0);
    }

    void stopCancelsAndBeginsNothing()
    {
        auto tested = scheduler(2, 5);
        QSignalSpy settled(tested.get(), &Scheduler::settled);
        tested->start();
        tested->stop(QStringLiteral("enough"));
        QTRY_COMPARE(settled.size(), 1);
        QCOMPARE(m_order.size(), 2);
        tested->start();
        QCOMPARE(m_order.size(), 2);
    }

    void stopsOneAttempt()
    {
        auto tested = scheduler(1, 3);
        tested->start();
        tested->stopAttempt({QStringLiteral("1"), 1}, QStringLiteral("not this"));
        tested->stopAttempt({QStringLiteral("0"), 1}, QStringLiteral("nor this"));
        QTRY_COMPARE(m_order, QStringList({QStringLiteral("0#1"), QStringLiteral("2#1")}));
    }

    void concurrencyChangesWhileRunning()
    {
        auto tested = scheduler(1, 4);
        tested->start();
        tested->setConcurrency(3);
        QCOMPARE(running(), 3);
        tested->setConcurrency(0);
        QCOMPARE(tested->concurrency(), 1);
        end(QStringLiteral("0#1"));
        QTRY_COMPARE(running(), 2);
        QCOMPARE(m_order.size(), 3);
    }
};

QTEST_GUILESS_MAIN(TestScheduler)
#include "tst_scheduler.moc"
