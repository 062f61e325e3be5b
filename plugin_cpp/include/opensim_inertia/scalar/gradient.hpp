// First-order forward mode: value and its gradient with respect to N node coordinates.
#pragma once

#include <cmath>

#include "opensim_inertia/scalar/types.hpp"

namespace opensim_inertia {

template <int N, class Real = double>
struct Gradient {
    using G = Eigen::Array<Real, N, 1>;
    Real v;
    G g;

    Gradient() = default;
    Gradient(const Real& v_) : v(v_), g(G::Zero()) {}
    template <class E>
    Gradient(const Real& v_, const Eigen::ArrayBase<E>& g_) : v(v_), g(g_) {}

    // The i-th variable.
    static Gradient variable(const Real& v_, int i) {
        Gradient r(v_);
        r.g[i] = 1.0;
        return r;
    }
};

template <int N, class Real>
constexpr int kOrder<Gradient<N, Real>> = kOrder<Real> + 1;

template <int N, class Real>
double value(const Gradient<N, Real>& a) {
    return value(a.v);
}
template <int N, class Real>
const Real& real(const Gradient<N, Real>& a) {
    return a.v;
}

template <int N, class Real>
Gradient<N, Real> operator+(const Gradient<N, Real>& a, const Gradient<N, Real>& b) {
    return {a.v + b.v, a.g + b.g};
}
template <int N, class Real>
Gradient<N, Real> operator-(const Gradient<N, Real>& a, const Gradient<N, Real>& b) {
    return {a.v - b.v, a.g - b.g};
}
template <int N, class Real>
Gradient<N, Real> operator*(const Gradient<N, Real>& a, const Gradient<N, Real>& b) {
    return {a.v * b.v, b.v * a.g + a.v * b.g};
}
template <int N, class Real>
Gradient<N, Real> operator*(const Gradient<N, Real>& a, double s) {
    return {a.v * s, s * a.g};
}
template <int N, class Real>
Gradient<N, Real> operator*(double s, const Gradient<N, Real>& a) {
    return a * s;
}
template <int N, Differentiating Real>
Gradient<N, Real> operator*(const Gradient<N, Real>& a, const Real& s) {
    return {a.v * s, s * a.g};
}

// 1 / a
template <int N, class Real>
Gradient<N, Real> inverse(const Gradient<N, Real>& a) {
    const Real r = inverse(a.v);
    return {r, (-r * r) * a.g};
}
template <int N, class Real>
Gradient<N, Real> chain(const Gradient<N, Real>& a, const Real& f, const Real& df, const Real&) {
    return {f, df * a.g};
}
template <int N, class Real>
Gradient<N, Real> sqrt(const Gradient<N, Real>& a) {
    const Real s = sqrt(a.v), h = 0.5 / s;
    return {s, h * a.g};
}

// r, a function of M quantities, as a function of what these depend on.
template <int N, int M, class Real>
Gradient<N, Real> carry_on(const Gradient<M, Real>& r,
                           const std::array<Gradient<N, Real>, static_cast<std::size_t>(M)>& quantities) {
    Gradient<N, Real> out(r.v, r.g[0] * quantities[0].g);
    for (int i = 1; i < M; ++i) out.g += r.g[i] * quantities[static_cast<std::size_t>(i)].g;
    return out;
}

}    // namespace opensim_inertia
