// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/madeuprun.h"

namespace proctor::madeup
{

static AttemptUpdate waiting(const QString &id, const QString &domain, int run)
{
    AttemptUpdate update;
    update.slot = {id, run};
    update.domain = domain;
    return update;
}

static void end(AttemptUpdate &update, const Outcome &outcome, double seconds, int toolCalls)
{
    update.attempt = 1;
    update.outcome = outcome;
    update.durationSec = seconds;
    update.toolCalls = toolCalls;
}

static void begin(AttemptUpdate &update, Phase phase, const QDateTime &startedAt, int toolCalls)
{
    update.attempt = 1;
    update.phase = phase;
    update.startedAt = startedAt;
    update.toolCalls = toolCalls;
}

QList<AttemptUpdate> attempts(const QDateTime &now)
{
    const QList<std::pair<const char *, const char *>> tasks{
        {"hotel-1", "hotel"},
        {"hotel-2", "hotel"},
        {"transport-1", "transport"},
        {"transport-2", "transport"},
        {"attraction-1", "attraction"},
        {"attraction-2", "attraction"},
        {"gear-1", "gear"},
        {"gear-2", "gear"},
        {"food-1", "food"},
        {"electronics-1", "electronics"},
        {"lifestyle-1", "lifestyle"},
        {"lifestyle-2", "lifestyle"},
    };
    QList<AttemptUpdate> all;
    for (int run = 1; run <= 2; ++run) {
        for (const auto &[id, domain] : tasks)
            all << waiting(QString::fromLatin1(id), QString::fromLatin1(domain), run);
    }
    end(all[0], Outcome::scored(0.85), 252.4, 14);
    end(all[1], Outcome::scored(0.4516), 187.2, 11);
    end(all[2], Outcome::failed(FailurePhase::Agent, QStringLiteral("the agent ended with exit status 1")),
        42.1, 3);
    end(all[3], Outcome::scored(1.0), 301.7, 22);
    end(all[4], Outcome::scored(0.0, {QStringLiteral("no_answer")}), 8.4, 0);
    end(all[5],
        Outcome::failed(FailurePhase::Verifier,
                        QStringLiteral("the verifier ended with exit status 2 and wrote no reward")),
        95.3, 9);
    end(all[6], Outcome::scored(0.6667), 140.9, 8);
    end(all[7], Outcome::timedOut(Phase::Agent, QStringLiteral("the agent took longer than 30 minutes")),
        1800, 57);
    end(all[8], Outcome::cancelled(Phase::Agent, QStringLiteral("stopped by the user")), 33.0, 2);
    end(all[9], Outcome::lost(Phase::Setup, QStringLiteral("Proctor ended during set-up")), 0, 0);
    begin(all[10], Phase::Verifier, now.addSecs(-133), 12);
    begin(all[11], Phase::Agent, now.addSecs(-75), 6);
    begin(all[12], Phase::Setup, now.addSecs(-4), 0);
    begin(all[13], Phase::Pull, now.addSecs(-1), 0);
    return all;
}

RunStatus statusOf(const QList<AttemptUpdate> &attempts, RunStatus::Activity activity)
{
    RunStatus status;
    status.activity = activity;
    status.title = QStringLiteral("travel · careful");
    status.total = static_cast<int>(attempts.size());
    status.concurrency = 4;
    status.mean = 0.4947;
    status.halfWidth = 0.2308;
    status.secondsLeft = 730;
    for (const AttemptUpdate &attempt : attempts) {
        if (attempt.phase)
            ++status.running;
        else if (attempt.outcome.state == State::Scored)
            ++status.scored;
        else if (attempt.outcome.state == State::Failed)
            ++(attempt.outcome.fault == Fault::Agent ? status.agentFailed : status.harnessFailed);
        else
            ++*status.notRun;
    }
    return status;
}

QString agentOutput()
{
    QString text;
    for (int i = 1; i <= 6; ++i)
        text += QStringLiteral("[%1] search_hotels --city 杭州 --checkin 2026-05-0%1 --max-price 800\n"
                               "    3 hotels found, cheapest 612.00 CNY\n")
                    .arg(i);
    return text + QStringLiteral("[7] writing /app/answer.json\n");
}

QString verifierOutput()
{
    return QStringLiteral("hotel is in the right district        0.40 of 0.40\n"
                          "price within the budget               0.45 of 0.45\n"
                          "breakfast asked for and included      0.00 of 0.15\n"
                          "reward 0.85\n");
}

QString answer()
{
    return QStringLiteral(
        "{\n  \"hotel\": \"West Lake Garden\",\n  \"nights\": 3,\n  \"total\": 1836.00\n}\n");
}

} // namespace proctor::madeup
