// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/colours.h"

namespace proctor
{

static const Colours light{
    .border = 0xD9DEE7,
    .quiet = 0x5B6577,
    .accent = 0x2F6FDE,
    .onAccent = 0xFFFFFF,
    .accentTint = 0xDFE9FB,
    .good = 0x1B7F4B,
    .warning = 0x9A6700,
    .problem = 0xC0362C,
};

static const Colours dark{
    .border = 0x3A404B,
    .quiet = 0x9AA4B5,
    .accent = 0x6FA3FF,
    .onAccent = 0x10141C,
    .accentTint = 0x2B3B57,
    .good = 0x5CC98F,
    .warning = 0xE3B341,
    .problem = 0xFF8A80,
};

Colours Colours::of(const QPalette &palette)
{
    return isDark(palette) ? dark : light;
}

bool Colours::isDark(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

QColor Colours::of(Standing standing) const
{
    switch (standing) {
    case Standing::Running:
        return accent;
    case Standing::Scored:
        return good;
    case Standing::AgentFailed:
        return problem;
    case Standing::HarnessFailed:
    case Standing::Lost:
        return warning;
    case Standing::Cancelled:
    case Standing::Waiting:
        break;
    }
    return quiet;
}

namespace
{
struct Ground {
    QColor window, surface, text;
};
} // namespace

static QPalette paletteOf(const Ground &ground, const Colours &colours)
{
    QPalette palette;
    palette.setColor(QPalette::Window, ground.window);
    palette.setColor(QPalette::WindowText, ground.text);
    palette.setColor(QPalette::Base, ground.surface);
    palette.setColor(QPalette::AlternateBase, ground.window);
    palette.setColor(QPalette::Text, ground.text);
    palette.setColor(QPalette::Button, ground.surface);
    palette.setColor(QPalette::ButtonText, ground.text);
    palette.setColor(QPalette::BrightText, colours.problem);
    palette.setColor(QPalette::ToolTipBase, ground.surface);
    palette.setColor(QPalette::ToolTipText, ground.text);
    palette.setColor(QPalette::PlaceholderText, colours.quiet);
    palette.setColor(QPalette::Highlight, colours.accentTint);
    palette.setColor(QPalette::HighlightedText, ground.text);
    palette.setColor(QPalette::Link, colours.accent);
    palette.setColor(QPalette::LinkVisited, colours.accent);
    palette.setColor(QPalette::Light, ground.surface);
    palette.setColor(QPalette::Midlight, ground.window);
    palette.setColor(QPalette::Mid, colours.border);
    palette.setColor(QPalette::Dark, colours.border);
    palette.setColor(QPalette::Shadow, colours.border);
    // Between quiet text and border: to be seen as not to be used, and still to be read.
    const QColor off((colours.quiet.red() * 2 + colours.border.red()) / 3,
                     (colours.quiet.green() * 2 + colours.border.green()) / 3,
                     (colours.quiet.blue() * 2 + colours.border.blue()) / 3);
    for (const auto role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, off);
    return palette;
}

QPalette lightPalette()
{
    return paletteOf({.window = 0xF7F8FA, .surface = 0xFFFFFF, .text = 0x1C2230}, light);
}

QPalette darkPalette()
{
    return paletteOf({.window = 0x1B1E24, .surface = 0x23272F, .text = 0xE6E9EF}, dark);
}

} // namespace proctor
