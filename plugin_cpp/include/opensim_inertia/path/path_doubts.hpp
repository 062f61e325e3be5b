// What is in doubt about a path laid at a state. (docs/theory/wrapping.md, "What is marked at a state")
#pragma once

#include <string_view>

#include "opensim_inertia/path/laid_path.hpp"

namespace opensim_inertia {

enum class Doubt {
    divided,     // two strings past a surface are of about one length, or there is hardly one: its mass is divided
    fast,        // its mass moves more than kFast times as fast as what carries it, which the muscle's terms tell
    inside,      // an end lies inside a surface, which it wraps, and it is more than kFar longer than straight through
    straight,    // its mass lies straight from path point to path point, for it would be fast
    far,         // its length is more than kFar off the one that the state brings
};

inline constexpr std::string_view kDoubts[] = {"divided", "fast", "inside", "straight", "far"};

// By how much a muscle's mass may move faster with a coordinate than all that carries it (dynamics/mass_speeds.hpp).
inline constexpr double kFast = 2;
inline constexpr double kFar = 1e-2;    // [m] by which OpenSim's path is another one

namespace path_doubts {

template <class Real>
bool is_from_inside(const LaidPath<Real>& path, const Element& element) {
    const Span<Real>& span = path.spans[static_cast<std::size_t>(element.span)];
    const WrapSurface& surface = *span.surface;
    if (!surface.kind->contains) return false;
    const auto lies_inside = [&](int node, const Vec3d& x) {
        return !path.nodes[static_cast<std::size_t>(node)].is_bridge && surface.kind->contains(surface.size, x);
    };
    const Vec3d p = value(span.p), q = value(span.q);
    if (!lies_inside(element.first, p) && !lies_inside(element.last(), q)) return false;
    const double length =
        std::visit([](const auto& w) { return value(w.lead) + value(w.bend) + value(w.tail); }, span.wrap);
    return length - (q - p).norm() > kFar;
}

}    // namespace path_doubts

// Calls f with each doubt that the path alone tells.
template <class Real, class F>
void each_doubt(const LaidPath<Real>& path, const F& f) {
    using namespace path_doubts;
    bool doubts[std::size(kDoubts)] = {};
    const auto raise = [&](Doubt doubt, bool is_raised) { doubts[static_cast<std::size_t>(doubt)] |= is_raised; };
    raise(Doubt::divided, path.is_divided());
    for (const Element& element : path.elements) {
        if (element.span < 0) continue;
        raise(Doubt::inside, is_from_inside(path, element));
    }
    for (std::size_t i = 0; i < std::size(kDoubts); ++i)
        if (doubts[i]) f(static_cast<Doubt>(i));
}

}    // namespace opensim_inertia
