// Doubts about a path laid at a state.
#pragma once

#include "opensim_inertia/path/doubt.hpp"
#include "opensim_inertia/path/laid_path.hpp"

namespace opensim_inertia {

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
