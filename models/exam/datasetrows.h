// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/diagnostic.h"

#include <QJsonObject>
#include <QList>
#include <QStringList>

namespace proctor
{

/// The rows of a dataset file before anybody asks what they mean.
struct DatasetRows {
    struct Row {
        /// The line in which it begins (.jsonl, .csv) or its place in the array (.json), from 1.
        int number = 0;
        QJsonObject values;
    };
    QList<Row> rows;
    /// The header of a .csv file.
    QStringList header;
    /// Warnings for rows that cannot be read and are left out, errors for a file of which nothing can be.
    Diagnostics diagnostics;

    /// Names of all columns that the header or any row has, each once.
    QStringList columns() const;

    static DatasetRows fromJsonLines(const QByteArray &text, const QString &file);
    static DatasetRows fromJson(const QByteArray &text, const QString &file);
    static DatasetRows fromCsv(const QByteArray &text, const QString &file);
};

} // namespace proctor
