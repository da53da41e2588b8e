// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/run/foldercontent.h"
#include "models/run/resultstore.h"
#include "models/run/slotfolders.h"

#include <QCoreApplication>

namespace proctor
{

class ResultStore::Private
{
    Q_DECLARE_TR_FUNCTIONS(ResultStore)

public:
    bool isWritable() const { return false; }

    QString folder;
    SlotFolders layout;
    FolderContent content;
};

} // namespace proctor
