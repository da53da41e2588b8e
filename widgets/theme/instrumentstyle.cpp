// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/instrumentstyle.h"

#include "widgets/theme/colours.h"
#include "widgets/theme/measure.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>
#include <QWidget>

namespace proctor
{

InstrumentStyle::InstrumentStyle()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
{
}

static bool isPrimary(const QWidget *widget)
{
    return widget && widget->isEnabled() && widget->property("primary").toBool();
}

static QColor mixed(const QColor &a, const QColor &b, double share)
{
    const auto part = [share](int from, int to) { return static_cast<int>(from + (to - from) * share); };
    return QColor(part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue()));
}

static void drawButton(const QStyleOption &option, QPainter *painter, const QWidget *widget)
{
    const Colours colours = Colours::of(option.palette);
    const bool enabled = option.state & QStyle::State_Enabled;
    QColor fill = option.palette.color(enabled ? QPalette::Base : QPalette::Window);
    QColor edge = colours.border;
    if (isPrimary(widget))
        fill = edge = colours.accent;
    if (enabled && (option.state & (QStyle::State_Sunken | QStyle::State_On)))
        fill = mixed(fill, option.palette.color(QPalette::WindowText), 0.14);
    else if (enabled && (option.state & QStyle::State_MouseOver))
        fill = mixed(fill, option.palette.color(QPalette::WindowText), 0.06);
    const bool focused =
        (option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_KeyboardFocusChange);
    if (focused)
        edge = isPrimary(widget) ? option.palette.color(QPalette::WindowText) : colours.accent;

    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(edge, focused ? 2 : 1));
    painter->setBrush(fill);
    const double inset = focused ? 1 : 0.5;
    painter->drawRoundedRect(QRectF(option.rect).adjusted(inset, inset, -inset, -inset), measure::radius,
                             measure::radius);
    painter->restore();
}

static void drawField(const QStyleOption &option, QPainter *painter)
{
    const Colours colours = Colours::of(option.palette);
    const bool focused = option.state & QStyle::State_HasFocus;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(focused ? colours.accent : colours.border, focused ? 1.5 : 1));
    painter->setBrush(option.palette.color(QPalette::Base));
    painter->drawRoundedRect(QRectF(option.rect).adjusted(0.75, 0.75, -0.75, -0.75), measure::radius,
                             measure::radius);
    painter->restore();
}

static void drawCheckBox(const QStyleOption &option, QPainter *painter)
{
    const Colours colours = Colours::of(option.palette);
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool focused =
        (option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_KeyboardFocusChange);
    const double side = qMin(option.rect.width(), option.rect.height());
    const QRectF box = QRectF(option.rect.x(), option.rect.y(), side, side).adjusted(0.5, 0.5, -0.5, -0.5);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(
        QPen(focused ? colours.accent : (enabled ? colours.quiet : colours.border), focused ? 2 : 1));
    painter->setBrush(option.palette.color(QPalette::Base));
    painter->drawRoundedRect(box, 3, 3);
    if (option.state & QStyle::State_On) {
        painter->setPen(
            QPen(enabled ? colours.accent : colours.quiet, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->setBrush(Qt::NoBrush);
        const auto at = [&box](double x, double y) {
            return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
        };
        painter->drawPolyline(QPolygonF{at(0.24, 0.52), at(0.43, 0.72), at(0.78, 0.3)});
    }
    painter->restore();
}

static void drawFrame(const QStyleOption &option, QPainter *painter)
{
    painter->save();
    painter->setPen(Colours::of(option.palette).border);
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
    painter->restore();
}

void InstrumentStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                                    const QWidget *widget) const
{
    switch (element) {
    case PE_PanelButtonCommand:
        drawButton(*option, painter, widget);
        return;
    case PE_FrameFocusRect:
        // Buttons show the focus by their border; text lists keep Fusion's frame.
        if (widget && widget->inherits("QPushButton"))
            return;
        break;
    case PE_PanelLineEdit:
        if (const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
            frame && frame->lineWidth > 0) {
            drawField(*option, painter);
            return;
        }
        break;
    case PE_FrameTabBarBase:
        return;
    case PE_IndicatorCheckBox:
        drawCheckBox(*option, painter);
        return;
    case PE_Frame:
        drawFrame(*option, painter);
        return;
    default:
        break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

static void drawTab(const QStyleOptionTab &tab, QPainter *painter)
{
    if (!(tab.state & QStyle::State_Selected))
        return;
    const QRect line(tab.rect.left() + measure::inside, tab.rect.bottom() - 1,
                     tab.rect.width() - 2 * measure::inside, 2);
    painter->fillRect(line, Colours::of(tab.palette).accent);
}

static void drawProgress(const QStyleOptionProgressBar &bar, QPainter *painter)
{
    const Colours colours = Colours::of(bar.palette);
    const double range = qMax(1, bar.maximum - bar.minimum);
    QRectF groove = QRectF(bar.rect);
    groove.setTop(groove.center().y() - measure::inside);
    groove.setHeight(2 * measure::inside);
    QRectF filled = groove;
    filled.setWidth(groove.width() * qBound(0.0, (bar.progress - bar.minimum) / range, 1.0));
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colours.border);
    painter->drawRoundedRect(groove, measure::inside, measure::inside);
    if (filled.width() > 0) {
        painter->setBrush(colours.accent);
        painter->drawRoundedRect(filled, measure::inside, measure::inside);
    }
    painter->restore();
}

static void drawHeader(const QStyleOption &option, QPainter *painter)
{
    painter->fillRect(option.rect, option.palette.color(QPalette::Base));
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1),
                      Colours::of(option.palette).border);
}

/// A label on the accent colour, drawn here because Fusion takes its colours from the palette.
static void drawPrimaryLabel(const QStyleOptionButton &button, QPainter *painter)
{
    const QRect text = button.fontMetrics.boundingRect(button.rect, Qt::TextShowMnemonic, button.text);
    const int iconWidth = button.icon.isNull() ? 0 : button.iconSize.width() + measure::inside;
    int left = button.rect.left() + (button.rect.width() - text.width() - iconWidth) / 2;
    if (iconWidth > 0) {
        const QRect place(left, button.rect.center().y() + 1 - button.iconSize.height() / 2,
                          button.iconSize.width(), button.iconSize.height());
        button.icon.paint(painter, place, Qt::AlignCenter, QIcon::Selected, QIcon::On);
        left += iconWidth;
    }
    painter->setPen(Colours::of(button.palette).onAccent);
    painter->drawText(QRect(left, button.rect.top(), button.rect.right() - left, button.rect.height()),
                      Qt::AlignVCenter | Qt::AlignLeft | Qt::TextShowMnemonic, button.text);
}

void InstrumentStyle::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                                  const QWidget *widget) const
{
    switch (element) {
    case CE_PushButtonLabel:
        if (const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
            button && isPrimary(widget)) {
            drawPrimaryLabel(*button, painter);
            return;
        }
        break;
    case CE_TabBarTabShape:
        if (const auto *tab = qstyleoption_cast<const QStyleOptionTab *>(option)) {
            drawTab(*tab, painter);
            return;
        }
        break;
    case CE_ProgressBarGroove:
    case CE_ProgressBarLabel:
        return;
    case CE_ProgressBarContents:
        if (const auto *bar = qstyleoption_cast<const QStyleOptionProgressBar *>(option)) {
            drawProgress(*bar, painter);
            return;
        }
        break;
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
        drawHeader(*option, painter);
        return;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

static void drawScrollBar(const QStyleOptionSlider &bar, QPainter *painter, const QRect &slider)
{
    const Colours colours = Colours::of(bar.palette);
    painter->fillRect(bar.rect, bar.palette.color(QPalette::Base));
    if (bar.maximum <= bar.minimum)
        return;
    const bool held = bar.state & (QStyle::State_Sunken | QStyle::State_MouseOver);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(held ? colours.quiet : mixed(colours.border, colours.quiet, 0.35));
    painter->drawRoundedRect(QRectF(slider).adjusted(3, 3, -3, -3), 3, 3);
    painter->restore();
}

void InstrumentStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
                                         QPainter *painter, const QWidget *widget) const
{
    if (const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
        bar && control == CC_ScrollBar) {
        drawScrollBar(*bar, painter, subControlRect(control, option, SC_ScrollBarSlider, widget));
        return;
    }
    if (const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option);
        spin && control == CC_SpinBox) {
        drawField(*option, painter);
        QStyleOption arrow = *option;
        const auto draw = [&](SubControl part, QAbstractSpinBox::StepEnabledFlag step,
                              PrimitiveElement element) {
            arrow.rect = subControlRect(control, option, part, widget).adjusted(2, 2, -2, -2);
            arrow.state.setFlag(State_Enabled, spin->stepEnabled & step && option->state & State_Enabled);
            drawPrimitive(element, &arrow, painter, widget);
        };
        draw(SC_SpinBoxUp, QAbstractSpinBox::StepUpEnabled, PE_IndicatorArrowUp);
        draw(SC_SpinBoxDown, QAbstractSpinBox::StepDownEnabled, PE_IndicatorArrowDown);
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

/// The parts of a scroll bar whose groove takes all of it.
static QRect scrollBarPart(const QStyleOptionSlider &bar, QStyle::SubControl part)
{
    static constexpr int shortest = 24;
    const bool lying = bar.orientation == Qt::Horizontal;
    const int length = lying ? bar.rect.width() : bar.rect.height();
    const int range = bar.maximum - bar.minimum;
    const auto share =
        static_cast<double>(bar.pageStep) / qMax(1.0, static_cast<double>(range) + bar.pageStep);
    const int slider =
        range > 0 ? qBound(qMin(shortest, length), static_cast<int>(length * share), length) : length;
    const int start = QStyle::sliderPositionFromValue(bar.minimum, bar.maximum, bar.sliderPosition,
                                                      length - slider, bar.upsideDown);
    int from = 0;
    int size = 0;
    switch (part) {
    case QStyle::SC_ScrollBarGroove:
        size = length;
        break;
    case QStyle::SC_ScrollBarSlider:
        from = start;
        size = slider;
        break;
    case QStyle::SC_ScrollBarSubPage:
        size = start;
        break;
    case QStyle::SC_ScrollBarAddPage:
        from = start + slider;
        size = length - from;
        break;
    default:
        return {};
    }
    const QRect rect =
        lying ? QRect(from, 0, size, bar.rect.height()) : QRect(0, from, bar.rect.width(), size);
    return QStyle::visualRect(bar.direction, bar.rect, rect);
}

QRect InstrumentStyle::subControlRect(ComplexControl control, const QStyleOptionComplex *option,
                                      SubControl part, const QWidget *widget) const
{
    if (const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
        bar && control == CC_ScrollBar)
        return scrollBarPart(*bar, part);
    return QProxyStyle::subControlRect(control, option, part, widget);
}

int InstrumentStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarBaseOverlap:
        return 0;
    case PM_HeaderMargin:
        return measure::related;
    case PM_ScrollBarExtent:
        return 12;
    case PM_DefaultFrameWidth:
        return 1;
    case PM_SplitterWidth:
        return measure::related;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int InstrumentStyle::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                               QStyleHintReturn *returnData) const
{
    // Nothing moves but progress.
    if (hint == SH_Widget_Animation_Duration)
        return 0;
    return QProxyStyle::styleHint(hint, option, widget, returnData);
}

QSize InstrumentStyle::sizeFromContents(ContentsType type, const QStyleOption *option, const QSize &size,
                                        const QWidget *widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_PushButton)
        result = QSize(result.width() + measure::related,
                       qMax(result.height(), measure::rowHeight + measure::inside));
    // Fields are as high as the buttons beside them.
    if (option && (type == CT_LineEdit || type == CT_SpinBox))
        result.setHeight(
            qMax(option->fontMetrics.height() + 2 * measure::inside, measure::rowHeight + measure::inside));
    return result;
}

} // namespace proctor
