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
    std::size_t terms = 0;         // coefficients of each polynomial
    std::vector<double>
        pieces;    // (n + 1, terms), lowest power first: below breaks[0], between, above; each in (x - its anchor)
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
        const double* c = pieces.data() + i * terms;
        const Real t = x - anchor;
        Sample<Real> y{0.0, 0.0, 0.0};
        for (std::size_t k = terms; k-- > 0;) y.f = c[k] + t * y.f;
        if (clamped) return y;
        for (std::size_t k = terms; k-- > 1;) y.df = static_cast<double>(k) * c[k] + t * y.df;
        for (std::size_t k = terms; k-- > 2;) y.ddf = static_cast<double>(k * (k - 1)) * c[k] + t * y.ddf;
        return y;
    }
};

}    // namespace opensim_inertia
