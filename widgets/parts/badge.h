// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/standing.h"

#include <QWidget>

namespace proctor
{

/// The mark of a standing with words beside it: "● 41 scored".
class Badge : public QWidget
{
    Q_OBJECT

public:
    explicit Badge(QWidget *parent = nullptr);

    void display(Standing standing, const QString &text);
    QString text() const { return m_text; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    int markSide() const;

    Standing m_standing = Standing::Waiting;
    QString m_text;
};

} // namespace proctor
