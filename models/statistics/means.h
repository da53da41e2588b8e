// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

#include <optional>

namespace proctor
{

/// Sum in list order divided by the count; nothing for an empty list.
std::optional<double> mean(const QList<double> &values);

/// sqrt(Σ(x − x̄)² / (n − 1)); nothing for fewer than two values.
std::optional<double> sampleStandardDeviation(const QList<double> &values);

/// Of the mean: sqrt(Σ(x − x̄)² / (n(n − 1))); nothing for fewer than two values.
std::optional<double> standardError(const QList<double> &values);

/// Quantile of Student's t distribution; 0 < p < 1, at least one degree of freedom.
double tQuantile(double p, double degreesOfFreedom);

/// Half the width of the 95 % interval of the mean: t(0.975, n − 1) times the standard error (E. Miller 2024,
/// arXiv:2411.00640). `values` are one number an instance, already averaged over its runs.
std::optional<double> halfWidth95(const QList<double> &values);

} // namespace proctor
