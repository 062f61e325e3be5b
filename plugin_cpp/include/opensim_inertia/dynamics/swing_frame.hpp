// Frame of a wobbling mass and its displacement d = R E z (docs/theory/wobble.md), along the motion and with
// gradients.
#pragma once

#include <stdexcept>

#include "opensim_inertia/muscle/mode_shape.hpp"
#include "opensim_inertia/path/path.hpp"
#include "opensim_inertia/scalar/gradient.hpp"
#include "opensim_inertia/state/state.hpp"

namespace opensim_inertia {

// A muscle's belly, or a mass on a spring on a segment.
struct SwingingMass {
    int muscle = -1;    // none for a mass on a spring
    ModeShape shape;
    int body = 0;                            // in whose frame it swings
    Vec3d chord = Vec3d::Zero();             // a belly's direction at the reference pose, in the body
    Mat3d axes = Mat3d::Identity();          // rows: across it there, of a belly the first two; of a mass all three
    Vec3d centre = Vec3d::Zero();            // of a mass, where it rests in the body
    double modal_mass = 0, moment = 0;       // mu and s [kg]
    double stiffness = 0, by_tension = 0;    // k without tension [N/m], and by tension [1/m]
    double damping = 0;                      // share of the critical damping

    int coordinates() const { return muscle < 0 ? 3 : 2; }
    double stiffness_at(double tension) const { return stiffness + by_tension * tension; }
};

// A vector that a body carries, `x` of the body, in ground.
inline Vec3<TimeJet<double>> carried_vector(const State<double>& s, int body, const Vec3d& x) {
    const Vec3d r = s.R(body) * x, w = s.omega(body), turn = w.cross(r);
    return jets<double>(r, turn, s.alpha(body).cross(r) + w.cross(turn));
}

// The smallest rotation that takes e0 to the chord's direction.
template <class S>
class ChordTurn {
  public:
    ChordTurn(const Vec3<S>& chord, const Vec3<S>& e0)
        : e_(chord * inverse(sqrt(squared_norm(chord)))), both_((e0 + e_) * inverse(S(1.0) + dot(e0, e_))) {}

    // `a`, which lies across e0, turned.
    Vec3<S> operator()(const Vec3<S>& a) const { return a - both_ * dot(a, e_); }

  private:
    Vec3<S> e_, both_;
};

// The columns of B = R E in ground.
class SwingFrame {
  public:
    using T = TimeJet<double>;
    using G = Gradient<6>;    // by the chord, and by the body's rotation

    Vec3<T> along_motion[3];
    Vec3<G> gradients[3];

    // Of a belly with this chord; of a mass on a spring the chord does not count.
    SwingFrame(const State<double>& s, const SwingingMass& mass, const Vec3<T>& chord, bool with_gradients = true) {
        const int n = mass.coordinates();
        for (int i = 0; i < n; ++i) {
            along_motion[i] = carried_vector(s, mass.body, mass.axes.row(i));
            if (with_gradients) gradients[i] = turned(value(along_motion[i]));
        }
        if (mass.muscle < 0) return;
        const Vec3<T> e0 = carried_vector(s, mass.body, mass.chord);
        const ChordTurn<T> turn(chord, e0);
        for (int i = 0; i < n; ++i) along_motion[i] = turn(along_motion[i]);
        if (!with_gradients) return;
        const Vec3d c = value(chord);
        const ChordTurn<G> turn_seen({{G::variable(c[0], 0), G::variable(c[1], 1), G::variable(c[2], 2)}},
                                     turned(value(e0)));
        for (int i = 0; i < n; ++i) gradients[i] = turn_seen(gradients[i]);
    }

  private:
    static Vec3<G> turned(const Vec3d& r) {
        Vec3<G> x{{G(r[0]), G(r[1]), G(r[2])}};
        for (int c = 0; c < 3; ++c) {    // (theta x r)_c = theta_i r_j - theta_j r_i
            const int i = (c + 1) % 3, j = (c + 2) % 3;
            x[c].g[3 + i] = r[j];
            x[c].g[3 + j] = -r[i];
        }
        return x;
    }
};

// Where d is and how it moves: its time jet at zddot = 0, B, and its gradient.
struct Displaced {
    Vec3<SwingFrame::T> d;
    Mat3d basis;
    Vec3<SwingFrame::G> gradient;

    Displaced(const State<double>& s, const SwingingMass& mass, const Vec3<SwingFrame::T>& chord, const double* z,
              const double* rate) {
        const SwingFrame frame(s, mass, chord);
        for (int i = 0; i < mass.coordinates(); ++i) {
            const Vec3<SwingFrame::T> part = frame.along_motion[i] * SwingFrame::T(z[i], rate[i], 0.0);
            const Vec3<SwingFrame::G> seen = frame.gradients[i] * z[i];
            d = i ? d + part : part;
            gradient = i ? gradient + seen : seen;
            basis.col(i) = value(frame.along_motion[i]);
        }
    }
};

// Raises std::runtime_error where the chord has turned by nearly half a circle, where the frame jumps.
inline void check_turn(const State<double>& s, const SwingingMass& mass, const Vec3<TimeJet<double>>& chord,
                       const Path& path) {
    constexpr double kLeastCosine = -0.99;    // half a circle would be -1
    const Vec3d e0 = s.R(mass.body) * mass.chord, c = value(chord);
    if (c.dot(e0) < kLeastCosine * c.norm())
        throw std::runtime_error("muscle '" + path.name +
                                 "': its belly has turned by half a circle in its segment, where no frame can follow "
                                 "it; choose a reference pose nearer to the motion");
}

}    // namespace opensim_inertia
