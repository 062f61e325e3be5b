// Path points that are polynomials of several coordinates: lengths, and derivatives of inverse dynamics. What the mass
// on such paths adds is tested with that on others.
#include <doctest/doctest.h>

#include "differences.hpp"
#include "mechanism.hpp"
#include "moved_state.hpp"
#include "muscles.hpp"
#include "opensim_inertia/dynamics/kernel_derivatives.hpp"

namespace {

const Mechanism kChain = Mechanism::three_hinges();
const Vector kQ = (Vector(3) << 0.3, -0.5, 0.4).finished();
const Vector kU = (Vector(3) << 1.1, -0.7, 0.9).finished();
const Vector kUdot = (Vector(3) << -2.0, 3.0, 1.0).finished();
constexpr double kStep = 1e-3;

Kernel kernel_of(const MaterialMap<>& map, MassDistribution mass) {
    return {kChain.bodies(), kChain.speeds(), kGravity, {muscle(polynomial_path(), map, std::move(mass))}};
}

// The place of `polynomial` in its body, by hand.
Vec3d station_by_hand(const Vector& q, int first, int second) {
    const double a = (q[first] - 0.2) / 1.5, b = (q[second] + 0.1) / 0.8;
    const double terms[] = {1, a, b * b, a * a * a * b, a * a * b * b};
    const Matrix c = polynomial(0, first, second).coefficients;
    Vec3d found = Vec3d::Zero();
    for (int t = 0; t < 5; ++t) found += terms[t] * c.col(t);
    return found;
}

}    // namespace

TEST_CASE("a path through polynomial points is as long as the straight lines between their places") {
    const Kernel kernel = kernel_of(kUniform, point_masses());
    const Pose pose(kChain, kQ, kU);
    const Vec3d at[] = {pose.carried(0, {0.02, 0.2, 0}), pose.carried(1, station_by_hand(kQ, 2, 0)),
                        pose.carried(2, station_by_hand(kQ, 0, 1)), pose.carried(3, {0.02, -0.1, 0.05})};
    const double length = (at[1] - at[0]).norm() + (at[2] - at[1]).norm() + (at[3] - at[2]).norm();
    CHECK(kernel.lengths(pose, {0})(0, 0) == doctest::Approx(length).epsilon(1e-14));
}

TEST_CASE("inverse dynamics of a path through polynomial points has derivatives along coordinates and speeds") {
    const Kernel kernel = kernel_of(kAponeurosis, MassDistribution::uniform(0.6));
    const auto tau_at = [&](const Vector& q, const Vector& u) {
        const Pose pose(kChain, q, u);
        const State<double>& s = pose;
        return Vector(kernel.inverse({&s}, kUdot.data(), {0}).values.row(0));
    };
    const Pose pose(kChain, kQ, kU);
    const State<double>& s = pose;
    for (int c = 0; c < kChain.speeds(); ++c) {
        const MovedState moves(kChain, kQ, kU, c, kStep);
        const Vector& along = moves.along();
        const State<double> accelerated = s.accelerated(kUdot.data());
        KernelDerivatives derivatives(kernel);
        const Vector by_coordinate = derivatives.inverse_along(accelerated, moves.coordinate(), {0}).row(0);
        const Vector by_speed = derivatives.inverse_along(accelerated, moves.speed(), {0}).row(0);
        CHECK(apart(by_coordinate, derivative([&](double t) { return tau_at(kQ + t * along, kU); }, kStep)) < 1e-8);
        CHECK(apart(by_speed, derivative([&](double t) { return tau_at(kQ, kU + t * along); }, kStep)) < 1e-8);
    }
}
