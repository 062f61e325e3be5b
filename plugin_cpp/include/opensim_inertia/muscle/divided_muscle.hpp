// A muscle whose mass is divided between the ways past its wrap objects. (docs/theory/wrapping.md, "Divided mass")
//
// With shares W_k of the ends of its spans, which add up to one, the kinetic energy is sum W_k T_k and the potential
// energy sum W_k V_k, T_k and V_k being those of all of its mass on the k-th path. The equations of motion hold
//   sum [W_k (a - g) + W_k' v] of each path's mass, which is mass that grows, and - sum dW_k/dq (T_k - V_k) on the
//   ends.
#pragma once

#include <algorithm>
#include <vector>

#include "opensim_inertia/muscle/laid_muscle.hpp"
#include "opensim_inertia/scalar/gradient.hpp"

namespace opensim_inertia {

template <class Real>
class DividedMuscle {
  public:
    // What acts on the ends of a span of the whole muscle, as its surface sees them, because the shares change with
    // them: the sums over paths of dW_k/d(p, q) times the kinetic energy, and times the first moment of the mass.
    struct OnEnds {
        std::size_t element;
        Eigen::Array<Real, 6, 1> kinetic;
        Eigen::Array<Real, 6, 3> moment;
    };

    std::vector<LaidMuscle<Real>> parts;    // the muscle on each path, with its share of the mass
    std::vector<OnEnds> ends;

    // `whole`: the muscle laid at the same state with the same map and window, along the first way everywhere
    void divide(const State<Real>& s, const Muscle& muscle, const MaterialMap<Real>& map, const LaidMuscle<Real>& whole,
                const MassWindow& window = {}) {
        find_decisions(whole);
        parts.clear();
        largest_ = 0;
        double most = 0;
        std::vector<std::size_t> way(decisions_.size(), 0);
        do {
            Real share(1.0);
            for (std::size_t i = 0; i < way.size(); ++i) share = share * decisions_[i].shares[way[i]];
            if (!(value(share) > 0)) continue;
            const bool is_first = std::ranges::count(way, 0) == std::ssize(way);
            LaidMuscle<Real>& part = is_first ? parts.emplace_back(whole) : parts.emplace_back();
            if (!is_first) {
                std::vector<Choice> choices(whole.passages());
                for (std::size_t i = 0; i < way.size(); ++i)
                    std::fill_n(choices.begin() + decisions_[i].first_passage, decisions_[i].passages,
                                decisions_[i].choices[way[i]]);
                part.lay(s, muscle, map, window, &choices);
            }
            add_part(part, way, share);
            if (value(share) > most) most = value(share), largest_ = parts.size() - 1;
        } while (next(way));
    }

    // The path on which most mass lies.
    const LaidMuscle<Real>& largest() const { return parts[largest_]; }

    Mat4<Real> pseudo_inertia() const {
        Mat4<Real> P = Mat4<Real>::Zero();
        for (const LaidMuscle<Real>& part : parts) P += part.pseudo_inertia();
        return P;
    }

  private:
    using G = Gradient<8, Real>;    // by p and q; two to spare, as for the places on a span

    // Which way a string goes past a surface, or a path past several.
    struct Decision {
        std::size_t first_passage, passages;    // among the path's strings over surfaces
        Shares<Real> shares;
        std::array<Choice, kWays> choices;
        // what the shares depend on: the ends of spans
        struct OnSpan {
            std::size_t ends;    // number among `ends`
            std::array<Eigen::Array<Real, 6, 1>, kWays> slopes;
            Eigen::Array<Real, 6, 1> rates;
        };
        std::vector<OnSpan> spans;
    };

    std::vector<Decision> decisions_;
    std::size_t largest_ = 0;

    void find_decisions(const LaidMuscle<Real>& whole) {
        decisions_.clear();
        ends.clear();
        std::vector<std::size_t> element_of(whole.spans.size());
        for (std::size_t k = 0; k < whole.elements.size(); ++k)
            if (whole.elements[k].span >= 0) element_of[static_cast<std::size_t>(whole.elements[k].span)] = k;
        for (std::size_t i = 0; i < whole.spans.size(); ++i)
            if (whole.spans[i].is_divided()) decide(whole.spans[i], element_of[i]);
        for (const Group& group : whole.groups)
            if (group.is_divided()) decide(whole, group, element_of);
    }

    // A span's ends as variables; calls f with them and with the string that is known.
    template <class F>
    static void with_ends(const Span<Real>& span, const F& f) {
        const Vec3<G> p = variables<G>(real(span.p), 0), q = variables<G>(real(span.q), 3);
        with_formula(*span.surface, [&]<class Formula>() { f(p, q, span.template as<Formula>()); });
    }

    void decide(const Span<Real>& span, std::size_t element) {
        Decision& decision = decisions_.emplace_back();
        decision.first_passage = static_cast<std::size_t>(span.passage);
        decision.passages = 1;
        with_ends(span, [&](const Vec3<G>& p, const Vec3<G>& q, const auto& known) {
            const Shares<G> shares = shares_of(*span.surface, p, q, known);
            for (std::size_t i = 0; i < kWays; ++i) {
                decision.shares[i] = shares[i].v;
                if (value(shares[i]) > 0) decision.choices[i] = choice_of(static_cast<Way>(i), known);
            }
            depend_on(decision, span, element, shares);
        });
    }

    void decide(const LaidMuscle<Real>& whole, const Group& group, const std::vector<std::size_t>& element_of) {
        Decision& decision = decisions_.emplace_back();
        decision.first_passage = group.first_passage;
        decision.passages = group.passages;
        decision.choices[static_cast<std::size_t>(Way::straight)].way = Way::straight;
        std::vector<Neighbourhood<G>> strings;
        for (std::size_t i = 0; i < group.spans; ++i) {
            const Span<Real>& span = whole.spans[group.first_span + i];
            with_ends(span, [&](const Vec3<G>& p, const Vec3<G>& q, const auto& known) {
                strings.push_back(neighbourhood(*span.surface, p, q, known));
            });
        }
        for (std::size_t i = 0; i < group.spans; ++i) {    // by the ends of one, those of the others staying
            std::vector<Neighbourhood<G>> varied;
            for (std::size_t j = 0; j < group.spans; ++j)
                varied.push_back(j == i ? strings[j] : without_derivatives(strings[j]));
            const G led = led_over(varied);
            const Shares<G> shares{led, G(Real(0.0)), G(Real(1.0)) - led};
            for (std::size_t k = 0; k < kWays; ++k) decision.shares[k] = shares[k].v;
            depend_on(decision, whole.spans[group.first_span + i], element_of[group.first_span + i], shares);
        }
    }

    static Neighbourhood<G> without_derivatives(const Neighbourhood<G>& n) {
        return {n.lead.v, n.bend.v, n.tail.v, {n.over[0].v, n.over[1].v, n.over[2].v, n.over[3].v}, n.led.v};
    }

    void depend_on(Decision& decision, const Span<Real>& span, std::size_t element, const Shares<G>& shares) {
        auto& on = decision.spans.emplace_back();
        on.ends = ends.size();
        for (std::size_t i = 0; i < kWays; ++i) on.slopes[i] = shares[i].g.template head<6>();
        for (int i = 0; i < 3; ++i) {
            on.rates[i] = span.p[i].d;
            on.rates[3 + i] = span.q[i].d;
        }
        ends.push_back({element, Eigen::Array<Real, 6, 1>::Zero(), Eigen::Array<Real, 6, 3>::Zero()});
    }

    // Counts through all ways; false after the last.
    static bool next(std::vector<std::size_t>& way) {
        for (std::size_t& digit : way) {
            if (++digit < kWays) return true;
            digit = 0;
        }
        return false;
    }

    void add_part(LaidMuscle<Real>& part, const std::vector<std::size_t>& way, const Real& share) {
        Real kinetic = 0.5 * part.slip_weight * part.slip_distance.d * part.slip_distance.d;
        Vec<Real> moment = Vec<Real>::Zero();
        for (const Sample<Real>& sample : part.samples) {
            kinetic += 0.5 * sample.weight * rate(sample.x).squaredNorm();
            if (!sample.is_spread) moment += sample.weight * real(sample.x);
        }
        Real growth(0.0);
        for (std::size_t i = 0; i < way.size(); ++i) {
            Real others(1.0);
            for (std::size_t j = 0; j < way.size(); ++j)
                if (j != i) others = others * decisions_[j].shares[way[j]];
            for (const auto& on : decisions_[i].spans)
                for (int e = 0; e < 6; ++e) {
                    const Real slope = on.slopes[way[i]][e] * others;
                    growth += slope * on.rates[e];
                    ends[on.ends].kinetic[e] += slope * kinetic;
                    for (int c = 0; c < 3; ++c) ends[on.ends].moment(e, c) += slope * moment[c];
                }
        }
        part.take_share(share, growth * inverse(share));
    }
};

}    // namespace opensim_inertia
