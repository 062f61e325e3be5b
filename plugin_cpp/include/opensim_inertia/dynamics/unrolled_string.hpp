// Forces on a string over a cylinder, a sphere or a torus, of the effective radius r. Unrolled from the cylinder, or in
// its plane over the sphere, this string is a straight line. Distances count from the first end P; Q is the last.
//
// While r stays, an end moves along the string, beside it on the surface, and outwards. P along the string carries all
// of the string along; Q along it moves nothing. The second motion turns the unrolled line about its other end over a
// cylinder, and the plane of the string about the line from the centre to the other end over a sphere. The third turns
// the lead or the tail about its tangent point. As r grows by dr, a place on the bend moves outwards by dr, and back by
// its angle from the bend's start times dr; around the axis the unrolled line grows by the bend's angle times dr.
//
// Over a torus the string lies on a cylinder along the ring, whose azimuth depends on the ends. As the azimuth grows,
// the cylinder carries the string about the ring's axis. Seen from the cylinder, fixed ends then move the other way.
#pragma once

#include "opensim_inertia/muscle/laid_muscle.hpp"
#include "opensim_inertia/scalar/gradient.hpp"
#include "opensim_inertia/wrap/helix_wrap.hpp"

namespace opensim_inertia {

template <class Real>
class UnrolledString {
  public:
    using Ends = Eigen::Array<Real, 6, 1>;    // of the first end, then of the last

    // Whether a span's string is one.
    static bool is_one(const Span<Real>& span) {
        const auto* wrap = std::get_if<Wrap>(&span.wrap);
        return wrap && wrap->unrolls;
    }

    explicit UnrolledString(const Span<Real>& span)
        : wrap_(span.template as<Helical>()),
          is_plane_(span.surface->kind == &kSphere),
          is_on_ring_(span.surface->kind == &kTorus),
          ring_(is_on_ring_ ? span.surface->size[0] : 0),
          from_ground_(span.frame.R.transpose()),
          origin_(span.frame.c) {
        directions_ << real(wrap_.departure), real(wrap_.arrival);
        ends_ << real(span.p), real(span.q);
        if (const auto& frame = wrap_.frame()) {
            to_axes_ << real(frame->x).transpose(), real(frame->y).transpose(), real(frame->z).transpose();
            const Vec<Real> origin = real(frame->origin);
            origin_ += span.frame.R * origin;
            ends_ << real(span.p) - origin, real(span.q) - origin;
            from_ground_ = to_axes_ * from_ground_;
            directions_ = turned(to_axes_, directions_);
            ends_ = turned(to_axes_, ends_);
        }
        cosine_ = sqrt(directions_[0] * directions_[0] + directions_[1] * directions_[1]);
        sine_ = directions_[2];
        const Real per = inverse(cosine_);
        for (int end = 0; end < 2; ++end) along_[end] = {directions_[3 * end] * per, directions_[3 * end + 1] * per};
        length_ = wrap_.lead.v + wrap_.bend.v + wrap_.tail.v;
        per_length_ = inverse(length_);
        per_straight_ = {inverse(wrap_.lead.v), inverse(wrap_.tail.v)};
        per_radius_ = per * wrap_.bend_curvature().v * wrap_.turn();
        if (is_plane_) per_end_ = {inverse(ends_[0]), inverse(ends_[4])};
        angle_ = wrap_.bend_curvature().v * wrap_.bend.v;
        if (!wrap_.is_firm) find_radius(*span.surface);
        if (is_on_ring_) find_azimuth(real(span.p), real(span.q));
    }

    // Adds the force at a sample, in ground. `distance`: from the string's first end. Returns the force along the
    // string.
    Real add(const Sample<Real>& sample, const Real& distance, const Vec<Real>& its_force) {
        Motion m;
        m.at_place = sample.is_spread ? 0.0 : 1.0;
        const Vec<Real> place = from_ground_ * (real(sample.x) - m.at_place * origin_),
                        force = from_ground_ * its_force;
        const Real x = place[0], y = place[1];
        if (sample.piece == Piece::bend) {
            m.ahead = {y * -per_radius_, x * per_radius_};
            m.rises = 1.0;
            m.back = (distance - wrap_.lead.v) * wrap_.bend_curvature().v;
        } else {
            m.end = sample.piece == Piece::tail;
            m.ahead = along_[m.end];
            m.rises = m.end == 0 ? distance * per_straight_[0] : (length_ * m.at_place - distance) * per_straight_[1];
            if (m.end == 1) m.back = angle_ * m.at_place;
        }
        if (is_plane_) {    // a place, or a spread, is shares[0] P + shares[1] Q
            m.shares[1] = y * per_end_[1];
            m.shares[0] = (x - ends_[3] * m.shares[1]) * per_end_[0];
        } else {
            m.shares[1] = distance * per_length_;
            m.shares[0] = m.at_place - m.shares[1];
        }
        const Real around = m.ahead.x * force[0] + m.ahead.y * force[1];
        const Real across = m.ahead.x * force[1] - m.ahead.y * force[0];
        const Real pull = cosine_ * around + sine_ * force[2], beside = cosine_ * force[2] - sine_ * around;
        forces_.along += m.at_place * pull;
        for (int i = 0; i < 2; ++i) forces_.beside[i] += m.shares[i] * beside;
        forces_.across[m.end] += (m.at_place - m.rises) * across;
        by_radius_ += m.rises * across * -wrap_.turn() - m.back * around;
        if (is_on_ring_) by_azimuth_ += place[2] * force[0] - (x + ring_ * m.at_place) * force[2];
        if (is_plane_ || is_on_ring_ || !wrap_.is_firm) add_square(value(sample.weight), m, values(place));
        return pull;
    }

    // The sum of the forces, carried to the string's ends, as the surface sees them.
    Ends on_ends() const {
        Ends f;
        for (int end = 0; end < 2; ++end) {
            const auto& [x, y] = along_[end];
            const Real along = end == 0 ? forces_.along : Real(0.0), across = forces_.across[end],
                       beside = forces_.beside[end], around = along * cosine_ - beside * sine_;
            f.template segment<3>(3 * end) << x * around - y * across, y * around + x * across,
                along * sine_ + beside * cosine_;
        }
        return seen_from_surface(f, by_radius_ - sine_ * angle_ * forces_.beside[1], by_azimuth_);
    }

    // Gradient of its length with respect to its ends.
    Ends length_gradient() const {
        Ends gradient = directions_;
        gradient.template head<3>() *= Real(-1.0);
        return seen_from_surface(gradient, cosine_ * angle_, Real(0.0));
    }

    // See SpanTerms; 0 over a cylinder whose radius does not change, for there it is at most 3.
    double stretch() const { return mass_ > 0 ? squares_ / mass_ : 0; }

  private:
    using Wrap = HelixWrap<TimeJet<Real>>;

    // Motions of the ends, or forces on them: of P along the string, and of both beside it and across it.
    template <class S>
    struct AtEnds {
        S along{0.0}, beside[2]{S(0.0), S(0.0)}, across[2]{S(0.0), S(0.0)};
    };

    // How a sample moves with the ends.
    struct Motion {
        double at_place;     // 1, of a spread 0
        Vec2<Real> ahead;    // unit direction of the string across the axis
        int end = 0;         // the end whose motion across the string moves the sample
        Real rises, back{0.0}, shares[2];
    };

    const Wrap& wrap_;
    bool is_plane_, is_on_ring_;
    double ring_;                     // radius
    Mat<Real> from_ground_;           // into the string's axes: those of its cylinder, or of its plane over a sphere
    Vec<Real> origin_;                // of these axes, in ground
    Mat<Real> to_axes_;               // from the surface's axes into the string's, where they differ
    Ends ends_;                       // in the string's axes
    Ends directions_;                 // of lead and tail, in the string's axes
    Vec2<Real> along_[2];             // the same across the axis, as unit directions
    Real cosine_, sine_;              // of the unrolled line's slope
    Real length_, angle_;             // of the string, and of the bend
    Real per_length_, per_radius_;    // inverses: of the length; of the radius, with the sign of the string's turn
    std::array<Real, 2> per_straight_, per_end_;    // of lead and tail; of the first end's x and the last's y
    Ends radius_gradient_ = Ends::Zero(), azimuth_gradient_;
    Ends swept_;    // how the ends move about the ring's axis
    AtEnds<double> swept_by_, radius_by_, azimuth_by_;
    AtEnds<Real> forces_;
    Real by_radius_{0.0}, by_azimuth_{0.0};
    double mass_ = 0, squares_ = 0;
    double radius_radius_ = 0, radius_swept_ = 0, radius_azimuth_ = 0, azimuth_azimuth_ = 0;    // products of gradients

    static Ends turned(const Mat<Real>& R, const Ends& x) {
        Ends y;
        y << R * x.template head<3>().matrix(), R * x.template tail<3>().matrix();
        return y;
    }

    // The gradient in the surface's axes. `f`: in the string's axes, at a steady radius and azimuth; derivatives with
    // respect to these.
    Ends seen_from_surface(Ends f, const Real& by_radius, const Real& by_azimuth) const {
        if (!wrap_.is_firm) f += by_radius * radius_gradient_;
        if (is_on_ring_) f += (by_azimuth - (f * swept_).sum()) * azimuth_gradient_;
        return wrap_.frame() ? turned(to_axes_.transpose(), f) : f;
    }

    void find_radius(const WrapSurface& s) {
        using G = Gradient<4, Real>;
        const auto radius = effective_radius(s, s.size[is_on_ring_], wrap_.turn(),
                                             Vec2<G>{G::variable(ends_[0], 0), G::variable(ends_[1], 1)},
                                             Vec2<G>{G::variable(ends_[3], 2), G::variable(ends_[4], 3)});
        if (radius)    // if rounding does not undo a touch
            radius_gradient_ << radius->g[0], radius->g[1], Real(0.0), radius->g[2], radius->g[3], Real(0.0);
        radius_by_ = at_ends(radius_gradient_);
        radius_radius_ = value(radius_gradient_.square().sum());
    }

    void find_azimuth(const Vec<Real>& p, const Vec<Real>& q) {
        using G = Gradient<8, Real>;    // by the ends and the azimuth; one to spare, as for the places on a span
        const Vec<Real> on = real(wrap_.frame()->x);
        G x(on[0]), y(on[1]);
        x.g[6] = -on[1];
        y.g[6] = on[0];
        const G rate = ring_distance_rate<G>(ring_, {x, y}, variables<G>(p, 0), variables<G>(q, 3));
        azimuth_gradient_ = turned(to_axes_, rate.g.template head<6>() * -inverse(rate.g[6]));
        swept_ << ends_[2], Real(0.0), -ends_[0] - ring_, ends_[5], Real(0.0), -ends_[3] - ring_;
        swept_by_ = at_ends(swept_);
        azimuth_by_ = at_ends(azimuth_gradient_);
        azimuth_azimuth_ = value(azimuth_gradient_.square().sum());
        if (wrap_.is_firm) return;
        radius_swept_ = value((radius_gradient_ * swept_).sum());
        radius_azimuth_ = value((radius_gradient_ * azimuth_gradient_).sum());
    }

    AtEnds<double> at_ends(const Ends& motion) const {
        AtEnds<double> by;
        const double c = value(cosine_), s = value(sine_);
        for (int end = 0; end < 2; ++end) {
            const double x = value(along_[end].x), y = value(along_[end].y), z = value(motion[3 * end + 2]);
            const double around = x * value(motion[3 * end]) + y * value(motion[3 * end + 1]);
            if (end == 0) by.along = c * around + s * z;
            by.beside[end] = c * z - s * around;
            by.across[end] = x * value(motion[3 * end + 1]) - y * value(motion[3 * end]);
        }
        return by;
    }

    // Adds the square of a sample's derivatives by the ends. Vectors: around the axis, along it, outwards.
    void add_square(double weight, const Motion& m, const Vec3d& place) {
        const double c = value(cosine_), s = value(sine_), share = m.at_place - value(m.rises);
        const double shares[2] = {value(m.shares[0]), value(m.shares[1])};
        const auto moved = [&](const AtEnds<double>& by) {
            const double along = m.at_place * by.along, beside = shares[0] * by.beside[0] + shares[1] * by.beside[1];
            return Vec3d(c * along - s * beside, s * along + c * beside, -wrap_.turn() * share * by.across[m.end]);
        };
        double square = m.at_place + shares[0] * shares[0] + shares[1] * shares[1] + share * share;
        Vec3d by_radius = Vec3d::Zero();
        if (!wrap_.is_firm) {
            const double grows = shares[1] * s * value(angle_);
            by_radius << grows * s - value(m.back), -grows * c, value(m.rises);
            square += 2 * by_radius.dot(moved(radius_by_)) + by_radius.squaredNorm() * radius_radius_;
        }
        if (is_on_ring_) {
            const Vec3d carried(value(m.ahead.x) * place[2], -place[0] - ring_ * m.at_place,
                                wrap_.turn() * value(m.ahead.y) * place[2]);
            const Vec3d by_azimuth = carried - moved(swept_by_) - by_radius * radius_swept_;
            square += 2 * by_azimuth.dot(moved(azimuth_by_) + by_radius * radius_azimuth_) +
                      by_azimuth.squaredNorm() * azimuth_azimuth_;
        }
        squares_ += weight * square;
        mass_ += weight * m.at_place;
    }
};

}    // namespace opensim_inertia
