// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/examoptions.h"
#include "models/run/summary.h"

namespace proctor
{

/// What status, report, run and demo say about a results folder.
struct FolderSummary {
    /// Empty when several folders are added up.
    QString folder;
    Summary summary;
};

/// Reads `folder` without changing it and adds it up. What is broken in it is said on standard error. Error:
/// there are no results.
Expected<FolderSummary> summarise(const QString &folder, const QString &config);
/// The same of the folder that the options name; nothing when there is none, which has been said.
std::optional<FolderSummary> summarise(const ExamOptions &options);

/// The short form: how many, the means, one line a domain.
void printStatus(const FolderSummary &summary);
/// The long form: also the spread within domains and what failures failed at.
void printReport(const FolderSummary &summary);

} // namespace proctor
