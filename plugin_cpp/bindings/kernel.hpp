// What the kernel's bindings share.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
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

// What f gives, with the GIL released: it must not touch Python.
template <class F>
auto computed(F&& f) {
    const nb::gil_scoped_release released;
    return f();
}

inline std::size_t size(int n) { return static_cast<std::size_t>(n); }
