// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

namespace proctor
{

struct HttpHeader {
    QByteArray name, value;
    bool operator==(const HttpHeader &) const = default;
};

/// A request as it came, its body whole.
struct HttpRequest {
    QByteArray method;
    /// As it was sent: nothing is decoded, a query is part of it.
    QByteArray target;
    /// Of version 1.0 or 1.1.
    int minorVersion = 1;
    /// Names in lower case, values without the space around them, in the order of the request.
    QList<HttpHeader> headers;
    QByteArray body;

    /// Value of the first header of this name (lower case), empty if there is none.
    QByteArray header(QByteArrayView name) const;
    bool hasHeader(QByteArrayView name) const;
    /// Whether the client may send another request on the same connection.
    bool keepsAlive() const;

    bool operator==(const HttpRequest &) const = default;
};

/// Whether `name` is one of the comma-separated words of a header's value, in any case.
bool hasWord(QByteArrayView value, QByteArrayView name);

/// "Not Found" for 404; "Status" for a number that has no name here.
QByteArrayView httpReason(int status);

} // namespace proctor
