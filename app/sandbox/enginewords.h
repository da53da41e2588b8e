// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/processend.h"

#include <QByteArray>
#include <QString>

namespace proctor
{

/// What an engine's client printed on standard error without what it always says: one line, at most 400
/// characters.
QString engineWords(const QByteArray &errors);

/// Whether the words say that no engine answers: none is running, or the way to it is wrong.
bool isEngineMissing(const QString &words);
/// Whether the words say that the client lost the engine in the middle.
bool isConnectionBroken(const QString &words);
/// Whether `image inspect` says that the engine has no such image.
bool isImageMissing(const QString &words);
/// Whether `rm` says that there is no such container, or that it is being removed already.
bool isContainerGone(const QString &words);

/// Why an image could not be pulled.
struct PullFailure {
    enum class Cause {
        NotFound,
        NotAllowed,
        RateLimit,
        NoSpace,
        /// The registry cannot be reached.
        NoConnection,
        /// The registry answers what it should not.
        RegistryFails,
        /// It has the image, but for other machines.
        Platform,
        BadName,
        NoEngine,
        Silent,
        Unknown,
    };
    Cause cause = Cause::Unknown;
    /// A sentence a user can act on, with the client's own words.
    QString sentence;

    /// Whether the same again may work.
    bool isPassing() const;
};

PullFailure::Cause pullFailureCause(const QString &words);
PullFailure pullFailure(const QString &image, const QString &words);

/// Why a container did not get as far as the bridge's first word: a sentence a user can act on.
QString startFailure(const QString &image, const ProcessEnd &client);

} // namespace proctor
