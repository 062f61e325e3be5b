// How a muscle's mass is spread over its material coordinates.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace opensim_inertia {

struct MassDistribution {
    double total = 0;
    bool continuous = true;               // uniform over chi and xi in [0, 1]; else point masses
    std::vector<double> chi, xi, mass;    // point masses, increasing xi
    std::vector<double> m0, m1, m2;       // their running moments: sums of m, m xi, m xi^2 over the first i points

    static MassDistribution uniform(double total) {
        MassDistribution d;
        d.total = total;
        return d;
    }

    static MassDistribution points(std::vector<double> chi, std::vector<double> xi, std::vector<double> mass) {
        MassDistribution d;
        d.continuous = false;
        std::vector<std::size_t> order(mass.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return xi[i] < xi[j]; });
        d.m0 = d.m1 = d.m2 = {0.0};
        for (std::size_t i : order) {
            d.chi.push_back(chi[i]);
            d.xi.push_back(xi[i]);
            d.mass.push_back(mass[i]);
            d.m0.push_back(d.m0.back() + mass[i]);
            d.m1.push_back(d.m1.back() + mass[i] * xi[i]);
            d.m2.push_back(d.m2.back() + mass[i] * xi[i] * xi[i]);
        }
        d.total = d.m0.back();
        return d;
    }

    // Points of a xi below `end` lie before this index.
    std::size_t index_below(double end) const {
        return static_cast<std::size_t>(std::lower_bound(xi.begin(), xi.end(), end) - xi.begin());
    }
};

}    // namespace opensim_inertia
