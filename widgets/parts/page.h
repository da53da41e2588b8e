// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace proctor
{

/// One page of the window. The window shows its title and puts it on the rail.
class Page : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// In the language of now: the window asks again when that changes.
    virtual QString title() const = 0;
    /// What the page is about at the moment, shown beside the title; may be empty.
    virtual QString subject() const { return {}; }

signals:
    void subjectChanged();
};

} // namespace proctor
