// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/cancellation.h"

#include "app/process/cancellationstate.h"

#include <utility>

namespace proctor
{

CancellationRegistration::CancellationRegistration(CancellationRegistration &&other) noexcept
    : m_connection(std::exchange(other.m_connection, {}))
{
}

CancellationRegistration &CancellationRegistration::operator=(CancellationRegistration &&other) noexcept
{
    if (this != &other) {
        remove();
        m_connection = std::exchange(other.m_connection, {});
    }
    return *this;
}

void CancellationRegistration::remove()
{
    QObject::disconnect(std::exchange(m_connection, {}));
}

void CancellationState::cancel(const QString &reason)
{
    if (m_isCancelled)
        return;
    m_isCancelled = true;
    m_reason = reason;
    emit cancelled();
}

void CancellationState::follow(const CancellationToken &parent)
{
    m_fromParent = parent.onCancelled(this, [this, parent] { cancel(parent.reason()); });
}

bool CancellationToken::isCancelled() const
{
    return m_state && m_state->isCancelled();
}

QString CancellationToken::reason() const
{
    return m_state ? m_state->reason() : QString();
}

CancellationRegistration CancellationToken::onCancelled(const QObject *context,
                                                        const std::function<void()> &callback) const
{
    if (!m_state)
        return {};
    if (m_state->isCancelled()) {
        callback();
        return {};
    }
    return CancellationRegistration(QObject::connect(m_state.get(), &CancellationState::cancelled, context,
                                                     callback, Qt::DirectConnection));
}

CancellationSource::CancellationSource()
    : m_state(std::make_shared<CancellationState>())
{
}

CancellationSource::CancellationSource(const CancellationToken &parent)
    : CancellationSource()
{
    m_state->follow(parent);
}

void CancellationSource::cancel(const QString &reason)
{
    // A callback may destroy this source.
    const auto state = m_state;
    state->cancel(reason);
}

} // namespace proctor
