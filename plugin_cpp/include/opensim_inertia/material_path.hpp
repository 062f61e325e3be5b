// The one path formula: from the nodes' positions to the place of every material point, for any scalar.
//
// Along a straight element from node i to node j, x(beta) = P + beta Q with P = x_i + (A - S_i) e, Q = B e, where S_i is the arc
// length at node i, e the element's direction and s = A + beta B the material map. (Equivalent to Wang et al. 2022, eqs. 12-18:
// uniform strain, Eulerian-on-Lagrangian.) Velocities, accelerations and Jacobians are this formula, differentiated by its scalar.
#pragma once

#include <vector>

#include "arc_basis.hpp"
#include "gradient.hpp"
#include "material_map.hpp"
#include "time_jet.hpp"

namespace opensim_inertia {

struct Element {
    int first;                        // first node; a straight element ends at the next one
    const ArcBasis* arc = nullptr;    // else an arc over arc->n nodes
    int last() const { return first + (arc ? arc->n - 1 : 1); }
};

template <class T>
class MaterialPath {
  public:
    T L, A, B;

    // Lays the path; the buffers are the caller's so that nothing is allocated per state.
    MaterialPath(const std::vector<Element>& elements, const Vec3<T>* x, const MaterialMap& map, std::vector<T>& start,
                 std::vector<T>& length)
        : L(0.0), elements_(elements), x_(x), start_(start), length_(length) {
        start_.resize(elements.size());
        length_.resize(elements.size());
        for (std::size_t k = 0; k < elements.size(); ++k) {
            start_[k] = L;
            length_[k] = element_length(elements[k]);
            L = L + length_[k];
        }
        B = map.belly_length(L);
        A = map.proximal_end(L, B);
    }

    const T& start(std::size_t k) const { return start_[k]; }
    const T& length(std::size_t k) const { return length_[k]; }

    // Material coordinate of an arc length at the present state.
    T beta(const T& s) const { return (s - A) * inverse(B); }

    // Place of the material point beta, which lies on element k.
    Vec3<T> point(std::size_t k, double beta) const {
        const Element& element = elements_[k];
        const T along = (A + B * beta - start_[k]) * inverse(length_[k]);
        if (!element.arc) return x_[element.first] + (x_[element.first + 1] - x_[element.first]) * along;
        return on_arc(element, along);
    }

    // dx/dbeta on a straight element k: the Q of the formula above.
    Vec3<T> spread(std::size_t k) const {
        const Element& element = elements_[k];
        return (x_[element.first + 1] - x_[element.first]) * (B * inverse(length_[k]));
    }

  private:
    T element_length(const Element& element) const {
        if (!element.arc) return sqrt(squared_norm(x_[element.first + 1] - x_[element.first]));
        const ArcBasis& basis = *element.arc;
        T total(0.0);
        for (int g = 0; g < basis.n; ++g) {
            Vec3<T> d{{T(0.0), T(0.0), T(0.0)}};
            for (int j = 0; j < basis.n; ++j) d = d + x_[element.first + j] * basis.slope(g, j);
            total = total + sqrt(squared_norm(d)) * basis.rule.w[static_cast<std::size_t>(g)];
        }
        return total;
    }

    Vec3<T> on_arc(const Element& element, const T& tau) const {
        const ArcBasis& basis = *element.arc;
        const T x = tau * 2.0 - T(1.0);
        T t0(1.0), t1 = x;
        Vec3<T> r{{T(0.0), T(0.0), T(0.0)}};
        for (int m = 0; m < basis.n; ++m) {
            Vec3<T> c{{T(0.0), T(0.0), T(0.0)}};
            for (int j = 0; j < basis.n; ++j) c = c + x_[element.first + j] * basis.to_chebyshev(m, j);
            r = r + c * t0;
            const T t2 = x * t1 * 2.0 - t0;
            t0 = t1;
            t1 = t2;
        }
        return r;
    }

    const std::vector<Element>& elements_;
    const Vec3<T>* x_;
    std::vector<T>& start_;
    std::vector<T>& length_;
};

// Unit tangents (arriving at, leaving) the element's ends, values only.
inline Vec3d tangent(const Element& element, const Vec3<TimeJet>* x, bool at_end) {
    Vec3d d = Vec3d::Zero();
    if (!element.arc) {
        d = value(x[element.first + 1]) - value(x[element.first]);
    } else {
        for (int j = 0; j < element.arc->n; ++j) d += element.arc->end_slope(at_end, j) * value(x[element.first + j]);
    }
    return d.normalized();
}

}  // namespace opensim_inertia
