// Scalar-independent aliases.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cmath>

namespace opensim_inertia {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vec3d = Eigen::Vector3d;
using Mat3d = Eigen::Matrix3d;

// A point or direction whose components are any scalar: double, TimeJet or Gradient<N>.
template <class T>
struct Vec3 {
    std::array<T, 3> c;
    T& operator[](int i) { return c[i]; }
    const T& operator[](int i) const { return c[i]; }
};

template <class T>
Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
    return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}};
}

template <class T>
Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
    return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}};
}

template <class T, class S>
Vec3<T> operator*(const Vec3<T>& a, const S& s) {
    return {{a[0] * s, a[1] * s, a[2] * s}};
}

template <class T, class S>
auto dot(const Vec3<T>& a, const S& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class T>
Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
    return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}

template <class T>
Vec3<T> scaled(const Vec3<T>& x, const Vec3d& s) {
    return {{x[0] * s[0], x[1] * s[1], x[2] * s[2]}};
}

template <class T>
T squared_norm(const Vec3<T>& a) {
    return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
}

inline double value(double x) { return x; }
inline double inverse(double x) { return 1 / x; }
using std::sqrt;

// A scalar function of a, from its value and first two derivatives at value(a).
inline double chain(double, double f, double, double) { return f; }

template <class T>
Vec3d value(const Vec3<T>& a) {
    return {value(a[0]), value(a[1]), value(a[2])};
}

inline Vec3<double> scalars(const Vec3d& a) { return {{a[0], a[1], a[2]}}; }

// Direction of (x, y), free of any branch cut near its own value.
template <class T>
T atan2(const T& y, const T& x) {
    const double angle = std::atan2(value(y), value(x)), c = std::cos(angle), s = std::sin(angle);
    // seen from that direction the angle is 0, where atan has the derivatives 1 and 0
    return T(angle) + (y * c - x * s) * inverse(x * c + y * s);
}

template <class T>
T cos(const T& a) {
    const double c = std::cos(value(a));
    return chain(a, c, -std::sin(value(a)), -c);
}

template <class T>
T sin(const T& a) {
    const double s = std::sin(value(a));
    return chain(a, s, std::cos(value(a)), -s);
}

template <class T>
T tanh(const T& a) {
    const double t = std::tanh(value(a)), slope = 1 - t * t;
    return chain(a, t, slope, -2 * t * slope);
}

}    // namespace opensim_inertia
