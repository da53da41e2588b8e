// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/config/yamldocument.h"

#include <optional>

namespace proctor
{

/// The axes of a matrix as they stand in its file; see matrix.h. An empty axis is one that the file does not
/// have.
struct MatrixFile {
    struct Name {
        QString text;
        YamlMark mark;
    };
    struct Agent {
        Name name;
        /// Absent = a registered agent of this name.
        std::optional<QString> cmd;
    };

    QList<Name> configs;
    QList<Agent> agents;
    QList<Name> models;
    Diagnostics diagnostics;
};

MatrixFile parseMatrixFile(const QByteArray &yaml, const QString &path);

} // namespace proctor
