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

    friend double value(const Gradient& a) { return value(a.v); }
    friend const Real& real(const Gradient& a) { return a.v; }
    // v with the gradient whose i-th component is g(i). Plain loops: compilers inline them where they leave Eigen's
    // calls.
    template <class F>
    static Gradient with(const Real& v, const F& g) {
        Gradient r;
        r.v = v;
        for (int i = 0; i < N; ++i) r.g[i] = g(i);
        return r;
    }
    friend Gradient operator+(const Gradient& a, const Gradient& b) {
        return with(a.v + b.v, [&](int i) { return a.g[i] + b.g[i]; });
    }
    friend Gradient operator-(const Gradient& a, const Gradient& b) {
        return with(a.v - b.v, [&](int i) { return a.g[i] - b.g[i]; });
    }
    friend Gradient operator*(const Gradient& a, const Gradient& b) {
        return with(a.v * b.v, [&](int i) { return b.v * a.g[i] + a.v * b.g[i]; });
    }
    friend Gradient operator*(const Gradient& a, double s) {
        return with(a.v * s, [&](int i) { return s * a.g[i]; });
    }
    friend Gradient operator*(double s, const Gradient& a) { return a * s; }
    friend Gradient operator*(const Gradient& a, const Real& s)
        requires Differentiating<Real>
    {
        return with(a.v * s, [&](int i) { return s * a.g[i]; });
    }
    friend Gradient chain(const Gradient& a, const Real& f, const Real& df, const Real&) {
        return with(f, [&](int i) { return df * a.g[i]; });
    }
    // 1 / a
    friend Gradient inverse(const Gradient& a) {
        const Real r = inverse(a.v), d = -r * r;
        return with(r, [&](int i) { return d * a.g[i]; });
    }
    friend Gradient sqrt(const Gradient& a) {
        const Real s = sqrt(a.v), h = 0.5 / s;
        return with(s, [&](int i) { return h * a.g[i]; });
    }
};

template <int N, class Real>
constexpr int kOrder<Gradient<N, Real>> = kOrder<Real> + 1;

// A point as variables of a gradient, from variable i on.
template <class T, class Real>
Vec3<T> variables(const Vec<Real>& x, int i) {
    return {{T::variable(x[0], i), T::variable(x[1], i + 1), T::variable(x[2], i + 2)}};
}

}    // namespace opensim_inertia
