// A laid muscle's inertia and forces in the coordinates of what carries it.
//
// dM = sum m D^T D, h = - sum m D^T a + corners, g_m = sum m D^T g over the few samples of every element, D being their
// Jacobians.
#pragma once

#include "carriers.hpp"
#include "element_gradients.hpp"
#include "row_loops.hpp"

namespace opensim_inertia {

class CarrierTerms {
  public:
    std::vector<double> inertia;          // (width, width), upper triangle
    std::vector<double> bias, gravity;    // (width)
    double kinetic = 0, potential = 0;

    void sum(const LaidMuscle& m, const NodeJacobians& J, const Vec3d& g) {
        n_ = J.width;
        inertia.resize(n_ * n_);
        D_.resize(3 * m.samples.size() * n_);
        bias.assign(n_, 0.0);
        gravity.assign(n_, 0.0);
        kinetic = potential = 0;
        find_lengths(m, J);
        for_each_element(m.samples, [&](std::size_t k, std::size_t from, std::size_t to) {
            with_nodes(m.elements[k], [&]<int Nodes>() { add_element<Nodes>(m, J, k, from, to, g); });
        });
        for (const CornerForce& corner : m.corners)
            for (int c = 0; c < 3; ++c)
                add_scaled(bias.data(), corner.force[c], J.row(static_cast<std::size_t>(corner.node), c), n_);
        square_rows(3 * m.samples.size(), n_, D_.data(), inertia.data());
    }

    // Jacobian of the material point beta on element k, (3, width).
    void point_jacobian(const LaidMuscle& m, const NodeJacobians& J, std::size_t k, double beta, double* out) {
        n_ = J.width;
        find_lengths(m, J);
        use_element(k);
        with_nodes(m.elements[k], [&]<int Nodes>() {
            const ElementGradients<Nodes> gradients(m, k);
            carry<Nodes>(m, J, k, gradients.point(beta), 1.0, 1.0, out);
        });
    }

  private:
    std::size_t n_ = 0;
    BellySlopes slopes_{0, 0};
    std::vector<double> seen_;    // rows of nodes' Jacobians seen from their element's first node, (3 nodes, width)
    std::vector<double> length_, start_;    // gradients of L, (width), and of S, (elements, width)
    std::vector<double> offset_, belly_;    // of A - S and of B, on the present element
    std::vector<double> D_;                 // (3 samples, width), each times the root of its weight

    double* seen(std::size_t node, int c) { return seen_.data() + (3 * node + static_cast<std::size_t>(c)) * n_; }

    void find_lengths(const LaidMuscle& m, const NodeJacobians& J) {
        slopes_ = belly_slopes(m);
        seen_.resize(3 * m.nodes.size() * n_);
        length_.assign(n_, 0.0);
        start_.resize(m.elements.size() * n_);
        for (std::size_t k = 0; k < m.elements.size(); ++k) {
            std::copy(length_.begin(), length_.end(), start_.begin() + static_cast<std::ptrdiff_t>(k * n_));
            const auto first = static_cast<std::size_t>(m.elements[k].first),
                       last = static_cast<std::size_t>(m.elements[k].last());
            for (std::size_t i = first + 1; i <= last; ++i)
                for (int c = 0; c < 3; ++c) {
                    const double *a = J.row(i, c), *b = J.row(first, c);
                    double* __restrict d = seen(i, c);
                    for (std::size_t q = 0; q < n_; ++q) d[q] = a[q] - b[q];
                }
            length_gradient(m, m.elements[k], [&](int i, double slope) {
                add_scaled(length_.data(), slope, seen(first + 1 + static_cast<std::size_t>(i / 3), i % 3), n_);
            });
        }
    }

    void use_element(std::size_t k) {
        offset_.resize(n_);
        belly_.resize(n_);
        for (std::size_t q = 0; q < n_; ++q) {
            offset_[q] = slopes_.A * length_[q] - start_[k * n_ + q];
            belly_[q] = slopes_.B * length_[q];
        }
    }

    // out (3, width) = scale (first_share J_first + f' (variables' rows)): from the element's variables to the
    // carriers.
    template <int Nodes, class Place>
    void carry(const LaidMuscle& m, const NodeJacobians& J, std::size_t k, const Place& f, double scale,
               double first_share, double* out) {
        using Local = ElementGradients<Nodes>;
        const Element& element = m.elements[k];
        const auto first = static_cast<std::size_t>(element.first);
        const double *o = offset_.data(), *b = belly_.data();
        if constexpr (Nodes == 2) {    // one pass over the columns
            for (int c = 0; c < 3; ++c) {
                const double* rows[6] = {
                    J.row(first, c), seen(first + 1, 0), seen(first + 1, 1), seen(first + 1, 2), o, b};
                const auto& g = f[c].g;
                const double weights[6] = {scale * first_share, scale * g[0], scale * g[1],
                                           scale * g[2],        scale * g[3], scale * g[4]};
                combine_rows(n_, rows, weights, out + static_cast<std::size_t>(c) * n_);
            }
        } else {
            for (int c = 0; c < 3; ++c) {
                double* d = out + static_cast<std::size_t>(c) * n_;
                std::fill(d, d + n_, 0.0);
                add_scaled(d, scale * first_share, J.row(first, c), n_);
                for (int i = 0; i < 3 * (element.nodes() - 1); ++i)
                    add_scaled(d, scale * f[c].g[i], seen(first + 1 + static_cast<std::size_t>(i / 3), i % 3), n_);
                add_scaled(d, scale * f[c].g[Local::kOffset], o, n_);
                add_scaled(d, scale * f[c].g[Local::kBelly], b, n_);
            }
        }
    }

    template <int Nodes>
    void add_element(const LaidMuscle& m, const NodeJacobians& J, std::size_t k, std::size_t from, std::size_t to,
                     const Vec3d& g) {
        const ElementGradients<Nodes> gradients(m, k);
        use_element(k);
        for (std::size_t s = from; s < to; ++s) {
            const Sample& sample = m.samples[s];
            const double root = std::sqrt(sample.weight), seen_by_gravity = sample.is_spread ? 0.0 : 1.0;
            double* D = D_.data() + 3 * s * n_;
            carry<Nodes>(m, J, k, gradients(sample), root, seen_by_gravity, D);
            const Vec3d v = rate(sample.x);
            kinetic += 0.5 * sample.weight * v.squaredNorm();
            potential -= seen_by_gravity * sample.weight * g.dot(value(sample.x));
            const Vec3d a = -root * acceleration(sample.x), w = seen_by_gravity * root * g;
            add_three_rows(n_, D, a.data(), bias.data());
            if (!sample.is_spread) add_three_rows(n_, D, w.data(), gravity.data());
        }
    }
};

}    // namespace opensim_inertia
