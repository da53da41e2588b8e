// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sandbox/leftcontainers.h"

#include "app/sandbox/dockercommand.h"
#include "app/sandbox/enginecall.h"
#include "app/sandbox/enginewords.h"

#include <QCoreApplication>
#include <QStandardPaths>

#include <algorithm>

using namespace std::chrono_literals;

namespace proctor
{

namespace
{
struct Left {
    Q_DECLARE_TR_FUNCTIONS(proctor::DockerSandbox)
};
} // namespace

static constexpr auto findLimit = 5s;
static constexpr auto removeLimit = 120s;

bool LeftContainer::isLeft(Choice choice) const
{
    if (choice == Choice::OfTheDead)
        return owner && owner->life() == ProcessIdentity::Life::Gone;
    return !owner || owner->life() != ProcessIdentity::Life::Lives;
}

QStringList LeftContainers::lines() const
{
    QStringList lines;
    for (const LeftContainer &container : containers)
        lines << Left::tr("container %1").arg(container.name);
    return lines + problems;
}

QList<LeftContainer> leftContainersFrom(const QByteArray &listing)
{
    QList<LeftContainer> containers;
    for (const QByteArray &line : listing.split('\n')) {
        const QStringList fields = QString::fromUtf8(line).split(u'\t');
        if (fields.size() == 3)
            containers << LeftContainer{fields.at(0), fields.at(1), ProcessIdentity::fromText(fields.at(2))};
    }
    return containers;
}

QCoro::Task<LeftContainers> findLeftContainers(EvalConfig::Docker docker, LeftContainer::Choice choice,
                                               CancellationToken token)
{
    LeftContainers left;
    if (QStandardPaths::findExecutable(engineProgram(docker)).isEmpty())
        co_return left;
    const QString format = QStringLiteral("{{.ID}}\t{{.Names}}\t{{.Label \"%1\"}}").arg(ownerLabel);
    const QStringList question{QStringLiteral("ps"),       QStringLiteral("-a"),
                               QStringLiteral("--filter"), QStringLiteral("label=") + ownerLabel,
                               QStringLiteral("--format"), format};
    const ProcessEnd end = co_await askEngine(docker, question, findLimit, token);
    if (!end.succeeded())
        co_return left;
    for (const LeftContainer &container : leftContainersFrom(end.output)) {
        if (container.isLeft(choice))
            left.containers << container;
    }
    co_return left;
}

QCoro::Task<LeftContainers> removeLeftContainers(EvalConfig::Docker docker, LeftContainer::Choice choice,
                                                 CancellationToken token)
{
    LeftContainers left = co_await findLeftContainers(docker, choice, token);
    if (left.containers.isEmpty())
        co_return left;
    QStringList ids;
    for (const LeftContainer &container : std::as_const(left.containers))
        ids << container.id;
    const ProcessEnd end = co_await askEngine(docker, removeCommand(ids), removeLimit, token);
    const QString words = engineWords(end.errors);
    // Another Proctor may be removing the same: what is gone is gone.
    const bool isGone = isContainerGone(words);
    if (!end.succeeded() && !isGone && !token.isCancelled())
        left.problems << Left::tr("Containers that a Proctor left could not be removed: %1")
                             .arg(words.isEmpty() ? end.sentence() : words);
    co_return left;
}

} // namespace proctor
