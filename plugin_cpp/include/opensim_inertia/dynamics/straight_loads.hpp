// Forces on the bodies that carry a muscle with a straight path from point to point (straight_terms.hpp), by loads on
// sums of its samples: the transpose of the sum's Jacobian times a load, for four loads at once.
#pragma once

#include <vector>

#include "opensim_inertia/dynamics/element_gradients.hpp"

namespace opensim_inertia {

class StraightLoads {
  public:
    // Prepares for a muscle that StraightTerms apply to.
    void find(const LaidMuscle<double>& m) {
        m_ = &m;
        derivatives_ = map_derivatives(m);
        directions_.clear();
        for (std::size_t k = 0; k < m.elements.size(); ++k) directions_.push_back(three(m.tangent(k, false)));
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

    using Loads = Three<FourNumbers>;

    OPENSIM_INERTIA_INLINED void clear() {
        forces_.assign(m_->nodes.size(), Loads::zero());
        on_lengths_.assign(m_->elements.size() + 1, FourNumbers(0.0));
    }

    OPENSIM_INERTIA_INLINED void add(const std::vector<Sum>& sums, const Loads& f) {
        for (const Sum& sum : sums) {
            const auto first = static_cast<std::size_t>(m_->elements[sum.element].first);
            const Three<double>& e = directions_[sum.element];
            const FourNumbers pull = dot(e, f);
            const Loads across = sum.along * (f - along(e, pull));
            forces_[first] += sum.weight * f - across;
            forces_[first + 1] += across;
            on_lengths_[sum.element] -= sum.weight * pull;
            on_lengths_.back() += sum.by_length * pull;
        }
    }

    // Hands what was added on to the bodies, as wrenches about their origins, (6 bodies).
    OPENSIM_INERTIA_INLINED void add_to(FourNumbers* wrench) {
        FourNumbers pull = on_lengths_.back();
        for (std::size_t k = m_->elements.size(); k-- > 0;) {
            const auto first = static_cast<std::size_t>(m_->elements[k].first);
            const Loads pulled = along(directions_[k], pull);
            forces_[first] += -1.0 * pulled;
            forces_[first + 1] += pulled;
            pull += on_lengths_[k];
        }
        for (std::size_t i = 0; i < forces_.size(); ++i) {
            const Node<double>& node = m_->nodes[i];
            const Loads moment = cross(three(node.arm), forces_[i]);
            FourNumbers* on_body = wrench + 6 * static_cast<std::size_t>(node.body);
            for (int c = 0; c < 3; ++c) {
                on_body[c] += moment[c];
                on_body[3 + c] += forces_[i][c];
            }
        }
    }

  private:
    const LaidMuscle<double>* m_ = nullptr;
    MapDerivatives<double> derivatives_{0, 0, 0};
    std::vector<Three<double>> directions_;    // of elements
    std::vector<Loads> forces_;                // on nodes
    std::vector<FourNumbers> on_lengths_;      // at which elements start, and last on the path's
};

}    // namespace opensim_inertia
