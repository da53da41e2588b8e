// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every end that an attempt can have, against the real local sandbox; the same rows against containers are in
// engine/tst_dockeroutcomes.cpp, those of agents on the host in tst_hostagent.cpp. The row that needs a model
// gateway is named by the last test until there is one.
#include "app/sandbox/localsandbox.h"
#include "tests/support/outcometable.h"

using namespace proctor;
using namespace proctor::test;

class TestOutcomes : public OutcomeTable
{
    Q_OBJECT

protected:
    std::unique_ptr<Sandbox> makeSandbox(AttemptSpec &, const TrialBundle &bundle) override
    {
        LocalSandboxSpec sandbox;
        sandbox.bundle = bundle.path();
        sandbox.setup.wall = bubblewrapWall;
        return std::make_unique<LocalSandbox>(sandbox);
    }

    void addOwnRows() override
    {
        QTest::newRow("agent crashes") << agentFails(QStringLiteral("kill -SEGV $$"), QStringLiteral("139"));
        QTest::newRow("fills its disk") << agentFails(
            QStringLiteral("head -c 3G /dev/zero > /app/artifacts/big"), QStringLiteral("No space left"));
    }

private slots:
    void rowThatWaits() { qInfo("not covered yet: agent over its token or money budget (model gateway)"); }
};

QTEST_GUILESS_MAIN(TestOutcomes)
#include "tst_outcomes.moc"
