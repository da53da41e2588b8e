// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/statistics/means.h"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>
#include <numeric>

namespace proctor
{

std::optional<double> mean(const QList<double> &values)
{
    if (values.isEmpty())
        return std::nullopt;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> sampleStandardDeviation(const QList<double> &values)
{
    if (values.size() < 2)
        return std::nullopt;
    const double centre = *mean(values);
    double squares = 0;
    for (const double value : values)
        squares += (value - centre) * (value - centre);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::optional<double> standardError(const QList<double> &values)
{
    const auto deviation = sampleStandardDeviation(values);
    if (!deviation)
        return std::nullopt;
    return *deviation / std::sqrt(static_cast<double>(values.size()));
}

double tQuantile(double p, double degreesOfFreedom)
{
    return boost::math::quantile(boost::math::students_t(degreesOfFreedom), p);
}

std::optional<double> halfWidth95(const QList<double> &values)
{
    const auto error = standardError(values);
    if (!error)
        return std::nullopt;
    return tQuantile(0.975, static_cast<double>(values.size() - 1)) * *error;
}

} // namespace proctor
