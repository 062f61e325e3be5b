// What bellies that swing along a recorded motion exert (docs/theory/wobble.md), in four sets of displacements at once.
#pragma once

#include <algorithm>
#include <vector>

#include "opensim_inertia/dynamics/straight_loads.hpp"
#include "opensim_inertia/dynamics/swing_frame.hpp"
#include "opensim_inertia/dynamics/workspace.hpp"
#include "opensim_inertia/muscle/swinging_belly.hpp"

namespace opensim_inertia {

// K, C and b of displacements z of one belly, z'' = -(K + k) z - (C + c) z' + b.
struct SwingEquation {
    double K[2][2], C[2][2], b[2];

    SwingEquation(const SwingFrame& frame, const Vec3d& pull, double modal_mass) {
        for (int i = 0; i < 2; ++i) {
            const Vec3d axis = value(frame.along_motion[i]);
            for (int j = 0; j < 2; ++j) {
                K[i][j] = axis.dot(acceleration(frame.along_motion[j]));
                C[i][j] = 2 * axis.dot(rate(frame.along_motion[j]));
            }
            b[i] = -axis.dot(pull) / modal_mass;
        }
    }
};

// A belly at a state, wherever it has swung to.
struct SwungBelly {
    int body;    // in whose frame it swings
    SwingFrame frame;
    Vec3d pull;    // xddot - s g
    double modal_mass;
    SwingEquation equation{frame, pull, modal_mass};
};

// What z and z' make act: dddot on the moment and D^T w, w = xddot + mu dddot - s g, on chord and body.
class SwingLoads {
  public:
    StraightLoads::Loads displacement, on_moment, on_chord, on_body;

    static Vec3d of_lane(const StraightLoads::Loads& x, std::size_t l) { return {x.x[l], x.y[l], x.z[l]}; }

    // z and z', with k and c, in one lane.
    void drive(std::size_t l, const double* z, double k, double c) {
        for (std::size_t i = 0; i < 2; ++i) {
            z_[i].set(l, z[i]);
            rate_[i].set(l, z[2 + i]);
        }
        k_.set(l, k);
        c_.set(l, c);
    }

    OPENSIM_INERTIA_INLINED void find(const SwungBelly& belly) {
        const SwingEquation& e = belly.equation;
        FourNumbers along[3][2];    // z'', 2 z' and z, which multiply B and its derivatives
        for (std::size_t i = 0; i < 2; ++i) {
            const FourNumbers pulled = e.K[i][0] * z_[0] + e.K[i][1] * z_[1];
            const FourNumbers damped = e.C[i][0] * rate_[0] + e.C[i][1] * rate_[1];
            along[0][i] = FourNumbers(e.b[i]) - k_ * z_[i] - c_ * rate_[i] - pulled - damped;
            along[1][i] = 2.0 * rate_[i];
            along[2][i] = z_[i];
        }
        displacement = on_moment = on_chord = on_body = StraightLoads::Loads::zero();
        for (std::size_t i = 0; i < 2; ++i)
            for (int a = 0; a < 3; ++a) {
                const auto& axis = belly.frame.along_motion[i][a];
                displacement[a] += axis.v * along[2][i];
                on_moment[a] += axis.v * along[0][i] + axis.d * along[1][i] + axis.dd * along[2][i];
            }
        for (int a = 0; a < 3; ++a) {
            const FourNumbers w = FourNumbers(belly.pull[a]) + belly.modal_mass * on_moment[a];
            for (std::size_t i = 0; i < 2; ++i) {
                const auto& g = belly.frame.gradients[i][a].g;
                const FourNumbers along_axis = z_[i] * w;
                for (int b = 0; b < 3; ++b) {
                    on_chord[b] += g[b] * along_axis;
                    on_body[b] += g[3 + b] * along_axis;
                }
            }
        }
    }

  private:
    std::array<FourNumbers, 2> z_, rate_;
    FourNumbers k_, c_;
};

OPENSIM_INERTIA_CLONES inline void find_loads(SwingLoads& loads, const SwungBelly& belly) { loads.find(belly); }

// The same, and what they exert on the bodies that carry a straight path.
OPENSIM_INERTIA_CLONES inline void exert(SwingLoads& loads, const SwungBelly& belly, StraightLoads& straight,
                                         const std::vector<StraightLoads::Sum>& on_moment,
                                         const std::vector<StraightLoads::Sum>& on_chord, FourNumbers* wrench) {
    loads.find(belly);
    straight.clear();
    straight.add(on_moment, loads.on_moment);
    straight.add(on_chord, loads.on_chord);
    straight.add_to(wrench);
    FourNumbers* on_body = wrench + 6 * belly.body;
    for (int a = 0; a < 3; ++a) on_body[a] += loads.on_body[a];
}

// What all bellies exert at one state, by set.
class ExertedBySwinging {
  public:
    void clear(std::size_t sets, Eigen::Index bodies, Eigen::Index speeds) {
        width_ = 6 * static_cast<std::size_t>(bodies);
        on_carriers_.assign((sets + kFour - 1) / kFour * width_, FourNumbers(0.0));
        of_one_.assign(width_, FourNumbers(0.0));
        one_.clear(bodies, speeds);
        on_bodies_.setZero(static_cast<Eigen::Index>(sets), 6 * bodies);
        on_speeds_.setZero(static_cast<Eigen::Index>(sets), speeds);
    }

    // Prepares for a belly whose path is straight.
    void summarize(const LaidMuscle<double>& laid, const SwingingBelly& belly) {
        straight_.find(laid);
        straight_.summarize(belly.samples, on_moment_);
        ends_.assign(belly.ends, belly.ends + 2);
        ends_[0].weight = -1.0;
        straight_.summarize(ends_, on_chord_);
    }

    // Loads it in sets from a first one on.
    void load(SwingLoads& loads, const SwungBelly& belly, std::size_t from) {
        exert(loads, belly, straight_, on_moment_, on_chord_, on_carriers_.data() + from / kFour * width_);
    }

    // The same in the first sets. Returns what it exerts in the first one.
    const CarriedForces<double>& load_first(SwingLoads& loads, const SwungBelly& belly) {
        exert(loads, belly, straight_, on_moment_, on_chord_, of_one_.data());
        for (std::size_t r = 0; r < width_; ++r) {
            one_.wrench[static_cast<Eigen::Index>(r)] = of_one_[r][0];
            on_carriers_[r] += of_one_[r];
            of_one_[r] = FourNumbers(0.0);
        }
        one_.tau.setZero();
        return one_;
    }

    // Adds forces in one set, and returns what they exert.
    const CarriedForces<double>& add(const State<double>& s, const MuscleForces<double>& forces, std::size_t set) {
        one_.clear(s.bodies, s.speeds);
        forces.add_to(one_);
        on_bodies_.row(static_cast<Eigen::Index>(set)) += one_.wrench;
        on_speeds_.row(static_cast<Eigen::Index>(set)) += one_.tau;
        return one_;
    }

    // The generalized forces, (sets, speeds).
    const Matrix& project(const State<double>& s) {
        for (Eigen::Index set = 0; set < on_bodies_.rows(); ++set) {
            const std::size_t at = static_cast<std::size_t>(set);
            const FourNumbers* of_set = on_carriers_.data() + at / kFour * width_;
            for (std::size_t r = 0; r < width_; ++r)
                on_bodies_(set, static_cast<Eigen::Index>(r)) += of_set[r][at % kFour];
        }
        on_speeds_.noalias() += on_bodies_ * RowMap(s.jacobian, on_bodies_.cols(), on_speeds_.cols());
        return on_speeds_;
    }

  private:
    std::size_t width_ = 0;
    StraightLoads straight_;
    std::vector<StraightLoads::Sum> on_moment_, on_chord_;
    std::vector<Sample<double>> ends_;
    std::vector<FourNumbers> on_carriers_, of_one_;    // of straight paths: (lanes of sets, 6 bodies), one belly's
    Matrix on_bodies_, on_speeds_;
    CarriedForces<double> one_;    // by one belly
};

}    // namespace opensim_inertia
