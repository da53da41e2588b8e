// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/config/evalconfig.h"
#include "models/core/expected.h"

#include <QProcessEnvironment>

namespace proctor
{

/// `agents.<name>.sandbox: bubblewrap`: a registered agent that sees the system but nothing of the user's.
///
/// Everything can only be read. Home folders (HOME, the account's, /home, /root), /tmp, /var/tmp, /run, /mnt,
/// /media, the output folder with all results and the dataset with its bundles are empty. Of what lies there
/// these are shown, to be read: the working folder, {config_dir} if the command has it, and where the program
/// lies (its bin, lib, lib64 and libexec, or a virtual environment as a whole), but never the configuration
/// itself, which may hold keys. The attempt's folder shows its manifest, and what the agent writes there. The
/// agent has its own processes, /tmp of 1 GB and HOME (in /tmp), and the machine's network, which it needs
/// for its tools and model: with it come services that listen on this machine. Whoever starts Proctor as
/// root runs the agent as root of such a wall: it may read what root alone may read, where that is not
/// hidden.
struct HostWall {
    EvalConfig config;
    /// The attempt's folder; links resolved.
    QString folder;
    /// Folder that is in its place for the agent to write into; same file system.
    QString workspace;
    /// Bundle of the attempt's instance; may be empty.
    QString bundle;

    /// Arguments for bwrap, with `command` (the program first, as a path) at their end. Error: the working
    /// folder is one of those that are to be hidden.
    Expected<QStringList> arguments(const QStringList &command) const;
    /// Changes what names a folder that is hidden.
    static void adapt(QProcessEnvironment &environment);
    static QString program();
};

} // namespace proctor
