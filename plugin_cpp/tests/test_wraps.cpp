// Strings over surfaces, against closed forms and what every shortest path obeys.
#include <doctest/doctest.h>

#include <numbers>

#include "differences.hpp"
#include "opensim_inertia/wrap/wrap_formulas.hpp"

using namespace opensim_inertia;

namespace {

using G = Gradient<6>;

// A string as the tests see it.
struct Found {
    bool touches = false;
    double length = 0;
    Vec3d departure, arrival, entry, exit, middle;    // unit directions, tangent points, middle of the bend
    Vec3d by_p, by_q;                                 // gradient of the length
};

Found pass(const WrapSurface& s, const Vec3d& p, const Vec3d& q) {
    Vec3<G> a, b;
    for (int i = 0; i < 3; ++i) {
        a[i] = G::variable(p[i], i);
        b[i] = G::variable(q[i], 3 + i);
    }
    return with_formula(s, [&]<class Formula>() {
        Found found;
        const auto wrap = Formula::wrap(s, a, b);
        found.touches = wrap.touches;
        found.length = (q - p).norm();
        if (!wrap.touches) return found;
        const G length = wrap.lead + wrap.bend + wrap.tail;
        found.length = value(length);
        found.departure = value(wrap.departure);
        found.arrival = value(wrap.arrival);
        found.entry = p + value(wrap.lead) * found.departure;
        found.exit = q - value(wrap.tail) * found.arrival;
        found.middle = value(PlacesOnSpan<Formula, G>(wrap, a, b).point(Piece::bend, wrap.lead + wrap.bend * 0.5));
        found.by_p = length.g.head<3>();
        found.by_q = length.g.tail<3>();
        return found;
    });
}

WrapSurface surface(SurfaceKind kind, const Vec3d& size, double smoothing = 1e-3) {
    WrapSurface s;
    s.kind = kind;
    s.size = size;
    s.smoothing = smoothing;
    s.turn = -1;
    return s;
}

// Length of a string around a circle of radius r in the plane, on the side of +y.
double around(double r, const Eigen::Vector2d& p, const Eigen::Vector2d& q) {
    const double between = std::acos(p.dot(q) / (p.norm() * q.norm()));
    return std::sqrt(p.squaredNorm() - r * r) + std::sqrt(q.squaredNorm() - r * r) +
           r * (between - std::acos(r / p.norm()) - std::acos(r / q.norm()));
}

// First variation: moving an end along the string changes its length by as much, sideways by nothing.
void check_shortest(const Found& f) {
    REQUIRE(f.touches);
    CHECK((f.by_p + f.departure).norm() < 1e-9);
    CHECK((f.by_q - f.arrival).norm() < 1e-9);
    CHECK(f.departure.norm() == doctest::Approx(1).epsilon(1e-12));
    CHECK(f.arrival.norm() == doctest::Approx(1).epsilon(1e-12));
}

const Vec3d kP(-0.07, 0.012, 0.02), kQ(0.06, -0.004, -0.015);

}    // namespace

TEST_CASE("over a cylinder the string is a helix between two tangents") {
    const WrapSurface s = surface(&kCylinder, {0.03, 0, 0});
    const Found f = pass(s, kP, kQ);
    check_shortest(f);
    // unrolled, the whole string is one straight line
    CHECK(f.length ==
          doctest::Approx(std::hypot(around(0.03, kP.head<2>(), kQ.head<2>()), kQ[2] - kP[2])).epsilon(1e-13));
    for (const Vec3d& on : {f.entry, f.exit, f.middle})
        CHECK(on.head<2>().norm() == doctest::Approx(0.03).epsilon(1e-12));
    CHECK(f.middle[1] > 0);
    const Found other = pass(s, {kP[0], -kP[1], kP[2]}, {kQ[0], -kQ[1], kQ[2]});
    CHECK(other.middle[1] > 0);    // the sense of the turn, not the chord, says on which side
}

TEST_CASE("over a sphere the string is a great circle between two tangents") {
    const double r = 0.03;
    const Found f = pass(surface(&kSphere, {r, 0, 0}), kP, kQ);
    check_shortest(f);
    const double between = std::acos(kP.dot(kQ) / (kP.norm() * kQ.norm()));
    const double exact = std::sqrt(kP.squaredNorm() - r * r) + std::sqrt(kQ.squaredNorm() - r * r) +
                         r * (between - std::acos(r / kP.norm()) - std::acos(r / kQ.norm()));
    CHECK(f.length == doctest::Approx(exact).epsilon(1e-13));
    const Vec3d normal = kP.cross(kQ).normalized();
    for (const Vec3d& on : {f.entry, f.exit, f.middle}) {
        CHECK(on.norm() == doctest::Approx(r).epsilon(1e-12));
        CHECK(std::abs(on.dot(normal)) < 1e-15);
    }
}

TEST_CASE("an ellipsoid of equal axes is a sphere") {
    const Found round = pass(surface(&kEllipsoid, {0.03, 0.03, 0.03}), kP, kQ);
    const Found sphere = pass(surface(&kSphere, {0.03, 0, 0}), kP, kQ);
    check_shortest(round);
    CHECK(round.length == doctest::Approx(sphere.length).epsilon(1e-12));
    CHECK((round.middle - sphere.middle).norm() < 1e-12);
    CHECK((round.entry - sphere.entry).norm() < 1e-12);
}

TEST_CASE("over an ellipsoid the string is on the surface and tangent to it") {
    const Vec3d a(0.03, 0.035, 0.025);
    const WrapSurface s = surface(&kEllipsoid, a);
    const Vec3d q(0.06, 0.02, -0.005);    // not about opposite to the other end, where the shortest way flips
    const Found f = pass(s, kP, q);
    check_shortest(f);
    for (const Vec3d& on : {f.entry, f.exit, f.middle})
        CHECK(on.cwiseQuotient(a).norm() == doctest::Approx(1).epsilon(1e-12));
    for (const auto& [on, way] : {std::pair{f.entry, f.departure}, std::pair{f.exit, f.arrival}})
        CHECK(std::abs(on.cwiseQuotient(a.cwiseProduct(a)).normalized().dot(way)) < 1e-12);
}

TEST_CASE("over a torus, in a plane through its axis, the string goes around the tube's circle") {
    const double ring = 0.1, tube = 0.03;
    const WrapSurface s = surface(&kTorus, {ring, tube, 0});
    const double inwards = 0.005;    // of the tube's centre: the string passes through the ring's hole
    const Vec3d p(ring - inwards, 0, -0.07), q(ring - inwards, 0, 0.06);
    const Found f = pass(s, p, q);
    check_shortest(f);
    const auto seen = [&](const Vec3d& x) { return Eigen::Vector2d(x[2], ring - x[0]); };
    CHECK(f.length == doctest::Approx(around(tube, seen(p), seen(q))).epsilon(1e-12));
    CHECK(seen(f.middle).norm() == doctest::Approx(tube).epsilon(1e-12));
    CHECK(std::abs(f.middle[1]) < 1e-15);
    CHECK(f.middle[0] < ring);
}

namespace {

// A barrel whose ends stand out of the plane through its axis and one end; the other end moves through that plane, in
// which the shortest way over the barrel flips.
const WrapSurface kBarrel = surface(&kEllipsoid, {0.0741, 0.17, 0.0705}, 7e-3);
const Vec3d kFixed(0.09, -0.04, 0), kMoving(-0.095, -0.03, 0), kThrough(0.01, 0.02, 0.05);

Vec3d moved(double t) { return kMoving + t * kThrough + t * t * Vec3d(0.02, 0, 0.01); }

// The middle of the bend, for any scalar.
template <class T>
Vec3<T> middle(const Vec3<T>& p, const Vec3<T>& q, bool& guided) {
    const auto wrap = OverEllipsoid::wrap(kBarrel, p, q);
    guided = wrap.guided != nullptr;
    return wrap.on_bend(wrap.bend * 0.5);
}

Vec3d middle_at(double t, bool& guided) { return value(middle(scalars(moved(t)), scalars(kFixed), guided)); }

// How far a place moves where it moves furthest, looked at closely.
template <class Place>
double widest_jump(const Place& place, double low, double high) {
    const int steps = 400;
    double widest = 0, at = low;
    for (int i = 0; i < steps; ++i) {
        const double t = low + (high - low) * i / steps, move = (place(t + (high - low) / steps) - place(t)).norm();
        if (move > widest) widest = move, at = t;
    }
    high = at + (high - low) / steps;
    low = at;
    for (int i = 0; i < 16; ++i) {
        const double between = 0.5 * (low + high);
        const Vec3d a = place(low), b = place(between), c = place(high);
        ((a - b).norm() > (b - c).norm() ? high : low) = between;
    }
    return (place(low) - place(high)).norm();
}

}    // namespace

TEST_CASE("where the shortest way over an ellipsoid flips the string swings over the pole") {
    bool guided;
    CHECK(middle_at(-0.2, guided)[2] < -0.06);
    CHECK_FALSE(guided);
    CHECK(middle_at(0.2, guided)[2] > 0.06);
    CHECK_FALSE(guided);
    double highest = 0;
    for (double t = -0.2; t < 0.2; t += 1e-3) highest = std::max(highest, -middle_at(t, guided)[1]);
    CHECK(highest > 0.15);
    CHECK(widest_jump([&](double t) { return middle_at(t, guided); }, -0.2, 0.2) < 1e-5);
}

TEST_CASE("a string that comes to be taut beside the shortest one does not pull it over") {
    // a deltoid's over the upper arm: a second string appears at t = 0.0009, and is the shorter from t = 0.03 on
    const Vec3d a(0.0403287, 0.0906472, 0.0300459), from(-0.1149327665, 0.9221523854, -0.4985769266),
        to(0.7013131902, -0.0324549986, 2.7773479078), way(0.3219183, -0.6908896, -1.8937234);
    const WrapSurface s = surface(&kEllipsoid, {a[0], a[1], a[2]}, 3e-3);
    const Vec3d p = from.cwiseProduct(a);
    const auto end = [&](double t) { return Vec3d((to + t * way).cwiseProduct(a)); };
    const auto wrap = [&](double t) { return OverEllipsoid::wrap(s, scalars(p), scalars(end(t))); };
    CHECK(!wrap(0.0).guided);
    CHECK(wrap(0.028).guided);
    const auto place = [&](double t) {
        const auto w = wrap(t);
        return value(w.on_bend(w.bend * 0.5));
    };
    CHECK(widest_jump(place, -0.01, 0.02) < 1e-5);
    CHECK(widest_jump(place, 0.02, 0.2) < 1e-5);
}

TEST_CASE("where it swings its derivatives are those of its places") {
    int seen = 0;
    // clear of the band's ends, where third derivatives jump
    for (double t = -0.0205; t < 0.0205; t += 0.00253) {
        bool guided;
        Vec3<G> a, b;
        for (int i = 0; i < 3; ++i) {
            a[i] = G::variable(moved(t)[i], i);
            b[i] = G::variable(kFixed[i], 3 + i);
        }
        const Vec3<G> x = middle(a, b, guided);
        if (!guided) continue;
        ++seen;
        const Found f = pass(kBarrel, moved(t), kFixed);
        for (int k = 0; k < 3; ++k) {
            const auto shifted = [&](double d) { return Vec3d(moved(t) + d * Vec3d::Unit(k)); };
            CHECK(derivative([&](double d) { return pass(kBarrel, shifted(d), kFixed).length; }, 1e-6) ==
                  doctest::Approx(f.by_p[k]).epsilon(1e-5));
            for (int i = 0; i < 3; ++i)
                CHECK(
                    derivative([&](double d) { return value(middle(scalars(shifted(d)), scalars(kFixed), guided))[i]; },
                               1e-6) == doctest::Approx(x[i].g[k]).epsilon(1e-5));
        }
        // along the motion
        const Vec3<TimeJet<double>> end =
            jets<double>(moved(t), Vec3d(kThrough + 2 * t * Vec3d(0.02, 0, 0.01)), Vec3d(0.04, 0, 0.02));
        const Vec3<TimeJet<double>> y = middle(end, jets<double>(kFixed), guided);
        const auto place = [&](double d) { return middle_at(t + d, guided); };
        CHECK((place(0) - value(y)).norm() < 1e-12);
        CHECK((derivative(place, 1e-6) - rate(y)).norm() < 1e-6 * rate(y).norm());
        CHECK((second_derivative(place, 2e-5) - acceleration(y)).norm() < 1e-4 * acceleration(y).norm());
    }
    CHECK(seen > 5);
}
