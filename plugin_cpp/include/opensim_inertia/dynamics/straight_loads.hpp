// What loads on sums of a muscle's samples exert on the bodies that carry it, where its path is straight from point to
// point (see straight_terms.hpp): the transpose of the sum's Jacobian, times a load.
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
        lengths_.clear();
        for (std::size_t k = 0; k < m.elements.size(); ++k) {
            lengths_.push_back((k + 1 < m.start.size() ? m.start[k + 1] : m.length).v - m.start[k].v);
            directions_.push_back(real(m.seen_from_first[static_cast<std::size_t>(m.elements[k].first)]) /
                                  lengths_.back());
        }
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
            sum.along += w * m_->along(sample.element, sample.material).v / lengths_[sample.element];
            sum.by_length += w * derivatives_(sample);
        }
    }

    void clear() {
        force_.assign(m_->nodes.size(), Vec3d::Zero());
        on_start_.assign(m_->elements.size(), 0.0);
        on_length_ = 0;
    }

    void add(const std::vector<Sum>& sums, const Vec3d& f) {
        for (const Sum& sum : sums) {
            const auto first = static_cast<std::size_t>(m_->elements[sum.element].first);
            const Vec3d& e = directions_[sum.element];
            const double pull = e.dot(f);
            const Vec3d across = sum.along * (f - pull * e);
            force_[first] += sum.weight * f - across;
            force_[first + 1] += across;
            on_start_[sum.element] -= sum.weight * pull;
            on_length_ += sum.by_length * pull;
        }
    }

    // Hands what was added on to the bodies, as wrenches about their origins, (6 bodies).
    void add_to(double* wrench) {
        double pull = on_length_;
        for (std::size_t k = m_->elements.size(); k-- > 0;) {
            const auto first = static_cast<std::size_t>(m_->elements[k].first);
            force_[first] -= pull * directions_[k];
            force_[first + 1] += pull * directions_[k];
            pull += on_start_[k];
        }
        for (std::size_t i = 0; i < force_.size(); ++i) {
            const Node<double>& node = m_->nodes[i];
            Eigen::Map<Vec3d>(wrench + 6 * node.body) += node.arm.cross(force_[i]);
            Eigen::Map<Vec3d>(wrench + 6 * node.body + 3) += force_[i];
        }
    }

  private:
    const LaidMuscle<double>* m_ = nullptr;
    MapDerivatives<double> derivatives_{0, 0, 0};
    std::vector<Vec3d> directions_, force_;    // of elements, on nodes
    std::vector<double> lengths_, on_start_;
    double on_length_ = 0;
};

}    // namespace opensim_inertia
