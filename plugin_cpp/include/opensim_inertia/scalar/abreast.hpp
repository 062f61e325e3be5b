// W numbers side by side, as processors' vectors hold them; one is a double. Comparisons are made number by number.
#pragma once

#include "opensim_inertia/scalar/four_numbers.hpp"

// All that takes these numbers by value is inlined.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace opensim_inertia {

#if defined(__GNUC__)
template <int W>
struct Abreast {
    typedef double V __attribute__((vector_size(8 * W)));
#if __SIZEOF_LONG__ == 8    // as comparisons of V are
    typedef long Mask __attribute__((vector_size(8 * W)));
#else
    typedef long long Mask __attribute__((vector_size(8 * W)));
#endif
};
#else
template <int W>
struct Abreast;
#endif
template <>
struct Abreast<1> {
    using V = double;
    using Mask = bool;
};

// Two numbers on processors that any wheel may assume; four on one with AVX2, which is asked at run time.
#if defined(__GNUC__)
constexpr int kNarrow = 2;
#else
constexpr int kNarrow = 1;
#endif
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__)
#define OPENSIM_INERTIA_WIDE __attribute__((target("avx2"), noinline))
constexpr int kWide = 4;
inline bool is_wide() {
    static const bool found = __builtin_cpu_supports("avx2");
    return found;
}
#else
#define OPENSIM_INERTIA_WIDE
constexpr int kWide = kNarrow;
inline bool is_wide() { return false; }
#endif

#if defined(__GNUC__)
#define OPENSIM_INERTIA_INLINED_LAMBDA __attribute__((always_inline))
#else
#define OPENSIM_INERTIA_INLINED_LAMBDA
#endif

template <class F>
OPENSIM_INERTIA_WIDE void call_wide(const F& f) {
    f();
}
// Calls f, in which all that is inlined is compiled for processors that take W numbers at once.
template <int W, class F>
void call_for(const F& f) {
    if constexpr (W == kNarrow)
        f();
    else
        call_wide(f);
}

// Functions of these numbers take them by reference and are inlined, so that they are compiled for their caller.
template <class V>
OPENSIM_INERTIA_INLINED inline void set_number(V& all, int i, const double& x) {
    if constexpr (std::is_same_v<V, double>)
        all = x;
    else
        all[i] = x;
}
template <class V>
OPENSIM_INERTIA_INLINED inline double number(const V& all, int i) {
    if constexpr (std::is_same_v<V, double>)
        return all;
    else
        return all[i];
}
template <int W, class Mask>
OPENSIM_INERTIA_INLINED inline bool any(const Mask& mask) {
    if constexpr (W == 1) {
        return mask;
    } else {
        bool found = false;
        for (int i = 0; i < W; ++i) found |= mask[i] != 0;
        return found;
    }
}
template <int W, class V>
OPENSIM_INERTIA_INLINED inline void take_root(V& x) {
    for (int i = 0; i < W; ++i) set_number(x, i, std::sqrt(number(x, i)));
}

// V in memory. A compiler that knows no vectors as wide as V aligns them less than one that does: so structs say it.
template <class V>
struct alignas(sizeof(V)) Kept {
    V v;
};

// A vector of space at W states.
template <class V>
struct alignas(sizeof(V)) Three {
    V x, y, z;

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
inline Three<double> three(const Vec3d& a) { return {a[0], a[1], a[2]}; }

}    // namespace opensim_inertia
