// Forces on a string over a cylinder or a sphere of the effective radius r. Unrolled from the cylinder, or in its plane
// over the sphere, this string is a straight line. Distances count from the first end P; Q is the last.
//
// While r stays, an end moves along the string, beside it on the surface, and outwards. P along the string carries all
// of the string along; Q along it moves nothing. The second motion turns the unrolled line about its other end over a
// cylinder, and the plane of the string about the line from the centre to the other end over a sphere. The third turns
// the lead or the tail about its tangent point. As r grows by dr, a place on the bend moves outwards by dr, and back by
// its angle from the bend's start times dr; around the axis the unrolled line grows by the bend's angle times dr.
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

    explicit UnrolledString(const Span<Real>& span) : wrap_(span.template as<Helical>()) {
        if (const auto& frame = wrap_.frame())
            to_plane_.emplace() << real(frame->x).transpose(), real(frame->y).transpose(), real(frame->z).transpose();
        const Vec<Real> departure = turned(real(wrap_.departure)), arrival = turned(real(wrap_.arrival));
        cosine_ = sqrt(departure[0] * departure[0] + departure[1] * departure[1]);
        sine_ = departure[2];
        const Real per = inverse(cosine_);
        along_[0] = {departure[0] * per, departure[1] * per};
        along_[1] = {arrival[0] * per, arrival[1] * per};
        length_ = wrap_.lead.v + wrap_.bend.v + wrap_.tail.v;
        angle_ = wrap_.bend_curvature().v * wrap_.bend.v;
        find_ends(span);
    }

    // Adds the force at a sample. `distance`: from the string's first end. Place and force are seen from the surface.
    // Returns the force along the string.
    Real add(const Sample<Real>& sample, const Real& distance, const Vec<Real>& its_place, const Vec<Real>& its_force) {
        const Vec<Real> place = turned(its_place), force = turned(its_force);
        const double at_place = sample.is_spread ? 0.0 : 1.0;
        Real around, outward, rises, back(0.0);
        int end = 0;
        if (sample.piece == Piece::bend) {
            const Real per = inverse(sqrt(place[0] * place[0] + place[1] * place[1]));
            around = (place[0] * force[1] - place[1] * force[0]) * (wrap_.turn() * per);
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
            if (end == 1) back = angle_ * at_place;
            across_[end] += (at_place - rises) * across;
            outward = across * -wrap_.turn();
        }
        Real shares[2];     // of the ends' motions beside the string
        if (to_plane_) {    // a place, or a spread, is shares[0] P + shares[1] Q
            shares[1] = place[1] * inverse(q_.y);
            shares[0] = (place[0] - q_.x * shares[1]) * inverse(p_.x);
        } else {
            shares[1] = distance * inverse(length_);
            shares[0] = at_place - shares[1];
        }
        const Real pull = cosine_ * around + sine_ * force[2], beside = cosine_ * force[2] - sine_ * around;
        pull_ += at_place * pull;
        for (int i = 0; i < 2; ++i) beside_[i] += shares[i] * beside;
        by_radius_ += rises * outward - back * around;
        if (to_plane_ || !wrap_.is_firm)
            add_square(sample, {value(shares[0]), value(shares[1])}, value(rises), value(back), end);
        return pull;
    }

    // The sum of the forces, carried to the string's ends.
    Eigen::Array<Real, 6, 1> on_ends() const {
        Eigen::Array<Real, 6, 1> f;
        for (int end = 0; end < 2; ++end) {
            const auto& [x, y] = along_[end];
            const Real along = end == 0 ? pull_ : Real(0.0), around = along * cosine_ - beside_[end] * sine_;
            f[3 * end] = x * around - y * across_[end];
            f[3 * end + 1] = y * around + x * across_[end];
            f[3 * end + 2] = along * sine_ + beside_[end] * cosine_;
        }
        if (!wrap_.is_firm) f += (by_radius_ - sine_ * angle_ * beside_[1]) * radius_gradient_;
        return turned_back(f);
    }

    // Gradient of its length with respect to its ends.
    Eigen::Array<Real, 6, 1> length_gradient() const {
        Eigen::Array<Real, 6, 1> gradient;
        gradient << real(wrap_.departure) * Real(-1.0), real(wrap_.arrival);
        if (!wrap_.is_firm) gradient += turned_back((cosine_ * angle_) * radius_gradient_);
        return gradient;
    }

    // See SpanTerms; 0 over a cylinder whose radius does not change, for there it is at most 3.
    double stretch() const { return mass_ > 0 ? squares_ / mass_ : 0; }

  private:
    using Wrap = HelixWrap<TimeJet<Real>>;
    const Wrap& wrap_;
    std::optional<Mat<Real>> to_plane_;    // over a sphere: into the axes of the string's plane
    Vec2<Real> p_, q_;                     // the ends across the axis
    Real cosine_, sine_;                   // of the unrolled line's slope
    Real length_, angle_;                  // of the string, and of the bend
    Vec2<Real> along_[2];                  // unit directions around the axis of lead and tail
    Eigen::Array<Real, 6, 1> radius_gradient_ = Eigen::Array<Real, 6, 1>::Zero();
    Real pull_{0.0}, by_radius_{0.0};    // sums: of forces along the string, and by the radius
    Real beside_[2]{Real(0.0), Real(0.0)}, across_[2]{Real(0.0), Real(0.0)};    // and of each end
    double mass_ = 0, squares_ = 0;

    Vec<Real> turned(const Vec<Real>& x) const { return to_plane_ ? Vec<Real>(*to_plane_ * x) : x; }

    Eigen::Array<Real, 6, 1> turned_back(Eigen::Array<Real, 6, 1> f) const {
        if (to_plane_)
            for (int end = 0; end < 2; ++end)
                f.template segment<3>(3 * end) = to_plane_->transpose() * f.template segment<3>(3 * end).matrix();
        return f;
    }

    void find_ends(const Span<Real>& span) {
        const Vec<Real> p = turned(real(span.p)), q = turned(real(span.q));
        p_ = {p[0], p[1]};
        q_ = {q[0], q[1]};
        if (wrap_.is_firm) return;
        using G = Gradient<4, Real>;
        const WrapSurface& s = *span.surface;
        const Vec2<double> active{to_plane_ ? 0 : s.active[0], to_plane_ ? 0 : s.active[1]};
        const auto radius =
            effective_radius(s, s.size[0], wrap_.turn(), active, Vec2<G>{G::variable(p_.x, 0), G::variable(p_.y, 1)},
                             Vec2<G>{G::variable(q_.x, 2), G::variable(q_.y, 3)});
        if (radius)    // if rounding does not undo a touch
            radius_gradient_ << radius->g[0], radius->g[1], Real(0.0), radius->g[2], radius->g[3], Real(0.0);
    }

    // Adds the square of a sample's derivatives by the ends.
    void add_square(const Sample<Real>& sample, const Vec2<double>& shares, double rises, double back, int end) {
        const double at_place = sample.is_spread ? 0.0 : 1.0, c = value(cosine_), s = value(sine_);
        const double share = at_place - rises;    // of the end's motion across the string
        const double grows = shares.y * s * value(angle_);
        const auto by = [&](int e, double x, double y) {    // the radius's derivative by a motion of an end
            return x * value(radius_gradient_[3 * e]) + y * value(radius_gradient_[3 * e + 1]);
        };
        const auto around = [&](int e) { return by(e, value(along_[e].x), value(along_[e].y)); };
        const double across = by(end, -value(along_[end].y), value(along_[end].x));
        const Vec3d moved(grows * s - back, -grows * c, rises);    // by the radius: around, along the axis, outwards
        const double line = shares.y * s * (around(1) - around(0));
        const Vec3d beside(at_place * around(0) + line * s, -line * c, -wrap_.turn() * share * across);
        squares_ += value(sample.weight) *
                    (at_place + shares.x * shares.x + shares.y * shares.y + share * share + 2 * moved.dot(beside) +
                     moved.squaredNorm() * value(radius_gradient_.square().sum()));
        mass_ += value(sample.weight) * at_place;
    }
};

}    // namespace opensim_inertia
