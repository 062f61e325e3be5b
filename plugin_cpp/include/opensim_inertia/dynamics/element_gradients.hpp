// The path formula on one element, with gradients.
//
// Seen from an element's first node, a material point's place depends on the other nodes seen from there, r, and on its
// distance along the element, A + chi P + xi B - S (see path/element.hpp). Gradients are taken with respect to these
// few variables; whoever uses them carries them on by
//   grad (A + chi P + xi B - S) = (A' + chi P' + xi B') grad L - grad S,
// L and S being sums of the elements' lengths.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <variant>

#include "opensim_inertia/dynamics/unrolled_string.hpp"
#include "opensim_inertia/muscle/divided_muscle.hpp"
#include "opensim_inertia/scalar/gradient.hpp"

namespace opensim_inertia {

// Calls f with a compiled-in number of nodes that holds the element's. Arcs come from outside, without derivatives
// along the state.
template <class Real, class F>
auto with_nodes(const Element& element, F&& f) {
    if (Differentiating<Real> || !element.arc) return f.template operator()<2>();
    if constexpr (!Differentiating<Real>) {
        if (element.arc->n <= 9) return f.template operator()<9>();
        if (element.arc->n <= 13) return f.template operator()<13>();
        return f.template operator()<kMostControls>();
    }
}

// r as the first variables of a gradient.
template <class T, int Nodes, class Real>
std::array<Vec3<T>, Nodes - 1> seed(const LaidMuscle<Real>& m, const Element& element) {
    std::array<Vec3<T>, Nodes - 1> r;
    for (int i = 0; i + 1 < element.nodes(); ++i)
        r[static_cast<std::size_t>(i)] =
            variables<T>(real(m.seen_from_first[static_cast<std::size_t>(element.first + i)]), 3 * i);
    return r;
}

// The path formula on one element with gradients: variables are r (3 per node but the first), then the distance along
// the element.
template <int Nodes, class Real>
class ElementGradients {
  public:
    static constexpr Shape kShape = Nodes == 2 ? Shape::straight : Shape::arc;
    static constexpr int kAlong = 3 * (Nodes - 1), kSize = kAlong + 1;
    using T = Gradient<kSize, Real>;

    ElementGradients(const LaidMuscle<Real>& m, std::size_t k)
        : m_(m), r_(seed<T, Nodes>(m, m.elements[k])), on_(m.elements[k], r_.data()) {}

    Vec3<T> operator()(const Sample<Real>& s) const { return on_.point(T::variable(s.along(m_).v, kAlong)); }

  private:
    const LaidMuscle<Real>& m_;
    std::array<Vec3<T>, Nodes - 1> r_;
    PlacesOnElement<kShape, T> on_;
};

// The same on an element over a surface: variables are its ends p and q in the surface's frame, then the distance along
// it.
template <class Formula, class Real>
class SpanGradients {
  public:
    static constexpr int kAlong = 6, kSize = 8;    // one to spare: an even number fits the processor's registers
    using T = Gradient<kSize, Real>;

    explicit SpanGradients(const Span<Real>& span)
        : p_(variables<T>(real(span.p), 0)),
          q_(variables<T>(real(span.q), 3)),
          wrap_(wrap(span, p_, q_)),
          on_(wrap_, p_, q_) {}

    Vec3<T> operator()(const LaidMuscle<Real>& m, const Sample<Real>& s) const {
        const T along = T::variable(s.along(m).v, kAlong);
        return s.is_spread ? on_.line(s.piece).spread(along) : on_.point(s.piece, along);
    }

    // Calls f(sample, its place or spread) for samples on this element.
    template <class F>
    void each(const LaidMuscle<Real>& m, std::span<const Sample<Real>> samples, F&& f) const {
        if constexpr (requires(std::span<const T> s, std::span<Vec3<T>> x) { wrap_.on_bend(s, x); }) {
            thread_local std::vector<T> distances;
            thread_local std::vector<Vec3<T>> places;
            const auto on_bend = [](const Sample<Real>& s) { return s.piece == Piece::bend && !s.is_spread; };
            distances.clear();
            for (const Sample<Real>& s : samples)
                if (on_bend(s)) distances.push_back(T::variable(s.along(m).v, kAlong));
            places.resize(distances.size());
            on_.points_on_bend(distances, places);
            auto next = places.begin();
            for (const Sample<Real>& s : samples) f(s, on_bend(s) ? *next++ : (*this)(m, s));
        } else {
            for (const Sample<Real>& s : samples) f(s, (*this)(m, s));
        }
    }

    Eigen::Array<Real, 6, 1> length() const { return (wrap_.lead + wrap_.bend + wrap_.tail).g.template head<6>(); }

  private:
    Vec3<T> p_, q_;
    typename Formula::template Wrap<T> wrap_;
    PlacesOnSpan<Formula, T> on_;

    static auto wrap(const Span<Real>& span, const Vec3<T>& p, const Vec3<T>& q) {
        if constexpr (requires { Formula::wrap_again(*span.surface, p, q, span.template as<Formula>()); })
            return Formula::wrap_again(*span.surface, p, q, span.template as<Formula>());
        else
            return Formula::wrap(*span.surface, p, q);
    }
};

// Gradients of a muscle's spans, or their unrolled strings.
template <class Real>
class AllSpanGradients {
  public:
    // Before all others; the spans must stay where they are.
    void start(const LaidMuscle<Real>& m) {
        while (kept_.size() < m.spans.size()) kept_.emplace_back();
        for (Kept& span : kept_) {
            span.gradients.template emplace<std::monostate>();
            span.length.reset();
        }
    }

    template <class Formula>
    const SpanGradients<Formula, Real>& at(const LaidMuscle<Real>& m, int span) {
        return kept<SpanGradients<Formula, Real>>(m, span);
    }

    const UnrolledString<Real>& string(const LaidMuscle<Real>& m, int span) {
        return kept<UnrolledString<Real>>(m, span);
    }

    SpanAxes<Real> axes(const LaidMuscle<Real>& m, int span) {
        const Span<Real>& over = m.spans[static_cast<std::size_t>(span)];
        if (UnrolledString<Real>::is_one(over)) return string(m, span).axes;
        return {over.frame.R.transpose(), over.frame.c};
    }

    // Gradient of a span's length with respect to p and q.
    const Eigen::Array<Real, 6, 1>& length(const LaidMuscle<Real>& m, int span) {
        auto& length = kept_[static_cast<std::size_t>(span)].length;
        const Span<Real>& over = m.spans[static_cast<std::size_t>(span)];
        if (!length && UnrolledString<Real>::is_one(over)) length = string(m, span).length_gradient();
        if (!length) with_formula(*over.surface, [&]<class Formula>() { length = at<Formula>(m, span).length(); });
        return *length;
    }

  private:
    template <class... Formula>
    static std::variant<std::monostate, UnrolledString<Real>, SpanGradients<Formula, Real>...> any_of(
        std::tuple<Formula...>);
    struct Kept {
        decltype(any_of(Formulas())) gradients;
        std::optional<Eigen::Array<Real, 6, 1>> length;
    };
    std::deque<Kept> kept_;

    template <class T>
    const T& kept(const LaidMuscle<Real>& m, int span) {
        auto& all = kept_[static_cast<std::size_t>(span)].gradients;
        const T* kept = std::get_if<T>(&all);
        return kept ? *kept : all.template emplace<T>(m.spans[static_cast<std::size_t>(span)]);
    }
};

// Gradient of an element's length with respect to r, given to f(i, dl/dr_i).
template <class Real, class F>
void length_gradient(const LaidMuscle<Real>& m, const Element& element, F&& f) {
    with_nodes<Real>(element, [&]<int Nodes>() {
        const auto r = seed<Gradient<3 * (Nodes - 1), Real>, Nodes>(m, element);
        const auto length = element_length<ElementGradients<Nodes, Real>::kShape>(element, r.data());
        for (int i = 0; i < 3 * (element.nodes() - 1); ++i) f(i, length.g[i]);
    });
}

// A'(L), P'(L) and B'(L) of the material map at the present length.
template <class Real>
struct MapDerivatives {
    Real A, P, B;

    Real apart(const Material<Real>& m) const { return m.chi * P + m.xi * B; }
    // Of what a sample's distance depends on L through the map.
    Real operator()(const Sample<Real>& s) const { return s.is_spread ? apart(s.material) : A + apart(s.material); }
};

template <class Real>
inline MapDerivatives<Real> map_derivatives(const LaidMuscle<Real>& m) {
    const TimeJet<Real> path(m.length.v, 1.0, 0.0);
    const TimeJet<Real> B = m.map.fibre_length(path);
    return {m.map.proximal_end(path, B).d, m.map.aponeurosis_length(path, B).d, B.d};
}

// Calls f(element, from, to) for every run of samples on one element.
template <class Real, class F>
void for_each_element(const std::vector<Sample<Real>>& samples, F&& f) {
    for (std::size_t i = 0; i < samples.size();) {
        std::size_t j = i + 1;
        while (j < samples.size() && samples[j].element == samples[i].element) ++j;
        f(samples[i].element, i, j);
        i = j;
    }
}

}    // namespace opensim_inertia
