// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/savefile.h"

#include <QCoreApplication>
#include <QSaveFile>

namespace proctor
{

Expected<Nothing> saveFile(const QString &path, const QByteArray &content)
{
    QSaveFile file(path);
    // Without the flush commit() would not notice that the last buffer found no room, and put a cut file in
    // place.
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.flush() &&
        file.commit())
        return Nothing{};
    return Error::ofMachine(QCoreApplication::translate("SaveFile",
                                                        "The file cannot be written: %1. What it held before "
                                                        "is unchanged.")
                                .arg(file.errorString()),
                            path);
}

} // namespace proctor
