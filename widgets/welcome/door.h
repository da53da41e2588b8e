// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace proctor
{

/// A large button with an icon, a title and a sentence.
class Door : public QAbstractButton
{
    Q_OBJECT

public:
    explicit Door(const QIcon &icon, QWidget *parent = nullptr);

    void setWords(const QString &title, const QString &sentence);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_sentence;
};

} // namespace proctor
