// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/cancellation.h"

#include <QTest>

using namespace proctor;

class TestCancellation : public QObject
{
    Q_OBJECT

private slots:
    void defaultTokenIsNeverCancelled();
    void firstReasonCounts();
    void callsBack();
    void callsBackAtOnceWhenAlreadyCancelled();
    void registrationEndsWithItsObject();
    void registrationMoves();
    void contextEndsTheRegistration();
    void childFollowsItsParent();
    void tokenFollowsTheParentOfItsSource();
    void childAloneLeavesItsParent();
    void childOfACancelledParent();
    void callbackMayDestroyTheSource();
    void callbackMayRemoveAnotherRegistration();
    void tokenOutlivesItsSource();
};

void TestCancellation::defaultTokenIsNeverCancelled()
{
    const CancellationToken token;
    int calls = 0;
    const auto registration = token.onCancelled(this, [&] { ++calls; });
    QVERIFY(!token.isCancelled());
    QCOMPARE(calls, 0);
}

void TestCancellation::firstReasonCounts()
{
    CancellationSource source;
    const CancellationToken token = source.token();
    QVERIFY(!token.isCancelled());
    QVERIFY(token.reason().isEmpty());
    source.cancel(QStringLiteral("one"));
    source.cancel(QStringLiteral("two"));
    QVERIFY(token.isCancelled());
    QCOMPARE(token.reason(), QStringLiteral("one"));
}

void TestCancellation::callsBack()
{
    CancellationSource source;
    int calls = 0;
    const auto registration = source.token().onCancelled(this, [&] { ++calls; });
    QCOMPARE(calls, 0);
    source.cancel({});
    source.cancel({});
    QCOMPARE(calls, 1);
}

void TestCancellation::callsBackAtOnceWhenAlreadyCancelled()
{
    CancellationSource source;
    source.cancel({});
    int calls = 0;
    const auto registration = source.token().onCancelled(this, [&] { ++calls; });
    QCOMPARE(calls, 1);
}

void TestCancellation::registrationEndsWithItsObject()
{
    CancellationSource source;
    int calls = 0;
    {
        const auto registration = source.token().onCancelled(this, [&] { ++calls; });
    }
    source.cancel({});
    QCOMPARE(calls, 0);
}

void TestCancellation::registrationMoves()
{
    CancellationSource source;
    int calls = 0;
    CancellationRegistration kept;
    {
        auto registration = source.token().onCancelled(this, [&] { ++calls; });
        kept = std::move(registration);
    }
    source.cancel({});
    QCOMPARE(calls, 1);
}

void TestCancellation::contextEndsTheRegistration()
{
    CancellationSource source;
    int calls = 0;
    auto context = std::make_unique<QObject>();
    const auto registration = source.token().onCancelled(context.get(), [&] { ++calls; });
    context.reset();
    source.cancel({});
    QCOMPARE(calls, 0);
}

void TestCancellation::childFollowsItsParent()
{
    CancellationSource parent;
    const CancellationSource child(parent.token());
    int calls = 0;
    const auto registration = child.token().onCancelled(this, [&] { ++calls; });
    parent.cancel(QStringLiteral("all"));
    QVERIFY(child.isCancelled());
    QCOMPARE(child.token().reason(), QStringLiteral("all"));
    QCOMPARE(calls, 1);
}

void TestCancellation::tokenFollowsTheParentOfItsSource()
{
    CancellationSource parent;
    const CancellationToken token = CancellationSource(parent.token()).token();
    parent.cancel(QStringLiteral("all"));
    QVERIFY(token.isCancelled());
}

void TestCancellation::childAloneLeavesItsParent()
{
    CancellationSource parent;
    CancellationSource child(parent.token());
    child.cancel({});
    QVERIFY(!parent.isCancelled());
}

void TestCancellation::childOfACancelledParent()
{
    CancellationSource parent;
    parent.cancel(QStringLiteral("before"));
    const CancellationSource child(parent.token());
    QVERIFY(child.isCancelled());
    QCOMPARE(child.token().reason(), QStringLiteral("before"));
}

void TestCancellation::callbackMayDestroyTheSource()
{
    auto source = std::make_unique<CancellationSource>();
    const CancellationToken token = source->token();
    const auto registration = token.onCancelled(this, [&] { source.reset(); });
    source->cancel(QStringLiteral("gone"));
    QVERIFY(!source);
    QCOMPARE(token.reason(), QStringLiteral("gone"));
}

void TestCancellation::callbackMayRemoveAnotherRegistration()
{
    CancellationSource source;
    CancellationRegistration second;
    int calls = 0;
    const auto first = source.token().onCancelled(this, [&] { second.remove(); });
    second = source.token().onCancelled(this, [&] { ++calls; });
    source.cancel({});
    QCOMPARE(calls, 0);
}

void TestCancellation::tokenOutlivesItsSource()
{
    CancellationToken token;
    {
        CancellationSource source;
        token = source.token();
    }
    QVERIFY(!token.isCancelled());
}

QTEST_GUILESS_MAIN(TestCancellation)
#include "tst_cancellation.moc"
