// SPDX-License-Identifier: GPL-3.0-or-later
//
// A configuration file that anybody may have written.
#include "models/config/evalconfig.h"

#include <cstddef>
#include <cstdint>

using namespace proctor;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    const LoadedConfig loaded = parseEvalConfig(bytes, QStringLiteral("/folder/config.yaml"));
    for (const Diagnostic &diagnostic : loaded.diagnostics)
        toText(diagnostic);
    return 0;
}
