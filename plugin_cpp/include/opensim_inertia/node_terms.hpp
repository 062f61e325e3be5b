// A laid muscle's inertia and forces in the coordinates of its nodes.
#pragma once

#include "laid_muscle.hpp"

namespace opensim_inertia {

constexpr int kMaxNodes = 64;

// Calls f with the smallest compiled gradient width that holds `nodes` nodes.
template <class F>
void with_width(int nodes, F&& f) {
    if (nodes <= 2) return f.template operator()<6>();
    if (nodes <= 3) return f.template operator()<9>();
    if (nodes <= 4) return f.template operator()<12>();
    if (nodes <= 5) return f.template operator()<15>();
    if (nodes <= 6) return f.template operator()<18>();
    if (nodes <= 8) return f.template operator()<24>();
    if (nodes <= 12) return f.template operator()<36>();
    if (nodes <= 20) return f.template operator()<60>();
    if (nodes <= 36) return f.template operator()<108>();
    return f.template operator()<3 * kMaxNodes>();
}

template <int N>
class NodeGradients {
  public:
    NodeGradients(const LaidMuscle& muscle, const MaterialMap& map) : x_(seed(muscle)), path_(muscle.elements, x_.data(), map, start_, length_) {}

    Vec3<Gradient<N>> operator()(const Sample& s) const { return s.is_spread ? path_.spread(s.element) : path_.point(s.element, s.beta); }
    Vec3<Gradient<N>> point(std::size_t element, double beta) const { return path_.point(element, beta); }

  private:
    static std::vector<Vec3<Gradient<N>>>& seed(const LaidMuscle& muscle) {
        thread_local std::vector<Vec3<Gradient<N>>> x;
        x.resize(muscle.nodes.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            for (int c = 0; c < 3; ++c) {
                x[i][c] = Gradient<N>(muscle.x[i][c].v);
                x[i][c].g[3 * i + static_cast<std::size_t>(c)] = 1.0;
            }
        return x;
    }

    static inline thread_local std::vector<Gradient<N>> start_, length_;
    std::vector<Vec3<Gradient<N>>>& x_;
    MaterialPath<Gradient<N>> path_;
};

// inertia = sum m D^T D; bias = - sum m D^T a + corners; gravity = sum m D^T g, with D = dx/d(nodes)
struct NodeTerms {
    int n = 0;                 // 3 x nodes
    std::vector<double> inertia;   // (n, n), upper triangle
    std::vector<double> bias, gravity;
    double kinetic = 0, potential = 0;

    void sum(const LaidMuscle& muscle, const MaterialMap& map, const Vec3d& g, bool want_inertia) {
        n = 3 * static_cast<int>(muscle.nodes.size());
        const auto size = static_cast<std::size_t>(n);
        if (want_inertia) inertia.assign(size * size, 0.0);
        bias.assign(size, 0.0);
        gravity.assign(size, 0.0);
        kinetic = potential = 0;
        if (muscle.samples.empty()) return;
        with_width(n / 3, [&]<int N>() { sum_with<N>(muscle, map, g, want_inertia); });
        for (const CornerForce& corner : muscle.corners)
            for (int c = 0; c < 3; ++c) bias[static_cast<std::size_t>(3 * corner.node + c)] += corner.force[c];
    }

  private:
    template <int N>
    void sum_with(const LaidMuscle& muscle, const MaterialMap& map, const Vec3d& g, bool want_inertia) {
        const NodeGradients<N> gradients(muscle, map);
        std::array<double, N> b{}, gr{};
        std::array<double, N * N> Q;
        if (want_inertia) Q.fill(0.0);
        for (const Sample& s : muscle.samples) {
            const Vec3<Gradient<N>> D = gradients(s);
            const Vec3d v = rate(s.x), a = acceleration(s.x);
            kinetic += 0.5 * s.weight * v.squaredNorm();
            if (!s.is_spread) potential -= s.weight * g.dot(value(s.x));
            for (int c = 0; c < 3; ++c) {
                const auto& d = D[c].g;
                const double wa = s.weight * a[c], wg = s.is_spread ? 0.0 : s.weight * g[c];
                for (std::size_t i = 0; i < N; ++i) b[i] -= wa * d[i];
                for (std::size_t i = 0; i < N; ++i) gr[i] += wg * d[i];
            }
            if (want_inertia)
                for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
                    const double w0 = s.weight * D[0].g[i], w1 = s.weight * D[1].g[i], w2 = s.weight * D[2].g[i];
                    double* row = Q.data() + i * N;
                    for (std::size_t j = i; j < N; ++j) row[j] += w0 * D[0].g[j] + w1 * D[1].g[j] + w2 * D[2].g[j];
                }
        }
        const auto size = static_cast<std::size_t>(n);
        for (std::size_t i = 0; i < size; ++i) bias[i] = b[i], gravity[i] = gr[i];
        if (want_inertia)
            for (std::size_t i = 0; i < size; ++i)
                for (std::size_t j = i; j < size; ++j) inertia[i * size + j] = Q[i * N + j];
    }
};

}  // namespace opensim_inertia
