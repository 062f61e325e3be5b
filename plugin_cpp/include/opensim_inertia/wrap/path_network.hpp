// Small networks in place of the wrapping formula (Wang et al. 2022, section 3.3): tanh, trained elsewhere.
#pragma once

#include <memory>
#include <vector>

#include "opensim_inertia/scalar/numbers.hpp"
#include "opensim_inertia/wrap/planar_wrap.hpp"

namespace opensim_inertia {

// An affine map after another, tanh between them.
class Network {
  public:
    struct Layer {
        Matrix weight;
        Vector bias;
    };
    std::vector<Layer> layers;

    int inputs() const { return static_cast<int>(layers.front().weight.cols()); }
    int outputs() const { return static_cast<int>(layers.back().weight.rows()); }

    // A scalar is a row of doubles: weights act on all of them alike.
    template <class T, std::size_t In>
    std::vector<T> run(const std::array<T, In>& in) const {
        Matrix x(In, Numbers<T>::count);
        for (std::size_t i = 0; i < In; ++i) Numbers<T>::write(in[i], x.row(static_cast<Eigen::Index>(i)).data());
        for (std::size_t i = 0; i < layers.size(); ++i) {
            Matrix y = layers[i].weight * x;
            y.col(0) += layers[i].bias;
            if (i + 1 < layers.size())
                for (Eigen::Index r = 0; r < y.rows(); ++r)
                    Numbers<T>::write(tanh(Numbers<T>::read(y.row(r).data())), y.row(r).data());
            x = std::move(y);
        }
        std::vector<T> out;
        for (Eigen::Index o = 0; o < x.rows(); ++o) out.push_back(Numbers<T>::read(x.row(o).data()));
        return out;
    }

    template <class T, std::size_t In>
    std::vector<T> operator()(const std::array<T, In>& in) const {
        return run(in);
    }

    // Gradients with respect to the inputs, carried on to what these depend on.
    template <std::size_t In, int N, class Real>
    std::vector<Gradient<N, Real>> operator()(const std::array<Gradient<N, Real>, In>& in) const {
        constexpr int n = static_cast<int>(In);
        std::array<Gradient<n, Real>, In> variables;
        for (std::size_t i = 0; i < In; ++i) variables[i] = Gradient<n, Real>::variable(in[i].v, static_cast<int>(i));
        std::vector<Gradient<N, Real>> out;
        for (const Gradient<n, Real>& r : run(variables)) out.push_back(carry_on<N, n, Real>(r, in));
        return out;
    }
};

// The networks of a surface. `planar`, for cylinders and spheres, lengths of the radius:
//   x = chord(a) + 4 a (1 - a) r N(d/r, asinh f1/r, asinh f2/r, a), length = chord + r E(d/r, asinh f1/r, asinh f2/r)
// with d the chord's distance, f1 and f2 those of its foot from the ends; else, in the surface's frame:
//   x = chord(a) + 4 a (1 - a) N(p, q, a), length = chord + E(p, q).
class PathNetwork {
  public:
    bool planar = true;
    Network position, length;
};

// A whole string as one bend; `departure` and `arrival` are dx/ds at its ends.
template <class T>
struct NetworkWrap {
    bool touches = false, converged = true;
    T lead, bend, tail;
    Vec3<T> departure, arrival;

    Vec3<T> on_bend(const T& s) const {
        const T a = s * per_length_;
        return p_ + chord_ * a + aside(a) * ((T(1.0) - a) * a * 4.0);
    }

    // `w` is made before by `planar_frame`, or left alone.
    NetworkWrap() = default;
    NetworkWrap(const PathNetwork& network, const Vec3<T>& p, const Vec3<T>& q) : touches(true) {
        begin(network, p, q);
        for (std::size_t i = 0; i < 3; ++i) {
            ends_[i] = p[static_cast<int>(i)];
            ends_[3 + i] = q[static_cast<int>(i)];
        }
        finish(sqrt(squared_norm(chord_)) + network.length(ends_)[0]);
    }

    // From the plane across the axis: `along` the chord, `outward` to the held side; `held` fades the bend.
    NetworkWrap(const PathNetwork& network, double radius, const Vec3<T>& p, const Vec3<T>& q, const Vec3<T>& along,
                const Vec3<T>& outward, const T& distance, const T& before, const T& behind, const T& rise,
                const T& held) {
        const double r = radius, d0 = value(distance) / r, f1 = value(before) / r, f2 = value(behind) / r;
        // what lies beyond has not been learnt: clear chords are straight, and the long way ends where training did
        if (d0 >= kClearChord + kFade || f1 <= kNearFoot - kFade || f2 <= kNearFoot - kFade) return;
        touches = true;
        converged = d0 > kLongestWay;
        begin(network, p, q);
        along_ = along;
        outward_ = outward;
        const T d = distance * (1 / r), b = before * (1 / r), c = behind * (1 / r);
        fade_ = smooth_step((T(kClearChord) - d) * (1 / kFade)) * smooth_step((b - T(kNearFoot)) * (1 / kFade)) *
                smooth_step((c - T(kNearFoot)) * (1 / kFade)) * held * r;
        plane_ = {d, asinh(b), asinh(c)};
        const T planar = before + behind + network.length(plane_)[0] * fade_;
        finish(sqrt(planar * planar + rise * rise));
    }

  private:
    static constexpr double kClearChord = 1.3, kNearFoot = 0.1, kFade = 0.05, kLongestWay = -0.9;

    const PathNetwork* network_ = nullptr;
    Vec3<T> p_, chord_;
    T per_length_;
    std::array<T, 6> ends_;
    std::array<T, 3> plane_;
    Vec3<T> along_, outward_;
    T fade_;

    void begin(const PathNetwork& network, const Vec3<T>& p, const Vec3<T>& q) {
        network_ = &network;
        p_ = p;
        chord_ = q - p;
        lead = tail = T(0.0);
    }

    void finish(const T& length) {
        bend = length;
        per_length_ = inverse(length);
        departure = (chord_ + aside(T(0.0)) * 4.0) * per_length_;
        arrival = (chord_ - aside(T(1.0)) * 4.0) * per_length_;
    }

    // Away from the chord, less the factor 4 a (1 - a).
    Vec3<T> aside(const T& a) const {
        if (network_->planar) {
            const std::vector<T> n = network_->position(std::array<T, 4>{plane_[0], plane_[1], plane_[2], a});
            return along_ * (n[0] * fade_) + outward_ * (n[1] * fade_);
        }
        std::array<T, 7> in;
        std::copy(ends_.begin(), ends_.end(), in.begin());
        in[6] = a;
        const std::vector<T> n = network_->position(in);
        return {{n[0], n[1], n[2]}};
    }
};

template <class T>
NetworkWrap<T> wrap_network(const WrapSurface& s, const Vec3<T>& p, const Vec3<T>& q) {
    if (!s.network->planar) return NetworkWrap<T>(*s.network, p, q);
    const T zero(0.0);
    if (s.kind == SurfaceKind::cylinder) {
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
        return {*s.network, s.size[0], p, q, t, n, d, before, behind, rise, held};
    }
    // a sphere's plane through the centre and both ends
    const Vec3d p0 = value(p), c0 = value(q) - p0;
    const Vec3d foot0 = p0 - p0.dot(c0) / c0.squaredNorm() * c0;
    if (!(foot0.norm() > 1e-9 * p0.norm())) return {};
    const Vec3<T> c = q - p, t = c * inverse(sqrt(squared_norm(c)));
    const Vec3<T> foot = p - t * dot(p, t);
    const T d = sqrt(squared_norm(foot));
    const double way = s.has_quadrant() && foot0.dot(s.active) < 0 ? -1.0 : 1.0;
    return {*s.network, s.size[0],        p,         q,    t,     foot * (inverse(d) * way),
            d * way,    zero - dot(p, t), dot(q, t), zero, T(1.0)};
}

}    // namespace opensim_inertia
