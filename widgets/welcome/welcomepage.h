// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/parts/page.h"

class QLabel;

namespace proctor
{

class Door;

/// Where the program begins when it was given nothing to open: three doors.
class WelcomePage : public Page
{
    Q_OBJECT

public:
    explicit WelcomePage(QWidget *parent = nullptr);

    QString title() const override;

signals:
    void demoChosen();
    void configurationChosen();
    void resultsChosen();

protected:
    void changeEvent(QEvent *event) override;

private:
    void retranslate();

    QLabel *m_logo;
    QLabel *m_heading;
    QLabel *m_sentence;
    Door *m_demo;
    Door *m_configuration;
    Door *m_results;
    QLabel *m_hint;
};

} // namespace proctor
