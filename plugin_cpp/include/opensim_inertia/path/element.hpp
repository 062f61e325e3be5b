// The one path formula: from the nodes' positions to the place of every material point, for any scalar.
//
// Along a straight element from node i to node j, x = x_i + (s - S) / l (x_j - x_i), where l is the element's length, S
// the arc length at which it starts, and s = A + chi P + xi B the material map, a function of the path's length.
// (Equivalent to Wang et al. 2022, eqs. 12-18: uniform strain, Eulerian-on-Lagrangian.) x is affine in the material
// coordinates. Velocities, accelerations and Jacobians are this formula, differentiated by its scalar.
#pragma once

#include <vector>

#include "opensim_inertia/path/arc_basis.hpp"
#include "opensim_inertia/scalar/time_jet.hpp"

namespace opensim_inertia {

struct Element {
    int first;                        // first node; a straight element ends at the next one
    const ArcBasis* arc = nullptr;    // else an arc over arc->n nodes
    int span = -1;                    // or a string over a surface, from the first node to the next
    bool is_straight() const { return !arc && span < 0; }
    int nodes() const { return arc ? arc->n : 2; }
    int last() const { return first + nodes() - 1; }
};

enum class Shape { straight, arc };

// Length of an element; r are its nodes but the first, seen from the first.
template <Shape shape, class T>
T element_length(const Element& element, const Vec3<T>* r) {
    if constexpr (shape == Shape::straight) return sqrt(squared_norm(r[0]));
    const ArcBasis& basis = *element.arc;
    T total(0.0);
    for (int g = 0; g < basis.n; ++g) {
        Vec3<T> d = r[0] * basis.derivative(g, 1);
        for (int j = 2; j < basis.n; ++j) d = d + r[j - 1] * basis.derivative(g, j);
        total = total + sqrt(squared_norm(d)) * basis.rule.w[static_cast<std::size_t>(g)];
    }
    return total;
}

// The places on one element, seen from the element's first node. They depend on the other nodes seen from there, r, and
// on the distance along the element; on nothing else.
template <Shape shape, class T>
class PlacesOnElement {
  public:
    // Keeps a pointer to r.
    PlacesOnElement(const Element& element, const Vec3<T>* r)
        : PlacesOnElement(element, r, element_length<shape>(element, r)) {}

    // The same, where the element's length is known.
    PlacesOnElement(const Element& element, const Vec3<T>* r, const T& length)
        : element_(element), r_(r), per_length_(inverse(length)) {
        if constexpr (shape == Shape::straight) direction_ = r_[0] * per_length_;
    }

    // Place at a distance from the first node, seen from there.
    Vec3<T> point(const T& along) const {
        if constexpr (shape == Shape::straight) return direction_ * along;
        return on_arc(along * per_length_);
    }

  private:
    const Element& element_;
    const Vec3<T>* r_;
    T per_length_;
    Vec3<T> direction_;

    Vec3<T> on_arc(const T& tau) const {
        const ArcBasis& basis = *element_.arc;
        const T x = tau * 2.0 - T(1.0);
        T t0(1.0), t1 = x;
        Vec3<T> place{{T(0.0), T(0.0), T(0.0)}};
        for (int m = 0; m < basis.n; ++m) {
            Vec3<T> c = r_[0] * basis.to_chebyshev(m, 1);
            for (int j = 2; j < basis.n; ++j) c = c + r_[j - 1] * basis.to_chebyshev(m, j);
            place = place + c * t0;
            const T t2 = x * t1 * 2.0 - t0;
            t0 = t1;
            t1 = t2;
        }
        return place;
    }
};

// Unit tangent at an arc's start or end; x are its nodes.
template <class Real>
inline Vec<Real> arc_tangent(const ArcBasis& arc, const Vec3<TimeJet<Real>>* x, bool at_end) {
    Vec<Real> d = Vec<Real>::Zero();
    for (int j = 0; j < arc.n; ++j) d += arc.end_derivative(at_end, j) * real(x[j]);
    return d * (1.0 / d.norm());
}

}    // namespace opensim_inertia
