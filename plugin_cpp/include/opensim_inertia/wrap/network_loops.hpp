// The loops in which networks spend their time: a matrix product and tanh, over columns whose number is a multiple of
// eight. Where the compiler can, they are compiled for processors with fused multiply-add as well and chosen at run
// time.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define OPENSIM_INERTIA_FUSED __attribute__((target("avx2,fma")))
#define OPENSIM_INERTIA_INLINE inline __attribute__((always_inline))
#else
#define OPENSIM_INERTIA_INLINE inline
#endif

namespace opensim_inertia::loops {

// a b + c
template <bool fused>
OPENSIM_INERTIA_INLINE double multiply_add(double a, double b, double c) {
    if constexpr (fused) return __builtin_fma(a, b, c);
    return a * b + c;
}

// Rows first .. first + Rows of out (., columns) = A B, for B (inner, columns) and the entries of A (., inner) at
// A[row row_step + k inner_step]. Blocks stay in registers.
template <int Rows>
inline void multiply_some(std::size_t first, std::size_t columns, std::size_t inner, const double* A,
                          std::size_t row_step, std::size_t inner_step, const double* B, double* out) {
    constexpr std::size_t width = 4;
    for (std::size_t j = 0; j < columns; j += width) {
        double block[Rows][width] = {};
        for (std::size_t k = 0; k < inner; ++k)
            for (std::size_t r = 0; r < Rows; ++r)
                for (std::size_t c = 0; c < width; ++c)
                    block[r][c] += A[(first + r) * row_step + k * inner_step] * B[k * columns + j + c];
        for (std::size_t r = 0; r < Rows; ++r)
            for (std::size_t c = 0; c < width; ++c) out[(first + r) * columns + j + c] = block[r][c];
    }
}

// 1 / 14!, 1 / 13!, ..., 1 / 2!
constexpr double kExponential[] = {
    1.0 / 87178291200, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
    1.0 / 5040,        1.0 / 720,        1.0 / 120,       1.0 / 24,       1.0 / 6,       0.5};

// exp(r) - 1
template <bool fused, std::size_t... i>
OPENSIM_INERTIA_INLINE double series(double r, std::index_sequence<i...>) {
    double sum = 0;
    ((sum = multiply_add<fused>(sum, r, kExponential[i])), ...);
    return multiply_add<fused>(sum * r, r, r);
}

// tanh by e = exp(2 |x|) - 1, 2 |x| = k ln 2 + r: off by a few units in the last place at most. No branches, so that
// loops over it take several numbers at a time.
template <bool fused>
OPENSIM_INERTIA_INLINE double tanh(double x) {
    constexpr double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33, per_ln2 = 1.4426950408889634;
    constexpr double to_integer = 0x1.8p52;
    const double size = std::abs(x), y = size > 22 ? 44.0 : 2 * size;
    const double shifted = multiply_add<fused>(y, per_ln2, to_integer), k = shifted - to_integer;
    const double r = multiply_add<fused>(-k, ln2_low, multiply_add<fused>(-k, ln2_high, y));
    const double p = series<fused>(r, std::make_index_sequence<std::size(kExponential)>());
    const double power = std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52);
    const double e = multiply_add<fused>(power, p, power - 1);
    return std::copysign(e / (e + 2), x);
}

template <bool fused>
OPENSIM_INERTIA_INLINE void tanh_each(std::size_t n, const double* x, double* t) {
    for (std::size_t i = 0; i < n; ++i) t[i] = tanh<fused>(x[i]);
}

#ifdef OPENSIM_INERTIA_FUSED

// The same.
template <int Rows>
OPENSIM_INERTIA_FUSED inline void fused_multiply_some(std::size_t first, std::size_t columns, std::size_t inner,
                                                      const double* A, std::size_t row_step, std::size_t inner_step,
                                                      const double* B, double* out) {
    for (std::size_t j = 0; j < columns; j += 8) {
        __m256d left[Rows], right[Rows];
        for (int r = 0; r < Rows; ++r) left[r] = right[r] = _mm256_setzero_pd();
        const double *a = A + first * row_step, *b = B + j;
        for (std::size_t k = 0; k < inner; ++k, a += inner_step, b += columns) {
            const __m256d l = _mm256_loadu_pd(b), h = _mm256_loadu_pd(b + 4);
            for (int r = 0; r < Rows; ++r) {
                const __m256d weight = _mm256_broadcast_sd(a + static_cast<std::size_t>(r) * row_step);
                left[r] = _mm256_fmadd_pd(weight, l, left[r]);
                right[r] = _mm256_fmadd_pd(weight, h, right[r]);
            }
        }
        for (int r = 0; r < Rows; ++r) {
            double* to = out + (first + static_cast<std::size_t>(r)) * columns + j;
            _mm256_storeu_pd(to, left[r]);
            _mm256_storeu_pd(to + 4, right[r]);
        }
    }
}

OPENSIM_INERTIA_FUSED inline void fused_multiply(std::size_t rows, std::size_t columns, std::size_t inner,
                                                 const double* A, std::size_t row_step, std::size_t inner_step,
                                                 const double* B, double* out) {
    std::size_t i = 0;
    for (; i + 4 <= rows; i += 4) fused_multiply_some<4>(i, columns, inner, A, row_step, inner_step, B, out);
    for (; i < rows; ++i) fused_multiply_some<1>(i, columns, inner, A, row_step, inner_step, B, out);
}
OPENSIM_INERTIA_FUSED inline void fused_tanh(std::size_t n, const double* x, double* t) { tanh_each<true>(n, x, t); }

inline bool can_fuse() {
    static const bool can = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return can;
}

#endif

// out (rows, columns) = A B, A as above
inline void multiply(std::size_t rows, std::size_t columns, std::size_t inner, const double* A, std::size_t row_step,
                     std::size_t inner_step, const double* B, double* out) {
#ifdef OPENSIM_INERTIA_FUSED
    if (can_fuse()) return fused_multiply(rows, columns, inner, A, row_step, inner_step, B, out);
#endif
    std::size_t i = 0;
    for (; i + 4 <= rows; i += 4) multiply_some<4>(i, columns, inner, A, row_step, inner_step, B, out);
    for (; i < rows; ++i) multiply_some<1>(i, columns, inner, A, row_step, inner_step, B, out);
}

inline void tanh_each(std::size_t n, const double* x, double* t) {
#ifdef OPENSIM_INERTIA_FUSED
    if (can_fuse()) return fused_tanh(n, x, t);
#endif
    tanh_each<false>(n, x, t);
}

}    // namespace opensim_inertia::loops
