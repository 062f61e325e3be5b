// First-order forward mode of the whole kernel: a real number and how it changes along K directions of the state.
//
// It takes the place of double wherever a quantity depends on the state, below TimeJet and Gradient: the kernel's one
// formula, differentiated once more. Order is that of the values.
#pragma once

#include "opensim_inertia/scalar/types.hpp"

namespace opensim_inertia {

template <int K>
struct Dual {
    using D = Eigen::Array<double, K, 1>;
    double v;
    D d;

    Dual() = default;
    Dual(double v_) : v(v_), d(D::Zero()) {}
    template <class E>
    Dual(double v_, const Eigen::ArrayBase<E>& d_) : v(v_), d(d_) {}

    Dual& operator+=(const Dual& b) {
        v += b.v;
        d += b.d;
        return *this;
    }
    Dual& operator-=(const Dual& b) {
        v -= b.v;
        d -= b.d;
        return *this;
    }
    Dual& operator*=(const Dual& b) { return *this = *this * b; }

    friend Dual operator-(const Dual& a) { return {-a.v, -a.d}; }
    friend Dual operator+(const Dual& a, const Dual& b) { return {a.v + b.v, a.d + b.d}; }
    friend Dual operator+(const Dual& a, double b) { return {a.v + b, a.d}; }
    friend Dual operator+(double a, const Dual& b) { return {a + b.v, b.d}; }
    friend Dual operator-(const Dual& a, const Dual& b) { return {a.v - b.v, a.d - b.d}; }
    friend Dual operator-(const Dual& a, double b) { return {a.v - b, a.d}; }
    friend Dual operator-(double a, const Dual& b) { return {a - b.v, -b.d}; }
    friend Dual operator*(const Dual& a, const Dual& b) { return {a.v * b.v, b.v * a.d + a.v * b.d}; }
    friend Dual operator*(const Dual& a, double b) { return {a.v * b, b * a.d}; }
    friend Dual operator*(double a, const Dual& b) { return {a * b.v, a * b.d}; }
    friend Dual operator/(const Dual& a, const Dual& b) { return a * inverse(b); }
    friend Dual operator/(double a, const Dual& b) { return a * inverse(b); }

    // of all of it
    friend bool operator==(const Dual& a, const Dual& b) { return a.v == b.v && (a.d == b.d).all(); }
    friend bool operator<(const Dual& a, const Dual& b) { return a.v < b.v; }
    friend bool operator>(const Dual& a, const Dual& b) { return a.v > b.v; }

    friend double value(const Dual& a) { return a.v; }
    friend const Dual& real(const Dual& a) { return a; }
    friend Dual chain(const Dual&, const Dual& f, const Dual&, const Dual&) { return f; }

    // 1 / a
    friend Dual inverse(const Dual& a) {
        const double r = 1 / a.v;
        return {r, (-r * r) * a.d};
    }
    friend Dual sqrt(const Dual& a) {
        const double s = std::sqrt(a.v);
        return {s, (0.5 / s) * a.d};
    }
    friend Dual cos(const Dual& a) { return {std::cos(a.v), -std::sin(a.v) * a.d}; }
    friend Dual sin(const Dual& a) { return {std::sin(a.v), std::cos(a.v) * a.d}; }
    friend Dual with_tanh(const Dual& a, double t) { return {t, (1 - t * t) * a.d}; }
    friend Dual asinh(const Dual& a) { return {std::asinh(a.v), (1 / std::sqrt(1 + a.v * a.v)) * a.d}; }
    friend Dual atan2(const Dual& y, const Dual& x) {
        const double per = 1 / (x.v * x.v + y.v * y.v);
        return {std::atan2(y.v, x.v), (x.v * per) * y.d - (y.v * per) * x.d};
    }
};

template <int K>
constexpr int kOrder<Dual<K>> = 1;

}    // namespace opensim_inertia

namespace Eigen {

template <int K>
struct NumTraits<opensim_inertia::Dual<K>> : NumTraits<double> {
    using Real = opensim_inertia::Dual<K>;
    using NonInteger = Real;
    using Nested = Real;
    enum {
        IsComplex = 0,
        IsInteger = 0,
        IsSigned = 1,
        RequireInitialization = 1,
        ReadCost = K,
        AddCost = K,
        MulCost = 2 * K
    };
};

template <int K, class Operation>
struct ScalarBinaryOpTraits<opensim_inertia::Dual<K>, double, Operation> {
    using ReturnType = opensim_inertia::Dual<K>;
};
template <int K, class Operation>
struct ScalarBinaryOpTraits<double, opensim_inertia::Dual<K>, Operation> {
    using ReturnType = opensim_inertia::Dual<K>;
};

}    // namespace Eigen
