// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace proctor::measure
{

/// Distances in device independent pixels: inside a control, between related things, between groups, at page
/// edges.
inline constexpr int inside = 4;
inline constexpr int related = 8;
inline constexpr int group = 16;
inline constexpr int edge = 24;

inline constexpr int rowHeight = 28;
inline constexpr int radius = 6;

inline constexpr double titleScale = 1.4;
inline constexpr double sectionScale = 1.1;
inline constexpr double smallScale = 0.9;

} // namespace proctor::measure
