// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDateTime>

#include <chrono>
#include <optional>

namespace proctor
{

/// How long an answer asks to wait by its Retry-After header (RFC 9110, 10.2.3): whole or (as some endpoints
/// write) broken seconds, or an HTTP date. Never negative; none if the header says nothing that can be read.
std::optional<std::chrono::milliseconds> retryAfter(const QByteArray &header, const QDateTime &now);

} // namespace proctor
