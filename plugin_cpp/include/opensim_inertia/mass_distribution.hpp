// How a muscle's mass is spread over its material coordinate beta, and the few samples that sum it exactly on an
// element.
#pragma once

#include <algorithm>
#include <vector>

#include "arc_basis.hpp"

namespace opensim_inertia {

struct MassDistribution {
    double total = 0;
    bool continuous = true;            // uniform over beta in [0, 1]; else point masses
    std::vector<double> beta, mass;    // point masses, increasing beta
    std::vector<double> m0, m1, m2;    // their running moments: sums of m, m beta, m beta^2 over the first i points

    static MassDistribution uniform(double total) {
        MassDistribution d;
        d.total = total;
        return d;
    }

    static MassDistribution points(std::vector<double> beta, std::vector<double> mass) {
        MassDistribution d;
        d.continuous = false;
        d.m0 = d.m1 = d.m2 = {0.0};
        for (std::size_t i = 0; i < beta.size(); ++i) {
            d.m0.push_back(d.m0.back() + mass[i]);
            d.m1.push_back(d.m1.back() + mass[i] * beta[i]);
            d.m2.push_back(d.m2.back() + mass[i] * beta[i] * beta[i]);
        }
        d.total = d.m0.back();
        d.beta = std::move(beta);
        d.mass = std::move(mass);
        return d;
    }

    // Points of the first i elements lie below this index, when element i ends at beta `end`.
    std::size_t index_below(double end) const {
        return static_cast<std::size_t>(std::lower_bound(beta.begin(), beta.end(), end) - beta.begin());
    }
};

// The mass on one element as moments about its own mean: sum f = mass f(mean) for affine f, and
// sum x^T x = mass x(mean)^T x(mean) + spread x'^T x'. Exact for a straight element however many points it holds.
template <class Real>
struct ElementMass {
    Real mass, mean, spread;
};

// The part between the material coordinates `low` and `high`.
template <class Real>
inline ElementMass<Real> uniform_part(double total, const Real& low, const Real& high) {
    const Real d = high - low;
    return {total * d, 0.5 * (low + high), total * d * d * d * (1.0 / 12)};
}

inline ElementMass<double> points_part(const MassDistribution& d, std::size_t i, std::size_t j) {
    const double m = d.m0[j] - d.m0[i];
    if (m <= 0) return {0, 0, 0};
    const double mean = (d.m1[j] - d.m1[i]) / m;
    return {m, mean, std::max(0.0, d.m2[j] - d.m2[i] - m * mean * mean)};
}

}    // namespace opensim_inertia
