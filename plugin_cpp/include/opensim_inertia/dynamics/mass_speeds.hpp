// Whether a muscle's mass moves faster with a coordinate than what carries it can explain. (docs/theory/wrapping.md,
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
    // most 3. A bridge between surfaces may itself be fast, and so may the tangent points of a path that is given; mass
    // that is divided is always asked.
    static bool could_be_fast(const LaidMuscle<double>& m, double stretch) {
        constexpr double usual = 3.5;
        return stretch > usual || !m.chains.empty() || has_arcs(m) || m.is_divided();
    }

    void start(const State<double>& s) {
        squares_.setZero(s.speeds);
        fastest_.setZero(s.speeds);
    }

    // Adds the mass that lies on one path. `terms`: the sums with J
    void add(const State<double>& s, const LaidMuscle<double>& m, const NodeJacobians& J, const CarrierTerms& terms) {
        const auto ids = static_cast<Eigen::Index>(J.ids.size()), speeds = static_cast<Eigen::Index>(s.speeds);
        moved_.setZero(ids, speeds);    // the carriers, per speed
        for (Eigen::Index a = 0; a < ids; ++a) {
            const int id = J.ids[static_cast<std::size_t>(a)];
            if (id >= 6 * s.bodies)
                moved_(a, id - 6 * s.bodies) = 1;
            else
                moved_.row(a) = VecMap(s.jacobian + static_cast<std::ptrdiff_t>(id) * s.speeds, s.speeds);
        }
        const auto width = static_cast<Eigen::Index>(J.width);
        const auto carry = [&](const double* rows) {
            const Eigen::Map<const Matrix> point(rows, 3, width);
            fastest_ = fastest_.cwiseMax((point.leftCols(ids) * moved_).colwise().squaredNorm());
        };
        const auto carry_with = [&](int body, const Vec3d& arm) {
            point_.setZero(3, width);
            for (int c = 0; c < 3; ++c) J.add_carried(point_.row(c).data(), c, body, arm, 1.0);
            carry(point_.data());
        };
        for (std::size_t i = 0; i < m.nodes.size(); ++i)
            if (!m.nodes[i].is_bridge && !m.nodes[i].free) carry(J.row(i, 0));
        for (const Element& element : m.elements) {
            if (!element.arc) continue;
            for (const int i : {element.first, element.last()}) {
                const Node<double>& tangent = m.nodes[static_cast<std::size_t>(i)];
                carry_with(tangent.body, tangent.arm);
            }
        }
        for (const Span<double>& span : m.spans) {
            const auto [on, off] = std::visit(
                [&](const auto& w) -> std::pair<Vec3d, Vec3d> {
                    return {value(span.p) + value(w.departure) * value(w.lead),
                            value(span.q) - value(w.arrival) * value(w.tail)};
                },
                span.wrap);
            for (const Vec3d& x : {on, off})
                carry_with(span.frame.body, span.frame.arm(span.frame.c + span.frame.R * x));
        }
        const Eigen::Map<const Matrix> upper(terms.inertia.data(), width, width);
        inertia_ = upper.topLeftCorner(ids, ids);
        product_.noalias() = inertia_.selfadjointView<Eigen::Upper>() * moved_;
        squares_ += moved_.cwiseProduct(product_).colwise().sum();
    }

    // Whether the root mean square speed of the mass that was added per speed of any coordinate, sqrt(dM_jj / m), is
    // more than kFast times that of the fastest path point, or tangent point as the body of its surface carries it,
    // these being no slower than kSlow.
    bool are_fast(double mass) const {
        return (squares_.array() > mass * kFast * kFast * fastest_.array().max(kSlow * kSlow)).any();
    }

  private:
    static bool has_arcs(const LaidMuscle<double>& m) {
        return std::ranges::any_of(m.elements, [](const Element& element) { return element.arc != nullptr; });
    }

    static constexpr double kSlow = 0.03;    // [m/s] per speed: what carries it counts as no slower
    Matrix moved_, point_, inertia_, product_;
    Eigen::RowVectorXd squares_, fastest_;    // of the mass, times it, and of what carries it
};

}    // namespace opensim_inertia
