// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a sandbox may send: any bytes at all.
#include "app/process/linesplitter.h"
#include "app/sandbox/bridgemessages.h"

#include <cstddef>
#include <cstdint>

using namespace proctor;

static void readAsEverything(const QJsonObject &message, const QByteArray &line)
{
    helloFrom(message);
    readyFrom(message);
    describe(commandEndFrom(message));
    entriesFrom(message);
    payloadOf(message);
    BridgeToolCall call = toolCallFrom(message, line);
    complete(call, message);
    ToolCallEnd result;
    complete(result, message);
    encodeMessage(message);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    LineSplitter lines(4096);
    const QByteArray bytes(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    for (const LineSplitter::Line &line : lines.add(bytes) + lines.finish()) {
        if (const auto message = decodeMessage(line.bytes))
            readAsEverything(*message, line.bytes);
    }
    return 0;
}
