// Small networks that replace the wrapping formula (Wang et al. 2022, section 3.3): tanh, trained elsewhere.
#pragma once

#include <memory>
#include <span>

#include "opensim_inertia/scalar/gradient.hpp"
#include "opensim_inertia/wrap/helix_wrap.hpp"
#include "opensim_inertia/wrap/network.hpp"

namespace opensim_inertia {

// The networks of a cylinder or sphere, lengths of the radius:
//   x = chord(a) + 4 a (1 - a) r N(d/r, asinh f1/r, asinh f2/r, a), length = chord + r E(d/r, asinh f1/r, asinh f2/r)
// with d the chord's distance, f1 and f2 those of its foot from the ends.
class PathNetwork {
  public:
    Network position, length;
};

// A whole string as one bend; `departure` and `arrival` are dx/ds at its ends.
template <class T>
struct NetworkWrap {
    bool touches = false, converged = true;
    T lead, bend, tail;
    Vec3<T> departure, arrival;

    Vec3<T> on_bend(const T& s) const {
        Vec3<T> x;
        on_bend(std::span(&s, 1), std::span(&x, 1));
        return x;
    }

    void on_bend(std::span<const T> s, std::span<Vec3<T>> x) const {
        thread_local std::vector<T> fractions;
        fractions.clear();
        for (const T& each : s) fractions.push_back(each * per_length_);
        asides(fractions, x);
        for (std::size_t i = 0; i < s.size(); ++i) {
            const T& a = fractions[i];
            x[i] = p_ + chord_ * a + x[i] * ((T(1.0) - a) * a * 4.0);
        }
    }

    NetworkWrap() = default;

    // From the plane across the axis: `along` the chord, `outward` to the held side; `held` fades the bend. `known`, if
    // any, is the same string in another scalar.
    template <class Known>
    NetworkWrap(const PathNetwork& network, double radius, const Vec3<T>& p, const Vec3<T>& q, const Vec3<T>& along,
                const Vec3<T>& outward, const T& distance, const T& before, const T& behind, const T& rise,
                const T& held, const Known* known) {
        const double r = radius, d0 = value(distance) / r, f1 = value(before) / r, f2 = value(behind) / r;
        // what lies beyond has not been learnt: clear chords are straight, and the long way ends where training did
        if (d0 >= kClearChord + kFade || f1 <= kNearFoot - kFade || f2 <= kNearFoot - kFade) return;
        touches = true;
        converged = d0 > kLongestWay;
        network_ = &network;
        p_ = p;
        chord_ = q - p;
        lead = tail = T(0.0);
        along_ = along;
        outward_ = outward;
        const T d = distance * (1 / r), b = before * (1 / r), c = behind * (1 / r);
        fade_ = smooth_step((T(kClearChord) - d) * (1 / kFade)) * smooth_step((b - T(kNearFoot)) * (1 / kFade)) *
                smooth_step((c - T(kNearFoot)) * (1 / kFade)) * held * r;
        plane_ = {d, asinh(b), asinh(c)};
        T extra;
        network.length(1, plane_.data(), &extra);
        const T planar = before + behind + extra * fade_;
        finish(sqrt(planar * planar + rise * rise), known);
    }

  private:
    static constexpr double kClearChord = 1.3, kNearFoot = 0.1, kFade = 0.05, kLongestWay = -0.9;

    const PathNetwork* network_ = nullptr;
    Vec3<T> p_, chord_;
    T per_length_;
    std::array<T, 3> plane_;
    Vec3<T> along_, outward_;
    T fade_;

    template <class Known>
    void finish(const T& length, const Known* known) {
        bend = length;
        per_length_ = inverse(length);
        if constexpr (!std::is_same_v<Known, NetworkWrap>) {
            // lead and tail have no length, so that of their directions only the values count
            for (int i = 0; i < 3; ++i) {
                departure[i] = T(real(known->departure[i]));
                arrival[i] = T(real(known->arrival[i]));
            }
            return;
        }
        const std::array<T, 2> fractions{T(0.0), T(1.0)};
        std::array<Vec3<T>, 2> aside;
        asides(fractions, aside);
        departure = (chord_ + aside[0] * 4.0) * per_length_;
        arrival = (chord_ - aside[1] * 4.0) * per_length_;
    }

    // Away from the chord at fractions a, less the factor 4 a (1 - a).
    void asides(std::span<const T> a, std::span<Vec3<T>> x) const {
        thread_local std::vector<T> in, out;
        const std::size_t n = a.size();
        in.clear();
        for (const T& each : plane_) in.insert(in.end(), n, each);
        in.insert(in.end(), a.begin(), a.end());
        out.resize(2 * n);
        network_->position(n, in.data(), out.data());
        for (std::size_t i = 0; i < n; ++i) x[i] = along_ * (out[i] * fade_) + outward_ * (out[n + i] * fade_);
    }
};

template <class T, class Known = NetworkWrap<T>>
NetworkWrap<T> wrap_network(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q, const Known* known = nullptr) {
    const T zero(0.0);
    if (s.kind == &kCylinder) {
        const Vec3<T> c{{q[0] - p[0], q[1] - p[1], zero}};
        const Vec3<T> t = c * inverse(sqrt(squared_norm(c)));
        const Vec3<T> n{{t[1] * s.turn, t[0] * -s.turn, zero}};
        const T d = p[0] * n[0] + p[1] * n[1];
        if (!s.long_way && value(d) < -s.size[0]) return {};    // as the formula
        const T before = zero - p[0] * t[0] - p[1] * t[1], behind = q[0] * t[0] + q[1] * t[1], rise = q[2] - p[2];
        T held(1.0);
        if (s.size[1] > 0) {    // past the cylinder's ends the path lifts off
            const T z = p[2] + rise * before * inverse(before + behind);
            const T beyond = (value(z) < 0 ? zero - z : z) - T(0.5 * s.size[1]);
            held = held - smooth_step(beyond * (1 / (0.2 * s.size[0])));
        }
        return {*s.network, s.size[0], p, q, t, n, d, before, behind, rise, held, known};
    }
    // a sphere's plane through the centre and both ends
    const Vec3d p0 = value(p), c0 = value(q) - p0;
    const Vec3d foot0 = p0 - p0.dot(c0) / c0.squaredNorm() * c0;
    if (!(foot0.norm() > 1e-9 * p0.norm())) return {};
    const Vec3<T> c = q - p, t = c * inverse(sqrt(squared_norm(c)));
    const Vec3<T> foot = p - t * dot(p, t);
    const T d = sqrt(squared_norm(foot));
    const double way = s.has_quadrant() && foot0.dot(s.active) < 0 ? -1.0 : 1.0;
    return {*s.network, s.size[0],        p,         q,    t,      foot * (inverse(d) * way),
            d * way,    zero - dot(p, t), dot(q, t), zero, T(1.0), known};
}

}    // namespace opensim_inertia
