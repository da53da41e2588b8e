// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/cancellation.h"

#include <QObject>
#include <QString>

namespace proctor
{

/// What a source and its tokens share.
class CancellationState : public QObject
{
    Q_OBJECT

public:
    bool isCancelled() const { return m_isCancelled; }
    QString reason() const { return m_reason; }
    void cancel(const QString &reason);
    void follow(const CancellationToken &parent);

signals:
    void cancelled();

private:
    bool m_isCancelled = false;
    QString m_reason;
    CancellationRegistration m_fromParent;
};

} // namespace proctor
