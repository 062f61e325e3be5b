// Where samples lie on their path, and how their places change with what the path follows. Each is seen from axes of
// its own: from ground, or over a surface from the span's axes.
#pragma once

#include <algorithm>
#include <span>

#include "opensim_inertia/dynamics/element_gradients.hpp"

namespace opensim_inertia {

// On an element between nodes: by those after its first one, seen from there, and by the distance along it.
template <class Real, class T>
struct OnElement {
    const Sample<Real>& sample;
    Real by_length;    // of the distance, with the path's length
    const Element& element;
    const Vec3<T>& gradients;

    static constexpr int kAlong = T::G::SizeAtCompileTime - 1;
    int others() const { return kAlong == 3 ? 3 : 3 * (element.nodes() - 1); }    // variables before that one
    Vec<Real> seen(const Vec<Real>& in_ground) const { return in_ground; }
};

// On a span over a surface: by its ends as the surface sees them, and by the distance along it.
template <class Real, class T>
struct OnSpan {
    const Sample<Real>& sample;
    Real by_length;
    std::size_t span;
    const SpanAxes<Real>& axes;
    const Vec3<T>& gradients;

    static constexpr int kAlong = 6;
    Vec<Real> place() const { return real(gradients); }
    Vec<Real> seen(const Vec<Real>& in_ground) const { return axes.from_ground * in_ground; }

    double square() const {
        double sum = 0;
        for (int c = 0; c < 3; ++c) sum += value(gradients[c].g.template head<6>().square().sum());
        return sum;
    }
};

// On a span whose string is unrolled.
template <class Real>
struct OnString {
    const Sample<Real>& sample;
    Real by_length;
    std::size_t span;
    const UnrolledString<Real>& string;
    typename UnrolledString<Real>::Motion motion;

    const Vec<Real>& place() const { return motion.place; }
    Vec<Real> seen(const Vec<Real>& in_ground) const { return string.axes.from_ground * in_ground; }

    double square() const { return string.square(motion); }
};

// Calls f(place) for samples on a path. `gradients`: of its spans
template <class Real, class F>
void each_sample(const LaidMuscle<Real>& m, AllSpanGradients<Real>& gradients, const std::vector<Sample<Real>>& samples,
                 const F& f) {
    const MapDerivatives<Real> by_length = map_derivatives(m);
    for_each_element(samples, [&](std::size_t k, std::size_t from, std::size_t to) {
        const std::span<const Sample<Real>> run{samples.data() + from, to - from};
        const Element& element = m.elements[k];
        if (element.span < 0) {
            with_nodes<Real>(element, [&]<int Nodes>() {
                const ElementGradients<Nodes, Real> on(m, k);
                for (const Sample<Real>& sample : run)
                    f(OnElement<Real, typename ElementGradients<Nodes, Real>::T>{sample, by_length(sample), element,
                                                                                 on(sample)});
            });
            return;
        }
        const auto index = static_cast<std::size_t>(element.span);
        const Span<Real>& span = m.spans[index];
        if (UnrolledString<Real>::is_one(span)) {
            const auto& string = gradients.string(m, element.span);
            for (const Sample<Real>& sample : run)
                f(OnString<Real>{sample, by_length(sample), index, string, string.motion(sample, sample.along(m).v)});
            return;
        }
        const SpanAxes<Real> axes = gradients.axes(m, element.span);
        with_formula(*span.surface, [&]<class Formula>() {
            gradients.template at<Formula>(m, element.span)
                .each(m, run, [&](const Sample<Real>& sample, const auto& place) {
                    f(OnSpan<Real, typename SpanGradients<Formula, Real>::T>{sample, by_length(sample), index, axes,
                                                                             place});
                });
        });
    });
}

// Mean square by which a place of the mass moves per motion of a span's ends along their axes, summed over these: from
// 1.5, in the middle, to 3 on a straight line. The largest of the spans; of firm strings over cylinders 0.
class Stretch {
  public:
    template <class Place>
    void add(const Place& place) {
        if constexpr (requires { place.square(); }) {
            if (place.span != span_) {
                largest_ = largest();
                span_ = place.span;
                mass_ = squares_ = 0;
            }
            const double weight = value(place.sample.weight);
            if (!place.sample.is_spread) mass_ += weight;
            squares_ += weight * place.square();
        }
    }
    double largest() const { return mass_ > 0 ? std::max(largest_, squares_ / mass_) : largest_; }

  private:
    std::size_t span_ = 0;
    double mass_ = 0, squares_ = 0, largest_ = 0;
};

}    // namespace opensim_inertia
