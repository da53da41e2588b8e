// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/imagepulls.h"

#include "app/process/completion.h"
#include "app/process/delay.h"
#include "app/process/linesplitter.h"
#include "app/sandbox/dockercommand.h"
#include "app/sandbox/enginecall.h"
#include "app/sandbox/enginewords.h"
#include "app/sandbox/pullprogress.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QPointer>

using namespace std::chrono_literals;

namespace proctor
{

static constexpr auto inspectLimit = 30s;
static constexpr int repetitions = 2;

using ImageWaiter = Completion<Stepped<PresentImage>>;

/// One image on its way. Kept by those who wait and by the work itself, so it may outlive its ImagePulls.
struct ImagePull {
    EvalConfig::Docker docker;
    QString image;
    ImagePulls::Patience patience;
    QPointer<ImagePulls> owner;
    CancellationSource source;
    QList<std::shared_ptr<ImageWaiter>> waiters;
    std::optional<Stepped<PresentImage>> result;

    bool isOfUse() const { return !source.isCancelled() && (!result || result->hasValue()); }

    void end(Stepped<PresentImage> value)
    {
        result = value;
        for (const auto &waiter : std::exchange(waiters, {}))
            waiter->complete(value);
    }

    void leave(const std::shared_ptr<ImageWaiter> &waiter)
    {
        waiters.removeOne(waiter);
        if (waiters.isEmpty() && !result)
            source.cancel(ImagePulls::tr("Nobody waits for the image any more"));
    }
};

static StepFailure cancelledBy(const CancellationToken &token)
{
    return {StepFailure::Kind::Cancelled, token.reason()};
}

static PresentImage presentImage(const QByteArray &json)
{
    const QJsonObject object = QJsonDocument::fromJson(json).object();
    PresentImage image;
    image.id = object.value(QLatin1String("Id")).toString();
    // podman leaves the kind of hash out.
    if (!image.id.isEmpty() && !image.id.contains(u':'))
        image.id.prepend(QLatin1String("sha256:"));
    image.digest = object.value(QLatin1String("RepoDigests")).toArray().first().toString();
    image.platform = object.value(QLatin1String("Os")).toString() + u'/' +
                     object.value(QLatin1String("Architecture")).toString();
    return image;
}

/// The image as the engine has it; nothing if it has not.
static QCoro::Task<Stepped<std::optional<PresentImage>>> lookFor(std::shared_ptr<ImagePull> pull)
{
    const QStringList command{QStringLiteral("image"), QStringLiteral("inspect"), QStringLiteral("--format"),
                              QStringLiteral("{{json .}}"), pull->image};
    const ProcessEnd end = co_await askEngine(pull->docker, command, inspectLimit, pull->source.token());
    std::optional<PresentImage> found;
    if (end.succeeded()) {
        found = presentImage(end.output);
        co_return found;
    }
    const QString words = engineWords(end.errors);
    if (end.kind == ProcessEnd::Kind::Finished && isImageMissing(words))
        co_return found;
    const bool isLate = end.kind == ProcessEnd::Kind::TimedOut;
    const StepFailure failure{isLate ? StepFailure::Kind::TimedOut : StepFailure::Kind::Failed,
                              ImagePulls::tr("Cannot ask the engine for the image %1: %2")
                                  .arg(pull->image, words.isEmpty() ? end.sentence() : words)};
    co_return failure;
}

static QCoro::Task<ProcessEnd> pullOnce(std::shared_ptr<ImagePull> pull)
{
    const QStringList command{QStringLiteral("pull"), QStringLiteral("--platform"), pull->docker.platform,
                              pull->image};
    Process process(engineProcess(pull->docker, engineArguments(pull->docker, command)));
    QTimer silence;
    silence.setSingleShot(true);
    silence.start(pull->patience.silence);
    LineSplitter lines;
    PullProgress progress;
    QObject::connect(&silence, &QTimer::timeout, &process,
                     [&process] { process.stop(ImagePulls::tr("it has said nothing for too long")); });
    QObject::connect(&process, &Process::standardError, &silence, [&silence] { silence.start(); });
    QObject::connect(&process, &Process::standardOutput, &silence, [&](const QByteArray &bytes) {
        silence.start();
        for (const LineSplitter::Line &line : lines.add(bytes)) {
            if (progress.add(decodeLine(line.bytes)) && pull->owner)
                emit pull->owner->progress(pull->image, progress.text());
        }
    });
    co_return co_await process.run(pull->source.token());
}

/// Pulls it, again when that may help; nothing if it is there now.
static QCoro::Task<std::optional<StepFailure>> pullWithPatience(std::shared_ptr<ImagePull> pull)
{
    const CancellationToken token = pull->source.token();
    auto backOff = pull->patience.backOff;
    if (pull->owner)
        emit pull->owner->progress(pull->image, {});
    for (int repetition = 0;; ++repetition) {
        const ProcessEnd end = co_await pullOnce(pull);
        if (end.succeeded())
            co_return std::nullopt;
        if (token.isCancelled())
            co_return cancelledBy(token);
        if (end.kind == ProcessEnd::Kind::Cancelled) {
            const StepFailure silent{
                StepFailure::Kind::TimedOut,
                ImagePulls::tr("Pulling %1 took too long: the engine's client said nothing for %2 s")
                    .arg(pull->image)
                    .arg(pull->patience.silence / 1s)};
            co_return silent;
        }
        const QString words = engineWords(end.errors);
        const PullFailure failure = pullFailure(pull->image, words.isEmpty() ? end.sentence() : words);
        if (!failure.isPassing() || repetition == repetitions) {
            const StepFailure last{StepFailure::Kind::Failed, failure.sentence};
            co_return last;
        }
        if (pull->owner)
            emit pull->owner->progress(pull->image, ImagePulls::tr("trying again in %1 s").arg(backOff / 1s));
        co_await delay(backOff, token);
        backOff *= 3;
    }
}

static bool fits(const PresentImage &image, const QString &platform)
{
    // The rest of a platform is a variant, which not every engine tells.
    return image.platform == platform.section(u'/', 0, 1);
}

static QCoro::Task<Stepped<PresentImage>> makeAvailable(std::shared_ptr<ImagePull> pull)
{
    using Pull = EvalConfig::Pull;
    if (pull->docker.pull != Pull::Always) {
        const auto found = co_await lookFor(pull);
        if (!found)
            co_return found.error();
        if (*found && (pull->docker.pull == Pull::Never || fits(**found, pull->docker.platform)))
            co_return **found;
        if (pull->docker.pull == Pull::Never) {
            const StepFailure missing{
                StepFailure::Kind::Failed,
                ImagePulls::tr("The engine has no image %1, and docker.pull is never").arg(pull->image)};
            co_return missing;
        }
    }
    const auto failure = co_await pullWithPatience(pull);
    if (failure)
        co_return *failure;
    const auto found = co_await lookFor(pull);
    if (!found)
        co_return found.error();
    if (!*found) {
        const StepFailure missing{
            StepFailure::Kind::Failed,
            ImagePulls::tr("The image %1 was pulled, and yet the engine does not have it").arg(pull->image)};
        co_return missing;
    }
    co_return **found;
}

static QCoro::Task<void> work(std::shared_ptr<ImagePull> pull)
{
    Stepped<PresentImage> result = co_await makeAvailable(pull);
    pull->end(std::move(result));
}

ImagePulls::ImagePulls(EvalConfig::Docker docker, QObject *parent)
    : ImagePulls(std::move(docker), Patience(), parent)
{
}

ImagePulls::ImagePulls(EvalConfig::Docker docker, Patience patience, QObject *parent)
    : QObject(parent)
    , m_docker(std::move(docker))
    , m_patience(patience)
{
}

ImagePulls::~ImagePulls()
{
    for (const auto &pull : std::as_const(m_pulls))
        pull->source.cancel(tr("Nobody waits for the image any more"));
}

QCoro::Task<Stepped<PresentImage>> ImagePulls::provide(QString image, CancellationToken token)
{
    const auto pull = pullOf(image);
    if (pull->result)
        co_return *pull->result;
    const auto waiter = std::make_shared<ImageWaiter>(StepFailure{StepFailure::Kind::Cancelled, {}});
    pull->waiters << waiter;
    const auto cancelling = token.onCancelled(this, [pull, waiter, token] {
        waiter->complete(cancelledBy(token));
        pull->leave(waiter);
    });
    co_return co_await *waiter;
}

void ImagePulls::forget(const QString &image)
{
    const auto pull = m_pulls.value(image);
    if (pull && pull->result)
        m_pulls.remove(image);
}

std::shared_ptr<ImagePull> ImagePulls::pullOf(const QString &image)
{
    auto pull = m_pulls.value(image);
    if (pull && pull->isOfUse())
        return pull;
    pull = std::make_shared<ImagePull>();
    pull->docker = m_docker;
    pull->image = image;
    pull->patience = m_patience;
    pull->owner = this;
    m_pulls.insert(image, pull);
    m_work.push_back(work(pull));
    return pull;
}

} // namespace proctor
