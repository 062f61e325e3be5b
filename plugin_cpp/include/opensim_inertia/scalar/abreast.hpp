// Numbers of several states side by side, as processors' vectors hold them. Comparisons are made number by number.
//
// Functions of them are inlined into one that is compiled for newer processors as well (OPENSIM_INERTIA_CLONES). They
// take numbers by reference: by value, processors would pass them in different ways.
#pragma once

#include <bit>

#include "opensim_inertia/scalar/four_numbers.hpp"

#if defined(__GNUC__)
#define OPENSIM_INERTIA_INLINED_LAMBDA __attribute__((always_inline))
#else
#define OPENSIM_INERTIA_INLINED_LAMBDA
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"    // of what is inlined
#endif

namespace opensim_inertia {

#if defined(__GNUC__)
constexpr int kAbreast = kFour;
using Abreast = FourNumbers::Values;
using Mask = decltype(Abreast{} < Abreast{});
#else
constexpr int kAbreast = 1;
using Abreast = double;
using Mask = bool;
#endif

template <class V, class X>
OPENSIM_INERTIA_INLINED inline void set_number(V& all, int i, const X& x) {
    if constexpr (std::is_arithmetic_v<V>)
        all = x;
    else
        all[i] = x;
}
template <class V>
OPENSIM_INERTIA_INLINED inline auto number(const V& all, int i) {
    if constexpr (std::is_arithmetic_v<V>)
        return all;
    else
        return all[i];
}
OPENSIM_INERTIA_INLINED inline bool any(const Mask& mask) {
    bool found = false;
    for (int i = 0; i < kAbreast; ++i) found |= number(mask, i) != 0;
    return found;
}

// In memory. Compilers that know no vectors as wide would align them less than others do: so structs say it.
struct alignas(sizeof(Abreast)) Kept {
    Abreast v;
};

// A vector of space.
template <class V>
struct alignas(std::has_single_bit(sizeof(V)) ? sizeof(V) : alignof(V)) Three {
    V x, y, z;

    OPENSIM_INERTIA_INLINED static Three zero() { return {V(0.0), V(0.0), V(0.0)}; }
    OPENSIM_INERTIA_INLINED V& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
    OPENSIM_INERTIA_INLINED const V& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
};
template <class V>
OPENSIM_INERTIA_INLINED inline Three<V> operator+(const Three<V>& a, const Three<V>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class V>
OPENSIM_INERTIA_INLINED inline Three<V> operator-(const Three<V>& a, const Three<V>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class S, class V>
OPENSIM_INERTIA_INLINED inline Three<V> operator*(const S& s, const Three<V>& a) {
    return {s * a.x, s * a.y, s * a.z};
}
template <class A, class V>
OPENSIM_INERTIA_INLINED inline V dot(const Three<A>& a, const Three<V>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class A, class V>
OPENSIM_INERTIA_INLINED inline Three<V> cross(const Three<A>& a, const Three<V>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class V>
OPENSIM_INERTIA_INLINED inline void operator+=(Three<V>& a, const Three<V>& b) {
    a.x += b.x;
    a.y += b.y;
    a.z += b.z;
}
template <class E>
OPENSIM_INERTIA_INLINED inline Three<typename E::Scalar> three(const Eigen::MatrixBase<E>& a) {
    return {a[0], a[1], a[2]};
}
// s e
template <class V>
OPENSIM_INERTIA_INLINED inline Three<V> along(const Three<double>& e, const V& s) {
    return {e.x * s, e.y * s, e.z * s};
}
// On both ends of a string.
template <class V>
using BothEnds = std::array<Three<V>, 2>;

// R a
template <class R, class V>
OPENSIM_INERTIA_INLINED inline Three<V> turned(const Eigen::MatrixBase<R>& by, const Three<V>& a) {
    const auto row = [&](int i) OPENSIM_INERTIA_INLINED_LAMBDA -> V {
        return by(i, 0) * a.x + by(i, 1) * a.y + by(i, 2) * a.z;
    };
    return {row(0), row(1), row(2)};
}

}    // namespace opensim_inertia
