// Forces on, and motions of, a string over a cylinder, a sphere or a torus, of the effective radius r. Unrolled from
// the cylinder, or in its plane over the sphere, this string is a straight line. Distances count from the first end P;
// Q is the last.
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
#include "opensim_inertia/scalar/abreast.hpp"
#include "opensim_inertia/scalar/gradient.hpp"
#include "opensim_inertia/wrap/helix_wrap.hpp"

namespace opensim_inertia {

// Axes from which a span over a surface is seen.
template <class Real>
struct SpanAxes {
    Mat<Real> from_ground;
    Vec<Real> origin;    // in ground
};

template <class Real>
class UnrolledString {
  public:
    SpanAxes<Real> axes;    // the string's: those of its cylinder, or of its plane over a sphere

    using Ends = Eigen::Array<Real, 6, 1>;    // of the first end, then of the last

    // Whether a span's string is one.
    static bool is_one(const Span<Real>& span) {
        const auto* wrap = std::get_if<Wrap>(&span.wrap);
        return wrap && wrap->unrolls;
    }

    explicit UnrolledString(const Span<Real>& span)
        : axes{span.frame.R.transpose(), span.frame.c},
          wrap_(span.template as<Helical>()),
          is_plane_(span.surface->kind == &kSphere),
          is_on_ring_(span.surface->kind == &kTorus),
          ring_(is_on_ring_ ? span.surface->size[0] : 0) {
        directions_ << real(wrap_.departure), real(wrap_.arrival);
        ends_ << real(span.p), real(span.q);
        if (const auto& frame = wrap_.frame()) {
            to_axes_ << real(frame->x).transpose(), real(frame->y).transpose(), real(frame->z).transpose();
            const Vec<Real> origin = real(frame->origin);
            axes.origin += span.frame.R * origin;
            ends_ << real(span.p) - origin, real(span.q) - origin;
            axes.from_ground = to_axes_ * axes.from_ground;
            directions_ = turned_ends(to_axes_, directions_);
            ends_ = turned_ends(to_axes_, ends_);
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

    // Motions of the string, or forces on it: of P along the string, of both ends beside it and across it, of the
    // radius and of the azimuth. V here and below: a Real, or numbers.
    template <class V>
    struct Components {
        V along{0.0}, beside[2]{V(0.0), V(0.0)}, across[2]{V(0.0), V(0.0)}, radius{0.0}, azimuth{0.0};
    };

    // How a sample moves with the ends, and where these change with the radius and the azimuth. Vectors: around the
    // axis, along it, outwards.
    struct Motion {
        double at_place;     // 1, of a spread 0
        Vec<Real> place;     // in the string's axes
        Vec2<Real> ahead;    // unit direction of the string across the axis
        int end = 0;         // the end whose motion across the string moves the sample
        Real rises, back{0.0}, shares[2];
        Vec3d by_radius, by_azimuth;
    };

    // `distance`: from the string's first end.
    Motion motion(const Sample<Real>& sample, const Real& distance) const {
        Motion m;
        m.at_place = sample.is_spread ? 0.0 : 1.0;
        m.place = axes.from_ground * (real(sample.x) - m.at_place * axes.origin);
        const Real x = m.place[0], y = m.place[1];
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
        if (!wrap_.is_firm || is_on_ring_) sweep(m);
        return m;
    }

    // Adds a force at a sample, in the string's axes. Returns the force along the string.
    template <class V>
    OPENSIM_INERTIA_INLINED V add(Components<V>& sums, const Motion& m, const Three<V>& force) const {
        const auto& [x, y, z] = force;
        const V around = m.ahead.x * x + m.ahead.y * y, across = m.ahead.x * y - m.ahead.y * x;
        const V pull = cosine_ * around + sine_ * z, beside = cosine_ * z - sine_ * around;
        sums.along += m.at_place * pull;
        for (int i = 0; i < 2; ++i) sums.beside[i] += m.shares[i] * beside;
        sums.across[m.end] += (m.at_place - m.rises) * across;
        sums.radius += m.rises * -wrap_.turn() * across - m.back * around;
        if (is_on_ring_) sums.azimuth += m.place[2] * x - (m.place[0] + ring_ * m.at_place) * z;
        return pull;
    }

    // How the string moves with its ends, as the surface sees them.
    template <class V>
    OPENSIM_INERTIA_INLINED Components<V> moves(BothEnds<V> ends) const {
        if (wrap_.frame())
            for (auto& end : ends) end = turned(to_axes_, end);
        Components<V> all = at_ends(ends);
        for (std::size_t i = 0; i < 6; ++i) {
            const V& by = ends[i / 3][static_cast<int>(i % 3)];
            if (!wrap_.is_firm) all.radius += radius_gradient_[static_cast<Eigen::Index>(i)] * by;
            if (is_on_ring_) all.azimuth += azimuth_gradient_[static_cast<Eigen::Index>(i)] * by;
        }
        return all;
    }

    // How a sample moves then, in the string's axes but for its surface's motion, if it moves `along` the string
    // besides.
    template <class V>
    OPENSIM_INERTIA_INLINED Three<V> moved(const Motion& m, const Components<V>& all, const V& along) const {
        auto [around, beside, outwards] = moved(m, all);
        around += cosine_ * along;
        beside += sine_ * along;
        if (!wrap_.is_firm || is_on_ring_) {
            around += m.by_radius[0] * all.radius + m.by_azimuth[0] * all.azimuth;
            beside += m.by_radius[1] * all.radius + m.by_azimuth[1] * all.azimuth;
            outwards += m.by_radius[2] * all.radius + m.by_azimuth[2] * all.azimuth;
        }
        const V across = -wrap_.turn() * outwards;
        return {m.ahead.x * around - m.ahead.y * across, m.ahead.y * around + m.ahead.x * across, beside};
    }

    // Of a sample's derivatives by the ends, where it could be large. 0 over a cylinder whose radius does not change:
    // there it is at most 3.
    double square(const Motion& m) const {
        if (!is_plane_ && !is_on_ring_ && wrap_.is_firm) return 0;
        const double shares[2] = {value(m.shares[0]), value(m.shares[1])}, share = m.at_place - value(m.rises);
        double square = m.at_place + shares[0] * shares[0] + shares[1] * shares[1] + share * share;
        if (!wrap_.is_firm)
            square += 2 * m.by_radius.dot(moved_once(m, radius_by_)) + m.by_radius.squaredNorm() * radius_radius_;
        if (is_on_ring_)
            square += 2 * m.by_azimuth.dot(moved_once(m, azimuth_by_) + m.by_radius * radius_azimuth_) +
                      m.by_azimuth.squaredNorm() * azimuth_azimuth_;
        return square;
    }

    // The sums of forces, carried to the string's ends, as the surface sees them.
    template <class V>
    OPENSIM_INERTIA_INLINED BothEnds<V> on_ends(const Components<V>& sums) const {
        BothEnds<V> f;
        for (std::size_t end = 0; end < 2; ++end) {
            const auto& [x, y] = along_[end];
            const V &across = sums.across[end], &beside = sums.beside[end];
            V around = -1.0 * sine_ * beside;
            f[end].z = cosine_ * beside;
            if (end == 0) {
                around += cosine_ * sums.along;
                f[end].z += sine_ * sums.along;
            }
            f[end].x = x * around - y * across;
            f[end].y = y * around + x * across;
        }
        return seen_from_surface<V>(f, sums.radius - sine_ * angle_ * sums.beside[1], sums.azimuth);
    }

    // Gradient of its length with respect to its ends.
    Ends length_gradient() const {
        const Ends& d = directions_;
        const auto [p, q] =
            seen_from_surface<Real>({{{-d[0], -d[1], -d[2]}, {d[3], d[4], d[5]}}}, cosine_ * angle_, Real(0.0));
        Ends gradient;
        gradient << p.x, p.y, p.z, q.x, q.y, q.z;
        return gradient;
    }

  private:
    using Wrap = HelixWrap<TimeJet<Real>>;

    const Wrap& wrap_;
    bool is_plane_, is_on_ring_;
    double ring_;                     // radius
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
    Components<double> swept_by_, radius_by_, azimuth_by_;
    double radius_radius_ = 0, radius_swept_ = 0, radius_azimuth_ = 0, azimuth_azimuth_ = 0;    // products of gradients

    static Ends turned_ends(const Mat<Real>& R, const Ends& x) {
        Ends y;
        y << (R * x.template head<3>().matrix()).array(), (R * x.template tail<3>().matrix()).array();
        return y;
    }

    // The gradients in the surface's axes. `f`: in the string's axes, at a steady radius and azimuth; derivatives with
    // respect to these.
    template <class V>
    OPENSIM_INERTIA_INLINED BothEnds<V> seen_from_surface(BothEnds<V> f, const V& by_radius, V by_azimuth) const {
        const auto at = [&](int i)
                            OPENSIM_INERTIA_INLINED_LAMBDA -> V& { return f[static_cast<std::size_t>(i / 3)][i % 3]; };
        if (!wrap_.is_firm)
            for (int i = 0; i < 6; ++i) at(i) += radius_gradient_[i] * by_radius;
        if (is_on_ring_) {
            for (int i = 0; i < 6; ++i) by_azimuth -= swept_[i] * at(i);
            for (int i = 0; i < 6; ++i) at(i) += azimuth_gradient_[i] * by_azimuth;
        }
        if (wrap_.frame())
            for (auto& on_end : f) on_end = turned(to_axes_.transpose(), on_end);
        return f;
    }

    void find_radius(const WrapSurface& s) {
        using G = Gradient<4, Real>;
        const auto radius = effective_radius(s, s.size[is_on_ring_], wrap_.turn(),
                                             Vec2<G>{G::variable(ends_[0], 0), G::variable(ends_[1], 1)},
                                             Vec2<G>{G::variable(ends_[3], 2), G::variable(ends_[4], 3)});
        if (radius)    // if rounding does not undo a touch
            radius_gradient_ << radius->g[0], radius->g[1], Real(0.0), radius->g[2], radius->g[3], Real(0.0);
        radius_by_ = values_at_ends(radius_gradient_);
        radius_radius_ = value(radius_gradient_.square().sum());
    }

    void find_azimuth(const Vec<Real>& p, const Vec<Real>& q) {
        using G = Gradient<8, Real>;    // by the ends and the azimuth; one to spare, as for the places on a span
        const Vec<Real> on = real(wrap_.frame()->x);
        G x(on[0]), y(on[1]);
        x.g[6] = -on[1];
        y.g[6] = on[0];
        const G rate = ring_distance_rate<G>(ring_, {x, y}, variables<G>(p, 0), variables<G>(q, 3));
        azimuth_gradient_ = turned_ends(to_axes_, rate.g.template head<6>() * -inverse(rate.g[6]));
        swept_ << ends_[2], Real(0.0), -ends_[0] - ring_, ends_[5], Real(0.0), -ends_[3] - ring_;
        swept_by_ = values_at_ends(swept_);
        azimuth_by_ = values_at_ends(azimuth_gradient_);
        azimuth_azimuth_ = value(azimuth_gradient_.square().sum());
        if (wrap_.is_firm) return;
        radius_swept_ = value((radius_gradient_ * swept_).sum());
        radius_azimuth_ = value((radius_gradient_ * azimuth_gradient_).sum());
    }

    template <class V>
    OPENSIM_INERTIA_INLINED Components<V> at_ends(const BothEnds<V>& motion) const {
        Components<V> by;
        const double c = value(cosine_), s = value(sine_);
        for (std::size_t end = 0; end < 2; ++end) {
            const double x = value(along_[end].x), y = value(along_[end].y);
            const V around = x * motion[end].x + y * motion[end].y;
            if (end == 0) by.along = c * around + s * motion[end].z;
            by.beside[end] = c * motion[end].z - s * around;
            by.across[end] = x * motion[end].y - y * motion[end].x;
        }
        return by;
    }
    Components<double> values_at_ends(const Ends& m) const {
        return at_ends<double>({{{value(m[0]), value(m[1]), value(m[2])}, {value(m[3]), value(m[4]), value(m[5])}}});
    }

    // How a sample moves with the ends at a steady radius and azimuth: around the axis, along it, outwards.
    template <class V>
    OPENSIM_INERTIA_INLINED Three<V> moved(const Motion& m, const Components<V>& by) const {
        const double c = value(cosine_), s = value(sine_);
        const V along = m.at_place * by.along,
                beside = value(m.shares[0]) * by.beside[0] + value(m.shares[1]) * by.beside[1];
        return {c * along - s * beside, s * along + c * beside,
                -wrap_.turn() * (m.at_place - value(m.rises)) * by.across[m.end]};
    }
    Vec3d moved_once(const Motion& m, const Components<double>& by) const {
        const auto [around, beside, outwards] = moved(m, by);
        return {around, beside, outwards};
    }

    void sweep(Motion& m) const {
        const double c = value(cosine_), s = value(sine_), grows = value(m.shares[1]) * s * value(angle_);
        m.by_radius = m.by_azimuth = Vec3d::Zero();
        if (!wrap_.is_firm) m.by_radius << grows * s - value(m.back), -grows * c, value(m.rises);
        if (!is_on_ring_) return;
        const Vec3d place = values(m.place);
        const Vec3d carried(value(m.ahead.x) * place[2], -place[0] - ring_ * m.at_place,
                            wrap_.turn() * value(m.ahead.y) * place[2]);
        m.by_azimuth = carried - moved_once(m, swept_by_) - m.by_radius * radius_swept_;
    }
};

}    // namespace opensim_inertia
