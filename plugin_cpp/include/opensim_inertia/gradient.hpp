// First-order forward mode: value and its gradient with respect to N node coordinates.
#pragma once

#include <cmath>

#include "types.hpp"

namespace opensim_inertia {

template <int N>
struct Gradient {
    double v = 0;
    std::array<double, N> g{};

    Gradient() = default;
    Gradient(double v_) : v(v_) {}
};

template <int N>
double value(const Gradient<N>& a) {
    return a.v;
}

// value c, gradient s * a.g + t * b.g: every operation below is of this form
template <int N>
Gradient<N> combine(double c, double s, const Gradient<N>& a, double t, const Gradient<N>& b) {
    Gradient<N> r;
    r.v = c;
    for (int i = 0; i < N; ++i) r.g[i] = s * a.g[i] + t * b.g[i];
    return r;
}

template <int N>
Gradient<N> chain(double c, double s, const Gradient<N>& a) {
    Gradient<N> r;
    r.v = c;
    for (int i = 0; i < N; ++i) r.g[i] = s * a.g[i];
    return r;
}

template <int N>
Gradient<N> operator+(const Gradient<N>& a, const Gradient<N>& b) {
    return combine(a.v + b.v, 1.0, a, 1.0, b);
}
template <int N>
Gradient<N> operator-(const Gradient<N>& a, const Gradient<N>& b) {
    return combine(a.v - b.v, 1.0, a, -1.0, b);
}
template <int N>
Gradient<N> operator*(const Gradient<N>& a, const Gradient<N>& b) {
    return combine(a.v * b.v, b.v, a, a.v, b);
}
template <int N>
Gradient<N> operator*(const Gradient<N>& a, double s) {
    return chain(a.v * s, s, a);
}
template <int N>
Gradient<N> operator*(double s, const Gradient<N>& a) {
    return a * s;
}
template <int N>
Gradient<N> operator+(const Gradient<N>& a, double s) {
    Gradient<N> r = a;
    r.v += s;
    return r;
}
template <int N>
Gradient<N> operator-(const Gradient<N>& a, double s) {
    return a + (-s);
}

// 1 / a
template <int N>
Gradient<N> inverse(const Gradient<N>& a) {
    const double r = 1 / a.v;
    return chain(r, -r * r, a);
}
template <int N>
Gradient<N> sqrt(const Gradient<N>& a) {
    const double s = std::sqrt(a.v);
    return chain(s, 0.5 / s, a);
}

}  // namespace opensim_inertia
