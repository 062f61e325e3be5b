// Mass that is divided between the ways past a surface, against Lagrange's equations of its energies and differences.
#include <doctest/doctest.h>

#include "chain_with_surfaces.hpp"
#include "differences.hpp"
#include "muscles.hpp"
#include "opensim_inertia/dynamics/kernel_derivatives.hpp"

namespace divided {

constexpr double kStep = 2e-4;    // the shares change within some 0.01 m

// From ground to body 3, between places that surfaces on body 1 see at p and q.
Kernel kernel_past(std::vector<WrapSite> sites, const Vec3d& p, const Vec3d& q, const MaterialMap<>& map) {
    Muscle m = muscle({fixed(0, station(0, p)), fixed(3, station(3, q))}, map, MassDistribution::uniform(0.6));
    m.path.sites = std::move(sites);
    return {kChain.bodies(), kChain.speeds(), kGravity, {m}};
}

struct Case {
    std::string name;
    std::vector<WrapSite> sites;
    Vec3d p, q;
};

const std::vector<Case>& cases() {
    const auto on = [](SurfaceKind kind, const Vec3d& size, const Vec3d& at = Vec3d::Zero()) {
        return site(kind, size, 1, kOrigin + at, -1, 1);
    };
    static const std::vector<Case> all{
        {"sphere", {on(&kSphere, {0.03, 0, 0})}, {-0.1, 0.007, 0}, {0.11, 0.008, 0.001}},
        {"two strings", {on(&kEllipsoid, {0.015, 0.015, 0.1})}, {-0.0087, 0.0875, 0.034}, {0.0137, -0.1346, -0.012}},
        {"loose string", {on(&kEllipsoid, {0.04, 0.07, 0.05})}, {-0.1, 0.06, 0.05}, {0.11, -0.058, -0.048}},
        {"several surfaces",
         {on(&kSphere, {0.03, 0, 0}), on(&kCylinder, {0.01, 0, 0}, {0.07, 0, 0})},
         {-0.1, 0.007, 0},
         {0.13, 0.008, 0.001}},
        {"two spheres in a row",
         {on(&kSphere, {0.03, 0, 0}), on(&kSphere, {0.025, 0, 0}, {0.08, 0.001, 0.002})},
         {-0.1, 0.0065, 0.003},
         {0.17, 0.0075, 0.001}},
        {"a sphere and an ellipsoid",
         {on(&kSphere, {0.03, 0, 0}), on(&kEllipsoid, {0.03, 0.025, 0.035}, {0.09, -0.005, 0})},
         {-0.1, 0.0065, 0},
         {0.17, 0.0075, 0.001}},
    };
    return all;
}

TEST_CASE("divided mass obeys Lagrange's equations of its energies, and moves no faster than what carries it") {
    for (const auto& [name, sites, p, q] : cases())
        for (const MaterialMap<>& map : {kUniform, MaterialMap<>{1, 0.05, 0.4, 0.02, 0.01, 0}}) {
            CAPTURE(name);
            const Kernel kernel = kernel_past(sites, p, q, map);
            const auto at = [&](const Vector& where) { return kernel.evaluate(Pose(kChain, where, kU), {0}); };
            const Pose pose(kChain, kQ, kU);
            const Terms ours = kernel.evaluate(pose, {0});
            CHECK(std::ranges::count(ours.remarks.doubts, std::tuple(0, 0, Doubt::divided)) == 1);
            // d/dt (dM u) - dT/dq + dV/dq, udot held
            Vector exact = ours.mass_matrix * kUdot;
            exact += derivative([&](double t) { return at(kQ + t * kU).mass_matrix; }, kStep) * kU;
            for (int c = 0; c < 3; ++c) {
                const auto moved = [&](double t) { return at(kQ + t * Vector::Unit(3, c)); };
                exact[c] -= derivative([&](double t) { return moved(t).kinetic; }, kStep);
                exact[c] += derivative([&](double t) { return moved(t).potential; }, kStep);
            }
            const State<double>& s = pose;
            const Vector tau = kernel.inverse({&s}, kUdot.data(), {0}).values.row(0);
            CHECK(apart(tau, exact) < 1e-7);    // of the differences
            CHECK(apart(tau, Vector(ours.mass_matrix * kUdot - ours.bias - ours.gravity)) < 1e-12);
            CHECK(0.5 * kU.dot(ours.mass_matrix * kU) == doctest::Approx(ours.kinetic).epsilon(1e-12));
            const MaterialPoints points = kernel.mass_points(pose, 0, material(), true);
            const double lever = (pose.carried(3, station(3, q)) - pose.carried(0, station(0, p))).norm() + 0.5;
            CHECK(points.jacobian.cwiseAbs().maxCoeff() < 2 * lever);
            CHECK(kernel.pseudo_inertia(pose, {0}).values(3, 3) == doctest::Approx(0.6).epsilon(1e-13));
        }
}

TEST_CASE("derivatives of inverse dynamics of divided mass are those of its forces") {
    for (const auto& [name, sites, p, q] : cases()) {
        CAPTURE(name);
        const Kernel kernel = kernel_past(sites, p, q, kUniform);
        const auto tau_at = [&](const Vector& where, const Vector& u) {
            const Pose moved(kChain, where, u);
            const State<double>& there = moved;
            return Vector(kernel.inverse({&there}, kUdot.data(), {0}).values.row(0));
        };
        const Pose pose(kChain, kQ, kU);
        const State<double>& s = pose;
        for (int c = 0; c < kChain.speeds(); ++c) {
            const MovedState moves(kChain, kQ, kU, c, 1e-3);
            const State<double> accelerated = s.accelerated(kUdot.data());
            const Vector ours = KernelDerivatives(kernel).inverse_along(accelerated, moves.coordinate(), {0}).row(0);
            CHECK(apart(ours, derivative([&](double t) { return tau_at(kQ + t * moves.along(), kU); }, kStep)) < 1e-6);
        }
    }
}

}    // namespace divided
