// Networks: the loops against the standard library and Eigen, their derivatives against differences.
#include <doctest/doctest.h>

#include <limits>
#include <random>

#include "opensim_inertia/scalar/gradient.hpp"
#include "opensim_inertia/wrap/network.hpp"

using namespace opensim_inertia;

namespace {

Network random_network(const std::vector<int>& widths) {
    std::mt19937 generator(1);
    std::normal_distribution<double> normal;
    Network network;
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
        Network::Layer layer{Matrix(widths[i + 1], widths[i]), Vector(widths[i + 1])};
        for (double& w : layer.weight.reshaped()) w = normal(generator) / std::sqrt(widths[i]);
        for (double& b : layer.bias) b = normal(generator);
        network.layers.push_back(layer);
    }
    return network;
}

Vector plain(const Network& network, Vector x) {
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        if (i > 0) x = x.array().tanh().matrix().eval();
        x = network.layers[i].weight * x + network.layers[i].bias;
    }
    return x;
}

}    // namespace

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

TEST_CASE("a network at many points is itself at each, along a motion and with gradients") {
    constexpr std::size_t kPoints = 7, kInputs = 3, kOutputs = 2;
    const Network network = random_network({kInputs, 13, 9, kOutputs});
    std::mt19937 generator(2);
    std::normal_distribution<double> normal;
    std::vector<TimeJet<double>> moving;
    std::vector<Gradient<4>> variables;
    for (std::size_t i = 0; i < kInputs * kPoints; ++i) {
        moving.emplace_back(normal(generator), normal(generator), normal(generator));
        variables.emplace_back(moving.back().v, Gradient<4>::G::Random());
    }
    std::vector<TimeJet<double>> along(kOutputs * kPoints);
    std::vector<Gradient<4>> slopes(kOutputs * kPoints);
    network(kPoints, moving.data(), along.data());
    network(kPoints, variables.data(), slopes.data());
    for (std::size_t p = 0; p < kPoints; ++p) {
        const auto at = [&](const auto& shift) {
            Vector x(kInputs);
            for (std::size_t k = 0; k < kInputs; ++k)
                x[static_cast<Eigen::Index>(k)] = moving[k * kPoints + p].v + shift(k * kPoints + p);
            return plain(network, x);
        };
        constexpr double h = 1e-4;
        const auto later = [&](double t) {
            return at([&](std::size_t i) { return t * moving[i].d + 0.5 * t * t * moving[i].dd; });
        };
        const Vector now = later(0), rate = (later(h) - later(-h)) / (2 * h),
                     acceleration = (later(h) - 2 * now + later(-h)) / (h * h);
        for (std::size_t o = 0; o < kOutputs; ++o) {
            const auto row = static_cast<Eigen::Index>(o);
            CHECK(std::abs(along[o * kPoints + p].v - now[row]) < 1e-14);
            CHECK(std::abs(slopes[o * kPoints + p].v - now[row]) < 1e-14);
            CHECK(std::abs(along[o * kPoints + p].d - rate[row]) < 1e-6);
            CHECK(std::abs(along[o * kPoints + p].dd - acceleration[row]) < 1e-5);
        }
        for (int j = 0; j < 4; ++j) {
            const auto moved = [&](double t) { return at([&](std::size_t i) { return t * variables[i].g[j]; }); };
            const Vector slope = (moved(h) - moved(-h)) / (2 * h);
            for (std::size_t o = 0; o < kOutputs; ++o)
                CHECK(std::abs(slopes[o * kPoints + p].g[j] - slope[static_cast<Eigen::Index>(o)]) < 1e-6);
        }
    }
}
