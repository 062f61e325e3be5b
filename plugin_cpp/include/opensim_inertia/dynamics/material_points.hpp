// Positions, velocities and Jacobians of material points of a laid muscle.
#pragma once

#include "opensim_inertia/dynamics/answers.hpp"
#include "opensim_inertia/dynamics/carrier_terms.hpp"

namespace opensim_inertia {

inline MaterialPoints points_on(const State<double>& s, const LaidMuscle<double>& laid,
                                const std::vector<Material<double>>& material, CarrierColumns& carriers,
                                CarrierTerms& terms, bool want_jacobian) {
    MaterialPoints out;
    const auto n = static_cast<Eigen::Index>(material.size());
    const int bodies = 6 * s.bodies;
    out.position.resize(n, 3);
    out.velocity.resize(n, 3);
    out.bias.resize(n, 3);
    out.jacobian.setZero(want_jacobian ? 3 * n : 0, s.speeds);
    std::vector<Sample<double>> samples;
    for (Eigen::Index k = 0; k < n; ++k) {
        const Material<double>& point = material[static_cast<std::size_t>(k)];
        const Part<double>& part = laid.parts[laid.locate(point)];
        const auto x = laid.place_on(part, point);
        samples.push_back({part.element, part.piece, point, 1.0, false, x});
        out.position.row(k) = value(x);
        out.velocity.row(k) = rate(x);
        out.bias.row(k) = acceleration(x);
    }
    if (!want_jacobian) return out;
    carriers.find(s, laid);
    const RowMap J(s.jacobian, bodies, s.speeds);
    Matrix D(3, static_cast<Eigen::Index>(carriers.width));
    for (Eigen::Index k = 0; k < n; ++k) {
        terms.sum_jacobians(laid, carriers, {samples[static_cast<std::size_t>(k)]}, k > 0, D.data());
        auto rows = out.jacobian.middleRows(3 * k, 3);
        for (std::size_t a = 0; a < carriers.ids.size(); ++a) {
            const int id = carriers.ids[a];
            const auto d = D.col(static_cast<Eigen::Index>(a));
            if (id >= bodies)
                rows.col(id - bodies) += d;
            else
                rows.noalias() += d * J.row(id);
        }
    }
    return out;
}

}    // namespace opensim_inertia
