// All muscles at once: states in; mass points, added mass matrix, quadratic velocity vector and gravity out.
#pragma once

#include "projection.hpp"

namespace opensim_inertia {

struct Terms {
    Matrix mass_matrix;      // (speeds, speeds) dM
    Vector bias;             // (speeds) h = - sum m J^T (Jdot u), corner terms included
    Vector gravity;          // (speeds) g_m = sum m J^T g
    double kinetic = 0, potential = 0;
};

struct MassPoints {
    Matrix position, velocity, bias;   // (n, 3): x, J u, Jdot u
    Matrix jacobian;                   // (3 n, speeds)
};

class Kernel {
  public:
    Kernel(int bodies, int speeds) : nb(bodies), nu(speeds), projection_(bodies, speeds) {}

    const int nb, nu;
    Vec3d gravity{0, -9.80665, 0};
    std::vector<Muscle> muscles;

    void evaluate(const State& s, const std::vector<int>& which, Terms& out) {
        out.mass_matrix.setZero(nu, nu);
        out.bias.setZero(nu);
        out.gravity.setZero(nu);
        out.kinetic = out.potential = 0;
        Vector wrench_h = Vector::Zero(6 * nb), wrench_g = Vector::Zero(6 * nb);
        projection_.begin(s, &out.mass_matrix);
        for (int i : which) {
            const Muscle& muscle = lay(s, i);
            if (muscle.mass.total <= 0) continue;
            terms_.sum(laid_, gravity, true);
            projection_.add_inertia(laid_, terms_);
            projection_.add_force(laid_, terms_.bias, wrench_h, out.bias);
            projection_.add_force(laid_, terms_.gravity, wrench_g, out.gravity);
            out.kinetic += terms_.kinetic;
            out.potential += terms_.potential;
        }
        projection_.end();
        projection_.project_wrench(wrench_h, out.bias);
        projection_.project_wrench(wrench_g, out.gravity);
    }

    // tau += dM udot - h - g_m, without forming dM; s.udot is set
    void inverse(const State& s, const std::vector<int>& which, Vector& tau) {
        tau.setZero(nu);
        Vector wrench = Vector::Zero(6 * nb);
        projection_.begin(s, nullptr);
        for (int i : which) {
            const Muscle& muscle = lay(s, i);
            if (muscle.mass.total <= 0) continue;
            terms_.sum(laid_, gravity, false);
            for (std::size_t k = 0; k < terms_.bias.size(); ++k) terms_.bias[k] = -terms_.bias[k] - terms_.gravity[k];
            projection_.add_force(laid_, terms_.bias, wrench, tau);
        }
        projection_.project_wrench(wrench, tau);
    }

    void mass_points(const State& s, int i, const std::vector<double>& beta, bool want_jacobian, MassPoints& out) {
        lay(s, i);
        const std::vector<std::size_t> element = laid_.locate(beta);
        const auto n = static_cast<Eigen::Index>(beta.size());
        out.position.resize(n, 3);
        out.velocity.resize(n, 3);
        out.bias.resize(n, 3);
        out.jacobian.resize(want_jacobian ? 3 * n : 0, nu);
        for (Eigen::Index k = 0; k < n; ++k) {
            const auto x = laid_.place_on(element[static_cast<std::size_t>(k)], beta[static_cast<std::size_t>(k)]);
            out.position.row(k) = value(x);
            out.velocity.row(k) = rate(x);
            out.bias.row(k) = acceleration(x);
        }
        if (!want_jacobian) return;
        projection_.begin(s, nullptr);
        const Matrix Jn = projection_.node_jacobians(laid_);
        LengthGradients lengths;
        lengths.find(laid_);
        for (Eigen::Index k = 0; k < n; ++k)
            out.jacobian.middleRows(3 * k, 3) = node_gradient(laid_, lengths, element[static_cast<std::size_t>(k)], beta[static_cast<std::size_t>(k)]) * Jn;
    }

    // Path length, belly length [m] and whether the belly is held (1 or 0) of muscle i.
    std::array<double, 3> lengths(const State& s, int i) {
        lay(s, i);
        return {laid_.length.v, laid_.belly.v, laid_.held ? 1.0 : 0.0};
    }

    // Muscles whose belly has been held since the last call.
    std::vector<int> take_held() {
        std::vector<int> held;
        for (std::size_t i = 0; i < held_.size(); ++i)
            if (held_[i]) held.push_back(static_cast<int>(i));
        held_.clear();
        return held;
    }

  private:
    std::vector<char> held_;
    Projection projection_;
    LaidMuscle laid_;
    NodeTerms terms_;

    const Muscle& lay(const State& s, int i) {
        const Muscle& muscle = muscles[static_cast<std::size_t>(i)];
        laid_.lay(s, muscle);
        if (laid_.held) {
            held_.resize(muscles.size());
            held_[static_cast<std::size_t>(i)] = true;
        }
        return muscle;
    }
};

}  // namespace opensim_inertia
