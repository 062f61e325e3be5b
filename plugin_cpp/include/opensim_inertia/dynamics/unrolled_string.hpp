// Forces on a string over a cylinder that has the surface's own radius. Unrolled, this string is a straight line.
//
// An end moves along the axis, in the string's direction around the axis, and across both. The first two motions move
// the end of the unrolled line. The third turns the lead or the tail about its tangent point, and moves nothing else.
// Unrolled, the place at distance s from the first end P moves by
//   dP + s / l n n^T (dQ - dP),
// where Q is the last end, l the line's length and n its normal.
#pragma once

#include "opensim_inertia/muscle/laid_muscle.hpp"

namespace opensim_inertia {

template <class Real>
class UnrolledString {
  public:
    // Whether a span's string is one.
    static bool is_one(const Span<Real>& span) {
        const auto* wrap = std::get_if<Wrap>(&span.wrap);
        return wrap && wrap->is_firm;
    }

    explicit UnrolledString(const Span<Real>& span) : wrap_(span.template as<Helical>()) {
        const Vec<Real> departure = real(wrap_.departure), arrival = real(wrap_.arrival);
        cosine_ = sqrt(departure[0] * departure[0] + departure[1] * departure[1]);
        sine_ = departure[2];
        const Real per = inverse(cosine_);
        along_[0] = {departure[0] * per, departure[1] * per};
        along_[1] = {arrival[0] * per, arrival[1] * per};
    }

    // Adds the force at a sample. `distance`: from the string's first end. Place and force are seen from the surface.
    // Returns the force along the string.
    Real add(const Sample<Real>& sample, const Real& distance, const Vec<Real>& place, const Vec<Real>& force) {
        const double at_place = sample.is_spread ? 0.0 : 1.0;
        Real around;
        if (sample.piece == Piece::bend) {
            around = (place[0] * force[1] - place[1] * force[0]) * wrap_.turn() *
                     inverse(sqrt(place[0] * place[0] + place[1] * place[1]));
        } else {
            const bool is_tail = sample.piece == Piece::tail;
            const auto& [x, y] = along_[is_tail];
            around = x * force[0] + y * force[1];
            const Real tail = wrap_.tail.v, before_tail = wrap_.lead.v + wrap_.bend.v;
            const Real share = is_tail ? (distance - before_tail * at_place) * inverse(tail)
                                       : at_place - distance * inverse(wrap_.lead.v);
            across_[is_tail] += share * (x * force[1] - y * force[0]);
        }
        around_ += at_place * around;
        axial_ += at_place * force[2];
        turning_ += distance * (cosine_ * force[2] - sine_ * around);
        return cosine_ * around + sine_ * force[2];
    }

    // What the forces come to on the string's ends.
    Eigen::Array<Real, 6, 1> on_ends() const {
        const Real on_last = turning_ * inverse(wrap_.lead.v + wrap_.bend.v + wrap_.tail.v);
        const Real around[2] = {around_ + on_last * sine_, on_last * sine_ * -1.0};
        const Real axial[2] = {axial_ - on_last * cosine_, on_last * cosine_};
        Eigen::Array<Real, 6, 1> f;
        for (int end = 0; end < 2; ++end) {
            const auto& [x, y] = along_[end];
            f[3 * end] = x * around[end] - y * across_[end];
            f[3 * end + 1] = y * around[end] + x * across_[end];
            f[3 * end + 2] = axial[end];
        }
        return f;
    }

    // Of its length with respect to its ends.
    Eigen::Array<Real, 6, 1> length_gradient() const {
        Eigen::Array<Real, 6, 1> gradient;
        gradient << real(wrap_.departure) * Real(-1.0), real(wrap_.arrival);
        return gradient;
    }

  private:
    using Wrap = HelixWrap<TimeJet<Real>>;
    const Wrap& wrap_;
    Real cosine_, sine_;     // of the unrolled line's slope
    Vec2<Real> along_[2];    // unit directions around the axis of lead and tail
    Real around_{0.0}, axial_{0.0}, turning_{0.0}, across_[2]{Real(0.0), Real(0.0)};    // sums of forces
};

}    // namespace opensim_inertia
