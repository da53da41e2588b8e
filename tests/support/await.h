// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoroTask>

#include <optional>
#include <utility>

namespace proctor::test
{

/// Runs the event loop until `task` has ended; for values that cannot be default-constructed, as
/// QCoro::waitFor needs.
template<typename T>
T await(QCoro::Task<T> task)
{
    std::optional<T> value;
    const auto wait = [&]() -> QCoro::Task<void> { value.emplace(co_await std::move(task)); };
    QCoro::waitFor(wait());
    return *std::move(value);
}

} // namespace proctor::test
