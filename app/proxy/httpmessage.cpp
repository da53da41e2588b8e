// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/proxy/httpmessage.h"

#include <algorithm>
#include <array>

namespace proctor
{

static auto firstOf(const QList<HttpHeader> &headers, QByteArrayView name)
{
    return std::find_if(headers.begin(), headers.end(),
                        [name](const HttpHeader &header) { return header.name == name; });
}

QByteArray HttpRequest::header(QByteArrayView name) const
{
    const auto found = firstOf(headers, name);
    return found == headers.end() ? QByteArray() : found->value;
}

bool HttpRequest::hasHeader(QByteArrayView name) const
{
    return firstOf(headers, name) != headers.end();
}

bool HttpRequest::keepsAlive() const
{
    bool asks = false, closes = false;
    for (const HttpHeader &header : headers) {
        if (header.name == "connection") {
            asks = asks || hasWord(header.value, "keep-alive");
            closes = closes || hasWord(header.value, "close");
        }
    }
    return !closes && (minorVersion >= 1 || asks);
}

bool hasWord(QByteArrayView value, QByteArrayView name)
{
    const QList<QByteArray> words = value.toByteArray().split(',');
    return std::any_of(words.begin(), words.end(), [name](const QByteArray &word) {
        return word.trimmed().compare(name, Qt::CaseInsensitive) == 0;
    });
}

QByteArrayView httpReason(int status)
{
    struct Reason {
        int status;
        QByteArrayView words;
    };
    static constexpr std::array reasons{Reason{100, "Continue"},
                                        Reason{200, "OK"},
                                        Reason{201, "Created"},
                                        Reason{202, "Accepted"},
                                        Reason{204, "No Content"},
                                        Reason{304, "Not Modified"},
                                        Reason{400, "Bad Request"},
                                        Reason{401, "Unauthorized"},
                                        Reason{402, "Payment Required"},
                                        Reason{403, "Forbidden"},
                                        Reason{404, "Not Found"},
                                        Reason{405, "Method Not Allowed"},
                                        Reason{408, "Request Timeout"},
                                        Reason{409, "Conflict"},
                                        Reason{413, "Content Too Large"},
                                        Reason{417, "Expectation Failed"},
                                        Reason{422, "Unprocessable Content"},
                                        Reason{429, "Too Many Requests"},
                                        Reason{431, "Request Header Fields Too Large"},
                                        Reason{499, "Client Closed Request"},
                                        Reason{500, "Internal Server Error"},
                                        Reason{501, "Not Implemented"},
                                        Reason{502, "Bad Gateway"},
                                        Reason{503, "Service Unavailable"},
                                        Reason{504, "Gateway Timeout"},
                                        Reason{505, "HTTP Version Not Supported"}};
    const auto found = std::find_if(reasons.begin(), reasons.end(),
                                    [status](const Reason &reason) { return reason.status == status; });
    return found == reasons.end() ? QByteArrayView("Status") : found->words;
}

} // namespace proctor
