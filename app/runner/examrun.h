// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/runner/attemptrun.h"
#include "app/runner/examspec.h"
#include "app/runner/scheduler.h"
#include "app/sandbox/sandboxsource.h"
#include "models/run/attemptupdate.h"
#include "models/run/resultstore.h"

#include <QTimer>

#include <chrono>
#include <memory>

namespace proctor
{

/// How a whole run ended.
struct RunEnd {
    enum class Kind {
        /// Every slot of the selection has a reward.
        AllScored,
        /// Some have none: failed, cancelled, lost or not run.
        SomeNotScored,
        /// It could not begin: the results folder is another exam's, or the selection names nothing.
        Refused,
        /// Proctor or the machine failed.
        Broken,
    };
    Kind kind = Kind::AllScored;
    /// Of the latter two: a sentence that says why.
    QString problem;
};

/// One exam in one results folder, from the plan to the summary. Lives on the engine's thread; everything it
/// says goes out as values by signals. It must be kept until `finished` has been emitted.
class ExamRun : public QObject
{
    Q_OBJECT

public:
    explicit ExamRun(ExamSpec spec, QObject *parent = nullptr);
    ~ExamRun() override;

    const ExamSpec &spec() const { return m_spec; }
    const RunStatus &status() const { return m_status; }

    /// Opens the results folder, plans, and runs the plan. Ends in finished(), always.
    void start();
    void pause();
    void resume();
    /// Cancels what runs, records it as cancelled, and finishes.
    void stop();
    void stopAttempt(const Slot &slot);
    void setConcurrency(int concurrency);
    /// Whose log is sent by `logged`; an empty id means nobody's.
    void watchLog(const Slot &slot);

signals:
    /// What is also written to events.jsonl, as it happens.
    void journaled(const proctor::JournalEvent &event);
    /// New pictures of slots, at most 20 times a second; the first one holds the whole selection.
    void updated(const QList<proctor::AttemptUpdate> &updates);
    /// At most 4 times a second, and at once when the activity changes.
    void statusChanged(const proctor::RunStatus &status);
    void logged(const proctor::Slot &slot, proctor::LogKind kind, const QByteArray &bytes);
    void warned(const QString &sentence);
    void finished(const proctor::RunEnd &end);

private:
    static constexpr std::chrono::milliseconds shortestStatusInterval{250};

    QCoro::Task<void> guardedPreparation();
    QCoro::Task<void> prepare();
    Expected<RunPlan> openAndPlan();
    QCoro::Task<void> attempt(RunPlan::Item item, CancellationToken token);
    void watch(AttemptRun *attempt);
    void tellOfPull(const Slot &slot, const QString &sentence);
    void record(const AttemptRun &attempt, const Outcome &outcome);
    void learnImage(const QJsonObject &sandbox);
    void breakOff(const QString &problem);
    void settle();
    void finish(RunEnd end);
    RunEnd verdict() const;

    void announce(const JournalEvent &event);
    void showAll(const RunPlan &plan);
    AttemptUpdate &picture(const Slot &slot);
    void sendPictures();
    void enterActivity(RunStatus::Activity activity);
    void sendStatus();
    std::optional<double> secondsLeft() const;

    ExamSpec m_spec;
    std::unique_ptr<SandboxSource> m_sandboxes;
    std::unique_ptr<ResultStore> m_store;
    Scheduler m_scheduler;
    CancellationSource m_cancellation;
    std::optional<QCoro::Task<void>> m_preparation;
    QList<Slot> m_selected;
    QHash<Slot, AttemptUpdate> m_pictures;
    QSet<Slot> m_changedPictures;
    Slot m_watched;
    /// Pulls that have been told of.
    QSet<QString> m_toldPulls;
    RunStatus m_status;
    QString m_problem;
    QTimer m_pictureTimer, m_statusTimer, m_leaseTimer;
    /// Wall time of the attempts that ended in this run, for the estimate of what is left.
    double m_endedSeconds = 0;
    int m_ended = 0;
    bool m_finished = false;
};

} // namespace proctor

Q_DECLARE_METATYPE(proctor::RunEnd)
