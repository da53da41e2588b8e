// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <memory>

namespace proctor
{

class CancellationState;

/// Keeps a callback of CancellationToken::onCancelled() registered for as long as it lives.
class [[nodiscard]] CancellationRegistration
{
public:
    CancellationRegistration() = default;
    explicit CancellationRegistration(QMetaObject::Connection connection)
        : m_connection(std::move(connection))
    {
    }
    CancellationRegistration(CancellationRegistration &&other) noexcept;
    CancellationRegistration &operator=(CancellationRegistration &&other) noexcept;
    ~CancellationRegistration() { remove(); }

    void remove();

private:
    QMetaObject::Connection m_connection;
};

/// What a step asks whether it shall still go on. Copies speak of the same source. A default token is never
/// cancelled. Source, tokens and callbacks belong to one thread.
class CancellationToken
{
public:
    CancellationToken() = default;

    bool isCancelled() const;
    /// Why, as a sentence for the user; empty while not cancelled.
    QString reason() const;

    /// Calls `callback` inside CancellationSource::cancel(), or before this function returns if that has been
    /// called already. It is not called any more once the registration or `context` is gone.
    CancellationRegistration onCancelled(const QObject *context, const std::function<void()> &callback) const;

private:
    friend class CancellationSource;
    explicit CancellationToken(std::shared_ptr<CancellationState> state)
        : m_state(std::move(state))
    {
    }

    std::shared_ptr<CancellationState> m_state;
};

/// Where a cancellation comes from. Destroying it cancels nothing.
class CancellationSource
{
public:
    CancellationSource();
    /// Is cancelled together with `parent`, and can be cancelled alone. Its tokens follow the parent even
    /// when this source is gone.
    explicit CancellationSource(const CancellationToken &parent);

    CancellationToken token() const { return CancellationToken(m_state); }
    bool isCancelled() const { return token().isCancelled(); }
    /// Only the first call counts.
    void cancel(const QString &reason);

private:
    std::shared_ptr<CancellationState> m_state;
};

} // namespace proctor
