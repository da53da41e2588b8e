// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/icon.h"

#include "widgets/theme/colours.h"

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

namespace proctor
{

namespace
{

class TintedIcon : public QIconEngine
{
public:
    explicit TintedIcon(const QString &name)
        : m_name(name)
    {
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override
    {
        const double ratio = painter->device()->devicePixelRatioF();
        painter->drawPixmap(rect, drawn(rect.size() * ratio, colour(mode, state)));
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        return drawn(size, colour(mode, state));
    }

    QIconEngine *clone() const override { return new TintedIcon(m_name); }

private:
    static QColor colour(QIcon::Mode mode, QIcon::State state)
    {
        const QPalette palette = QGuiApplication::palette();
        if (mode == QIcon::Disabled)
            return palette.color(QPalette::Disabled, QPalette::ButtonText);
        if (state == QIcon::On)
            return mode == QIcon::Selected ? Colours::of(palette).onAccent : Colours::of(palette).accent;
        return palette.color(QPalette::ButtonText);
    }

    QPixmap drawn(const QSize &size, const QColor &tint) const
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        QSvgRenderer(QStringLiteral(":/icons/%1.svg").arg(m_name)).render(&painter);
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        painter.fillRect(pixmap.rect(), tint);
        return pixmap;
    }

    QString m_name;
};

} // namespace

QIcon themedIcon(const QString &name)
{
    return QIcon(new TintedIcon(name));
}

} // namespace proctor
