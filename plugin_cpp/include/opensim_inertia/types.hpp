// Scalar-independent aliases.
#pragma once

#include <Eigen/Dense>
#include <array>

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

template <class T>
T squared_norm(const Vec3<T>& a) {
    return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
}

inline double value(double x) { return x; }

template <class T>
Vec3d value(const Vec3<T>& a) {
    return {value(a[0]), value(a[1]), value(a[2])};
}

}    // namespace opensim_inertia
