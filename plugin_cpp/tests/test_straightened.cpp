// Mass that would be fast on its path over surfaces and lies straight past them, against the same muscle without any.
#include <doctest/doctest.h>

#include "chain_with_surfaces.hpp"
#include "muscles.hpp"
#include "opensim_inertia/dynamics/kernel_derivatives.hpp"
#include "opensim_inertia/dynamics/swinging.hpp"
#include "opensim_inertia/muscle/laid_muscle.hpp"

namespace straightened {

// From ground to body 3, between places that surfaces see at p and q; or without a surface.
struct Case {
    std::string name;
    WrapSurface surface;
    Vec3d p, q;

    Kernel kernel(const MaterialMap<>& map, const MassDistribution& mass, bool with_surface = true) const {
        return {kChain.bodies(), kChain.speeds(), kGravity, {muscle_past(map, mass, with_surface)}};
    }
    Muscle muscle_past(const MaterialMap<>& map, const MassDistribution& mass, bool with_surface) const {
        Muscle m = muscle({fixed(0, station(0, p)), fixed(3, station(3, q))}, map, mass);
        if (with_surface) m.path.sites = {{surface, 0, 1}};
        return m;
    }
};

// The chord of two passes next to the centre, where the quadrant says no side, or the surface next to an end.
const std::vector<Case>& cases() {
    const auto on = [](SurfaceKind kind, const Vec3d& size, const Vec3d& active) {
        WrapSurface surface = site(kind, size, 1, kOrigin, 1, 1).surface;
        surface.active = active;
        return surface;
    };
    static const std::vector<Case> all{
        {"sphere with a quadrant",
         on(&kSphere, {0.03, 0, 0}, {1, 0, 0}),
         {-0.139939, -0.0158289, -0.0464375},
         {0.03383, 0.00794497, 0.0119632}},
        {"ellipsoid with a quadrant",
         on(&kEllipsoid, {0.0430748, 0.0474859, 0.0402126}, {1, 0, 0}),
         {-0.0944877, -0.0157537, -0.000742692},
         {0.145466, 0.0244119, 0.0360008}},
        {"ellipsoid with an end next to it",
         on(&kEllipsoid, {0.0137726, 0.0429976, 0.0670127}, {0, 0, 0}),
         {-0.11957, 0.0227269, -0.0327392},
         {0.0109576, 0.00133133, 0.0248035}},
    };
    return all;
}

bool is_straight(const Remarks& remarks) {
    return std::ranges::count(remarks.doubts, std::tuple(0, 0, Doubt::straight)) == 1;
}

const std::vector<MaterialMap<>> kMaps{kUniform, {1, 0.05, 0.4, 0.02, 0.01, 0}};

TEST_CASE("mass that would be fast on its path lies as if there were no surface") {
    for (const Case& c : cases())
        for (const MassDistribution& mass : {MassDistribution::uniform(0.6), point_masses()})
            for (const MaterialMap<>& map : kMaps) {
                CAPTURE(c.name);
                const Kernel ours = c.kernel(map, mass), plain = c.kernel(map, mass, false);
                const Pose pose(kChain, kQ, kU);
                const State<double>& s = pose;
                const Terms terms = ours.evaluate(pose, {0}), exact = plain.evaluate(pose, {0});
                CHECK(is_straight(terms.remarks));
                CHECK(apart(terms.mass_matrix, exact.mass_matrix) < 1e-13);
                CHECK(apart(terms.bias, exact.bias) < 1e-13);
                CHECK(apart(terms.gravity, exact.gravity) < 1e-13);
                CHECK(terms.kinetic == doctest::Approx(exact.kinetic).epsilon(1e-13));
                CHECK(terms.potential == doctest::Approx(exact.potential).epsilon(1e-13));

                const std::vector<FrozenMuscles> none(3, FrozenMuscles(1));
                const auto same = [&](const auto& ask) {
                    const auto found = ask(ours), without = ask(plain);
                    CHECK(is_straight(found.remarks));
                    CHECK(apart(found.values, without.values) < 1e-12);
                };
                same([&](const Kernel& k) { return k.inverse({&s}, kUdot.data(), {0}); });
                same([&](const Kernel& k) { return k.inverse_each({&s}, kUdot.data(), {0}); });
                same([&](const Kernel& k) {
                    return k.inverse_of_maps({&s}, kUdot.data(), {0}, {{map}, {kUniform}}, none);
                });
                same([&](const Kernel& k) { return k.pseudo_inertia(s, {0}); });
                same([&](const Kernel& k) { return k.pseudo_inertia(s, {0}, {{0.2, 0.7}}); });
                same([&](const Kernel& k) { return k.pseudo_inertia_of_maps(s, {0}, {{map}, {kUniform}}, {}); });
                const auto parts = [&](const Kernel& k) { return k.inverse_parts({&s}, kUdot.data(), {0}, {0.2}); };
                CHECK(apart(parts(ours).parts, parts(plain).parts) < 1e-12);
                const auto points = [&](const Kernel& k) { return k.mass_points(s, 0, material(), true); };
                CHECK(is_straight(points(ours).remarks));
                CHECK(apart(points(ours).position, points(plain).position) < 1e-13);
                CHECK(apart(points(ours).jacobian, points(plain).jacobian) < 1e-13);

                const State<double> accelerated = s.accelerated(kUdot.data());
                const auto derivatives = [&](const auto& ask) {
                    CHECK(apart(ask(KernelDerivatives(ours)), ask(KernelDerivatives(plain))) < 1e-12);
                };
                const MovedState moves(kChain, kQ, kU, 1, 1e-3);
                derivatives([&](auto&& k) { return k.inverse_along(accelerated, moves.coordinate(), {0}); });
                derivatives([&](auto&& k) { return k.inverse_by_map(accelerated, {0}, none); });
                derivatives([&](auto&& k) { return k.pseudo_inertia_by_map(s, {0}, {{0.2, 0.7}}); });
                // the string itself is asked for its length
                CHECK(ours.lengths(s, {0})(0, 0) > plain.lengths(s, {0})(0, 0) + 1e-4);
            }
}

TEST_CASE("a belly whose mass would be fast swings as if there were no surface") {
    for (const Case& c : cases()) {
        CAPTURE(c.name);
        const MassDistribution mass = MassDistribution::uniform(0.6);
        const Kernel ours = c.kernel(kUniform, mass), plain = c.kernel(kUniform, mass, false);
        const Pose pose(kChain, kQ, kU);
        const State<double>& s = pose;
        SwingingMass swing;
        swing.muscle = 0;
        swing.body = 1;
        swing.modal_mass = 0.3;
        swing.chord = {0, -1, 0};
        const auto equations = [&](const Kernel& k) { return Swinging(k, {swing}).equations({&s}, kUdot.data()); };
        CHECK(is_straight(equations(ours).remarks));
        CHECK(apart(equations(ours).values, equations(plain).values) < 1e-13);
    }
}

TEST_CASE("mass lies straight exactly where its path would move it more than twice as fast as what carries it") {
    // along lines through the cases, by differences of the places on the path
    for (const Case& c : cases()) {
        CAPTURE(c.name);
        const MassDistribution mass = MassDistribution::uniform(0.6);
        const Kernel kernel = c.kernel(kUniform, mass);
        int straight = 0, followed = 0;
        for (int n = -8; n <= 8; ++n) {
            const Vector q = kQ + 0.01 * n * (Vector(3) << 0.6, -1, 0.8).finished();
            const Pose pose(kChain, q, kU);
            const auto mean_square = [&](int coordinate, auto&& places) {
                const Matrix moved = derivative(
                    [&](double t) { return places(Pose(kChain, q + t * Vector::Unit(3, coordinate), kU)); }, 1e-6);
                return moved.rowwise().squaredNorm().eval();
            };
            const Muscle with = c.muscle_past(kUniform, mass, true);
            const auto samples = [&](const State<double>& s) {    // of points evenly along the belly
                LaidMuscle<double> laid;
                laid.lay(s, with);
                Matrix places(200, 3);
                for (int k = 0; k < 200; ++k) {
                    const Material<double> point{(k + 0.5) / 200, (k + 0.5) / 200};
                    places.row(k) = value(laid.place_on(laid.parts[laid.locate(point)], point)).transpose();
                }
                return places;
            };
            const auto carriers = [&](const State<double>& s) {    // path points, and tangent points where they are now
                const Pose at(kChain, VecMap(s.q, 3), kU);
                const Pose now(kChain, q, kU);
                LaidMuscle<double> laid;
                laid.lay(now, with);
                Matrix places = Matrix::Zero(4, 3);
                places.row(0) = at.carried(0, station(0, c.p)).transpose();
                places.row(1) = at.carried(3, station(3, c.q)).transpose();
                Mat3d R;
                for (int i = 0; i < 3; ++i) R.col(i) = now.carried(1, Vec3d::Unit(i)) - now.carried(1, Vec3d::Zero());
                if (laid.spans.empty()) return places;
                const std::size_t bend = 1;    // lead, bend, tail
                for (int end = 0; end < 2; ++end) {
                    const auto& part = laid.parts[bend + static_cast<std::size_t>(end)];
                    const Vec3d place = value(laid.place_at(part, part.start - laid.start[part.element]));
                    places.row(2 + end) =
                        at.carried(1, R.transpose() * (place - now.carried(1, Vec3d::Zero()))).transpose();
                }
                return places;
            };
            bool fast = false, close = false;
            for (int i = 0; i < 3; ++i) {
                const double ours = mean_square(i, samples).mean();
                const double bound = 4 * std::max(mean_square(i, carriers).maxCoeff(), 0.03 * 0.03);
                fast |= ours > bound;
                close |= std::abs(ours / bound - 1) < 0.05;    // of 200 points, and differences
            }
            const Terms terms = kernel.evaluate(pose, {0});
            const bool is_divided = std::ranges::count(terms.remarks.doubts, std::tuple(0, 0, Doubt::divided)) == 1;
            if (close || is_divided) continue;
            CHECK(is_straight(terms.remarks) == fast);
            (fast ? straight : followed)++;
            for (int i = 0; i < 3; ++i)
                CHECK(terms.mass_matrix(i, i) / 0.6 <=
                      4.2 * std::max(mean_square(i, carriers).maxCoeff(), 0.03 * 0.03));
        }
        CHECK(straight > 0);
        CHECK(followed > 0);
    }
}

}    // namespace straightened
