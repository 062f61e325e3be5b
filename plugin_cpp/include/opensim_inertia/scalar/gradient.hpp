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
inline double value(const Gradient<N, Real>& a) {
    return value(a.v);
}
template <int N, class Real>
inline const Real& real(const Gradient<N, Real>& a) {
    return a.v;
}

// v with the gradient whose i-th component is g(i). Plain loops: compilers inline them where they leave Eigen's calls.
template <int N, class Real, class F>
inline Gradient<N, Real> with_gradient(const Real& v, const F& g) {
    Gradient<N, Real> r;
    r.v = v;
    for (int i = 0; i < N; ++i) r.g[i] = g(i);
    return r;
}

template <int N, class Real>
inline Gradient<N, Real> operator+(const Gradient<N, Real>& a, const Gradient<N, Real>& b) {
    return with_gradient<N, Real>(a.v + b.v, [&](int i) { return a.g[i] + b.g[i]; });
}
template <int N, class Real>
inline Gradient<N, Real> operator-(const Gradient<N, Real>& a, const Gradient<N, Real>& b) {
    return with_gradient<N, Real>(a.v - b.v, [&](int i) { return a.g[i] - b.g[i]; });
}
template <int N, class Real>
inline Gradient<N, Real> operator*(const Gradient<N, Real>& a, const Gradient<N, Real>& b) {
    return with_gradient<N, Real>(a.v * b.v, [&](int i) { return b.v * a.g[i] + a.v * b.g[i]; });
}
template <int N, class Real>
inline Gradient<N, Real> operator*(const Gradient<N, Real>& a, double s) {
    return with_gradient<N, Real>(a.v * s, [&](int i) { return s * a.g[i]; });
}
template <int N, class Real>
inline Gradient<N, Real> operator*(double s, const Gradient<N, Real>& a) {
    return a * s;
}
template <int N, Differentiating Real>
inline Gradient<N, Real> operator*(const Gradient<N, Real>& a, const Real& s) {
    return with_gradient<N, Real>(a.v * s, [&](int i) { return s * a.g[i]; });
}

template <int N, class Real>
inline Gradient<N, Real> chain(const Gradient<N, Real>& a, const Real& f, const Real& df, const Real&) {
    return with_gradient<N, Real>(f, [&](int i) { return df * a.g[i]; });
}
// 1 / a
template <int N, class Real>
inline Gradient<N, Real> inverse(const Gradient<N, Real>& a) {
    const Real r = inverse(a.v), d = -r * r;
    return with_gradient<N, Real>(r, [&](int i) { return d * a.g[i]; });
}
template <int N, class Real>
inline Gradient<N, Real> sqrt(const Gradient<N, Real>& a) {
    const Real s = sqrt(a.v), h = 0.5 / s;
    return with_gradient<N, Real>(s, [&](int i) { return h * a.g[i]; });
}

// r, a function of M quantities, as a function of what these depend on.
template <int N, int M, class Real>
inline Gradient<N, Real> carry_on(const Gradient<M, Real>& r,
                                  const std::array<Gradient<N, Real>, static_cast<std::size_t>(M)>& quantities) {
    Gradient<N, Real> out = with_gradient<N, Real>(r.v, [&](int i) { return r.g[0] * quantities[0].g[i]; });
    for (std::size_t k = 1; k < M; ++k)
        for (int i = 0; i < N; ++i) out.g[i] += r.g[static_cast<int>(k)] * quantities[k].g[i];
    return out;
}

}    // namespace opensim_inertia
