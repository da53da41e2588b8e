// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/enginewords.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <initializer_list>

namespace proctor
{

namespace
{
struct Engine {
    Q_DECLARE_TR_FUNCTIONS(proctor::DockerSandbox)
};
} // namespace

static constexpr qsizetype wordsLength = 400;

QString engineWords(const QByteArray &errors)
{
    static const QRegularExpression preface(
        QStringLiteral("\\A(docker: |podman: |Error response from daemon: |Error: )+"));
    QStringList kept;
    for (const QByteArray &line : errors.split('\n')) {
        QString text = QString::fromUtf8(line).simplified();
        const bool isAdvice =
            text.startsWith(QLatin1String("See '")) || text.startsWith(QLatin1String("Run '"));
        text.remove(preface);
        if (!isAdvice && !text.isEmpty())
            kept << text;
    }
    return kept.join(u' ').left(wordsLength);
}

static bool saysAny(const QString &words, std::initializer_list<const char *> phrases)
{
    return std::any_of(phrases.begin(), phrases.end(), [&words](const char *phrase) {
        return words.contains(QLatin1String(phrase), Qt::CaseInsensitive);
    });
}

bool isEngineMissing(const QString &words)
{
    return saysAny(words, {"cannot connect to the docker daemon", "is the docker daemon running",
                           "error during connect", "cannot connect to podman", "context not found",
                           "failed to connect to the docker api", "permission denied while trying to connect",
                           "unable to resolve docker endpoint", "unable to connect to podman"});
}

bool isConnectionBroken(const QString &words)
{
    return isEngineMissing(words) || saysAny(words, {"error waiting for container", "unexpected eof",
                                                     "use of closed network connection"});
}

bool isImageMissing(const QString &words)
{
    return saysAny(words, {"no such image", "image not known", "no such object"});
}

bool isContainerGone(const QString &words)
{
    return saysAny(words, {"no such container", "is already in progress", "no container with"});
}

PullFailure::Cause pullFailureCause(const QString &words)
{
    using Cause = PullFailure::Cause;
    // From the particular to the general: a registry's answer is often wrapped in another's words.
    if (isEngineMissing(words))
        return Cause::NoEngine;
    if (saysAny(words, {"no space left on device", "disk quota exceeded"}))
        return Cause::NoSpace;
    if (saysAny(words, {"toomanyrequests", "too many requests", " 429"}))
        return Cause::RateLimit;
    if (saysAny(words, {"no matching manifest", "no image found in manifest list",
                        "does not match the specified platform"}))
        return Cause::Platform;
    if (saysAny(words, {"invalid reference format", "must be lowercase"}))
        return Cause::BadName;
    if (saysAny(words, {"denied", "unauthorized", "no basic auth credentials", "insufficient_scope",
                        "authentication required", " 401", " 403"}))
        return Cause::NotAllowed;
    if (saysAny(words, {"manifest unknown", "name unknown", "not found: ", ": not found", "no such image"}))
        return Cause::NotFound;
    if (saysAny(words, {"dial tcp", "no such host", "connection refused", "connection reset", "i/o timeout",
                        "timeout", "no route to host", "network is unreachable", "unexpected eof", ": eof",
                        "broken pipe", "deadline exceeded", "temporary failure in name resolution"}))
        return Cause::NoConnection;
    if (saysAny(words, {"unexpected http status", "unexpected status", "invalid character", "x509",
                        "server gave http response"}))
        return Cause::RegistryFails;
    return Cause::Unknown;
}

bool PullFailure::isPassing() const
{
    return cause == Cause::RateLimit || cause == Cause::NoConnection || cause == Cause::RegistryFails;
}

static QString adviceOn(PullFailure::Cause cause)
{
    using Cause = PullFailure::Cause;
    switch (cause) {
    case Cause::NotFound:
        return Engine::tr("the registry has no such image; check docker_image and docker.registry");
    case Cause::NotAllowed:
        return Engine::tr("the registry does not allow it (or has no such image); log in with `docker login` "
                          "as a user who may");
    case Cause::RateLimit:
        return Engine::tr("the registry's rate limit is reached; log in, or wait and run again");
    case Cause::NoSpace:
        return Engine::tr(
            "the engine's disk is full; make room there, for example with `docker image prune`");
    case Cause::NoConnection:
        return Engine::tr(
            "the registry cannot be reached from the engine; check the network and docker.registry");
    case Cause::RegistryFails:
        return Engine::tr("the registry fails; try again later");
    case Cause::Platform:
        return Engine::tr("the image is not made for docker.platform");
    case Cause::BadName:
        return Engine::tr("this cannot name an image");
    case Cause::NoEngine:
        return Engine::tr("the engine does not answer");
    case Cause::Silent:
        return Engine::tr("nothing came for too long");
    case Cause::Unknown:
        break;
    }
    return Engine::tr("the engine refused");
}

PullFailure pullFailure(const QString &image, const QString &words)
{
    const auto cause = pullFailureCause(words);
    const QString sentence = Engine::tr("Cannot pull %1: %2").arg(image, adviceOn(cause));
    return {cause, words.isEmpty() ? sentence : Engine::tr("%1. The engine said: %2").arg(sentence, words)};
}

QString startFailure(const QString &image, const ProcessEnd &client)
{
    const QString words = engineWords(client.errors);
    if (client.kind != ProcessEnd::Kind::Finished || client.signal != 0)
        return client.sentence();
    if (isEngineMissing(words))
        return Engine::tr("The engine does not answer: %1").arg(words);
    if (saysAny(words, {"exec format error"}))
        return Engine::tr("The image %1 is made for another processor, and this engine cannot run it: %2")
            .arg(image, words);
    const bool lacksProgram = client.exitCode == 126 || client.exitCode == 127 ||
                              saysAny(words, {"executable file not found", "no such file or directory"});
    if (lacksProgram && words.contains(QLatin1String("python3")))
        return Engine::tr("The image %1 has no python3, which every task image needs: %2").arg(image, words);
    if (isImageMissing(words))
        return Engine::tr("The engine has no image %1, and it was not to be pulled").arg(image);
    if (saysAny(words, {"No module named", "ModuleNotFoundError"}))
        return Engine::tr("The Python of the image %1 is incomplete (a minimal one will not do): %2")
            .arg(image, words);
    const QString ended = Engine::tr("The container of %1 ended with exit code %2 before it was ready")
                              .arg(image)
                              .arg(client.exitCode);
    return words.isEmpty() ? ended : QStringLiteral("%1: %2").arg(ended, words);
}

} // namespace proctor
