// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/cancellation.h"
#include "app/sandbox/step.h"
#include "models/config/evalconfig.h"

#include <QCoroTask>
#include <QHash>
#include <QObject>

#include <chrono>
#include <memory>
#include <vector>

namespace proctor
{

/// An image that the engine has.
struct PresentImage {
    /// "sha256:…"
    QString id;
    /// "name@sha256:…", empty for an image that no registry knows.
    QString digest;
    /// "linux/amd64"
    QString platform;
};

struct ImagePull;

/// Sees to it that the engine has the images of an exam. One pull at a time per image, shared by all who wait
/// for it: who is cancelled goes alone, and only when nobody waits any more the pull is ended. What has been
/// found or pulled is not asked for again. Lives on the engine's thread.
class ImagePulls : public QObject
{
    Q_OBJECT

public:
    struct Patience {
        /// Time without a word of the client after which a pull is given up. The client says nothing while it
        /// loads a layer, and a layer may have many gigabytes.
        std::chrono::milliseconds silence = std::chrono::minutes(30);
        /// Before the first repetition; three times as long before the second and last one.
        std::chrono::milliseconds backOff = std::chrono::seconds(3);
    };

    explicit ImagePulls(EvalConfig::Docker docker, QObject *parent = nullptr);
    ImagePulls(EvalConfig::Docker docker, Patience patience, QObject *parent = nullptr);
    ~ImagePulls() override;

    /// Makes the image available as docker.pull says. A failure names the cause.
    QCoro::Task<Stepped<PresentImage>> provide(QString image, CancellationToken token);
    /// The engine did not have what it should: the image is looked for again the next time.
    void forget(const QString &image);

signals:
    /// How far a pull has come, for people: empty at its beginning, then "3 of 7 layers".
    void progress(const QString &image, const QString &text);

private:
    std::shared_ptr<ImagePull> pullOf(const QString &image);

    EvalConfig::Docker m_docker;
    Patience m_patience;
    QHash<QString, std::shared_ptr<ImagePull>> m_pulls;
    std::vector<QCoro::Task<void>> m_work;
};

} // namespace proctor
