// A muscle whose mass is divided between the ways past its wrap objects. (docs/theory/wrapping.md, "Divided mass")
//
// With shares W_k of the ends of its spans, which add up to one, the kinetic energy is sum W_k T_k and the potential
// energy sum W_k V_k, T_k and V_k being those of all of its mass on the k-th path. The equations of motion hold
//   sum [W_k (a - g) + W_k' v] of each path's mass, which is mass that grows, and - sum dW_k/dq (T_k - V_k) on the
//   ends.
#pragma once

#include <vector>

#include "opensim_inertia/muscle/laid_muscle.hpp"

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
        find_passings(whole);
        parts.clear();
        largest_ = 0;
        double most = 0;
        std::vector<std::size_t> way(passings_.size(), 0);
        do {
            Real share(1.0);
            for (std::size_t i = 0; i < way.size(); ++i) share = share * passings_[i].shares[way[i]].v;
            if (!(value(share) > 0)) continue;
            std::vector<Choice> choices(whole.passages());
            for (std::size_t i = 0; i < way.size(); ++i) choices[passings_[i].passage] = passings_[i].choices[way[i]];
            LaidMuscle<Real>& part = parts.emplace_back();
            part.lay(s, muscle, map, window, &choices);
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

    struct Passing {
        std::size_t passage;
        Shares<G> shares;
        std::array<Choice, kWays> choices;
        Eigen::Array<Real, 6, 1> rates;    // of p and q
    };

    std::vector<Passing> passings_;
    std::size_t largest_ = 0;

    void find_passings(const LaidMuscle<Real>& whole) {
        passings_.clear();
        ends.clear();
        for (std::size_t k = 0; k < whole.elements.size(); ++k) {
            if (whole.elements[k].span < 0) continue;
            const Span<Real>& span = whole.spans[static_cast<std::size_t>(whole.elements[k].span)];
            if (!span.is_divided()) continue;
            Vec3<G> p, q;
            Passing& passing = passings_.emplace_back();
            passing.passage = static_cast<std::size_t>(span.passage);
            for (int i = 0; i < 3; ++i) {
                p[i] = G::variable(span.p[i].v, i);
                q[i] = G::variable(span.q[i].v, 3 + i);
                passing.rates[i] = span.p[i].d;
                passing.rates[3 + i] = span.q[i].d;
            }
            with_formula(*span.surface, [&]<class Formula>() {
                const auto& known = span.template as<Formula>();
                passing.shares = shares_of(*span.surface, p, q, known);
                for (std::size_t i = 0; i < kWays; ++i)
                    if (value(passing.shares[i]) > 0) passing.choices[i] = choice_of(static_cast<Way>(i), known);
            });
            ends.push_back({k, Eigen::Array<Real, 6, 1>::Zero(), Eigen::Array<Real, 6, 3>::Zero()});
        }
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
            Eigen::Array<Real, 6, 1> by_ends = passings_[i].shares[way[i]].g.template head<6>();
            for (std::size_t j = 0; j < way.size(); ++j)
                if (j != i) by_ends = by_ends * passings_[j].shares[way[j]].v;
            for (int e = 0; e < 6; ++e) {
                growth += by_ends[e] * passings_[i].rates[e];
                ends[i].kinetic[e] += by_ends[e] * kinetic;
                for (int c = 0; c < 3; ++c) ends[i].moment(e, c) += by_ends[e] * moment[c];
            }
        }
        part.take_share(share, growth * inverse(share));
    }
};

}    // namespace opensim_inertia
