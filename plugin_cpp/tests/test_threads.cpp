// Many states, shared among threads, get the bits of one by one.
#include <doctest/doctest.h>

#include <atomic>
#include <cstring>

#include "chain_with_surfaces.hpp"
#include "muscles.hpp"
#include "opensim_inertia/dynamics/parallel.hpp"

namespace {

// Muscles of every kind: corners, point masses, surfaces, a path that comes with the state.
Kernel every_kind() {
    std::vector<Muscle> all;
    for (const MaterialMap<>& map : {kUniform, kRigidTendon, kAponeurosis}) {
        all.push_back(muscle(cornered_path(), map, MassDistribution::uniform(0.6)));
        all.push_back(muscle(cornered_path(), map, point_masses()));
    }
    const std::vector<std::pair<SurfaceKind, Vec3d>> surfaces{
        {&kCylinder, {0.03, 0, 0}}, {&kSphere, {0.05, 0, 0}}, {&kEllipsoid, {0.05, 0.06, 0.055}}};
    for (const auto& [kind, size] : surfaces) {
        all.push_back(muscle({fixed(0, {0.02, 0.2, 0}), fixed(2, {0.02, -0.25, 0.01})}, kUniform,
                             MassDistribution::uniform(0.4)));
        all.back().path.sites = {site(kind, size, 1, {0.01, -0.05, 0}, 1, 1)};
    }
    all.push_back(muscle(cornered_path(), kUniform, MassDistribution::uniform(0.3)));
    all.back().path.is_given = true;
    return {kChain.bodies(), kChain.speeds(), kGravity, all};
}

std::shared_ptr<const GivenPaths> given_paths(int muscle) {
    FreeArc arc;
    for (int j = 0; j < 9; ++j) {
        const double angle = 1.5 * (1 - std::cos(std::numbers::pi * j / 8));
        FreePoint point;
        point.body = 1;
        point.station = {0.05 * std::sin(angle), 0.05 * std::cos(angle), 0.002 * j};
        point.dstation = Matrix::Constant(3, 3, 0.001 * j);
        arc.controls.push_back(point);
    }
    const auto path = std::make_shared<const GivenPath>(GivenPath{{0, -1, 4}, {arc}});
    return std::make_shared<const GivenPaths>(GivenPaths{{muscle, path}});
}

bool same_bits(const Matrix& a, const Matrix& b) {
    return a.size() == b.size() &&
           std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

}    // namespace

TEST_CASE("many states at once get the same bits as one by one, and the first error is raised") {
    const Kernel kernel = every_kind();
    const auto last = static_cast<int>(kernel.size()) - 1;
    const int count = 61;
    std::vector<std::unique_ptr<Pose>> poses;
    std::vector<const State<double>*> states;
    Matrix udot(count, 3);
    for (int i = 0; i < count; ++i) {
        Vector q(3), u(3);
        const int place = 7 * i % count;    // neighbours go different ways: past 1 path points come and go
        q << 0.5 + 0.01 * place, -0.5 + 0.005 * place, 0.4 - 0.01 * place;
        u << 1.1 - 0.02 * i, -0.7, 0.9 + 0.01 * i;
        udot.row(i) << -2.0 + 0.1 * i, 3.0, 1.0 - 0.1 * i;
        poses.push_back(std::make_unique<Pose>(kChain, q, u));
        poses.back()->state().paths = given_paths(last);
        states.push_back(&poses.back()->state());
    }
    CHECK(thread_count(7) == 1);
    const Matrix sums = kernel.inverse(states, udot.data(), kernel.every()).values;
    const Matrix parts = kernel.inverse_each(states, udot.data(), kernel.every()).values;
    const auto muscles = static_cast<Eigen::Index>(kernel.size());
    for (int i = 0; i < count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        CHECK(same_bits(kernel.inverse({states[k]}, udot.row(i).data(), kernel.every()).values, sums.row(i)));
        CHECK(same_bits(kernel.inverse_each({states[k]}, udot.row(i).data(), kernel.every()).values,
                        parts.middleRows(i * muscles, muscles)));
    }
    std::atomic<int> worked = 0;
    share_states(40, 4, [&](std::size_t, std::size_t from, std::size_t to) { worked += static_cast<int>(to - from); });
    CHECK(worked == 40);
    CHECK_THROWS_WITH(share_states(40, 4,
                                   [](std::size_t thread, std::size_t, std::size_t) {
                                       if (thread > 0) throw std::runtime_error(std::to_string(thread));
                                   }),
                      "1");
    poses[40]->state().paths = nullptr;
    CHECK_THROWS_AS(kernel.inverse(states, udot.data(), kernel.every()), PathError);
}
