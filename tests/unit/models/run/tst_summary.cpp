// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/pythontext.h"
#include "models/run/summary.h"

#include <QFile>
#include <QTest>

using namespace proctor;
using namespace Qt::Literals::StringLiterals;

namespace
{

Result resultOf(const char *id, const char *domain, int run, const Outcome &outcome)
{
    Result result;
    result.instanceId = QString::fromUtf8(id);
    result.domain = QString::fromUtf8(domain);
    if (run > 0)
        result.runId = run;
    result.outcome = outcome;
    return result;
}

Outcome agentFailure()
{
    return Outcome::failed(FailurePhase::Agent, QStringLiteral("agent exit 1"));
}

Outcome harnessFailure()
{
    return Outcome::failed(FailurePhase::Verifier, QStringLiteral("nothing written"));
}

QByteArray contentOf(const QString &path)
{
    QFile file(QStringLiteral(PROCTOR_TEST_DATA "/exam/") + path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QList<Result> resultsIn(const QByteArray &lines)
{
    QList<Result> results;
    for (const QByteArray &line : lines.trimmed().split('\n')) {
        if (const auto result = Result::fromJson(line))
            results << *result;
    }
    return results;
}

} // namespace

class TestSummary : public QObject
{
    Q_OBJECT

private slots:
    void givesThePeersFigures();
    void givesThePublishedFigures_data();
    void givesThePublishedFigures();
    void countsEveryEnd();
    void knowsNoPlan_data();
    void knowsNoPlan();
    void givesThreeMeansOfOneRun();
    void givesThreeMeansOfTwoRuns();
    void hasNoMeansWithoutCountedSlots();
    void doesNotMixDomainNullWithText();
};

void TestSummary::givesThePeersFigures()
{
    const QList<Result> results{
        resultOf("h1", "hotel", 1, Outcome::scored(.8)),
        resultOf("h2", "hotel", 1, Outcome::scored(.4)),
        resultOf("a1", "attraction", 1, Outcome::scored(1)),
        resultOf("h1", "hotel", 2, Outcome::scored(.6)),
        resultOf("h2", "hotel", 2, agentFailure()),
        resultOf("a1", "attraction", 2, Outcome::scored(.5)),
    };
    const Summary summary = Summary::of(results, QStringLiteral("travel"));
    QCOMPARE(pythonRound(summary.avgReward, 4), .6167);
    QCOMPARE(pythonRound(summary.std, 4), .1296);
    QCOMPARE(summary.runScores, (QList<double>{.7333, .55}));
    QCOMPARE(pythonRound(*summary.headlineMean, 4), .55);
    QVERIFY(summary.toJson().startsWith(R"({
  "config": "travel",
  "total": 6,
  "completed": 5,
  "failed": 1,
  "avg_reward": 0.6167,
  "runs": 2,
  "std": 0.1296,
  "run_scores": [
    0.7333,
    0.55
  ],
  "by_domain": {
    "attraction": {
      "count": 2,
      "avg_reward": 0.75,
      "min": 0.5,
      "max": 1.0
    },
    "hotel": {
      "count": 3,
      "avg_reward": 0.6,
      "min": 0.4,
      "max": 0.8
    }
  },
  "failure_breakdown": {
    "agent": 1
  },
)"));
}

void TestSummary::givesThePublishedFigures_data()
{
    QTest::addColumn<QString>("folder");
    for (const char *folder : {"experiments/evaluation/travel/20260831_deepseek-v4-flash_mini-swe-agent",
                               "experiments/evaluation/travel/20260901_deepseek-v4-flash_mini-swe-agent",
                               "experiments/evaluation/e_commerce/20260901_deepseek-v4-flash_mini-swe-agent"})
        QTest::newRow(folder) << QString::fromLatin1(folder);
    QTest::newRow("eval_results_retried/travel") << "eval_results_retried/travel";
}

void TestSummary::givesThePublishedFigures()
{
    QFETCH(QString, folder);
    const QByteArray published = contentOf(folder + QStringLiteral("/summary.json"));
    QVERIFY(!published.isEmpty());
    QByteArray scores = contentOf(folder + QStringLiteral("/scores.jsonl"));
    // This summary was written before the retry.
    if (folder.startsWith(QStringLiteral("eval_results_retried")))
        scores.truncate(scores.indexOf('\n'));
    const QString config = folder.contains(QStringLiteral("e_commerce")) ? QStringLiteral("e_commerce")
                                                                         : QStringLiteral("travel");
    const QByteArray ours = Summary::of(resultsIn(scores), config).toJson();
    const QByteArray common = published.left(published.lastIndexOf("\n}"));
    QCOMPARE(ours.left(common.size()), common);
    QVERIFY(ours.mid(common.size()).startsWith(",\n  \"scored\": "));
}

void TestSummary::countsEveryEnd()
{
    const QList<Result> results{
        resultOf("a", "d", 0, Outcome::scored(1)),
        resultOf("b", "d", 0, agentFailure()),
        resultOf("c", "d", 0, harnessFailure()),
        resultOf("d", "d", 0, Outcome::cancelled(Phase::Agent, QStringLiteral("stopped"))),
        resultOf("e", "d", 0, Outcome::lost(Phase::Agent, QStringLiteral("gone"))),
        resultOf("f", "d", 0, harnessFailure()),
        resultOf("g", "d", 0, Outcome{}),
    };
    const Summary summary = Summary::of(results, QStringLiteral("c"), 10);
    QCOMPARE(summary.scored, 1);
    QCOMPARE(summary.agentFailed, 1);
    QCOMPARE(summary.harnessFailed, 2);
    QCOMPARE(summary.cancelled, 1);
    QCOMPARE(summary.lost, 1);
    QCOMPARE(summary.notRun, std::optional(4));
    QVERIFY(summary.toJson().contains("\"not_run\": 4,"));
    QCOMPARE(summary.total, 6);
    QCOMPARE(summary.failed, 5);
    const QList<std::pair<QString, int>> breakdown{{u"agent"_s, 3}, {u"verifier"_s, 2}};
    QCOMPARE(summary.failureBreakdown, breakdown);
}

void TestSummary::knowsNoPlan_data()
{
    QTest::addColumn<std::optional<int>>("planned");
    QTest::newRow("none") << std::optional<int>();
    QTest::newRow("exceeded, as by results that were mixed in") << std::optional(1);
}

void TestSummary::knowsNoPlan()
{
    QFETCH(std::optional<int>, planned);
    const QList<Result> results{resultOf("a", "d", 0, Outcome::scored(1)),
                                resultOf("b", "d", 0, Outcome::scored(1))};
    const Summary summary = Summary::of(results, QStringLiteral("c"), planned);
    QCOMPARE(summary.notRun, std::optional<int>());
    QVERIFY(summary.toJson().contains("\"not_run\": null,"));
}

void TestSummary::givesThreeMeansOfOneRun()
{
    const QList<Result> results{
        resultOf("a", "d", 0, Outcome::scored(.8)), resultOf("b", "d", 0, Outcome::scored(.4)),
        resultOf("c", "d", 0, agentFailure()),      resultOf("d", "d", 0, harnessFailure()),
        resultOf("e", "d", 0, Outcome::scored(0)),
    };
    const Summary summary = Summary::of(results, QStringLiteral("c"));
    QCOMPARE(pythonRound(*summary.headlineMean, 9), .3);
    QCOMPARE(pythonRound(*summary.peerMean, 9), .4);
    QCOMPARE(pythonRound(*summary.strictMean, 9), .24);
    // 0.8, 0.4, 0, 0: standard error 0.19148542, t(0.975, 3) = 3.18244631.
    QCOMPARE(pythonRound(*summary.headlineHalfWidth, 6), .609392);
}

void TestSummary::givesThreeMeansOfTwoRuns()
{
    QList<Result> results{
        resultOf("i1", "d", 1, Outcome::scored(.8)),
        resultOf("i2", "d", 1, harnessFailure()),
        resultOf("i1", "d", 2, agentFailure()),
        resultOf("i2", "d", 2, Outcome::scored(.6)),
    };
    const Summary summary = Summary::of(results, QStringLiteral("c"));
    QCOMPARE(pythonRound(*summary.headlineMean, 9), .5);
    QCOMPARE(pythonRound(*summary.peerMean, 9), .7);
    QCOMPARE(pythonRound(*summary.strictMean, 9), .35);

    results[1].outcome = Outcome::cancelled(Phase::Agent, QStringLiteral("stopped"));
    QCOMPARE(pythonRound(*Summary::of(results, QStringLiteral("c")).strictMean, 9), .35);
}

void TestSummary::hasNoMeansWithoutCountedSlots()
{
    const Summary summary = Summary::of({resultOf("a", "d", 0, harnessFailure())}, QStringLiteral("c"));
    QVERIFY(!summary.headlineMean);
    QVERIFY(!summary.headlineHalfWidth);
    QVERIFY(!summary.peerMean);
    QCOMPARE(summary.strictMean, 0.0);
    QVERIFY(summary.toJson().contains("\"avg_reward\": 0,"));
    QVERIFY(summary.toJson().contains("\"headline_mean\": null"));
}

void TestSummary::doesNotMixDomainNullWithText()
{
    Result nameless = resultOf("a", "", 0, Outcome::scored(1));
    nameless.domain.reset();
    const Summary summary =
        Summary::of({nameless, resultOf("b", "hotel", 0, Outcome::scored(0))}, QStringLiteral("c"));
    QCOMPARE(summary.byDomain.keys(), (QStringList{u"hotel"_s, u"null"_s}));
}

QTEST_GUILESS_MAIN(TestSummary)
#include "tst_summary.moc"
