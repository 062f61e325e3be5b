// Parts of a path laid at a state.
#pragma once

#include <vector>

#include "opensim_inertia/path/element.hpp"
#include "opensim_inertia/wrap/bridge.hpp"

namespace opensim_inertia {

// An element over a surface.
template <class Real>
struct Span {
    using T = TimeJet<Real>;
    const WrapSurface* surface;
    SurfaceFrame<Real> frame;
    Vec3<T> p, q;    // its ends in the surface's frame
    AnyWrap<T> wrap;
    int passage = -1;                        // its number among the path's strings over surfaces
    Shares<double> shares{1.0, 0.0, 0.0};    // of the ways of its mass, if there is no other surface between its points

    bool is_divided() const { return shares[0] < 1; }

    template <class Formula>
    const typename Formula::template Wrap<T>& as() const {
        return std::get<typename Formula::template Wrap<T>>(wrap);
    }
};

// An element, or a piece of one over which the path has one shape.
template <class Real>
struct Part {
    std::size_t element;
    Piece piece;
    TimeJet<Real> start;    // arc length at which it starts
};

// Several surfaces between two path points, of which the path touches some: it leads a part of the mass, and the
// straight line past all of them leads the rest.
struct Group {
    std::size_t first_span, spans;          // those that it touches
    std::size_t first_passage, passages;    // numbers of all, among the path's strings over surfaces
    double led = 1;

    bool is_divided() const { return led < 1; }
};

// Where the path passes several surfaces between two points: its bridges are the nodes from `first_bridge` on.
template <class Real>
struct Chain {
    Bridges<Real> bridges;
    int first_bridge;
    std::vector<Vec<Real>> ends;    // the nodes from the one before the first bridge to the one after the last

    bool is_bridge(std::size_t node) const {
        const int j = static_cast<int>(node) - first_bridge;
        return j >= 0 && j < static_cast<int>(bridges.y.size());
    }
    const Vec<Real>& place(std::size_t node) const { return ends[node + 1 - static_cast<std::size_t>(first_bridge)]; }
};

}    // namespace opensim_inertia
