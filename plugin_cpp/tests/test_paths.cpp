// Paths over points: lengths, material points and what they add, against sums over points and Lagrange's equations.
#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>

#include "chain_with_surfaces.hpp"
#include "differences.hpp"
#include "muscles.hpp"

namespace {

const std::vector<MaterialMap<>> kMaps{kUniform, kRigidTendon, kAponeurosis};
constexpr double kStep = 1e-3;

// Length of the cornered path, by hand.
double length_by_hand(const Pose& pose, const Vector& q) {
    const double x = 0.03 + 0.02 * q[1] - 0.05 * q[1] * q[1] + 0.01 * q[1] * q[1] * q[1];
    const Mat3d turned = Eigen::AngleAxisd(0.4, Vec3d(1, 2, 2) / 3).toRotationMatrix();
    std::vector<Vec3d> at{pose.carried(0, {0.02, 0.2, 0}),
                          pose.carried(1, Vec3d(0.04, -0.1, 0.02) + turned * Vec3d(x, 0, 0))};
    if (q[0] >= -1 && q[0] <= 1) at.push_back(pose.carried(1, {0.05, -0.2, 0.03}));
    if (q[0] >= 1 && q[0] <= 2) at.push_back(pose.carried(2, {0.3, 0.3, 0.3}));
    at.push_back(pose.carried(3, {0.02, -0.1, 0.05}));
    double length = 0;
    for (std::size_t i = 1; i < at.size(); ++i) length += (at[i] - at[i - 1]).norm();
    return length;
}

Kernel kernel_of(const MaterialMap<>& map, MassDistribution mass, std::vector<PathPoint> path = cornered_path()) {
    return {kChain.bodies(), kChain.speeds(), kGravity, {muscle(std::move(path), map, std::move(mass))}};
}

}    // namespace

TEST_CASE("a path is as long as its straight lines, through fixed, moving and active conditional points") {
    const Kernel kernel = kernel_of(kUniform, point_masses());
    for (double first : {-1.5, -0.4, 0.3, 1.5}) {
        Vector q = kQ;
        q[0] = first;
        const Pose pose(kChain, q, kU);
        const Matrix lengths = kernel.lengths(pose, {0});
        CHECK(lengths(0, 0) == doctest::Approx(length_by_hand(pose, q)).epsilon(1e-14));
        CHECK(lengths(0, 2) == doctest::Approx(0.6 * lengths(0, 0)).epsilon(1e-14));
        CHECK(lengths(0, 3) == 0);
    }
}

TEST_CASE("the ends of a belly that takes the whole path are the path's ends") {
    const Pose pose(kChain, kQ, kU);
    const Kernel kernel = kernel_of({1, 0, 0, 0, 0, 0}, MassDistribution::uniform(1));
    const MaterialPoints ends = kernel.mass_points(pose, 0, {{0, 0}, {0, 1}}, false);
    CHECK((ends.position.row(0).transpose() - pose.carried(0, {0.02, 0.2, 0})).norm() < 1e-15);
    CHECK((ends.position.row(1).transpose() - pose.carried(3, {0.02, -0.1, 0.05})).norm() < 1e-15);
}

TEST_CASE("fibres are held above their shortest length, and the kernel says so once") {
    const Pose pose(kChain, kQ, kU);
    const double length = length_by_hand(pose, kQ);
    const MaterialMap<> held{1, length - 0.01, 0.4, 0.04, 0.01, 0};
    std::vector<Muscle> muscles{muscle(cornered_path(), kUniform, MassDistribution::uniform(1))};
    for (int i = 0; i < 2; ++i) muscles.push_back(muscle(cornered_path(), held, MassDistribution::uniform(1)));
    const Kernel kernel(kChain.bodies(), kChain.speeds(), kGravity, muscles);
    CHECK(kernel.lengths(pose, {1})(0, 2) == doctest::Approx(0.04).epsilon(1e-14));
    CHECK(kernel.evaluate(pose, {2, 0, 1, 2}).remarks.held == std::vector<int>{1, 2});
    CHECK(kernel.evaluate(pose, {0}).remarks.held.empty());
    const State<double>& s = pose;
    CHECK(kernel.inverse({&s, &s}, Matrix::Zero(2, 3).eval().data(), {2, 1}).remarks.held == std::vector<int>{1, 2});
}

TEST_CASE("velocities, Jacobians and Jdot u of material points are derivatives of their places") {
    for (const MaterialMap<>& map : kMaps) {
        const Kernel kernel = kernel_of(map, point_masses(), cornered_path());
        const auto places = [&](const Vector& q) {
            const Pose pose(kChain, q, kU);
            return kernel.mass_points(pose, 0, material(), false).position;
        };
        const Pose pose(kChain, kQ, kU);
        const MaterialPoints ours = kernel.mass_points(pose, 0, material(), true);
        const auto along_u = [&](double t) { return places(kQ + t * kU); };
        CHECK(apart(ours.velocity, derivative(along_u, kStep)) < 1e-9);
        CHECK(apart(ours.bias, second_derivative(along_u, 5e-3)) < 1e-6);
        for (int c = 0; c < 3; ++c) {
            const Matrix exact = derivative([&](double t) { return places(kQ + t * Vector::Unit(3, c)); }, kStep);
            const Vector column = ours.jacobian.col(c);
            CHECK(apart(column, Eigen::Map<const Vector>(exact.data(), exact.size())) < 1e-9);
        }
    }
}

TEST_CASE("terms of point masses are their sums") {
    for (const auto& path : {cornered_path(), carried_path()})
        for (const MaterialMap<>& map : kMaps) {
            const Kernel kernel = kernel_of(map, point_masses(), path);
            const Pose pose(kChain, kQ, kU);
            const MaterialPoints points = kernel.mass_points(pose, 0, material(), true);
            Matrix mass = Matrix::Zero(3, 3);
            Vector bias = Vector::Zero(3), weight = Vector::Zero(3);
            double kinetic = 0, potential = 0;
            for (std::size_t i = 0; i < kMasses.size(); ++i) {
                const auto k = static_cast<Eigen::Index>(i);
                const Matrix J = points.jacobian.middleRows(3 * k, 3);
                mass += kMasses[i] * J.transpose() * J;
                bias -= kMasses[i] * J.transpose() * points.bias.row(k).transpose();
                weight += kMasses[i] * J.transpose() * kGravity;
                kinetic += 0.5 * kMasses[i] * points.velocity.row(k).squaredNorm();
                potential -= kMasses[i] * points.position.row(k).dot(kGravity);
            }
            const Terms ours = kernel.evaluate(pose, {0});
            CHECK(apart(ours.mass_matrix, mass) < 1e-13);
            CHECK(apart(ours.bias, bias) < 1e-13);
            CHECK(apart(ours.gravity, weight) < 1e-13);
            CHECK(ours.kinetic == doctest::Approx(kinetic).epsilon(1e-13));
            CHECK(ours.potential == doctest::Approx(potential).epsilon(1e-13));
        }
}

TEST_CASE("the added mass matrix is symmetric and positive semidefinite, its quadratic form the kinetic energy") {
    for (const auto& path : {cornered_path(), carried_path()})
        for (const MaterialMap<>& map : kMaps)
            for (const MassDistribution& mass : {MassDistribution::uniform(0.6), point_masses()}) {
                const Kernel kernel = kernel_of(map, mass, path);
                const Terms ours = kernel.evaluate(Pose(kChain, kQ, kU), {0});
                CHECK(apart(ours.mass_matrix, ours.mass_matrix.transpose()) == 0.0);
                const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(ours.mass_matrix).eigenvalues();
                CHECK(eigenvalues.minCoeff() > -1e-15 * eigenvalues.maxCoeff());
                CHECK(eigenvalues.maxCoeff() > 1e-3);
                CHECK(0.5 * kU.dot(ours.mass_matrix * kU) == doctest::Approx(ours.kinetic).epsilon(1e-13));
            }
}

TEST_CASE("a continuous mass is the limit of many points") {
    const int n = 200;
    std::vector<double> chi, xi, masses;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            chi.push_back((i + 0.5) / n);
            xi.push_back((j + 0.5) / n);
            masses.push_back(0.6 / (n * n));
        }
    const Pose pose(kChain, kQ, kU);
    for (const MaterialMap<>& map : kMaps) {
        const Terms whole = kernel_of(map, MassDistribution::uniform(0.6)).evaluate(pose, {0});
        const Terms many = kernel_of(map, MassDistribution::points(chi, xi, masses)).evaluate(pose, {0});
        CHECK(apart(whole.mass_matrix, many.mass_matrix) < 1e-4);
        CHECK(apart(whole.gravity, many.gravity) < 1e-4);
        CHECK(whole.kinetic == doctest::Approx(many.kinetic).epsilon(1e-4));
        CHECK(whole.potential == doctest::Approx(many.potential).epsilon(1e-4));
    }
}

TEST_CASE("continuous mass that slides past corners obeys Lagrange's equations of its energies") {
    for (const auto& path : {cornered_path(), carried_path()})
        for (const MaterialMap<>& map : kMaps) {
            const Kernel kernel = kernel_of(map, MassDistribution::uniform(0.6), path);
            const auto at = [&](const Vector& q) { return kernel.evaluate(Pose(kChain, q, kU), {0}); };
            // d/dt (dM u) - dT/dq + dV/dq, udot held
            Vector exact = at(kQ).mass_matrix * kUdot;
            exact += derivative([&](double t) { return at(kQ + t * kU).mass_matrix; }, kStep) * kU;
            for (int c = 0; c < 3; ++c) {
                const auto moved = [&](double t) { return at(kQ + t * Vector::Unit(3, c)); };
                exact[c] -= derivative([&](double t) { return moved(t).kinetic; }, kStep);
                exact[c] += derivative([&](double t) { return moved(t).potential; }, kStep);
            }
            const Pose pose(kChain, kQ, kU);
            const State<double>& s = pose;
            const Vector tau = kernel.inverse({&s}, kUdot.data(), {0}).values.row(0);
            CHECK(apart(tau, exact) < 1e-9);
            const Terms ours = kernel.evaluate(pose, {0});
            CHECK(apart(tau, Vector(ours.mass_matrix * kUdot - ours.bias - ours.gravity)) < 1e-13);
        }
}
