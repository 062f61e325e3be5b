// Scalar-independent aliases.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <type_traits>

namespace opensim_inertia {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vec3d = Eigen::Vector3d;
using Mat3d = Eigen::Matrix3d;
using RowMap = Eigen::Map<const Matrix>;
using VecMap = Eigen::Map<const Vector>;

// What depends on the state is written for any `Real`: double, or a Dual that carries derivatives along directions of
// the state.
template <class Real>
using Vec = Eigen::Matrix<Real, 3, 1>;
template <class Real>
using Mat = Eigen::Matrix<Real, 3, 3>;
template <class Real>
using Mat4 = Eigen::Matrix<Real, 4, 4, Eigen::RowMajor>;
template <class Real>
using VectorOf = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
template <class Real>
using MatrixOf = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// More than plain numbers.
template <class T>
concept Differentiating = !std::is_same_v<T, double>;

// How many times a scalar differentiates.
template <class T>
constexpr int kOrder = 0;

// A point or direction whose components are any scalar: a Real, TimeJet<Real> or Gradient<N, Real>.
template <class T>
struct Vec3 {
    std::array<T, 3> c;
    T& operator[](int i) { return c[i]; }
    const T& operator[](int i) const { return c[i]; }

    friend Vec3 operator-(const Vec3& a, const Vec3& b) { return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}}; }
    friend Vec3 operator+(const Vec3& a, const Vec3& b) { return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}}; }
    template <class S>
    friend Vec3 operator*(const Vec3& a, const S& s) {
        return {{a[0] * s, a[1] * s, a[2] * s}};
    }
};

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

// A scalar's value as a double, by which branches are decided; its value as a Real, derivatives along the state
// included.
inline double value(double x) { return x; }
inline double real(double x) { return x; }
inline double inverse(double x) { return 1 / x; }
using std::asinh;
using std::cos;
using std::sin;
using std::sqrt;
using std::tanh;
inline double atan2(double y, double x) { return std::atan2(y, x); }

// A scalar function of a, from its value and first two derivatives at real(a).
inline double chain(double, double f, double, double) { return f; }

template <class T>
Vec3d value(const Vec3<T>& a) {
    return {value(a[0]), value(a[1]), value(a[2])};
}

template <class T>
auto real(const Vec3<T>& a) {
    return Vec<std::decay_t<decltype(real(a[0]))>>(real(a[0]), real(a[1]), real(a[2]));
}

template <class Real>
inline Vec3<Real> scalars(const Vec<Real>& a) {
    return {{a[0], a[1], a[2]}};
}

template <class Real>
inline Vec3d values(const Vec<Real>& a) {
    return {value(a[0]), value(a[1]), value(a[2])};
}

// Direction of (x, y), free of any branch cut near its own value.
template <class T>
T atan2(const T& y, const T& x) {
    const auto y0 = real(y), x0 = real(x), per = inverse(sqrt(x0 * x0 + y0 * y0)), c = x0 * per, s = y0 * per;
    // seen from that direction the angle is 0, where atan has the derivatives 1 and 0
    return T(atan2(y0, x0)) + (y * c - x * s) * inverse(x * c + y * s);
}

template <class T>
T cos(const T& a) {
    const auto c = cos(real(a)), s = sin(real(a));
    return chain(a, c, -s, -c);
}

template <class T>
T sin(const T& a) {
    const auto c = cos(real(a)), s = sin(real(a));
    return chain(a, s, c, -s);
}

// 1 / sqrt(a)
template <class T>
T inverse_sqrt(const T& a) {
    const auto r = inverse(sqrt(real(a))), per_a = r * r, derivative = -0.5 * r * per_a;
    return chain(a, r, derivative, -1.5 * derivative * per_a);
}

// tanh of a, from its value t.
inline double with_tanh(double, double t) { return t; }
template <class T>
T with_tanh(const T& a, double t) {
    const auto f = with_tanh(real(a), t), derivative = 1 - f * f;
    return chain(a, f, derivative, -2 * f * derivative);
}
template <class T>
T tanh(const T& a) {
    return with_tanh(a, tanh(value(a)));
}

template <class T>
T asinh(const T& a) {
    const auto x = real(a), s = inverse(sqrt(1 + x * x));
    return chain(a, asinh(x), s, -x * s * s * s);
}

}    // namespace opensim_inertia
