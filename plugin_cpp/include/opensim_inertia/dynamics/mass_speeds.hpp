// Whether a muscle's mass moves faster with a coordinate than its path points can explain. (docs/theory/wrapping.md,
// "What is marked at a state")
#pragma once

#include "opensim_inertia/dynamics/carrier_terms.hpp"
#include "opensim_inertia/path/path_doubts.hpp"

namespace opensim_inertia {

class MassSpeeds {
  public:
    // Whether more than path points leads mass: a path over surfaces, laid here or given.
    static bool is_bent(const LaidMuscle<double>& m) { return !m.spans.empty() || has_arcs(m); }

    // Whether mass could be fast at all, from how far the ends of its spans move it: on a straight line `stretch` is at
    // most 3. A bridge between surfaces may itself be fast, and so may the tangent points of a path that is given.
    static bool could_be_fast(const LaidMuscle<double>& m, double stretch) {
        constexpr double usual = 3.5;
        return stretch > usual || !m.chains.empty() || has_arcs(m);
    }

    // Whether the root mean square speed of the mass per speed of any coordinate, sqrt(dM_jj / m), is more than kFast
    // times that of the fastest path point, this being no slower than kSlow. `terms`: the sums with J
    bool is_fast(const State<double>& s, const LaidMuscle<double>& m, const NodeJacobians& J, const CarrierTerms& terms,
                 double mass) {
        const auto ids = static_cast<Eigen::Index>(J.ids.size()), speeds = static_cast<Eigen::Index>(s.speeds);
        moved_.setZero(ids, speeds);    // the carriers, per speed
        for (Eigen::Index a = 0; a < ids; ++a) {
            const int id = J.ids[static_cast<std::size_t>(a)];
            if (id >= 6 * s.bodies)
                moved_(a, id - 6 * s.bodies) = 1;
            else
                moved_.row(a) = VecMap(s.jacobian + static_cast<std::ptrdiff_t>(id) * s.speeds, s.speeds);
        }
        fastest_.setZero(speeds);
        const auto width = static_cast<Eigen::Index>(J.width);
        for (std::size_t i = 0; i < m.nodes.size(); ++i) {
            if (m.nodes[i].is_bridge || m.nodes[i].free) continue;
            const Eigen::Map<const Matrix> point(J.row(i, 0), 3, width);
            fastest_ = fastest_.cwiseMax((point.leftCols(ids) * moved_).colwise().squaredNorm());
        }
        const Eigen::Map<const Matrix> upper(terms.inertia.data(), width, width);
        inertia_ = upper.topLeftCorner(ids, ids);
        product_.noalias() = inertia_.selfadjointView<Eigen::Upper>() * moved_;
        const auto squares = moved_.cwiseProduct(product_).colwise().sum();
        return ((squares / mass).array() > kFast * kFast * fastest_.array().max(kSlow * kSlow)).any();
    }

  private:
    static bool has_arcs(const LaidMuscle<double>& m) {
        return std::ranges::any_of(m.elements, [](const Element& element) { return element.arc != nullptr; });
    }

    static constexpr double kSlow = 0.03;    // [m/s] per speed: path points count as no slower
    Matrix moved_, inertia_, product_;
    Eigen::RowVectorXd fastest_;
};

}    // namespace opensim_inertia
