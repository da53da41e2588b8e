// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/exam/imagereference.h"

#include <QRegularExpression>

namespace proctor
{

bool isImageReference(const QString &text)
{
    static const QRegularExpression form(QStringLiteral("\\A[A-Za-z0-9][A-Za-z0-9._:/@-]*\\z"));
    return form.match(text).hasMatch();
}

} // namespace proctor
