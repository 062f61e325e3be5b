// Forces on the bodies that carry a muscle with a straight path from point to point (straight_terms.hpp), by loads on
// sums of its samples: the transpose of the sum's Jacobian times a load, for four loads at once.
#pragma once

#include <array>
#include <vector>

#include "opensim_inertia/dynamics/element_gradients.hpp"
#include "opensim_inertia/scalar/four_numbers.hpp"

namespace opensim_inertia {

class StraightLoads {
  public:
    // Prepares for a muscle that StraightTerms apply to.
    void find(const LaidMuscle<double>& m) {
        m_ = &m;
        derivatives_ = map_derivatives(m);
        directions_.clear();
        for (std::size_t k = 0; k < m.elements.size(); ++k) directions_.push_back(m.tangent(k, false));
    }

    // What a load on a weighted sum of samples, none of which is a spread, needs to know of them.
    struct Sum {
        std::size_t element;
        double weight, along, by_length;    // sums of w, w tau and w c', see straight_terms.hpp
    };
    void summarize(const std::vector<Sample<double>>& samples, std::vector<Sum>& sums) const {
        sums.clear();
        for (const Sample<double>& sample : samples) {
            const double w = sample.weight;
            if (sums.empty() || sums.back().element != sample.element) sums.push_back({sample.element, 0, 0, 0});
            Sum& sum = sums.back();
            sum.weight += w;
            sum.along += w * m_->along(sample.element, sample.material).v * m_->per_length[sample.element].v;
            sum.by_length += w * derivatives_(sample);
        }
    }

    using Loads = std::array<FourNumbers, 3>;

    OPENSIM_INERTIA_INLINED void clear() {
        const FourNumbers::Values zero = FourNumbers::of(0.0).v;
        force_.resize(m_->nodes.size());
        for (Loads& on_node : force_)
            for (FourNumbers& along_axis : on_node) along_axis.v = zero;
        on_lengths_.resize(m_->elements.size() + 1);
        for (FourNumbers& on_length : on_lengths_) on_length.v = zero;
    }

    OPENSIM_INERTIA_INLINED void add(const std::vector<Sum>& sums, const Loads& f) {
        for (const Sum& sum : sums) {
            const auto first = static_cast<std::size_t>(m_->elements[sum.element].first);
            const Vec3d& e = directions_[sum.element];
            const FourNumbers::Values pull = e[0] * f[0].v + e[1] * f[1].v + e[2] * f[2].v;
            for (int c = 0; c < 3; ++c) {
                const auto a = static_cast<std::size_t>(c);
                const FourNumbers::Values across = sum.along * (f[a].v - pull * e[c]);
                force_[first][a].v = force_[first][a].v + (sum.weight * f[a].v - across);
                force_[first + 1][a].v = force_[first + 1][a].v + across;
            }
            on_lengths_[sum.element].v = on_lengths_[sum.element].v - sum.weight * pull;
            on_lengths_.back().v = on_lengths_.back().v + sum.by_length * pull;
        }
    }

    // Hands what was added on to the bodies, as wrenches about their origins, (6 bodies).
    OPENSIM_INERTIA_INLINED void add_to(FourNumbers* wrench) {
        FourNumbers::Values pull = on_lengths_.back().v;
        for (std::size_t k = m_->elements.size(); k-- > 0;) {
            const auto first = static_cast<std::size_t>(m_->elements[k].first);
            for (int c = 0; c < 3; ++c) {
                const auto a = static_cast<std::size_t>(c);
                const FourNumbers::Values along = pull * directions_[k][c];
                force_[first][a].v = force_[first][a].v - along;
                force_[first + 1][a].v = force_[first + 1][a].v + along;
            }
            pull = pull + on_lengths_[k].v;
        }
        for (std::size_t i = 0; i < force_.size(); ++i) {
            const Node<double>& node = m_->nodes[i];
            FourNumbers* on_body = wrench + 6 * static_cast<std::size_t>(node.body);
            for (std::size_t a = 0; a < 3; ++a) {
                const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
                on_body[a].v = on_body[a].v + (node.arm[static_cast<int>(b)] * force_[i][c].v -
                                               node.arm[static_cast<int>(c)] * force_[i][b].v);
                on_body[3 + a].v = on_body[3 + a].v + force_[i][a].v;
            }
        }
    }

  private:
    const LaidMuscle<double>* m_ = nullptr;
    MapDerivatives<double> derivatives_{0, 0, 0};
    std::vector<Vec3d> directions_;          // of elements
    std::vector<Loads> force_;               // on nodes
    std::vector<FourNumbers> on_lengths_;    // at which elements start, and last on the path's
};

// What unit loads along the three axes, in the first three lanes, on a sum exert.
OPENSIM_INERTIA_CLONES inline void load_along_axes(StraightLoads& loads, const std::vector<StraightLoads::Sum>& sums,
                                                   FourNumbers* wrench) {
    StraightLoads::Loads f;
    for (std::size_t a = 0; a < 3; ++a) {
        f[a] = FourNumbers::of(0.0);
        f[a].set(a, 1.0);
    }
    loads.clear();
    loads.add(sums, f);
    loads.add_to(wrench);
}

}    // namespace opensim_inertia
