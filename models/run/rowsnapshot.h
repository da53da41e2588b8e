// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace proctor
{

/// The rows of a table as they were at one moment, cheap to take and safe to read on any thread while the
/// table goes on changing. A filter works on it away from the GUI thread.
class RowSnapshot
{
public:
    virtual ~RowSnapshot() = default;

    virtual int count() const = 0;
    /// Whether the row holds `text`, whatever its case.
    virtual bool matches(int row, const QString &text) const = 0;
    /// Negative, 0 or positive as `left` sorts before, with or after `right`. Must be a strict order.
    virtual int compare(int column, int left, int right) const = 0;
};

} // namespace proctor
