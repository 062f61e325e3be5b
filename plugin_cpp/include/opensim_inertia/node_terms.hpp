// A laid muscle's inertia and forces in the coordinates of its nodes.
//
// Seen from an element's first node, its material depends on the other nodes seen from there, r, on the offset A - S and on the belly's length B (see
// material_path.hpp). Gradients are taken with respect to these few variables and carried to all nodes:
//   grad (A - S) = A' grad L - grad S,   grad B = B' grad L,   L and S being sums of the elements' lengths.
#pragma once

#include "gradient.hpp"
#include "laid_muscle.hpp"

namespace opensim_inertia {

constexpr int kMostControls = 20;

// Calls f with a compiled-in number of nodes that holds the element's.
template <class F>
auto with_nodes(const Element& element, F&& f) {
    if (!element.arc) return f.template operator()<2>();
    if (element.arc->n <= 9) return f.template operator()<9>();
    if (element.arc->n <= 13) return f.template operator()<13>();
    return f.template operator()<kMostControls>();
}

// r as the first variables of a gradient.
template <class T, int Nodes>
std::array<Vec3<T>, Nodes - 1> seed(const LaidMuscle& m, const Element& element) {
    std::array<Vec3<T>, Nodes - 1> r;
    for (int i = 0; i + 1 < element.nodes(); ++i)
        for (int c = 0; c < 3; ++c)
            r[static_cast<std::size_t>(i)][c] =
                T::variable(m.seen_from_first[static_cast<std::size_t>(element.first + i)][c].v, 3 * i + c);
    return r;
}

// The path formula on one element with gradients: variables are r (3 per node but the first), then A - S, then B.
template <int Nodes>
class ElementGradients {
  public:
    static constexpr Shape kShape = Nodes == 2 ? Shape::straight : Shape::arc;
    static constexpr int kOffset = 3 * (Nodes - 1), kBelly = kOffset + 1, kSize = kOffset + 2;
    using T = Gradient<kSize>;

    ElementGradients(const LaidMuscle& m, std::size_t k)
        : r_(seed<T, Nodes>(m, m.elements[k])),
          on_(m.elements[k], r_.data(), T::variable(m.proximal_end.v - m.start[k].v, kOffset), T::variable(m.belly.v, kBelly)) {}

    Vec3<T> point(double beta) const { return on_.point(beta); }
    Vec3<T> operator()(const Sample& s) const {
        if constexpr (kShape == Shape::straight)
            if (s.is_spread) return on_.spread();
        return on_.point(s.beta);
    }

  private:
    std::array<Vec3<T>, Nodes - 1> r_;
    MaterialOnElement<kShape, T> on_;
};

// Gradients of the path's length L, and of the arc lengths S at which its elements start, with respect to all nodes; and A'(L), B'(L).
struct LengthGradients {
    std::size_t n = 0;
    std::vector<double> L;      // (n)
    std::vector<double> S;      // (elements, n); zero beyond the element's first node
    double dA = 0, dB = 0;

    void find(const LaidMuscle& m) {
        n = 3 * m.nodes.size();
        L.assign(n, 0.0);
        S.resize(m.elements.size() * n);
        for (std::size_t k = 0; k < m.elements.size(); ++k) {
            std::copy(L.begin(), L.end(), S.begin() + static_cast<std::ptrdiff_t>(k * n));
            const Element& element = m.elements[k];
            double* at = L.data() + 3 * element.first;
            with_nodes(element, [&]<int Nodes>() {
                using T = Gradient<3 * (Nodes - 1)>;
                const auto r = seed<T, Nodes>(m, element);
                const T length = element_length<ElementGradients<Nodes>::kShape>(element, r.data());
                for (int i = 0; i < 3 * (element.nodes() - 1); ++i) {
                    at[3 + i] += length.g[i];
                    at[i % 3] -= length.g[i];
                }
            });
        }
        const TimeJet path(m.length.v, 1.0, 0.0);
        const TimeJet B = m.muscle->map.belly_length(path);
        dB = B.d;
        dA = m.muscle->map.proximal_end(path, B).d;
    }

    const double* start(std::size_t k) const { return S.data() + k * n; }
};

// Jacobian of the material point beta on element k with respect to all nodes, (3, n).
inline Matrix node_gradient(const LaidMuscle& m, const LengthGradients& lengths, std::size_t k, double beta) {
    Matrix out = Matrix::Zero(3, static_cast<Eigen::Index>(lengths.n));
    const Element& element = m.elements[k];
    with_nodes(element, [&]<int Nodes>() {
        using Local = ElementGradients<Nodes>;
        const auto D = Local(m, k).point(beta);
        for (int c = 0; c < 3; ++c) {
            const double offset = D[c].g[Local::kOffset], belly = D[c].g[Local::kBelly];
            for (std::size_t i = 0; i < lengths.n; ++i)
                out(c, static_cast<Eigen::Index>(i)) = (offset * lengths.dA + belly * lengths.dB) * lengths.L[i] - offset * lengths.start(k)[i];
            out(c, 3 * element.first + c) += 1.0;
            for (int i = 0; i < 3 * (element.nodes() - 1); ++i) {
                out(c, 3 * element.first + 3 + i) += D[c].g[i];
                out(c, 3 * element.first + i % 3) -= D[c].g[i];
            }
        }
    });
    return out;
}

// inertia = half + half^T = sum m D^T D; bias = - sum m D^T a + corners; gravity = sum m D^T g, with D = dx/d(nodes)
struct NodeTerms {
    std::size_t n = 0;             // 3 x nodes
    std::vector<double> half;      // (n, n)
    std::vector<double> bias, gravity;
    double kinetic = 0, potential = 0;

    void sum(const LaidMuscle& m, const Vec3d& g, bool want_inertia) {
        n = 3 * m.nodes.size();
        if (want_inertia) {
            half.assign(n * n, 0.0);
            along_L_.assign(n, 0.0);
        }
        bias.assign(n, 0.0);
        gravity.assign(n, 0.0);
        kinetic = potential = bias_L_ = gravity_L_ = 0;
        lengths_.find(m);
        for (std::size_t i = 0; i < m.samples.size();) {
            const std::size_t k = m.samples[i].element;
            std::size_t j = i + 1;
            while (j < m.samples.size() && m.samples[j].element == k) ++j;
            with_nodes(m.elements[k], [&]<int Nodes>() { add_element<Nodes>(m, k, i, j, g, want_inertia); });
            i = j;
        }
        for (std::size_t i = 0; i < n; ++i) {
            bias[i] += bias_L_ * lengths_.L[i];
            gravity[i] += gravity_L_ * lengths_.L[i];
        }
        if (want_inertia) add_product(along_L_.data(), lengths_.L.data(), n);
        for (const CornerForce& corner : m.corners)
            for (int c = 0; c < 3; ++c) bias[static_cast<std::size_t>(3 * corner.node + c)] += corner.force[c];
    }

  private:
    LengthGradients lengths_;
    std::vector<double> along_L_, along_S_;
    double bias_L_ = 0, gravity_L_ = 0;

    // half += a b^T for the first `columns` of b
    void add_product(const double* a, const double* b, std::size_t columns) {
        for (std::size_t i = 0; i < n; ++i) {
            if (a[i] == 0) continue;
            double* row = half.data() + i * n;
            for (std::size_t j = 0; j < columns; ++j) row[j] += a[i] * b[j];
        }
    }

    template <int Nodes>
    void add_element(const LaidMuscle& m, std::size_t k, std::size_t from, std::size_t to, const Vec3d& g, bool want_inertia) {
        using Local = ElementGradients<Nodes>;
        constexpr int size = Local::kSize, offset = Local::kOffset, belly = Local::kBelly;
        const Local gradients(m, k);
        // x = x_first + f(variables): sums over the samples of m, m f' (C), m f'^T f' (Q), and of the forces on both
        double mass = 0;
        Eigen::Matrix<double, 3, size> C;
        Eigen::Matrix<double, size, size> Q;
        Eigen::Matrix<double, size, 1> b = Eigen::Matrix<double, size, 1>::Zero(), w = b;
        Vec3d b0 = Vec3d::Zero();
        if (want_inertia) {
            C.setZero();
            Q.setZero();
        }
        for (std::size_t s = from; s < to; ++s) {
            const Sample& sample = m.samples[s];
            const auto D = gradients(sample);
            const Vec3d v = rate(sample.x), a = acceleration(sample.x);
            kinetic += 0.5 * sample.weight * v.squaredNorm();
            if (!sample.is_spread) {
                potential -= sample.weight * g.dot(value(sample.x));
                mass += sample.weight;
                b0 -= sample.weight * a;
            }
            for (int c = 0; c < 3; ++c) {
                const auto d = D[c].g.matrix();
                b -= (sample.weight * a[c]) * d;
                if (!sample.is_spread) w += (sample.weight * g[c]) * d;
                if (want_inertia) {
                    if (!sample.is_spread) C.row(c) += sample.weight * d.transpose();
                    Q.noalias() += (sample.weight * d) * d.transpose();
                }
            }
        }
        const int at = 3 * m.elements[k].first, others = 3 * (m.elements[k].nodes() - 1);
        const double* S = lengths_.start(k);
        spread_force(b, b0, at, others, S, bias, bias_L_);
        spread_force(w, mass * g, at, others, S, gravity, gravity_L_);
        if (!want_inertia) return;

        // from the variables to the element's nodes: the first node moves x_first, and all of r the other way
        Eigen::Matrix<double, offset + 3, size> W;   // rows: first node, other nodes
        W.template topRows<3>() = C;
        W.template bottomRows<offset>() = Q.template topRows<offset>();
        for (int j = 0; j < others; j += 3) W.template topRows<3>() -= Q.template middleRows<3>(j);
        Eigen::Matrix<double, offset + 3, 3> first;  // the first node's columns
        first.template topRows<3>() = mass * Mat3d::Identity();
        first.template bottomRows<offset>() = C.template leftCols<offset>().transpose();
        for (int j = 0; j < others; j += 3) {
            first.template topRows<3>() -= C.template middleCols<3>(j).transpose();
            first -= W.template middleCols<3>(j);
        }
        // inertia in half: 1/2 (nodes, nodes) + (along S) S^T + (along L) L^T
        const double dA = lengths_.dA, dB = lengths_.dB;
        const double SS = Q(offset, offset), SL = -(dA * Q(offset, offset) + dB * Q(offset, belly));
        const double LL = dA * dA * Q(offset, offset) + 2 * dA * dB * Q(offset, belly) + dB * dB * Q(belly, belly);
        along_S_.assign(n, 0.0);
        for (int i = 0; i < at + 3; ++i) {
            along_S_[static_cast<std::size_t>(i)] = 0.5 * SS * S[i];
            along_L_[static_cast<std::size_t>(i)] += SL * S[i];
        }
        for (std::size_t i = 0; i < n; ++i) along_L_[i] += 0.5 * LL * lengths_.L[i];
        for (int i = 0; i < others + 3; ++i) {
            along_S_[static_cast<std::size_t>(at + i)] -= W(i, offset);
            along_L_[static_cast<std::size_t>(at + i)] += dA * W(i, offset) + dB * W(i, belly);
            double* row = half.data() + static_cast<std::size_t>(at + i) * n + at;
            for (int j = 0; j < 3; ++j) row[j] += 0.5 * first(i, j);
            for (int j = 0; j < others; ++j) row[3 + j] += 0.5 * W(i, j);
        }
        if (k > 0) add_product(along_S_.data(), S, static_cast<std::size_t>(at + 3));
    }

    // Forces on the variables and on the whole element (f0), to the nodes.
    template <class Column>
    void spread_force(const Column& f, const Vec3d& f0, int at, int others, const double* S, std::vector<double>& out, double& along_L) const {
        constexpr int offset = Column::RowsAtCompileTime - 2;
        double* first = out.data() + at;
        for (int c = 0; c < 3; ++c) first[c] += f0[c];
        for (int i = 0; i < others; ++i) {
            first[3 + i] += f[i];
            first[i % 3] -= f[i];
        }
        for (int i = 0; i < at + 3; ++i) out[static_cast<std::size_t>(i)] -= f[offset] * S[i];
        along_L += lengths_.dA * f[offset] + lengths_.dB * f[offset + 1];
    }
};

}  // namespace opensim_inertia
