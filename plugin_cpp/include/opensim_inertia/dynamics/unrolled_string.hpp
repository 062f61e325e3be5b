// Forces on a string over a cylinder of the effective radius r. Unrolled, this string is a straight line.
//
// While r stays, an end moves along the axis, in the string's direction around the axis, and across both. The first two
// motions move the end of the unrolled line. The third turns the lead or the tail about its tangent point, and moves
// nothing else. Unrolled, the place at distance s from the first end P moves by
//   dP + s / l n n^T (dQ - dP),
// where Q is the last end, l the line's length and n its normal. As r grows by dr, a place on the bend moves outwards
// by dr, and back by its angle from the bend's start times dr; the line becomes longer by the bend's angle times dr.
#pragma once

#include "opensim_inertia/muscle/laid_muscle.hpp"

namespace opensim_inertia {

template <class Real>
class UnrolledString {
  public:
    // Whether a span's string is one.
    static bool is_one(const Span<Real>& span) {
        const auto* wrap = std::get_if<Wrap>(&span.wrap);
        return wrap && wrap->unrolls;
    }

    explicit UnrolledString(const Span<Real>& span) : wrap_(span.template as<Helical>()), turn_(span.surface->turn) {
        const Vec<Real> departure = real(wrap_.departure), arrival = real(wrap_.arrival);
        cosine_ = sqrt(departure[0] * departure[0] + departure[1] * departure[1]);
        sine_ = departure[2];
        const Real per = inverse(cosine_);
        along_[0] = {departure[0] * per, departure[1] * per};
        along_[1] = {arrival[0] * per, arrival[1] * per};
        length_ = wrap_.lead.v + wrap_.bend.v + wrap_.tail.v;
        angle_ = wrap_.bend_curvature().v * wrap_.bend.v;
        slope_rate_ = sine_ * angle_ * inverse(length_) * -1.0;
        if (!wrap_.is_firm) find_radius_gradient(span);
    }

    // Adds the force at a sample. `distance`: from the string's first end. Place and force are seen from the surface.
    // Returns the force along the string.
    Real add(const Sample<Real>& sample, const Real& distance, const Vec<Real>& place, const Vec<Real>& force) {
        const double at_place = sample.is_spread ? 0.0 : 1.0;
        Real around, outward, rises, back(0.0), share(0.0);
        int end = 0;
        if (sample.piece == Piece::bend) {
            const Real per = inverse(sqrt(place[0] * place[0] + place[1] * place[1]));
            around = (place[0] * force[1] - place[1] * force[0]) * (turn_ * per);
            outward = (place[0] * force[0] + place[1] * force[1]) * per;
            rises = 1.0;
            back = (distance - wrap_.lead.v) * wrap_.bend_curvature().v;
        } else {
            end = sample.piece == Piece::tail;
            const auto& [x, y] = along_[end];
            around = x * force[0] + y * force[1];
            const Real across = x * force[1] - y * force[0];
            rises =
                end == 0 ? distance * inverse(wrap_.lead.v) : (length_ * at_place - distance) * inverse(wrap_.tail.v);
            share = at_place - rises;
            if (end == 1) back = angle_ * at_place;
            across_[end] += share * across;
            outward = across * -turn_;
        }
        around_ += at_place * around;
        axial_ += at_place * force[2];
        turning_ += distance * (cosine_ * force[2] - sine_ * around);
        by_radius_ += rises * outward - back * around;
        if (!wrap_.is_firm) add_square(sample, value(distance), value(rises), value(back), value(share), end);
        return cosine_ * around + sine_ * force[2];
    }

    // The sum of the forces, carried to the string's ends.
    Eigen::Array<Real, 6, 1> on_ends() const {
        const Real on_last = turning_ * inverse(length_);
        const Real around[2] = {around_ + on_last * sine_, on_last * sine_ * -1.0};
        const Real axial[2] = {axial_ - on_last * cosine_, on_last * cosine_};
        Eigen::Array<Real, 6, 1> f;
        for (int end = 0; end < 2; ++end) {
            const auto& [x, y] = along_[end];
            f[3 * end] = x * around[end] - y * across_[end];
            f[3 * end + 1] = y * around[end] + x * across_[end];
            f[3 * end + 2] = axial[end];
        }
        if (!wrap_.is_firm) f += (by_radius_ + slope_rate_ * turning_) * radius_gradient_;
        return f;
    }

    // Of its length with respect to its ends.
    Eigen::Array<Real, 6, 1> length_gradient() const {
        Eigen::Array<Real, 6, 1> gradient;
        gradient << real(wrap_.departure) * Real(-1.0), real(wrap_.arrival);
        if (!wrap_.is_firm) gradient += (cosine_ * angle_) * radius_gradient_;
        return gradient;
    }

    // See SpanTerms; 0 where the radius does not change, for there it is at most 3.
    double stretch() const { return mass_ > 0 ? squares_ / mass_ : 0; }

  private:
    using Wrap = HelixWrap<TimeJet<Real>>;
    const Wrap& wrap_;
    double turn_;
    Real cosine_, sine_, slope_rate_;    // of the unrolled line's slope, and its angle per radius
    Real length_, angle_;                // of the string, and of the bend
    Vec2<Real> along_[2];                // unit directions around the axis of lead and tail
    Eigen::Array<Real, 6, 1> radius_gradient_;
    Real around_{0.0}, axial_{0.0}, turning_{0.0}, by_radius_{0.0};    // sums of forces
    Real across_[2]{Real(0.0), Real(0.0)};                             // of each end
    double mass_ = 0, squares_ = 0;

    void find_radius_gradient(const Span<Real>& span) {
        using G = Gradient<4, Real>;
        const WrapSurface& s = *span.surface;
        const auto radius = effective_radius(s, s.size[0], turn_, Vec2<double>{s.active[0], s.active[1]},
                                             Vec2<G>{G::variable(span.p[0].v, 0), G::variable(span.p[1].v, 1)},
                                             Vec2<G>{G::variable(span.q[0].v, 2), G::variable(span.q[1].v, 3)});
        radius_gradient_ << radius->g[0], radius->g[1], Real(0.0), radius->g[2], radius->g[3], Real(0.0);
    }

    // Adds the square of a sample's derivatives by the ends.
    void add_square(const Sample<Real>& sample, double distance, double rises, double back, double share, int end) {
        const double at_place = sample.is_spread ? 0.0 : 1.0, c = value(cosine_), s = value(sine_);
        const double tau = distance / value(length_), turned = distance * value(slope_rate_);
        const auto by = [&](int e, double x, double y) {    // the radius's derivative by a motion of an end
            return x * value(radius_gradient_[3 * e]) + y * value(radius_gradient_[3 * e + 1]);
        };
        const auto around = [&](int e) { return by(e, value(along_[e].x), value(along_[e].y)); };
        const double across = by(end, -value(along_[end].y), value(along_[end].x));
        const Vec3d moved(-back - turned * s, turned * c, rises);    // by the radius: around, along the axis, outwards
        const double line = tau * s * (around(1) - around(0));
        const Vec3d beside(at_place * around(0) + line * s, -line * c, -turn_ * share * across);
        squares_ += value(sample.weight) *
                    (at_place + (at_place - tau) * (at_place - tau) + tau * tau + share * share +
                     2 * moved.dot(beside) + moved.squaredNorm() * value(radius_gradient_.square().sum()));
        mass_ += value(sample.weight) * at_place;
    }
};

}    // namespace opensim_inertia
