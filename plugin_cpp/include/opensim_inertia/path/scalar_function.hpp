// Piecewise polynomial of one coordinate, evaluated at the coordinate clamped to a range (as OpenSim's
// MovingPathPoint).
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "opensim_inertia/scalar/time_jet.hpp"

namespace opensim_inertia {

struct ScalarFunction {
    int coordinate = -1;           // index in speed order; -1: constant
    std::vector<double> breaks;    // n, increasing
    std::vector<std::array<double, 4>>
        pieces;    // n + 1 cubics: below breaks[0], between, above; each in (x - its anchor)
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    template <class Real>
    struct Sample {
        Real f, df, ddf;
    };

    template <class Real>
    Sample<Real> operator()(Real x) const {
        bool clamped = false;
        if (value(x) < low) x = low, clamped = true;
        if (value(x) > high) x = high, clamped = true;
        const auto i =
            static_cast<std::size_t>(std::upper_bound(breaks.begin(), breaks.end(), value(x)) - breaks.begin());
        const double anchor = breaks.empty() ? 0.0 : breaks[i == 0 ? 0 : i - 1];
        const auto& c = pieces[i];
        const Real t = x - anchor;
        const Real f = c[0] + t * (c[1] + t * (c[2] + t * c[3]));
        if (clamped) return {f, 0.0, 0.0};
        return {f, c[1] + t * (2 * c[2] + t * 3 * c[3]), 2 * c[2] + 6 * t * c[3]};
    }
};

}    // namespace opensim_inertia
