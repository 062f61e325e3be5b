// Closed integrals of a belly's sideways mode, against sums over Gauss points and their differences.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "differences.hpp"
#include "opensim_inertia/muscle/mode_integrals.hpp"
#include "opensim_inertia/scalar/gauss_rule.hpp"

using namespace opensim_inertia;

namespace {

// Gauss points over a piece of the square, on which phi turns by less than a circle: more than rounding needs.
constexpr int kPoints = 24;
// Rounding of sums; of first and of second differences, which multiply it by 1 / step.
constexpr double kSum = 1e-14, kRate = 1e-9, kAcceleration = 1e-7, kStep = 1e-3;

// Sums of phi f over the material that lies nearer than c, for f = 1, c - distance, chi and xi.
struct Sums {
    double mass = 0, behind = 0, chi = 0, xi = 0;

    Sums(const ModeShape& shape, double aponeurosis, double fibre, double c) {
        const GaussRule& rule = GaussRule::of(kPoints);
        // where the line of material at c meets xi = 1 and xi = 0
        std::vector<double> ends{0.0, 1.0};
        if (aponeurosis > 0)
            for (double xi : {0.0, 1.0}) ends.push_back(std::clamp((c - xi * fibre) / aponeurosis, 0.0, 1.0));
        std::ranges::sort(ends);
        for (std::size_t piece = 0; piece + 1 < ends.size(); ++piece) {
            const double width = ends[piece + 1] - ends[piece];
            for (std::size_t i = 0; i < rule.x.size(); ++i) {
                const double at = ends[piece] + width * rule.x[i];
                const double upto = std::clamp((c - aponeurosis * at) / fibre, 0.0, 1.0);
                for (std::size_t j = 0; j < rule.x.size(); ++j) {
                    const double along = upto * rule.x[j];
                    const double phase = shape.aponeurosis * at + (1 - shape.aponeurosis) * along;
                    const double phi = std::sin(std::numbers::pi * phase) * width * upto * rule.w[i] * rule.w[j];
                    mass += phi;
                    behind += phi * (c - aponeurosis * at - fibre * along);
                    chi += phi * at;
                    xi += phi * along;
                }
            }
        }
    }
};

}    // namespace

TEST_CASE("integrals of a mode are sums over the material, and follow it in time") {
    const double rates[3] = {0.3, -0.2, 0.5}, accelerations[3] = {-0.7, 0.4, 1.1};
    for (double share : {0.0, 0.3, 0.95})
        for (const auto& [aponeurosis, fibre] : {std::pair{0.25, 1.0}, {1.0, 0.4}, {0.7, 0.7}})
            for (double part : {0.05, 0.33, 0.55, 0.77, 0.97}) {
                const ModeShape shape{share};
                const double now[3] = {aponeurosis, fibre, part * (aponeurosis + fibre)};
                const auto at = [&](double t) {
                    double x[3];
                    for (int i = 0; i < 3; ++i) x[i] = now[i] + t * rates[i] + 0.5 * t * t * accelerations[i];
                    return Sums(shape, x[0], x[1], x[2]);
                };
                const auto jet = [&](int i) { return TimeJet<double>(now[i], rates[i], accelerations[i]); };
                const auto integrals = ModeIntegrals(shape, jet(0), jet(1))(jet(2));
                CAPTURE(share);
                CAPTURE(aponeurosis);
                CAPTURE(part);
                const Sums sums = at(0);
                CHECK(std::abs(integrals.chi - sums.chi) < kSum);
                CHECK(std::abs(integrals.xi - sums.xi) < kSum);
                const auto follow = [&](const TimeJet<double>& closed, double Sums::* sum) {
                    const auto over_time = [&](double t) { return at(t).*sum; };
                    CHECK(std::abs(closed.v - sums.*sum) < kSum);
                    CHECK(std::abs(closed.d - derivative(over_time, kStep)) < kRate);
                    CHECK(std::abs(closed.dd - second_derivative(over_time, kStep)) < kAcceleration);
                };
                follow(integrals.mass, &Sums::mass);
                follow(integrals.behind, &Sums::behind);
            }
}

TEST_CASE("all of a belly has the integrals up to its end") {
    const TimeJet<double> aponeurosis(0.25, 0.1, -0.4), fibre(1.0, -0.3, 0.2);
    const ModeIntegrals integrals({0.2}, aponeurosis, fibre);
    const auto all = integrals.all();
    const Sums sums({0.2}, 0.25, 1.0, 1.25);
    CHECK(std::abs(all.mass.v - sums.mass) < kSum);
    CHECK(std::abs(all.behind.v - sums.behind) < kSum);
    CHECK(all.mass.d == 0);
}
