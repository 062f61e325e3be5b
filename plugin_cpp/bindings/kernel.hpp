// Common parts of the kernel's bindings.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "opensim_inertia/dynamics/kernel.hpp"
#include "state.hpp"

// Muscle numbers as they come from Python; none: all.
using Which = std::optional<std::vector<int>>;

inline const std::vector<int>& numbers(const oi::Kernel& k, const Which& which) { return which ? *which : k.every(); }

// The parts of muscles' masses that are asked for, each between two shares; none: all of each.
using Windows = std::optional<std::vector<std::pair<double, double>>>;

inline std::vector<oi::MassWindow> windows_from(const Windows& given, std::size_t muscles) {
    std::vector<oi::MassWindow> windows;
    if (!given) return windows;
    if (given->size() != muscles)
        throw wrong(std::to_string(given->size()) + " windows, expected " + std::to_string(muscles));
    for (const auto& [first, last] : *given) windows.push_back({first, last});
    return windows;
}

// Frozen mass of muscles in several sets: of each part the place of its muscle among those asked for, its body, and ten
// numbers (sets, parts, 10), see FrozenMass.
using FrozenParts = std::tuple<std::vector<int>, std::vector<int>, In<3>>;

inline std::vector<oi::FrozenMuscles> frozen_from(const oi::Kernel& k, const FrozenParts& given, std::size_t sets,
                                                  std::size_t muscles) {
    const auto& [places, bodies, values] = given;
    expect(values, {static_cast<int>(sets), static_cast<int>(places.size()), oi::FrozenMass::kNumbers}, "frozen");
    if (bodies.size() != places.size()) throw wrong("as many bodies as parts of frozen mass are expected");
    std::vector<oi::FrozenMuscles> frozen(sets, oi::FrozenMuscles(muscles));
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i] < 0 || places[i] >= static_cast<int>(muscles) || bodies[i] < 0 || bodies[i] >= k.bodies())
            throw wrong("frozen mass of a muscle or on a body that is not there");
        for (std::size_t set = 0; set < sets; ++set)
            frozen[set][static_cast<std::size_t>(places[i])].push_back(
                oi::FrozenMass::of(bodies[i], values.data() + oi::FrozenMass::kNumbers * (set * places.size() + i)));
    }
    return frozen;
}

// What f gives, with the GIL released: it must not touch Python.
template <class F>
auto computed(F&& f) {
    const nb::gil_scoped_release released;
    return f();
}

inline std::size_t size(int n) { return static_cast<std::size_t>(n); }
