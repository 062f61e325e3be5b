// What the kernel's bindings share.
#pragma once

#include <optional>

#include "opensim_inertia/dynamics/kernel.hpp"
#include "state.hpp"

// Muscle numbers as they come from Python; none: all.
using Which = std::optional<std::vector<int>>;

inline const std::vector<int>& numbers(const oi::Kernel& k, const Which& which) { return which ? *which : k.every(); }

// What f gives, with the GIL released: it must not touch Python.
template <class F>
auto computed(F&& f) {
    const nb::gil_scoped_release released;
    return f();
}

inline std::size_t size(int n) { return static_cast<std::size_t>(n); }
