// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/completion.h"

#include <QCoroTask>
#include <QTest>
#include <QThread>

using namespace proctor;

namespace
{

QCoro::Task<> store(const Completion<int> &completion, int *result)
{
    *result = co_await completion;
}

/// A coroutine that a test can destroy while it waits.
struct Destroyable {
    struct promise_type {
        Destroyable get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};

Destroyable storeDestroyable(const Completion<int> &completion, int *result)
{
    *result = co_await completion;
}

} // namespace

class TestCompletion : public QObject
{
    Q_OBJECT

private slots:
    void completedBefore();
    void resumesFromTheEventLoop();
    void firstValueCounts();
    void destroyedUncompletedYieldsAbandoned();
    void destroyedAfterCompleted();
    void waiterDestroyedWhileWaiting();
    void waiterDestroyedBeforeItsTurn();
    void waiterMayDestroyIt();
    void movesValuesThatCannotBeCopied();
    void worksInAnotherThread();
};

void TestCompletion::completedBefore()
{
    Completion<int> completion;
    completion.complete(7);
    QVERIFY(completion.isComplete());
    int result = 0;
    store(completion, &result);
    QCOMPARE(result, 7);
}

void TestCompletion::resumesFromTheEventLoop()
{
    Completion<int> completion;
    int result = 0;
    store(completion, &result);
    completion.complete(7);
    QCOMPARE(result, 0);
    QTRY_COMPARE(result, 7);
}

void TestCompletion::firstValueCounts()
{
    Completion<int> completion;
    int result = 0;
    store(completion, &result);
    completion.complete(1);
    completion.complete(2);
    QTRY_VERIFY(result != 0);
    QCOMPARE(result, 1);
}

void TestCompletion::destroyedUncompletedYieldsAbandoned()
{
    auto completion = std::make_unique<Completion<int>>(-1);
    int result = 0;
    store(*completion, &result);
    completion.reset();
    QCOMPARE(result, 0);
    QTRY_COMPARE(result, -1);
}

void TestCompletion::destroyedAfterCompleted()
{
    auto completion = std::make_unique<Completion<int>>(-1);
    int result = 0;
    store(*completion, &result);
    completion->complete(5);
    completion.reset();
    QTRY_COMPARE(result, 5);
}

void TestCompletion::waiterDestroyedWhileWaiting()
{
    Completion<int> completion;
    int result = 0;
    storeDestroyable(completion, &result).handle.destroy();
    completion.complete(5);
    QCoreApplication::processEvents();
    QCOMPARE(result, 0);
}

void TestCompletion::waiterDestroyedBeforeItsTurn()
{
    Completion<int> completion;
    int result = 0;
    const Destroyable waiter = storeDestroyable(completion, &result);
    completion.complete(5);
    waiter.handle.destroy();
    QCoreApplication::processEvents();
    QCOMPARE(result, 0);
}

void TestCompletion::waiterMayDestroyIt()
{
    auto completion = std::make_unique<Completion<int>>();
    int result = 0;
    const auto waitAndDestroy = [](std::unique_ptr<Completion<int>> *owner, int *value) -> QCoro::Task<> {
        *value = co_await **owner;
        owner->reset();
    };
    waitAndDestroy(&completion, &result);
    completion->complete(3);
    QTRY_COMPARE(result, 3);
    QVERIFY(!completion);
}

void TestCompletion::movesValuesThatCannotBeCopied()
{
    Completion<std::unique_ptr<int>> completion;
    completion.complete(std::make_unique<int>(9));
    const auto take = [](Completion<std::unique_ptr<int>> *from) -> QCoro::Task<int> {
        const auto value = co_await *from;
        co_return *value;
    };
    QCOMPARE(QCoro::waitFor(take(&completion)), 9);
}

void TestCompletion::worksInAnotherThread()
{
    int result = 0;
    std::unique_ptr<QThread> thread(QThread::create([&result] {
        QEventLoop loop;
        Completion<int> completion;
        const auto wait = [&]() -> QCoro::Task<> {
            result = co_await completion;
            loop.quit();
        };
        wait();
        completion.complete(4);
        loop.exec();
    }));
    thread->start();
    QVERIFY(thread->wait(10000));
    QCOMPARE(result, 4);
}

QTEST_GUILESS_MAIN(TestCompletion)
#include "tst_completion.moc"
