// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QString>

#include <optional>

namespace proctor
{

/// One task of an exam: a row of a dataset.
struct Instance {
    /// Unique in its dataset, neither empty nor with '/', "..", or NUL.
    QString id;
    /// Empty text and null are told apart: the peer writes what the dataset has.
    std::optional<QString> domain;
    /// Image reference for the Docker sandbox; may be empty when a bundle is given.
    QString image;
    /// Absolute path of the bundle folder for the local sandbox; empty when there is none.
    QString bundle;
    QString question;
    /// Columns that we do not know, kept as they are.
    QJsonObject extra;
    /// Row number in the dataset file, from 1: its line (.jsonl, .csv) or place in the array (.json).
    int row = 0;

    bool operator==(const Instance &) const = default;
};

} // namespace proctor
