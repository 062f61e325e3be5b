// Vectors of four numbers, one for each of four oscillators, loads or motions.
#pragma once

#include <cstddef>

#include "opensim_inertia/scalar/types.hpp"

// A function that is compiled for newer processors as well, and chosen when the module is loaded. What it calls has to
// be inlined to be so, too.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__)
#define OPENSIM_INERTIA_CLONES __attribute__((target_clones("avx2", "default"), noinline))
#else
#define OPENSIM_INERTIA_CLONES
#endif
#if defined(__GNUC__)
#define OPENSIM_INERTIA_INLINED [[gnu::always_inline]]
#else
#define OPENSIM_INERTIA_INLINED
#endif

namespace opensim_inertia {

constexpr std::size_t kFour = 4;    // compilers lower wider vectors than a processor's poorly

struct alignas(8 * kFour) FourNumbers {
#if defined(__GNUC__)
    using Values = double __attribute__((vector_size(8 * kFour)));
    OPENSIM_INERTIA_INLINED explicit FourNumbers(double x) : v(x - Values{}) {}
#else
    using Values = Eigen::Array<double, kFour, 1>;
    explicit FourNumbers(double x) : v(Values::Constant(x)) {}
#endif
    Values v;

    FourNumbers() = default;
    double operator[](std::size_t l) const { return v[static_cast<int>(l)]; }
    void set(std::size_t l, double x) { v[static_cast<int>(l)] = x; }

    OPENSIM_INERTIA_INLINED FourNumbers& operator+=(const FourNumbers& b) {
        v += b.v;
        return *this;
    }
    OPENSIM_INERTIA_INLINED FourNumbers& operator-=(const FourNumbers& b) {
        v -= b.v;
        return *this;
    }
    OPENSIM_INERTIA_INLINED friend FourNumbers operator+(FourNumbers a, const FourNumbers& b) { return a += b; }
    OPENSIM_INERTIA_INLINED friend FourNumbers operator-(FourNumbers a, const FourNumbers& b) { return a -= b; }
    OPENSIM_INERTIA_INLINED friend FourNumbers operator*(FourNumbers a, const FourNumbers& b) {
        a.v *= b.v;
        return a;
    }
    OPENSIM_INERTIA_INLINED friend FourNumbers operator*(double a, FourNumbers b) {
        b.v *= a;
        return b;
    }
};

}    // namespace opensim_inertia
