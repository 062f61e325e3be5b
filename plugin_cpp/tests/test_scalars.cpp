// Scalars that differentiate, against closed forms and differences.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "differences.hpp"
#include "opensim_inertia/scalar/dual.hpp"
#include "opensim_inertia/scalar/gradient.hpp"
#include "opensim_inertia/scalar/numbers.hpp"
#include "opensim_inertia/scalar/rates.hpp"
#include "opensim_inertia/scalar/smooth_ramp.hpp"
#include "opensim_inertia/scalar/time_jet.hpp"
#include "opensim_inertia/wrap/network_loops.hpp"

using namespace opensim_inertia;

namespace {

constexpr double kStep = 1e-3, kClose = 1e-9;

// Every operation that the kernel's formulas use.
template <class T>
T everything(const T& x, const T& y) {
    using opensim_inertia::atan2;    // not the global one of doubles
    const T product = x * y - x * 0.5 + y * 2.0;
    const T root = sqrt(x * x + y * y) * inverse(y);
    return product + root + sin(x) * cos(y) + tanh(x * 0.7) * asinh(y) + atan2(y, x);
}

double at(double x, double y) { return everything(x, y); }

const std::vector<std::array<double, 2>> kPlaces{{0.3, 0.8}, {-0.4, 1.1}, {-0.7, -0.6}, {0.9, -0.6}};

}    // namespace

TEST_CASE("a gradient is that of the function") {
    for (const auto& [x, y] : kPlaces) {
        const auto f = everything(Gradient<2>::variable(x, 0), Gradient<2>::variable(y, 1));
        CHECK(f.v == doctest::Approx(at(x, y)).epsilon(1e-15));
        CHECK(f.g[0] == doctest::Approx(derivative([&](double t) { return at(x + t, y); }, kStep)).epsilon(kClose));
        CHECK(f.g[1] == doctest::Approx(derivative([&](double t) { return at(x, y + t); }, kStep)).epsilon(kClose));
    }
}

TEST_CASE("a dual number holds derivatives along several directions") {
    const double directions[3][2] = {{1, 0}, {0.3, -0.8}, {0, 0}};
    for (const auto& [x, y] : kPlaces) {
        Dual<3> a(x), b(y);
        for (int k = 0; k < 3; ++k) {
            a.d[k] = directions[k][0];
            b.d[k] = directions[k][1];
        }
        const Dual<3> f = everything(a, b);
        CHECK(f.v == doctest::Approx(at(x, y)).epsilon(1e-15));
        for (int k = 0; k < 3; ++k) {
            const auto along = [&](double t) { return at(x + t * directions[k][0], y + t * directions[k][1]); };
            CHECK(f.d[k] == doctest::Approx(derivative(along, kStep)).epsilon(kClose));
        }
        CHECK(f.d[2] == 0.0);
    }
}

TEST_CASE("a time jet holds velocity and acceleration") {
    for (const auto& [x, y] : kPlaces) {
        const double vx = 0.6, ax = -1.3, vy = -0.4, ay = 0.9;
        const auto f = everything(TimeJet<double>(x, vx, ax), TimeJet<double>(y, vy, ay));
        const auto moving = [&](double t) { return at(x + t * vx + 0.5 * t * t * ax, y + t * vy + 0.5 * t * t * ay); };
        CHECK(f.d == doctest::Approx(derivative(moving, kStep)).epsilon(kClose));
        CHECK(f.dd == doctest::Approx(second_derivative(moving, kStep)).epsilon(1e-6));
    }
}

TEST_CASE("scalars nest: a time jet's derivative along the state") {
    const double x = 0.3, y = 0.8, w = 0.7;
    using D = Dual<1>;
    const auto moved = [&](double t) { return TimeJet<double>(x + t * w, 0.6 + 2 * t, -1.3); };
    D v(x), d(0.6);
    v.d[0] = w;
    d.d[0] = 2;
    const auto f = everything(TimeJet<D>(v, d, D(-1.3)), TimeJet<D>(D(y)));
    const auto along = [&](auto part) {
        return derivative([&](double t) { return part(everything(moved(t), TimeJet<double>(y))); }, kStep);
    };
    CHECK(f.v.d[0] == doctest::Approx(along([](const auto& j) { return j.v; })).epsilon(kClose));
    CHECK(f.d.d[0] == doctest::Approx(along([](const auto& j) { return j.d; })).epsilon(kClose));
    CHECK(f.dd.d[0] == doctest::Approx(along([](const auto& j) { return j.dd; })).epsilon(kClose));
}

TEST_CASE("atan2 has no branch cut where it is differentiated") {
    const auto angle = [](double a) {
        return atan2(TimeJet<double>(std::sin(a), std::cos(a), -std::sin(a)),
                     TimeJet<double>(std::cos(a), -std::sin(a), -std::cos(a)));
    };
    for (double a : {-3.1, -1.6, -1e-9, 0.5, 1.6, 3.1415}) {    // turning at one radian per second
        CHECK(angle(a).v == doctest::Approx(a).epsilon(1e-14));
        CHECK(angle(a).d == doctest::Approx(1.0).epsilon(1e-14));
        CHECK(std::abs(angle(a).dd) < 1e-14);
    }
}

TEST_CASE("the smooth ramp is exact outside its transition and has three continuous derivatives") {
    for (double u : {-3.0, -1.0}) CHECK(smooth_ramp(u) == 0.0);
    for (double u : {1.0, 2.5}) CHECK(smooth_ramp(u) == u);
    for (double u : {-0.9, -0.3, 0.0, 0.4, 0.95}) {
        const TimeJet<double> ramp = smooth_ramp(TimeJet<double>(u, 1, 0)),
                              step = smooth_step(TimeJet<double>(u, 1, 0));
        const double bump = 15.0 / 16 * (1 - u * u) * (1 - u * u);
        CHECK(ramp.dd == doctest::Approx(bump).epsilon(1e-14));
        CHECK(step.v == doctest::Approx(ramp.d).epsilon(1e-14));
        CHECK(step.d == doctest::Approx(bump).epsilon(1e-14));
        CHECK(ramp.d ==
              doctest::Approx(derivative([&](double t) { return smooth_ramp(u + t); }, kStep)).epsilon(kClose));
    }
    for (double side : {-1.0, 1.0}) {    // the inner ends agree with what lies outside
        const double u = side * (1 - 1e-7);
        const TimeJet<double> ramp = smooth_ramp(TimeJet<double>(u, 1, 0));
        CHECK(std::abs(ramp.v - (side > 0 ? u : 0)) < 1e-14);
        CHECK(std::abs(ramp.d - (side > 0 ? 1 : 0)) < 1e-14);
        CHECK(ramp.dd < 1e-12);
    }
}

TEST_CASE("a scalar survives being written as numbers and taken apart by order") {
    TimeJet<Dual<2>> x(Dual<2>(0.3), Dual<2>(0.6), Dual<2>(-1.3));
    x.v.d << 1, 2;
    x.d.d << 3, 4;
    x.dd.d << 5, 6;
    double numbers[Numbers<TimeJet<Dual<2>>>::count];
    Numbers<TimeJet<Dual<2>>>::write(x, numbers, 1);
    CHECK(numbers[0] == 0.3);
    CHECK(numbers[8] == 6);
    const auto back = Numbers<TimeJet<Dual<2>>>::read(numbers, 1);
    CHECK((back.v == x.v && back.d == x.d && back.dd == x.dd));

    const TimeJet<double> y(0.3, 0.6, -1.3);
    const TimeJet<double> again = whole<TimeJet<double>>(lower(y), rate_of(y));
    CHECK((again.v == y.v && again.d == y.d && again.dd == y.dd));
}

TEST_CASE("tanh of the loops is that of the standard library to rounding") {
    std::vector<double> x{0.0, -0.0, 1e-300, 22, 1e300, std::numeric_limits<double>::infinity()};
    for (double size = 1e-6; size < 25; size *= 1.01) x.insert(x.end(), {size, -size});
    std::vector<double> chosen(x.size()), unfused(x.size());
    loops::tanh_each(x.size(), x.data(), chosen.data());
    loops::tanh_each<false>(x.size(), x.data(), unfused.data());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double wanted = std::tanh(x[i]);
        CHECK(std::abs(chosen[i] - wanted) <= 6e-16 * std::abs(wanted));
        CHECK(std::abs(unfused[i] - wanted) <= 6e-16 * std::abs(wanted));
    }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    double found;
    loops::tanh_each(1, &nan, &found);
    CHECK(std::isnan(found));
}
