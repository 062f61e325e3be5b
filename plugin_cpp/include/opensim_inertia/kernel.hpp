// All muscles at once: states in; mass points, added mass matrix, quadratic velocity vector and gravity out.
#pragma once

#include "carrier_terms.hpp"
#include "muscle_forces.hpp"

namespace opensim_inertia {

struct Terms {
    Matrix mass_matrix;    // (speeds, speeds) dM
    Vector bias;           // (speeds) h = - sum m J^T (Jdot u), corner terms included
    Vector gravity;        // (speeds) g_m = sum m J^T g
    double kinetic = 0, potential = 0;
};

struct MassPoints {
    Matrix position, velocity, bias;    // (n, 3): x, J u, Jdot u
    Matrix jacobian;                    // (3 n, speeds)
};

class Kernel {
  public:
    Kernel(int bodies, int speeds) : nb(bodies), nu(speeds), sum_(bodies, speeds) {}

    const int nb, nu;
    Vec3d gravity{0, -9.80665, 0};
    std::vector<Muscle> muscles;

    void evaluate(const State<double>& s, const std::vector<int>& which, Terms& out) {
        out.kinetic = out.potential = 0;
        sum_.clear();
        for (int i : which) {
            if (muscles[static_cast<std::size_t>(i)].mass.total <= 0) continue;
            lay(s, i);
            jacobians_.find(s, laid_);
            terms_.sum(laid_, jacobians_, gravity);
            sum_.add(jacobians_, terms_);
            out.kinetic += terms_.kinetic;
            out.potential += terms_.potential;
        }
        sum_.project(s, out.mass_matrix, out.bias, out.gravity);
    }

    // tau = dM udot - h - g_m, without forming dM; s.udot is set
    void inverse(const State<double>& s, const std::vector<int>& which, Vector& tau) {
        tau.setZero(nu);
        Vector wrench = Vector::Zero(6 * nb);
        for (int i : which)
            if (find_forces(s, i)) forces_.add_to(s, wrench, tau);
        tau.noalias() += RowMap(s.jacobian, 6 * nb, nu).transpose() * wrench;
    }

    // Each muscle's own tau, (muscles, speeds).
    void inverse_each(const State<double>& s, const std::vector<int>& which, Matrix& tau) {
        tau.setZero(static_cast<Eigen::Index>(which.size()), nu);
        Vector own, wrench = Vector::Zero(6 * nb);
        const RowMap J(s.jacobian, 6 * nb, nu);
        for (std::size_t m = 0; m < which.size(); ++m) {
            if (!find_forces(s, which[m])) continue;
            own.setZero(nu);
            forces_.add_to(s, wrench, own);
            for (int b : forces_.bodies()) {
                own.noalias() += J.middleRows(6 * b, 6).transpose() * wrench.segment<6>(6 * b);
                wrench.segment<6>(6 * b).setZero();
            }
            tau.row(static_cast<Eigen::Index>(m)) = own;
        }
    }

    void mass_points(const State<double>& s, int i, const std::vector<Material<double>>& material, bool want_jacobian,
                     MassPoints& out) {
        lay(s, i);
        const auto n = static_cast<Eigen::Index>(material.size());
        out.position.resize(n, 3);
        out.velocity.resize(n, 3);
        out.bias.resize(n, 3);
        out.jacobian.setZero(want_jacobian ? 3 * n : 0, nu);
        for (Eigen::Index k = 0; k < n; ++k) {
            const Material<double>& point = material[static_cast<std::size_t>(k)];
            const auto x = laid_.place_on(laid_.parts[laid_.locate(point)], point);
            out.position.row(k) = value(x);
            out.velocity.row(k) = rate(x);
            out.bias.row(k) = acceleration(x);
        }
        if (!want_jacobian) return;
        jacobians_.find(s, laid_);
        const RowMap J(s.jacobian, 6 * nb, nu);
        Matrix D(3, static_cast<Eigen::Index>(jacobians_.width));
        for (Eigen::Index k = 0; k < n; ++k) {
            const Material<double>& point = material[static_cast<std::size_t>(k)];
            terms_.point_jacobian(laid_, jacobians_, laid_.parts[laid_.locate(point)], point, out.position.row(k),
                                  D.data());
            auto rows = out.jacobian.middleRows(3 * k, 3);
            for (std::size_t a = 0; a < jacobians_.ids.size(); ++a) {
                const int id = jacobians_.ids[a];
                const auto d = D.col(static_cast<Eigen::Index>(a));
                if (id >= 6 * nb)
                    rows.col(id - 6 * nb) += d;
                else
                    rows.noalias() += d * J.row(id);
            }
        }
    }

    // Length of the path, of the belly and of the fibres [m], and whether these are held (1 or 0), of muscle i.
    std::array<double, 4> lengths(const State<double>& s, int i) {
        lay(s, i);
        return {laid_.length.v, laid_.aponeurosis.v + laid_.fibre.v, laid_.fibre.v, laid_.held ? 1.0 : 0.0};
    }

    // Muscle i's mass as a rigid body at this state.
    Mat4<double> pseudo_inertia(const State<double>& s, int i) {
        lay(s, i);
        return laid_.pseudo_inertia();
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
    LaidMuscle<double> laid_;
    NodeJacobians jacobians_;
    CarrierTerms terms_;
    CarrierSum sum_;
    MuscleForces<double> forces_;

    bool find_forces(const State<double>& s, int i) {
        const Muscle& muscle = muscles[static_cast<std::size_t>(i)];
        if (muscle.mass.total <= 0) return false;
        forces_.find(s, muscle, gravity);
        if (forces_.laid.held) note_held(i);
        return true;
    }

    void lay(const State<double>& s, int i) {
        laid_.lay(s, muscles[static_cast<std::size_t>(i)]);
        if (laid_.held) note_held(i);
    }

    void note_held(int i) {
        held_.resize(muscles.size());
        held_[static_cast<std::size_t>(i)] = true;
    }
};

}    // namespace opensim_inertia
