// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace proctor
{

/// Makes the output of a foreign program fit to be shown as text: colour and cursor sequences are left out,
/// carriage returns become line ends, other control characters and those that turn the direction of text
/// become U+FFFD, and lines over 4,000 characters are broken, as laying one out would freeze the window.
///
/// Output comes in pieces that are cut anywhere: what a later piece may complete is held back until then.
class PlainText
{
public:
    QString next(const QString &piece);
    void restart();

private:
    QString m_held;
    int m_lineLength = 0;
};

} // namespace proctor
