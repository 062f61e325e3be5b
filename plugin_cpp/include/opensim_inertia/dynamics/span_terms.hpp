// A span's inertia and forces, summed in the few motions that its places depend on.
//
// Seen from the surface a place moves with the span's ends (6 numbers), with the path's length and with the length at
// which the span starts; seen from ground it moves with the surface's body as well. Sums over the samples are formed in
// these, in the surface's axes, and carried on once per span.
#pragma once

#include "opensim_inertia/dynamics/element_gradients.hpp"
#include "opensim_inertia/dynamics/row_loops.hpp"

namespace opensim_inertia {

class SpanTerms {
  public:
    static constexpr std::size_t kSize = kMoments;
    using Row = Eigen::Matrix<double, 1, static_cast<int>(kSize)>;
    using Rows = Eigen::Matrix<double, 3, static_cast<int>(kSize), Eigen::RowMajor>;

    // Seen from the surface: inertia (kSize, kSize), upper triangle; bias and gravity (kSize).
    double inertia[kSize * kSize];
    Row bias, gravity;
    // Of the surface's body, about its origin, in ground: its own 6 x 6 inertia is made of the mass and its first and
    // second moments; `moment` and `force` couple its rotation and translation with what is seen from the surface.
    double mass;
    Vec3d first, bias_moment, bias_force;
    Mat3d second;
    Rows moment, force;

    // Mean square by which a place of the mass moves per motion of the span's ends along their axes, summed over these:
    // from 1.5, in the middle, to 3 on a straight line.
    double stretch() const {
        double sum = 0;
        for (std::size_t i = 0; i < 6; ++i) sum += inertia[i * (kSize + 1)];
        return mass > 0 ? sum / mass : 0;
    }

    template <class Formula>
    void sum(const LaidMuscle<double>& m, const Span<double>& span, const SpanGradients<Formula, double>& gradients,
             const MapDerivatives<double>& derivatives, std::size_t from, std::size_t to, const Vec3d& g) {
        mass = 0;
        for (Vec3d* sum : {&first, &bias_moment, &bias_force}) sum->setZero();
        second.setZero();
        std::fill(sums_, sums_ + 7 * kSize, 0.0);
        D_.resize(3 * (to - from) * kSize);
        double* D = D_.data();
        gradients.each(m, from, to, [&](const Sample<double>& sample, const auto& place) {
            add(sample, span, place, derivatives, D);
            D += 3 * kSize;
        });
        multiply_rows(3 * (to - from), kSize, D_.data(), D_.data(), inertia, false);
        const Eigen::Map<const Rows> force_seen(sums_), moment_seen(sums_ + 3 * kSize);
        gravity = (span.frame.R.transpose() * g).transpose() * force_seen;
        bias = -Eigen::Map<const Row>(sums_ + 6 * kSize);
        force = span.frame.R * force_seen;
        moment = span.frame.R * moment_seen;
    }

  private:
    std::vector<double> D_;     // (3 samples, kSize), each times the root of its weight
    double sums_[7 * kSize];    // force, moment and bias as the surface sees them

    template <class Place>
    void add(const Sample<double>& sample, const Span<double>& span, const Place& f,
             const MapDerivatives<double>& derivatives, double* D) {
        using Local = SpanGradients<Helical, double>;
        static_assert(Local::kSize == kSize && Local::kAlong + 2 == kSize);
        const double root = std::sqrt(sample.weight), by_length = derivatives(sample),
                     by_start = sample.is_spread ? 0.0 : -1.0;
        for (int c = 0; c < 3; ++c) {
            double* row = D + static_cast<std::size_t>(c) * kSize;
            for (std::size_t i = 0; i < kSize; ++i) row[i] = root * f[c].g[static_cast<Eigen::Index>(i)];
            const double along = row[Local::kAlong];
            row[Local::kAlong] = along * by_length;
            row[Local::kAlong + 1] = along * by_start;
        }
        const Vec3d ma = sample.weight * acceleration(sample.x);
        Vec3d arm = value(sample.x);
        if (!sample.is_spread) {
            arm = span.frame.arm(arm);
            mass += sample.weight;
            first += sample.weight * arm;
            bias_force -= ma;
        }
        second.noalias() += (sample.weight * arm) * arm.transpose();
        bias_moment -= arm.cross(ma);
        const Vec3d seen = span.frame.R.transpose() * (root * arm);
        const Vec3d pulls = span.frame.R.transpose() * (root * acceleration(sample.x));
        add_moments(D, sample.is_spread ? 0.0 : root, seen.data(), pulls.data(), sums_);
    }
};

}    // namespace opensim_inertia
