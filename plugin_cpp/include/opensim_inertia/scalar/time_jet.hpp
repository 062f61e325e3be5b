// Second-order forward mode along the motion: value, first and second time derivative.
//
// Templates that say `inline` are those that compilers had better inline.
#pragma once

#include <cmath>

#include "opensim_inertia/scalar/types.hpp"

namespace opensim_inertia {

template <class Real>
struct TimeJet {
    Real v, d, dd;

    TimeJet() = default;
    TimeJet(const Real& v_) : v(v_), d(0.0), dd(0.0) {}
    TimeJet(const Real& v_, const Real& d_, const Real& dd_) : v(v_), d(d_), dd(dd_) {}

    friend double value(const TimeJet& a) { return value(a.v); }
    friend const Real& real(const TimeJet& a) { return a.v; }
    friend TimeJet operator+(const TimeJet& a, const TimeJet& b) { return {a.v + b.v, a.d + b.d, a.dd + b.dd}; }
    friend TimeJet operator-(const TimeJet& a, const TimeJet& b) { return {a.v - b.v, a.d - b.d, a.dd - b.dd}; }
    friend TimeJet operator*(const TimeJet& a, const TimeJet& b) {
        return {a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2 * a.d * b.d + a.v * b.dd};
    }
    friend TimeJet operator*(const TimeJet& a, double s) { return {a.v * s, a.d * s, a.dd * s}; }
    friend TimeJet operator*(double s, const TimeJet& a) { return a * s; }
    friend TimeJet operator*(const TimeJet& a, const Real& s)
        requires Differentiating<Real>
    {
        return {a.v * s, a.d * s, a.dd * s};
    }
    // 1 / a
    friend TimeJet inverse(const TimeJet& a) {
        const Real r = inverse(a.v);
        const Real d = -a.d * r * r;
        return {r, d, -a.dd * r * r - 2 * a.d * d * r};
    }
    friend TimeJet sqrt(const TimeJet& a) {
        const Real s = sqrt(a.v), h = 0.5 / s;
        const Real d = a.d * h;
        return {s, d, a.dd * h - 2 * d * d * h};
    }
    friend TimeJet chain(const TimeJet& a, const Real& f, const Real& df, const Real& ddf) {
        return {f, df * a.d, df * a.dd + ddf * a.d * a.d};
    }
};

template <class Real>
constexpr int kOrder<TimeJet<Real>> = kOrder<Real> + 2;

template <class Real>
inline Vec<Real> rate(const Vec3<TimeJet<Real>>& a) {
    return {a[0].d, a[1].d, a[2].d};
}
template <class Real>
inline Vec<Real> acceleration(const Vec3<TimeJet<Real>>& a) {
    return {a[0].dd, a[1].dd, a[2].dd};
}
template <class Real>
inline Vec3<TimeJet<Real>> jets(const Vec<Real>& x, const Vec<Real>& v, const Vec<Real>& a) {
    using T = TimeJet<Real>;
    return {{T(x[0], v[0], a[0]), T(x[1], v[1], a[1]), T(x[2], v[2], a[2])}};
}
// At rest.
template <class Real>
inline Vec3<TimeJet<Real>> jets(const Vec<Real>& x) {
    return {{x[0], x[1], x[2]}};
}

}    // namespace opensim_inertia
