// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lines of a results folder that anybody may have written. What is read and written again must read the same.
#include "models/run/journal.h"
#include "models/run/result.h"
#include "models/run/reward.h"
#include "models/run/runidentity.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace proctor;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    parseReward(bytes).hasValue();
    RunIdentity::fromFile(bytes, {}).hasValue();
    if (const auto event = JournalEvent::fromJson(bytes))
        event->toJsonLine();
    if (const auto result = Result::fromJson(bytes)) {
        const QByteArray line = result->toJsonLine();
        const auto again = Result::fromJson(line);
        if (!again || again->toJsonLine() != line)
            std::abort();
    }
    return 0;
}
