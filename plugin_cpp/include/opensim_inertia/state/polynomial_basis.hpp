// Products of powers of a few coordinates, of which places in a body are made as polynomials.
#pragma once

#include <algorithm>
#include <vector>

#include "opensim_inertia/scalar/numbers.hpp"
#include "opensim_inertia/state/state.hpp"

namespace opensim_inertia {

constexpr int kHighestPower = 100;

// Term t is the product over the coordinates i of ((q_i - centre_i) / scale_i) to the power exponents(t, i).
struct PolynomialBasis {
    std::vector<int> coordinates;    // in speed order
    Vector centre, scale;
    Eigen::Matrix<int, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> exponents;    // (terms, coordinates), from 0
};

// The terms at a state: their values, their first and second derivatives along the motion, and their derivatives with
// respect to each coordinate.
template <class Real>
class BasisValues {
  public:
    const PolynomialBasis* basis = nullptr;    // whose terms they are, if any's

    void find(const State<Real>& s, const PolynomialBasis& b) {
        basis = &b;
        const auto variables = static_cast<Eigen::Index>(b.coordinates.size()), terms = b.exponents.rows();
        find_powers(s, b);
        columns_.resize(terms, kWidth * (kMotion + variables));
        for (Eigen::Index t = 0; t < terms; ++t) {
            TimeJet<Real> product(Real(1.0));
            for (Eigen::Index i = 0; i < variables; ++i)
                if (const int power = b.exponents(t, i)) product = product * power_of(i, power).jet;
            double* out = columns_.row(t).data();
            Numbers<TimeJet<Real>>::write(product, out, 1);
            for (Eigen::Index i = 0; i < variables; ++i)
                Numbers<Real>::write(slope(b, t, i), out + kWidth * (kMotion + i), 1);
        }
    }

    // A place with `coefficients` (3, terms) along the motion, and how it changes with coordinate i.
    void place(const Matrix& coefficients, Vec3<TimeJet<Real>>& x, std::vector<Vec<Real>>& slopes) const {
        const Matrix found = coefficients * columns_;
        slopes.resize(basis->coordinates.size());
        for (int c = 0; c < 3; ++c) {
            const double* row = found.row(c).data();
            x[c] = Numbers<TimeJet<Real>>::read(row, 1);
            for (std::size_t i = 0; i < slopes.size(); ++i)
                slopes[i][c] = Numbers<Real>::read(row + kWidth * (kMotion + static_cast<Eigen::Index>(i)), 1);
        }
    }

  private:
    static constexpr Eigen::Index kWidth = Numbers<Real>::count, kMotion = 3;

    // Of one coordinate; its derivative with respect to the coordinate, and all of it along the motion.
    struct Power {
        Real value, slope;
        TimeJet<Real> jet;
    };

    Matrix columns_;    // (terms, numbers)
    std::vector<Power> powers_;
    Eigen::Index count_ = 0;    // of powers of each coordinate

    const Power& power_of(Eigen::Index i, int power) const {
        return powers_[static_cast<std::size_t>(i * count_ + power)];
    }

    void find_powers(const State<Real>& s, const PolynomialBasis& b) {
        count_ = (b.exponents.size() ? b.exponents.maxCoeff() : 0) + 1;
        powers_.clear();
        for (std::size_t i = 0; i < b.coordinates.size(); ++i) {
            const auto k = static_cast<Eigen::Index>(i);
            const int c = b.coordinates[i];
            const double per = 1 / b.scale[k];
            const Real z = (s.q[c] - b.centre[k]) * per, u = s.u[c];
            Real before(0.0), last(0.0), now(1.0);    // z to the powers n - 2, n - 1 and n
            for (int n = 0; n < count_; ++n) {
                const Real slope = (n * per) * last, bend = (n * (n - 1) * per * per) * before;
                Real second = bend * u * u;
                if (s.udot) second += slope * s.udot[c];
                powers_.push_back({now, slope, {now, slope * u, second}});
                before = last;
                last = now;
                now = now * z;
            }
        }
    }

    Real slope(const PolynomialBasis& b, Eigen::Index t, Eigen::Index by) const {
        if (!b.exponents(t, by)) return 0.0;
        Real product = power_of(by, b.exponents(t, by)).slope;
        for (Eigen::Index i = 0; i < b.exponents.cols(); ++i)
            if (const int power = b.exponents(t, i); power && i != by) product *= power_of(i, power).value;
        return product;
    }
};

}    // namespace opensim_inertia
