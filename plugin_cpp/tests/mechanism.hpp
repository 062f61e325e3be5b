// A chain of hinged bodies, by textbook recursions: states whose parts belong together.
#pragma once

#include <vector>

#include "opensim_inertia/state/state.hpp"

using namespace opensim_inertia;

// Body 0 is ground; body i turns about a fixed axis of body i - 1, through a place in it, by coordinate i - 1.
struct Mechanism {
    std::vector<Vec3d> axes, places;

    int speeds() const { return static_cast<int>(axes.size()); }
    int bodies() const { return speeds() + 1; }

    static Mechanism three_hinges() {
        return {{Vec3d(0, 0, 1), Vec3d(1, 2, 2) / 3, Vec3d(-2, 1, 2) / 3},
                {Vec3d(0.05, 0.1, -0.02), Vec3d(0.02, -0.3, 0.01), Vec3d(-0.03, -0.25, 0.04)}};
    }
};

// A state with the arrays that it is a view of.
class Pose {
  public:
    Pose(const Mechanism& m, const Vector& q, const Vector& u) : q_(q), u_(u) {
        const int nb = m.bodies(), nu = m.speeds();
        R_.assign(static_cast<std::size_t>(nb), Mat3d::Identity());
        p_.setZero(nb, 3);
        J_.setZero(6 * nb, nu);
        bias_.setZero(nb, 6);
        Vec3d omega = Vec3d::Zero();
        for (int i = 1; i < nb; ++i) {
            const auto here = static_cast<std::size_t>(i);
            const Mat3d& parent = R_[here - 1];
            const Vec3d axis = parent * m.axes[here - 1], arm = parent * m.places[here - 1];
            R_[here] = parent * Eigen::AngleAxisd(q[i - 1], m.axes[here - 1]).toRotationMatrix();
            p_.row(i) = p_.row(i - 1) + arm.transpose();
            for (int c = 0; c < nu; ++c) {
                const Vec3d turn = J_.block<3, 1>(6 * i - 6, c);
                J_.block<3, 1>(6 * i, c) = turn;
                J_.block<3, 1>(6 * i + 3, c) = Vec3d(J_.block<3, 1>(6 * i - 3, c)) + turn.cross(arm);
            }
            J_.block<3, 1>(6 * i, i - 1) += axis;
            const Vec3d alpha = bias_.block<1, 3>(i - 1, 0).transpose(), a = bias_.block<1, 3>(i - 1, 3).transpose();
            bias_.block<1, 3>(i, 0) = (alpha + omega.cross(axis) * u[i - 1]).transpose();
            bias_.block<1, 3>(i, 3) = (a + alpha.cross(arm) + omega.cross(omega.cross(arm))).transpose();
            omega += axis * u[i - 1];
        }
        for (const Mat3d& R : R_)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) rotation_.push_back(R(i, j));
        state_.bodies = nb;
        state_.speeds = nu;
        state_.q = q_.data();
        state_.u = u_.data();
        state_.rotation = rotation_.data();
        state_.position = p_.data();
        state_.jacobian = J_.data();
        state_.bias = bias_.data();
        state_.derive();
    }
    Pose(const Pose&) = delete;
    Pose& operator=(const Pose&) = delete;

    operator const State<double>&() const { return state_; }
    State<double>& state() { return state_; }

    // A place that a body carries, in ground.
    Vec3d carried(int body, const Vec3d& station) const {
        return p_.row(body).transpose() + R_[static_cast<std::size_t>(body)] * station;
    }

  private:
    Vector q_, u_;
    std::vector<Mat3d> R_;
    std::vector<double> rotation_;
    Matrix p_, J_, bias_;
    State<double> state_;
};
