// The few loops in which the kernel spends most of its time. Where the compiler can, they are compiled for newer
// processors as well and chosen when the module is loaded.
#pragma once

#include <cstddef>

#include "opensim_inertia/scalar/four_numbers.hpp"

namespace opensim_inertia {

// y += a x
inline void add_scaled(double* __restrict y, double a, const double* __restrict x, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] += a * x[i];
}

// d = sum of N rows, weighted
template <int N>
void combine_rows(std::size_t n, const double* const* rows, const double* weights, double* __restrict d);

template <>
OPENSIM_INERTIA_CLONES inline void combine_rows<3>(std::size_t n, const double* const* rows, const double* weights,
                                                   double* __restrict d) {
    const double *r0 = rows[0], *r1 = rows[1], *r2 = rows[2];
    const double w0 = weights[0], w1 = weights[1], w2 = weights[2];
    for (std::size_t q = 0; q < n; ++q) d[q] = w0 * r0[q] + w1 * r1[q] + w2 * r2[q];
}

template <>
OPENSIM_INERTIA_CLONES inline void combine_rows<6>(std::size_t n, const double* const* rows, const double* weights,
                                                   double* __restrict d) {
    const double *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3], *r4 = rows[4], *r5 = rows[5];
    const double w0 = weights[0], w1 = weights[1], w2 = weights[2], w3 = weights[3], w4 = weights[4], w5 = weights[5];
    for (std::size_t q = 0; q < n; ++q)
        d[q] = w0 * r0[q] + w1 * r1[q] + w2 * r2[q] + w3 * r3[q] + w4 * r4[q] + w5 * r5[q];
}

template <>
OPENSIM_INERTIA_CLONES inline void combine_rows<8>(std::size_t n, const double* const* rows, const double* weights,
                                                   double* __restrict d) {
    const double *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3], *r4 = rows[4], *r5 = rows[5],
                 *r6 = rows[6], *r7 = rows[7];
    const double w0 = weights[0], w1 = weights[1], w2 = weights[2], w3 = weights[3], w4 = weights[4], w5 = weights[5],
                 w6 = weights[6], w7 = weights[7];
    for (std::size_t q = 0; q < n; ++q)
        d[q] = w0 * r0[q] + w1 * r1[q] + w2 * r2[q] + w3 * r3[q] + w4 * r4[q] + w5 * r5[q] + w6 * r6[q] + w7 * r7[q];
}

// out += weights of three consecutive rows of d
OPENSIM_INERTIA_CLONES inline void add_three_rows(std::size_t n, const double* d, const double* weights,
                                                  double* __restrict out) {
    const double *x = d, *y = d + n, *z = d + 2 * n;
    const double a = weights[0], b = weights[1], c = weights[2];
    for (std::size_t q = 0; q < n; ++q) out[q] += a * x[q] + b * y[q] + c * z[q];
}

// The width of rows of `add_moments`.
constexpr std::size_t kMoments = 8;

// out (7, kMoments) += t x, t y, t z, (r x d), (a . d), of three consecutive rows d = (x, y, z)
OPENSIM_INERTIA_CLONES inline void add_moments(const double* d, double t, const double* r, const double* a,
                                               double* __restrict out) {
    constexpr std::size_t n = kMoments;
    const double *x = d, *y = d + n, *z = d + 2 * n;
    for (std::size_t q = 0; q < n; ++q) {
        out[q] += t * x[q];
        out[n + q] += t * y[q];
        out[2 * n + q] += t * z[q];
        out[3 * n + q] += r[1] * z[q] - r[2] * y[q];
        out[4 * n + q] += r[2] * x[q] - r[0] * z[q];
        out[5 * n + q] += r[0] * y[q] - r[1] * x[q];
        out[6 * n + q] += a[0] * x[q] + a[1] * y[q] + a[2] * z[q];
    }
}

// out (n, n) = A^T B for A and B (rows, n), n a multiple of four, or added to what is there; in blocks of 4 x 4 that
// stay in registers, on and above the diagonal
OPENSIM_INERTIA_CLONES inline void multiply_rows(std::size_t rows, std::size_t n, const double* A, const double* B,
                                                 double* __restrict out, bool add) {
    for (std::size_t i = 0; i < n; i += 4)
        for (std::size_t j = i; j < n; j += 4) {
            double block[4][4] = {};
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t a = 0; a < 4; ++a)
                    for (std::size_t b = 0; b < 4; ++b) block[a][b] += A[r * n + i + a] * B[r * n + j + b];
            for (std::size_t a = 0; a < 4; ++a)
                for (std::size_t b = 0; b < 4; ++b) {
                    double& entry = out[(i + a) * n + j + b];
                    entry = add ? entry + block[a][b] : block[a][b];
                }
        }
}

// out (6, 6) += a b^T + c d^T
OPENSIM_INERTIA_CLONES inline void add_outer_products(const double* a, const double* b, const double* c,
                                                      const double* d, double* __restrict out) {
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j) out[6 * i + j] += a[i] * b[j] + c[i] * d[j];
}

// out (6, n) += scale A B for A (6, 6) and B (6, n)
OPENSIM_INERTIA_CLONES inline void add_product(std::size_t n, double scale, const double* A, const double* B,
                                               double* __restrict out) {
    const double *b0 = B, *b1 = B + n, *b2 = B + 2 * n, *b3 = B + 3 * n, *b4 = B + 4 * n, *b5 = B + 5 * n;
    for (std::size_t i = 0; i < 6; ++i) {
        const double* a = A + 6 * i;
        const double w0 = scale * a[0], w1 = scale * a[1], w2 = scale * a[2], w3 = scale * a[3], w4 = scale * a[4],
                     w5 = scale * a[5];
        double* __restrict row = out + i * n;
        for (std::size_t q = 0; q < n; ++q)
            row[q] += w0 * b0[q] + w1 * b1[q] + w2 * b2[q] + w3 * b3[q] + w4 * b4[q] + w5 * b5[q];
    }
}

// out (n, n) += A^T B for A and B (6, n); many columns of A are zero
OPENSIM_INERTIA_CLONES inline void add_transposed_product(std::size_t n, const double* A, const double* B,
                                                          double* __restrict out) {
    const double *b0 = B, *b1 = B + n, *b2 = B + 2 * n, *b3 = B + 3 * n, *b4 = B + 4 * n, *b5 = B + 5 * n;
    for (std::size_t i = 0; i < n; ++i) {
        const double* a = A + i;
        const double w0 = a[0], w1 = a[n], w2 = a[2 * n], w3 = a[3 * n], w4 = a[4 * n], w5 = a[5 * n];
        if (w0 == 0 && w1 == 0 && w2 == 0 && w3 == 0 && w4 == 0 && w5 == 0) continue;
        double* __restrict row = out + i * n;
        for (std::size_t q = 0; q < n; ++q)
            row[q] += w0 * b0[q] + w1 * b1[q] + w2 * b2[q] + w3 * b3[q] + w4 * b4[q] + w5 * b5[q];
    }
}

}    // namespace opensim_inertia
