// Second-order forward mode along the motion: value, first and second time derivative.
#pragma once

#include <cmath>

#include "types.hpp"

namespace opensim_inertia {

struct TimeJet {
    double v = 0, d = 0, dd = 0;

    TimeJet() = default;
    TimeJet(double v_) : v(v_) {}
    TimeJet(double v_, double d_, double dd_) : v(v_), d(d_), dd(dd_) {}
};

inline double value(const TimeJet& a) { return a.v; }

inline TimeJet operator+(const TimeJet& a, const TimeJet& b) { return {a.v + b.v, a.d + b.d, a.dd + b.dd}; }
inline TimeJet operator-(const TimeJet& a, const TimeJet& b) { return {a.v - b.v, a.d - b.d, a.dd - b.dd}; }
inline TimeJet operator*(const TimeJet& a, const TimeJet& b) {
    return {a.v * b.v, a.d * b.v + a.v * b.d, a.dd * b.v + 2 * a.d * b.d + a.v * b.dd};
}
inline TimeJet operator*(const TimeJet& a, double s) { return {a.v * s, a.d * s, a.dd * s}; }
inline TimeJet operator*(double s, const TimeJet& a) { return a * s; }

// 1 / a
inline TimeJet inverse(const TimeJet& a) {
    const double r = 1 / a.v;
    const double d = -a.d * r * r;
    return {r, d, -a.dd * r * r - 2 * a.d * d * r};
}

inline TimeJet sqrt(const TimeJet& a) {
    const double s = std::sqrt(a.v), h = 0.5 / s;
    const double d = a.d * h;
    return {s, d, a.dd * h - d * d / s};
}

inline TimeJet chain(const TimeJet& a, double f, double df, double ddf) {
    return {f, df * a.d, df * a.dd + ddf * a.d * a.d};
}

inline Vec3d rate(const Vec3<TimeJet>& a) { return {a[0].d, a[1].d, a[2].d}; }
inline Vec3d acceleration(const Vec3<TimeJet>& a) { return {a[0].dd, a[1].dd, a[2].dd}; }
inline Vec3<TimeJet> jets(const Vec3d& x, const Vec3d& v, const Vec3d& a) {
    return {{TimeJet(x[0], v[0], a[0]), TimeJet(x[1], v[1], a[1]), TimeJet(x[2], v[2], a[2])}};
}

}    // namespace opensim_inertia
