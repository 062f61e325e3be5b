// First-order forward mode: value and its gradient with respect to N node coordinates.
#pragma once

#include <cmath>

#include "types.hpp"

namespace opensim_inertia {

template <int N>
struct Gradient {
    using G = Eigen::Array<double, N, 1>;
    double v;
    G g;

    Gradient() = default;
    Gradient(double v_) : v(v_), g(G::Zero()) {}
    template <class E>
    Gradient(double v_, const Eigen::ArrayBase<E>& g_) : v(v_), g(g_) {}

    // The i-th variable.
    static Gradient variable(double v_, int i) {
        Gradient r(v_);
        r.g[i] = 1.0;
        return r;
    }
};

template <int N>
double value(const Gradient<N>& a) {
    return a.v;
}

template <int N>
Gradient<N> operator+(const Gradient<N>& a, const Gradient<N>& b) {
    return {a.v + b.v, a.g + b.g};
}
template <int N>
Gradient<N> operator-(const Gradient<N>& a, const Gradient<N>& b) {
    return {a.v - b.v, a.g - b.g};
}
template <int N>
Gradient<N> operator*(const Gradient<N>& a, const Gradient<N>& b) {
    return {a.v * b.v, b.v * a.g + a.v * b.g};
}
template <int N>
Gradient<N> operator*(const Gradient<N>& a, double s) {
    return {a.v * s, s * a.g};
}
template <int N>
Gradient<N> operator*(double s, const Gradient<N>& a) {
    return a * s;
}

// 1 / a
template <int N>
Gradient<N> inverse(const Gradient<N>& a) {
    const double r = 1 / a.v;
    return {r, (-r * r) * a.g};
}
template <int N>
Gradient<N> chain(const Gradient<N>& a, double f, double df, double) {
    return {f, df * a.g};
}
template <int N>
Gradient<N> sqrt(const Gradient<N>& a) {
    const double s = std::sqrt(a.v);
    return {s, (0.5 / s) * a.g};
}

// r, a function of M quantities, as a function of what these depend on.
template <int N, int M>
Gradient<N> carry_on(const Gradient<M>& r, const std::array<Gradient<N>, static_cast<std::size_t>(M)>& quantities) {
    Gradient<N> out(r.v, r.g[0] * quantities[0].g);
    for (int i = 1; i < M; ++i) out.g += r.g[i] * quantities[static_cast<std::size_t>(i)].g;
    return out;
}

}    // namespace opensim_inertia
