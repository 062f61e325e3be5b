// A laid muscle's inertia and forces in the coordinates of what carries it.
//
// dM = sum m D^T D, h = - sum m D^T a + corners, g_m = sum m D^T g over the few samples of every element, D being their
// Jacobians.
#pragma once

#include "opensim_inertia/dynamics/node_jacobians.hpp"
#include "opensim_inertia/dynamics/span_terms.hpp"

namespace opensim_inertia {

class CarrierTerms {
  public:
    std::vector<double> inertia;          // (width, width), upper triangle
    std::vector<double> bias, gravity;    // (width)
    double kinetic = 0, potential = 0;
    double stretch = 0;    // largest of the spans, see SpanTerms

    // `known`: the gradients of the muscle's spans, or null.
    void sum(const LaidMuscle<double>& m, const NodeJacobians& J, const Vec3d& g,
             AllSpanGradients<double>* known = nullptr) {
        n_ = J.width;
        inertia.resize(n_ * n_);
        D_.resize((3 * m.samples.size() + 1) * n_);
        rows_ = 0;
        bias.assign(n_, 0.0);
        gravity.assign(n_, 0.0);
        kinetic = potential = stretch = 0;
        find_lengths(m, J, known);
        for_each_element(m.samples, [&](std::size_t k, std::size_t from, std::size_t to) {
            if (m.elements[k].span < 0)
                with_nodes<double>(m.elements[k], [&]<int Nodes>() { add_element<Nodes>(m, J, k, from, to, g); });
        });
        for (const CornerForce<double>& corner : m.corners)
            for (int c = 0; c < 3; ++c)
                add_scaled(bias.data(), corner.force[c], J.row(static_cast<std::size_t>(corner.node), c), n_);
        add_slip(m);
        multiply_rows(rows_, n_, D_.data(), D_.data(), inertia.data(), false);
        for_each_element(m.samples, [&](std::size_t k, std::size_t from, std::size_t to) {
            if (m.elements[k].span >= 0)
                with_formula(surface(m, k), [&]<class Formula>() { add_span<Formula>(m, J, k, from, to, g); });
        });
    }

    // What acts on the ends of a whole muscle's spans because its mass is divided.
    void sum_on_ends(const LaidMuscle<double>& m, const NodeJacobians& J,
                     const std::vector<DividedMuscle<double>::OnEnds>& ends, const Vec3d& g) {
        n_ = J.width;
        inertia.assign(n_ * n_, 0.0);
        bias.assign(n_, 0.0);
        gravity.assign(n_, 0.0);
        kinetic = potential = stretch = 0;
        find_lengths(m, J);
        for (const auto& at : ends)
            for (int i = 0; i < 6; ++i) {
                const double* row = end_row(m.elements[at.element].span, i);
                add_scaled(bias.data(), at.kinetic[i], row, n_);
                add_scaled(gravity.data(), at.moment.row(i).matrix().dot(g), row, n_);
            }
    }

    // Gradient of the length of the path that was summed or found last, (width).
    const std::vector<double>& gradient_of_length() const { return length_; }

    // Before `sum_jacobians` or `gradient_of_length`, of a muscle whose terms were not summed.
    void find(const LaidMuscle<double>& m, const NodeJacobians& J) {
        n_ = J.width;
        find_lengths(m, J);
    }

    // The sum of the Jacobians of samples, which are none of spreads, by their weights, (3, width).
    void sum_jacobians(const LaidMuscle<double>& m, const NodeJacobians& J, const std::vector<Sample<double>>& samples,
                       double* out) {
        std::fill(out, out + 3 * n_, 0.0);
        for_each_element(samples, [&](std::size_t k, std::size_t from, std::size_t to) {
            if (m.elements[k].span >= 0)
                with_formula(surface(m, k),
                             [&]<class Formula>() { add_jacobians<Formula>(m, J, samples, k, from, to, out); });
            else
                with_nodes<double>(m.elements[k],
                                   [&]<int Nodes>() { add_jacobians<Nodes>(m, J, samples, k, from, to, out); });
        });
    }

  private:
    static constexpr std::size_t kVariables = SpanTerms::kSize;    // of the places on a span: its ends, L and S

    std::size_t n_ = 0;
    MapDerivatives<double> map_derivatives_{0, 0, 0};
    AllSpanGradients<double> own_gradients_;
    AllSpanGradients<double>* gradients_ = nullptr;
    std::vector<double> seen_;    // rows of nodes' Jacobians seen from their element's first node, (3 nodes, width)
    std::vector<double> seen_from_surface_;    // (3, width)
    std::vector<double> ends_;              // of spans' ends in the surface's frame, of L and of S, (spans, 8, width)
    std::vector<double> length_, start_;    // gradients of L, (width), and of S, (elements, width)
    std::vector<double> D_;                 // (3 samples and one, width), each times the root of its weight
    std::size_t rows_ = 0;                  // of D_, in use: spans do without
    SpanTerms span_terms_;
    std::vector<double> inertia_rows_, coupling_;    // (8, width), (6, width)

    static const WrapSurface& surface(const LaidMuscle<double>& m, std::size_t k) {
        return *m.spans[static_cast<std::size_t>(m.elements[k].span)].surface;
    }

    double* end_row(int span, int i) {
        return ends_.data() + (kVariables * static_cast<std::size_t>(span) + static_cast<std::size_t>(i)) * n_;
    }

    double* seen(std::size_t node, int c) { return seen_.data() + (3 * node + static_cast<std::size_t>(c)) * n_; }

    void find_lengths(const LaidMuscle<double>& m, const NodeJacobians& J, AllSpanGradients<double>* known = nullptr) {
        map_derivatives_ = map_derivatives(m);
        if (!known) own_gradients_.start(m);
        gradients_ = known ? known : &own_gradients_;
        seen_.resize(3 * m.nodes.size() * n_);
        length_.assign(n_, 0.0);
        ends_.resize(kVariables * m.spans.size() * n_);
        start_.resize(m.elements.size() * n_);
        for (std::size_t k = 0; k < m.elements.size(); ++k) {
            std::copy(length_.begin(), length_.end(), start_.begin() + static_cast<std::ptrdiff_t>(k * n_));
            const auto first = static_cast<std::size_t>(m.elements[k].first),
                       last = static_cast<std::size_t>(m.elements[k].last());
            if (m.elements[k].span >= 0) {
                find_ends(m, J, m.elements[k].span, first);
                const auto derivative = gradients_->length(m, m.elements[k].span);
                for (int i = 0; i < 6; ++i)
                    add_scaled(length_.data(), derivative[i], end_row(m.elements[k].span, i), n_);
                continue;
            }
            for (std::size_t i = first + 1; i <= last; ++i)
                for (int c = 0; c < 3; ++c) {
                    const double *a = J.row(i, c), *b = J.row(first, c);
                    double* __restrict d = seen(i, c);
                    for (std::size_t q = 0; q < n_; ++q) d[q] = a[q] - b[q];
                }
            length_gradient(m, m.elements[k], [&](int i, double derivative) {
                add_scaled(length_.data(), derivative, seen(first + 1 + static_cast<std::size_t>(i / 3), i % 3), n_);
            });
        }
    }

    // How a span's ends move in its surface's frame.
    void find_ends(const LaidMuscle<double>& m, const NodeJacobians& J, int k, std::size_t first) {
        const Span<double>& span = m.spans[static_cast<std::size_t>(k)];
        seen_from_surface_.resize(3 * n_);
        for (std::size_t end = 0; end < 2; ++end) {
            const Vec3d arm = span.frame.arm(value(m.x[first + end]));
            for (int c = 0; c < 3; ++c) {
                double* d = seen_from_surface_.data() + static_cast<std::size_t>(c) * n_;
                std::copy(J.row(first + end, c), J.row(first + end, c) + n_, d);
                J.add_carried(d, c, span.frame.body, arm, -1.0);
            }
            const double* rows[3];
            for (std::size_t c = 0; c < 3; ++c) rows[c] = seen_from_surface_.data() + c * n_;
            for (int i = 0; i < 3; ++i)    // into the surface's axes
                combine_rows(n_, rows, span.frame.R.col(i).data(), end_row(k, 3 * static_cast<int>(end) + i));
        }
    }

    // out (3, width) = scale (J_first, but for a spread, + f' (variables' rows)): from the element's variables to the
    // carriers.
    template <int Nodes, class Place>
    void carry(const LaidMuscle<double>& m, const NodeJacobians& J, const Sample<double>& sample, const Place& f,
               double scale, double* out) {
        constexpr int kAlong = ElementGradients<Nodes, double>::kAlong;
        const Element& element = m.elements[sample.element];
        const auto first = static_cast<std::size_t>(element.first);
        const double by_length = map_derivatives_(sample), place = sample.is_spread ? 0.0 : 1.0;
        const double *L = length_.data(), *S = start_.data() + sample.element * n_;
        if constexpr (Nodes == 2) {    // one pass over the columns
            for (int c = 0; c < 3; ++c) {
                const double* rows[6] = {
                    J.row(first, c), seen(first + 1, 0), seen(first + 1, 1), seen(first + 1, 2), L, S};
                const auto& g = f[c].g;
                const double along = scale * g[kAlong];
                const double weights[6] = {scale * place, scale * g[0],      scale * g[1],
                                           scale * g[2],  along * by_length, -along * place};
                combine_rows(n_, rows, weights, out + static_cast<std::size_t>(c) * n_);
            }
        } else {
            for (int c = 0; c < 3; ++c) {
                double* d = out + static_cast<std::size_t>(c) * n_;
                std::fill(d, d + n_, 0.0);
                add_scaled(d, scale * place, J.row(first, c), n_);
                for (int i = 0; i < 3 * (element.nodes() - 1); ++i)
                    add_scaled(d, scale * f[c].g[i], seen(first + 1 + static_cast<std::size_t>(i / 3), i % 3), n_);
                add_scaled(d, scale * f[c].g[kAlong] * by_length, L, n_);
                add_scaled(d, -scale * f[c].g[kAlong] * place, S, n_);
            }
        }
    }

    template <int Nodes>
    void add_element(const LaidMuscle<double>& m, const NodeJacobians& J, std::size_t k, std::size_t from,
                     std::size_t to, const Vec3d& g) {
        const ElementGradients<Nodes, double> gradients(m, k);
        for (std::size_t s = from; s < to; ++s) {
            const Sample<double>& sample = m.samples[s];
            const double root = std::sqrt(sample.weight);
            double* D = D_.data() + rows_ * n_;
            rows_ += 3;
            carry<Nodes>(m, J, sample, gradients(sample), root, D);
            const Vec3d a = -root * acceleration(sample.x), w = root * g;
            add_three_rows(n_, D, a.data(), bias.data());
            if (!sample.is_spread) add_three_rows(n_, D, w.data(), gravity.data());
            add_energy(sample, g);
        }
    }

    template <class Formula>
    void add_span(const LaidMuscle<double>& m, const NodeJacobians& J, std::size_t k, std::size_t from, std::size_t to,
                  const Vec3d& g) {
        const int index = m.elements[k].span;
        const Span<double>& span = m.spans[static_cast<std::size_t>(index)];
        span_terms_.sum<Formula>(m, span, gradients_->at<Formula>(m, index), map_derivatives_, from, to, g);
        stretch = std::max(stretch, span_terms_.stretch());
        for (std::size_t s = from; s < to; ++s) add_energy(m.samples[s], g);
        carry_terms(J, span.frame.body, variable_rows(index, k), g);
    }

    // Rows of a span's variables, (kVariables, width).
    const double* variable_rows(int span, std::size_t element) {
        std::copy(length_.begin(), length_.end(), end_row(span, 6));
        const auto S = start_.begin() + static_cast<std::ptrdiff_t>(element * n_);
        std::copy(S, S + static_cast<std::ptrdiff_t>(n_), end_row(span, 7));
        return end_row(span, 0);
    }

    // Of samples on one element or span, whose variables' weights are summed first.
    template <int Nodes>
    void add_jacobians(const LaidMuscle<double>& m, const NodeJacobians& J, const std::vector<Sample<double>>& samples,
                       std::size_t k, std::size_t from, std::size_t to, double* out) {
        constexpr int kAlong = ElementGradients<Nodes, double>::kAlong;
        const ElementGradients<Nodes, double> gradients(m, k);
        const Element& element = m.elements[k];
        const auto first = static_cast<std::size_t>(element.first);
        double all = 0, by_length[3] = {}, weights[3][kAlong + 1] = {};
        const auto add = [&](const auto& place, double w, double by_L) {
            for (int c = 0; c < 3; ++c) {
                for (int i = 0; i <= kAlong; ++i) weights[c][i] += w * place[c].g[i];
                by_length[c] += by_L * place[c].g[kAlong];
            }
        };
        if (element.is_straight()) {    // there the place is affine in the distance: two are enough
            Material<double> sum{0.0, 0.0};
            double longer = 0;
            for (std::size_t s = from; s < to; ++s) {
                const double w = samples[s].weight;
                all += w;
                sum.chi += w * samples[s].material.chi;
                sum.xi += w * samples[s].material.xi;
                longer += w * map_derivatives_(samples[s]);
            }
            const double far = (sum.chi * m.aponeurosis.v + sum.xi * m.fibre.v) / m.fibre.v;
            add(gradients.point({0.0, 0.0}), all - far, longer);
            add(gradients.point({0.0, 1.0}), far, 0.0);
        } else {
            for (std::size_t s = from; s < to; ++s) {
                all += samples[s].weight;
                add(gradients(samples[s]), samples[s].weight, samples[s].weight * map_derivatives_(samples[s]));
            }
        }
        for (std::size_t c = 0; c < 3; ++c) {
            double* row = out + c * n_;
            add_scaled(row, all, J.row(first, static_cast<int>(c)), n_);
            for (int i = 0; i < 3 * (element.nodes() - 1); ++i)
                add_scaled(row, weights[c][i], seen(first + 1 + static_cast<std::size_t>(i / 3), i % 3), n_);
            add_scaled(row, by_length[c], length_.data(), n_);
            add_scaled(row, -weights[c][kAlong], start_.data() + k * n_, n_);
        }
    }

    template <class Formula>
    void add_jacobians(const LaidMuscle<double>& m, const NodeJacobians& J, const std::vector<Sample<double>>& samples,
                       std::size_t k, std::size_t from, std::size_t to, double* out) {
        const int index = m.elements[k].span;
        const Span<double>& span = m.spans[static_cast<std::size_t>(index)];
        double all = 0;
        Vec3d arms = Vec3d::Zero();
        Eigen::Matrix<double, 3, 8> seen = Eigen::Matrix<double, 3, 8>::Zero();    // by the ends, L and S
        for (std::size_t s = from; s < to; ++s) {
            const double w = samples[s].weight, along = map_derivatives_(samples[s]);
            const auto place = gradients_->at<Formula>(m, index)(m, samples[s]);
            all += w;
            arms += w * span.frame.arm(value(samples[s].x));
            for (int c = 0; c < 3; ++c) {
                for (int i = 0; i < 6; ++i) seen(c, i) += w * place[c].g[i];
                seen(c, 6) += w * along * place[c].g[6];
                seen(c, 7) -= w * place[c].g[6];
            }
        }
        const Eigen::Matrix<double, 3, 8> in_ground = span.frame.R * seen;
        for (int c = 0; c < 3; ++c) {
            double* row = out + static_cast<std::size_t>(c) * n_;
            for (int i = 0; i < 6; ++i) add_scaled(row, in_ground(c, i), end_row(index, i), n_);
            add_scaled(row, in_ground(c, 6), length_.data(), n_);
            add_scaled(row, in_ground(c, 7), start_.data() + k * n_, n_);
            const int i = (c + 1) % 3, j = (c + 2) % 3;    // what the surface's body carries
            double* turning = row + J.column(span.frame.body);
            turning[i] += arms[j];
            turning[j] -= arms[i];
            turning[3 + c] += all;
        }
    }

    // From a span's variables, which are rows of `variables`, and from its surface's body to the carriers.
    void carry_terms(const NodeJacobians& J, int body, const double* variables, const Vec3d& g) {
        const SpanTerms& t = span_terms_;
        const double* rows[kVariables];
        for (std::size_t i = 0; i < kVariables; ++i) rows[i] = variables + i * n_;
        inertia_rows_.resize(kVariables * n_);
        for (std::size_t i = 0; i < kVariables; ++i) {
            double weights[kVariables];
            for (std::size_t k = 0; k < kVariables; ++k)
                weights[k] = t.inertia[std::min(i, k) * kVariables + std::max(i, k)];
            combine_rows(n_, rows, weights, inertia_rows_.data() + i * n_);
            const auto at = static_cast<Eigen::Index>(i);
            add_scaled(bias.data(), t.bias[at], rows[i], n_);
            add_scaled(gravity.data(), t.gravity[at], rows[i], n_);
        }
        multiply_rows(kVariables, n_, variables, inertia_rows_.data(), inertia.data(), true);

        // the body's own part: v + omega x r
        const std::size_t at = J.column(body);
        const Vec3d weight = t.first.cross(g), falls = t.mass * g;
        const Mat3d turns = t.second.trace() * Mat3d::Identity() - t.second;
        coupling_.resize(n_);
        for (int c = 0; c < 6; ++c) {
            const std::size_t row = at + static_cast<std::size_t>(c);
            combine_rows(n_, rows, c < 3 ? t.moment.row(c).data() : t.force.row(c - 3).data(), coupling_.data());
            for (std::size_t q = 0; q < n_; ++q)
                inertia[std::min(row, q) * n_ + std::max(row, q)] += q == row ? 2 * coupling_[q] : coupling_[q];
            bias[row] += c < 3 ? t.bias_moment[c] : t.bias_force[c - 3];
            gravity[row] += c < 3 ? weight[c] : falls[c - 3];
        }
        const auto own = [&](int a, int b) -> double& {
            return inertia[(at + static_cast<std::size_t>(a)) * n_ + at + static_cast<std::size_t>(b)];
        };
        for (int a = 0; a < 3; ++a) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            for (int k = a; k < 3; ++k) own(a, k) += turns(a, k);
            own(a, 3 + b) -= t.first[c];
            own(a, 3 + c) += t.first[b];
            own(3 + a, 3 + a) += t.mass;
        }
    }

    // What slips past other material at its place moves along the path, as the path's length does.
    void add_slip(const LaidMuscle<double>& m) {
        if (!(m.slip_weight > 0)) return;
        double* D = D_.data() + rows_++ * n_;
        const double root = std::sqrt(m.slip_weight);
        std::fill(D, D + n_, 0.0);
        add_scaled(D, root * map_derivatives_.apart(m.slip), length_.data(), n_);
        add_scaled(bias.data(), -root * m.slip_distance.dd, D, n_);
        kinetic += 0.5 * m.slip_weight * m.slip_distance.d * m.slip_distance.d;
    }

    void add_energy(const Sample<double>& sample, const Vec3d& g) {
        kinetic += 0.5 * sample.weight * rate(sample.x).squaredNorm();
        if (!sample.is_spread) potential -= sample.weight * g.dot(value(sample.x));
    }
};

}    // namespace opensim_inertia
