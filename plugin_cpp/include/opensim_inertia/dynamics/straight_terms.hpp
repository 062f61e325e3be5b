// A muscle's inertia and forces where its path is straight from point to point and bodies carry all of its points.
//
// An element leads from a node with the Jacobian J to one with J', in the direction e; l is its length, S the length at
// which it starts and L the path's. A sample at the distance c from its start is at x + tau (x' - x), tau = c / l, and
// c changes with L by c'. With s = 1, but 0 for a spread, its Jacobian is
//   D = s (J - e dS) + tau (1 - e e^T) (J' - J) + c' e dL
// so that sums over an element's samples need the second moments of (s, tau, c') only. What they weigh are Jacobians of
// the nodes, whose products have a closed form, and the rows p = e^T J, dS and dL. Lengths change in elements that lead
// from body to body and nowhere else: with d = dl of these, in which dS and dL are sums, all products of rows are
//   sum over these of d^T h + h^T d
// for one row h each.
#pragma once

#include <utility>
#include <vector>

#include "opensim_inertia/dynamics/carrier_sum.hpp"
#include "opensim_inertia/dynamics/element_gradients.hpp"

namespace opensim_inertia {

class StraightTerms {
  public:
    double kinetic = 0, potential = 0;    // of the last muscle that was added

    static bool apply_to(const LaidMuscle<double>& m) {
        return m.spans.empty() &&
               std::ranges::all_of(m.elements, [](const Element& element) { return element.is_straight(); }) &&
               std::ranges::all_of(m.nodes, [](const Node<double>& node) { return node.slides.empty(); });
    }

    void add(const LaidMuscle<double>& m, const Vec3d& g, CarrierSum& sum) {
        kinetic = potential = 0;
        list(m);
        const MapDerivatives<double> derivatives = map_derivatives(m);
        std::size_t end = m.samples.size();
        for (std::size_t k = m.elements.size(); k-- > 0;) {    // last first, so that `after` is complete
            const std::size_t from = first_sample(m, k, end);
            add_element(m, k, from, end, derivatives, g, sum);
            end = from;
        }
        for (const CornerForce<double>& corner : m.corners)
            nodes_[static_cast<std::size_t>(corner.node)].bias += corner.force;
        for (std::size_t n = 0; n < m.nodes.size(); ++n) {
            add_wrench(sum.bias, m.nodes[n], nodes_[n].bias);
            add_wrench(sum.gravity, m.nodes[n], nodes_[n].gravity);
        }
        for (const OnBody& on : bodies_)
            if (on.mass != 0) add_moments(sum.between(on.body, on.body), on.mass, on.first, on.first, on.second);
        if (m.slip_weight > 0) {
            const double by_length = derivatives.apart(m.slip);
            all_.along_squared += m.slip_weight * by_length * by_length;
            all_.pull += m.slip_weight * by_length * m.slip_distance.dd;
            kinetic += 0.5 * m.slip_weight * m.slip_distance.d * m.slip_distance.d;
        }
        for (std::size_t c = 0; c < crossings_.size(); ++c) add_crossing(c, sum);
    }

  private:
    using Row = Eigen::Matrix<double, 6, 1>;    // of a body's twist

    // Sums over a whole muscle, or over the elements after one.
    struct Sums {
        double mass, along, along_squared;    // of s^2, s c' and c'^2
        double pull, weight;                  // of the samples' bias and gravity along the path: by c', after one by s
    };

    // Sums for one body: the weights of its points, times their arms, and times the arms' squares; p times s c' over
    // all elements, p times s^2 over those after one.
    struct OnBody {
        int body;
        double mass = 0;
        Vec3d first = Vec3d::Zero();
        Mat3d second = Mat3d::Zero();
        Row along = Row::Zero(), after = Row::Zero();
    };

    // A node's place among the bodies, and the forces on it.
    struct OnNode {
        std::size_t place;
        Vec3d bias = Vec3d::Zero(), gravity = Vec3d::Zero();
    };

    // An element that leads from one body to another: the bodies' places, and what comes after it.
    struct Crossing {
        std::size_t from, to;
        double transverse;    // sum of tau^2
        Sums after;
    };

    std::vector<OnBody> bodies_;
    std::vector<OnNode> nodes_;
    std::vector<Crossing> crossings_;    // last first
    std::vector<Row> d_, h_;             // of each crossing and body
    Sums all_, later_;

    void list(const LaidMuscle<double>& m) {
        bodies_.clear();
        nodes_.clear();
        for (const Node<double>& node : m.nodes) {
            const auto at = std::ranges::find(bodies_, node.body, &OnBody::body);
            nodes_.push_back({static_cast<std::size_t>(at - bodies_.begin())});
            if (at == bodies_.end()) bodies_.push_back({node.body});
        }
        crossings_.clear();
        d_.clear();
        h_.clear();
        all_ = later_ = {};
    }

    // Of the samples of element k, of which `end` is past the last.
    static std::size_t first_sample(const LaidMuscle<double>& m, std::size_t k, std::size_t end) {
        while (end > 0 && m.samples[end - 1].element == k) --end;
        return end;
    }

    // The transpose of a carried point's Jacobian, times a vector.
    static Row wrench(const Vec3d& arm, const Vec3d& force) {
        Row w;
        w << arm.cross(force), force;
        return w;
    }

    static void add_wrench(Vector& to, const Node<double>& on, const Vec3d& force) {
        to.segment<3>(6 * on.body) += on.arm.cross(force);
        to.segment<3>(6 * on.body + 3) += force;
    }

    // block += w J_a^T J_b
    static void add_points(CarrierSum::Block& block, double w, const Vec3d& a, const Vec3d& b) {
        const Vec3d moment = w * a;
        add_moments(block, w, moment, w * b, moment * b.transpose());
    }

    // The same for sums of w, of w times either arm, and of w times the arms' product.
    static void add_moments(CarrierSum::Block& block, double w, const Vec3d& a, const Vec3d& b, const Mat3d& ab) {
        const double trace = ab.trace();
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) block(i, j) -= ab(j, i);
            block(i, i) += trace;
            block(3 + i, 3 + i) += w;
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            block(j, 3 + i) += a[k];
            block(k, 3 + i) -= a[j];
            block(3 + i, j) += b[k];
            block(3 + i, k) -= b[j];
        }
    }

    void add_element(const LaidMuscle<double>& m, std::size_t k, std::size_t from, std::size_t to,
                     const MapDerivatives<double>& derivatives, const Vec3d& g, CarrierSum& sum) {
        const auto first = static_cast<std::size_t>(m.elements[k].first);
        const Node<double>&a = m.nodes[first], &b = m.nodes[first + 1];
        const bool crosses = a.body != b.body;
        if (from == to && !crosses) return;
        const double per_length = m.per_length[k].v;
        const Vec3d e = m.tangent(k, false);
        double mass = 0, at = 0, transverse = 0, along = 0, along_squared = 0, pull = 0;    // of s^2, s tau, tau^2, ...
        Vec3d force = Vec3d::Zero(), turning = Vec3d::Zero();    // sums of the accelerations by s and by tau
        for (std::size_t i = from; i < to; ++i) {
            const Sample<double>& sample = m.samples[i];
            const double w = sample.weight, by_length = derivatives(sample);
            const Vec3d acc = acceleration(sample.x);
            const double tau = per_length * sample.along(m).v;
            kinetic += 0.5 * w * rate(sample.x).squaredNorm();
            transverse += w * tau * tau;
            along_squared += w * by_length * by_length;
            turning += (w * tau) * acc;
            pull += w * by_length * e.dot(acc);
            if (sample.is_spread) continue;
            potential -= w * g.dot(value(sample.x));
            mass += w;
            at += w * tau;
            along += w * by_length;
            force += w * acc;
        }

        const Row p = wrench(a.arm, e);
        if (crosses) {
            const std::size_t one = nodes_[first].place, other = nodes_[first + 1].place;
            crossings_.push_back({one, other, transverse, later_});
            const std::size_t row = d_.size();
            d_.resize(row + bodies_.size(), Row::Zero());
            d_[row + one] = -p;
            d_[row + other] = wrench(b.arm, e);
            for (const OnBody& on : bodies_) h_.push_back(-on.after);
            h_[row + one] -= at * p;
        }
        if (from == to) return;

        const double by_a = mass - 2 * at + transverse, by_ab = at - transverse, by_b = transverse;
        OnNode &at_a = nodes_[first], &at_b = nodes_[first + 1];
        OnBody &on_a = bodies_[at_a.place], &on_b = bodies_[at_b.place];
        Vec3d a_moment = by_a * a.arm, b_moment = by_b * b.arm;
        on_a.mass += by_a;
        on_b.mass += by_b;
        if (!crosses) {
            on_a.mass += 2 * by_ab;
            a_moment += by_ab * b.arm;
            b_moment += by_ab * a.arm;
        } else if (a.body < b.body) {
            add_points(sum.between(a.body, b.body), by_ab, a.arm, b.arm);
        } else {
            add_points(sum.between(b.body, a.body), by_ab, b.arm, a.arm);
        }
        on_a.first += a_moment;
        on_b.first += b_moment;
        on_a.second.noalias() += a_moment * a.arm.transpose();
        on_b.second.noalias() += b_moment * b.arm.transpose();
        const Vec3d across = turning - e * e.dot(turning), falls = at * (g - e * e.dot(g));
        at_a.bias += across - force;
        at_b.bias -= across;
        at_a.gravity += mass * g - falls;
        at_b.gravity += falls;

        on_a.along += along * p;
        on_a.after += mass * p;
        all_.along_squared += along_squared;
        all_.pull += pull;
        all_.weight += along * e.dot(g);
        later_.mass += mass;
        later_.along += along;
        later_.pull += e.dot(force);
        later_.weight += mass * e.dot(g);
    }

    void add_crossing(std::size_t c, CarrierSum& sum) {
        const std::size_t n = bodies_.size();
        const Crossing& here = crossings_[c];
        const Row* d = d_.data() + c * n;
        Row* h = h_.data() + c * n;
        for (std::size_t i = 0; i < n; ++i) h[i] += bodies_[i].along;
        for (std::size_t other = 0; other < crossings_.size(); ++other) {
            const Crossing& there = crossings_[other];
            const double both = (c < other ? here : there).after.mass;    // what comes after both
            const double weight = 0.5 * (both - here.after.along - there.after.along + all_.along_squared -
                                         (c == other ? here.transverse : 0.0));
            for (const std::size_t i : {there.from, there.to}) h[i] += weight * d_[other * n + i];
        }
        const auto moves = [&](std::size_t i) { return i == here.from || i == here.to; };    // with d
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = i; j < n; ++j) {
                if (!moves(i) && !moves(j)) continue;
                const auto [a, b] = bodies_[i].body < bodies_[j].body ? std::pair(i, j) : std::pair(j, i);
                CarrierSum::Block& block = sum.between(bodies_[a].body, bodies_[b].body);
                for (int r = 0; r < 6; ++r) block.row(r) += d[a][r] * h[b].transpose() + h[a][r] * d[b].transpose();
            }
        for (const std::size_t i : {here.from, here.to}) {
            sum.bias.segment<6>(6 * bodies_[i].body) -= (all_.pull - here.after.pull) * d[i];
            sum.gravity.segment<6>(6 * bodies_[i].body) += (all_.weight - here.after.weight) * d[i];
        }
    }
};

}    // namespace opensim_inertia
