// SPDX-License-Identifier: GPL-3.0-or-later
//
// What any program on this machine may send to our ports. However the bytes are cut, the same must come out.
#include "app/proxy/httpparser.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace proctor;

namespace
{

struct Outcome {
    QList<HttpRequest> requests;
    int refusal = 0;
    bool isFresh = true;
    bool operator==(const Outcome &) const = default;
};

Outcome read(QByteArrayView bytes, qsizetype step)
{
    HttpParser parser({2048, 16, 256});
    Outcome outcome;
    for (qsizetype begin = 0; begin < bytes.size(); begin += step) {
        QByteArrayView rest = bytes.sliced(begin, std::min(step, bytes.size() - begin));
        while (!rest.isEmpty() && !parser.refusal()) {
            rest = rest.sliced(parser.feed(rest));
            if (parser.held() > 256)
                std::abort();
            if (parser.isComplete())
                outcome.requests << parser.take();
        }
    }
    outcome.refusal = parser.refusal() ? parser.refusal()->status : 0;
    outcome.isFresh = parser.isFresh();
    return outcome;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArrayView bytes(data, static_cast<qsizetype>(size));
    const Outcome whole = read(bytes, bytes.size() + 1);
    if (!(whole == read(bytes, 1)) || !(whole == read(bytes, 5)))
        std::abort();
    for (const HttpRequest &request : whole.requests)
        request.keepsAlive();
    return 0;
}
