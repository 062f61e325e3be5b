// Gauss-Legendre rules on [0, 1].
#pragma once

#include <cmath>
#include <map>
#include <numbers>
#include <vector>

namespace opensim_inertia {

struct GaussRule {
    std::vector<double> x, w;    // on [0, 1]

    static const GaussRule& of(int n) {
        thread_local std::map<int, GaussRule> known;
        return known.try_emplace(n, n).first->second;
    }

    explicit GaussRule(int n) : x(static_cast<std::size_t>(n)), w(static_cast<std::size_t>(n)) {
        for (int i = 0; i < n; ++i) {    // Newton on Legendre's polynomial
            double z = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), derivative = 1;
            for (int iteration = 0; iteration < 50; ++iteration) {
                double p0 = 1, p1 = z;
                for (int k = 2; k <= n; ++k) {
                    const double p2 = ((2 * k - 1) * z * p1 - (k - 1) * p0) / k;
                    p0 = p1;
                    p1 = p2;
                }
                derivative = n * (z * p1 - p0) / (z * z - 1);
                const double step = p1 / derivative;
                z -= step;
                if (std::abs(step) < 1e-15) break;
            }
            x[static_cast<std::size_t>(i)] = 0.5 * (1 - z);
            w[static_cast<std::size_t>(i)] = 1 / ((1 - z * z) * derivative * derivative);
        }
    }
};

}    // namespace opensim_inertia
