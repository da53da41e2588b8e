// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

namespace proctor
{

/// A page's entry on the rail: icon over word, with a bar at the left while the page is shown.
class RailButton : public QToolButton
{
    Q_OBJECT

public:
    explicit RailButton(QAction *action, QWidget *parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QFont wordFont() const;
};

} // namespace proctor
