// The path formula on one element, with gradients.
//
// Seen from an element's first node, its material depends on the other nodes seen from there, r, on the offset A - S of
// the belly's proximal end from the element's start, and on the belly's length B (see material_path.hpp). Gradients are
// taken with respect to these few variables; whoever uses them carries them on by
//   grad (A - S) = A' grad L - grad S,   grad B = B' grad L,
// L and S being sums of the elements' lengths.
#pragma once

#include "gradient.hpp"
#include "laid_muscle.hpp"

namespace opensim_inertia {

constexpr int kMostControls = 20;

// Calls f with a compiled-in number of nodes that holds the element's.
template <class F>
auto with_nodes(const Element& element, F&& f) {
    if (!element.arc) return f.template operator()<2>();
    if (element.arc->n <= 9) return f.template operator()<9>();
    if (element.arc->n <= 13) return f.template operator()<13>();
    return f.template operator()<kMostControls>();
}

// r as the first variables of a gradient.
template <class T, int Nodes>
std::array<Vec3<T>, Nodes - 1> seed(const LaidMuscle& m, const Element& element) {
    std::array<Vec3<T>, Nodes - 1> r;
    for (int i = 0; i + 1 < element.nodes(); ++i)
        for (int c = 0; c < 3; ++c)
            r[static_cast<std::size_t>(i)][c] =
                T::variable(m.seen_from_first[static_cast<std::size_t>(element.first + i)][c].v, 3 * i + c);
    return r;
}

// The path formula on one element with gradients: variables are r (3 per node but the first), then A - S, then B.
template <int Nodes>
class ElementGradients {
  public:
    static constexpr Shape kShape = Nodes == 2 ? Shape::straight : Shape::arc;
    static constexpr int kOffset = 3 * (Nodes - 1), kBelly = kOffset + 1, kSize = kOffset + 2;
    using T = Gradient<kSize>;

    ElementGradients(const LaidMuscle& m, std::size_t k)
        : r_(seed<T, Nodes>(m, m.elements[k])),
          on_(m.elements[k], r_.data(), T::variable(m.proximal_end.v - m.start[k].v, kOffset),
              T::variable(m.belly.v, kBelly)) {}

    Vec3<T> point(double beta) const { return on_.point(beta); }
    Vec3<T> operator()(const Sample& s) const {
        if constexpr (kShape == Shape::straight)
            if (s.is_spread) return on_.spread();
        return on_.point(s.beta);
    }

  private:
    std::array<Vec3<T>, Nodes - 1> r_;
    MaterialOnElement<kShape, T> on_;
};

// Gradient of an element's length with respect to r, handed to f(i, dl/dr_i).
template <class F>
void length_gradient(const LaidMuscle& m, const Element& element, F&& f) {
    with_nodes(element, [&]<int Nodes>() {
        const auto r = seed<Gradient<3 * (Nodes - 1)>, Nodes>(m, element);
        const auto length = element_length<ElementGradients<Nodes>::kShape>(element, r.data());
        for (int i = 0; i < 3 * (element.nodes() - 1); ++i) f(i, length.g[i]);
    });
}

// A'(L) and B'(L) of the material map at the present length.
struct BellySlopes {
    double A, B;
};

inline BellySlopes belly_slopes(const LaidMuscle& m) {
    const TimeJet path(m.length.v, 1.0, 0.0);
    const TimeJet B = m.muscle->map.belly_length(path);
    return {m.muscle->map.proximal_end(path, B).d, B.d};
}

// Calls f(element, from, to) for every run of samples on one element.
template <class F>
void for_each_element(const std::vector<Sample>& samples, F&& f) {
    for (std::size_t i = 0; i < samples.size();) {
        std::size_t j = i + 1;
        while (j < samples.size() && samples[j].element == samples[i].element) ++j;
        f(samples[i].element, i, j);
        i = j;
    }
}

}    // namespace opensim_inertia
