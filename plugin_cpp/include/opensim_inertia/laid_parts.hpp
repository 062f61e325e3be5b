// What a muscle that is laid along its path consists of.
#pragma once

#include <variant>
#include <vector>

#include "belly.hpp"
#include "bridge.hpp"
#include "material_path.hpp"

namespace opensim_inertia {

// A weighted vector whose squares add up to the muscle's: the place of a material point (of some mass), or a spread
// (how the place changes along a direction of the material, which gravity does not see).
template <class Real>
struct Sample {
    using T = TimeJet<Real>;
    std::size_t element;
    Piece piece;
    Material<Real> material;
    Real weight;
    bool is_spread;
    Vec3<T> x;
};

// Force that turns the mass sliding past a corner, on the corner's node [N].
template <class Real>
struct CornerForce {
    int node;
    Vec<Real> force;
};

// An element over a surface.
template <class Real>
struct Span {
    using T = TimeJet<Real>;
    const WrapSurface* surface;
    SurfaceFrame<Real> frame;
    Vec3<T> p, q;    // its ends in the surface's frame
    std::variant<HelixSegment<T>, EllipsoidSegment<T>, NetworkSegment<T>> segment;

    template <class Formula>
    const typename Formula::template Segment<T>& as() const {
        return std::get<typename Formula::template Segment<T>>(segment);
    }
};

// An element, or a piece of one over which the path has one shape.
template <class Real>
struct Part {
    std::size_t element;
    Piece piece;
    TimeJet<Real> start;    // arc length at which it starts
};

// Where several surfaces share a segment: its bridges are the nodes from `first_bridge` on.
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
