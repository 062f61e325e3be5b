// Check whether a muscle's mass moves implausibly fast with a coordinate. (docs/theory/wrapping.md,
// "Comparison and marks")
#pragma once

#include "opensim_inertia/dynamics/carrier_terms.hpp"
#include "opensim_inertia/path/path_doubts.hpp"

namespace opensim_inertia {

class MassSpeeds {
  public:
    // Whether more than path points leads mass: a path over surfaces, laid here or given.
    static bool is_bent(const LaidMuscle<double>& m) { return !m.spans.empty() || has_arcs(m); }

    // Whether mass could be fast at all, from how far the ends of its spans move it (`stretch`, at most 3 on a straight
    // line), and how far bridges move. The tangent points of a path that is given may themselves be fast; mass that is
    // divided is always asked.
    static bool could_be_fast(const LaidMuscle<double>& m, double stretch) {
        constexpr double usual = 3.5;
        const auto has_fast_bridge = [](const Chain<double>& chain) { return chain.bridges.stretch() > usual; };
        return stretch > usual || has_arcs(m) || m.is_divided() || std::ranges::any_of(m.chains, has_fast_bridge);
    }

    void start(const State<double>& s) {
        squares_.setZero(s.speeds);
        fastest_.setZero(s.speeds);
    }

    // Adds the mass that lies on one path. `terms`: the sums with J
    void add(const State<double>& s, const LaidMuscle<double>& m, const CarrierColumns& J, const CarrierTerms& terms) {
        const auto ids = static_cast<Eigen::Index>(J.ids.size()), width = static_cast<Eigen::Index>(J.width);
        moved_.resize(ids, s.speeds);    // the carriers, per speed that moves any of them
        moving_.clear();
        for (int c = 0; c < s.speeds; ++c) {
            auto column = moved_.col(std::ssize(moving_));
            for (Eigen::Index a = 0; a < ids; ++a) {
                const int id = J.ids[static_cast<std::size_t>(a)];
                column[a] = id < 6 * s.bodies ? s.jacobian[static_cast<std::ptrdiff_t>(id) * s.speeds + c]
                                              : static_cast<double>(id - 6 * s.bodies == c);
            }
            if (!column.isZero(0)) moving_.push_back(c);
        }
        const auto moving = std::ssize(moving_);
        const auto carry = [&](int body, const Vec3d& arm, const std::vector<Slide<double>>& slides = {}) {
            for (Eigen::Index k = 0; k < moving; ++k) {
                const int speed = moving_[static_cast<std::size_t>(k)];
                const auto twist = moved_.col(k).segment<6>(static_cast<Eigen::Index>(J.column(body)));
                Vec3d v = twist.tail<3>() + Vec3d(twist.head<3>()).cross(arm);
                for (const Slide<double>& slide : slides)
                    if (slide.speed == speed) v += slide.direction;
                fastest_[speed] = std::max(fastest_[speed], v.squaredNorm());
            }
        };
        for (std::size_t i = 0; i < m.nodes.size(); ++i)
            if (!m.nodes[i].is_bridge && !m.nodes[i].is_free) carry(m.nodes[i].body, m.nodes[i].arm, m.nodes[i].slides);
        for (const Element& element : m.elements)
            if (element.arc)
                for (const int i : {element.first, element.last()}) {
                    const Node<double>& tangent = m.nodes[static_cast<std::size_t>(i)];
                    carry(tangent.body, tangent.arm);
                }
        for (const Span<double>& span : m.spans) {
            const auto [on, off] = std::visit(
                [&](const auto& w) -> std::pair<Vec3d, Vec3d> {
                    return {value(span.p) + value(w.departure) * value(w.lead),
                            value(span.q) - value(w.arrival) * value(w.tail)};
                },
                span.wrap);
            for (const Vec3d& x : {on, off}) carry(span.frame.body, span.frame.arm(span.frame.c + span.frame.R * x));
        }
        const RowMap inertia(terms.inertia.data(), width, width);
        product_.noalias() = inertia.topLeftCorner(ids, ids).selfadjointView<Eigen::Upper>() * moved_.leftCols(moving);
        for (Eigen::Index k = 0; k < moving; ++k)
            squares_[moving_[static_cast<std::size_t>(k)]] += moved_.col(k).dot(product_.col(k));
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
    std::vector<int> moving_;
    Eigen::MatrixXd moved_, product_;
    Eigen::RowVectorXd squares_, fastest_;    // of the mass, times it, and of what carries it
};

}    // namespace opensim_inertia
