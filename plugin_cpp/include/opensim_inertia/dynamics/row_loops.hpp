// The few loops in which the kernel spends most of its time. Where the compiler can, they are compiled for newer
// processors as well and chosen when the module is loaded.
#pragma once

#include <cstddef>
#include <utility>

#include "opensim_inertia/scalar/four_numbers.hpp"

namespace opensim_inertia {

// y += a x
inline void add_scaled(double* __restrict y, double a, const double* __restrict x, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) y[i] += a * x[i];
}

// d = sum of some rows, weighted, or added to what is there
template <std::size_t... i>
OPENSIM_INERTIA_INLINED inline void weigh_rows(std::index_sequence<i...>, std::size_t n, const double* const* rows,
                                               const double* weights, double* __restrict d, bool add = false) {
    const double *const row[] = {rows[i]...}, weight[] = {weights[i]...};
    for (std::size_t q = 0; q < n; ++q) {
        const double sum = (... + (weight[i] * row[i][q]));
        d[q] = add ? d[q] + sum : sum;
    }
}

OPENSIM_INERTIA_CLONES inline void combine_rows(std::size_t n, const double* const (&rows)[6], const double* weights,
                                                double* __restrict d) {
    weigh_rows(std::make_index_sequence<6>(), n, rows, weights, d);
}

// out += weights of three consecutive rows of d
OPENSIM_INERTIA_CLONES inline void add_three_rows(std::size_t n, const double* d, const double* weights,
                                                  double* __restrict out) {
    const double* const rows[] = {d, d + n, d + 2 * n};
    weigh_rows(std::make_index_sequence<3>(), n, rows, weights, out, true);
}

// out (n, n) = A^T B for A and B (rows, n), n a multiple of four, in blocks of 4 x 4 on and above the diagonal
OPENSIM_INERTIA_CLONES inline void multiply_rows(std::size_t rows, std::size_t n, const double* A, const double* B,
                                                 double* __restrict out) {
    for (std::size_t i = 0; i < n; i += 4)
        for (std::size_t j = i; j < n; j += 4) {
            double block[4][4] = {};
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t a = 0; a < 4; ++a)
                    for (std::size_t b = 0; b < 4; ++b) block[a][b] += A[r * n + i + a] * B[r * n + j + b];
            for (std::size_t a = 0; a < 4; ++a)
                for (std::size_t b = 0; b < 4; ++b) out[(i + a) * n + j + b] = block[a][b];
        }
}

// out (6, n) += scale A B for A (6, 6) and B (6, n)
OPENSIM_INERTIA_CLONES inline void add_product(std::size_t n, double scale, const double* A, const double* B,
                                               double* __restrict out) {
    const double* const rows[] = {B, B + n, B + 2 * n, B + 3 * n, B + 4 * n, B + 5 * n};
    for (std::size_t i = 0; i < 6; ++i) {
        double weights[6];
        for (std::size_t k = 0; k < 6; ++k) weights[k] = scale * A[6 * i + k];
        weigh_rows(std::make_index_sequence<6>(), n, rows, weights, out + i * n, true);
    }
}

// out (n, n) += A^T B for A and B (6, n); many columns of A are zero
OPENSIM_INERTIA_CLONES inline void add_transposed_product(std::size_t n, const double* A, const double* B,
                                                          double* __restrict out) {
    const double* const rows[] = {B, B + n, B + 2 * n, B + 3 * n, B + 4 * n, B + 5 * n};
    for (std::size_t i = 0; i < n; ++i) {
        const double weights[] = {A[i], A[i + n], A[i + 2 * n], A[i + 3 * n], A[i + 4 * n], A[i + 5 * n]};
        bool is_zero = true;
        for (const double w : weights) is_zero &= w == 0;
        if (!is_zero) weigh_rows(std::make_index_sequence<6>(), n, rows, weights, out + i * n, true);
    }
}

}    // namespace opensim_inertia
