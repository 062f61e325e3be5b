// A continuous mass, summed over a belly that is laid along its path.
#pragma once

#include <algorithm>

#include "opensim_inertia/muscle/mass_samples.hpp"

namespace opensim_inertia {

template <class Real>
class ContinuousMass {
  public:
    using T = TimeJet<Real>;

    // Keeps both references.
    ContinuousMass(const LaidBelly<Real>& laid, double total, MassSamples<Real>& out)
        : m_(laid), total_(total), out_(out) {}

    void sum(const MassWindow& window) {
        Real low = window.first > 0 ? m_.belly.distance_of_share(window.first) : Real(0.0);
        const Real high = m_.belly.distance_of_share(window.last);
        for (std::size_t i = 0; i < m_.parts.size() && value(low) < value(high); ++i) {
            const bool last = i + 1 == m_.parts.size();
            const Real end = last ? high : m_.distance(i + 1);
            const bool within = value(end) < value(high);
            if (value(end) > value(low)) {
                add_section(m_.parts[i], low, within ? end : high, value(m_.distance(i + 1)) - value(m_.distance(i)));
                low = within ? end : high;
            }
            if (!last && value(end) > 0 && within && m_.parts[i].element != m_.parts[i + 1].element)
                add_corner(m_.parts[i].element, end, m_.start[m_.parts[i + 1].element]);
        }
    }

  private:
    const LaidBelly<Real>& m_;
    double total_;
    MassSamples<Real>& out_;

    static const GaussRule& two_points() {
        static const GaussRule rule(2);
        return rule;
    }

    // The mass between two distances from the belly's proximal end, which lies on one part.
    void add_section(const Part<Real>& part, const Real& from, const Real& to, double part_length) {
        const auto zones = m_.belly.zones();
        const bool affine = m_.is_affine(part);
        out_.moments.clear();
        out_.lines.clear();
        for (std::size_t zone = 0; zone < 3; ++zone) {
            const Real low = value(from) > value(zones[zone]) ? from : zones[zone];
            const Real high = value(to) < value(zones[zone + 1]) ? to : zones[zone + 1];
            if (!(value(high) > value(low))) continue;
            const Real extent = high - low;
            // the mass per length and its moments over z are at most cubic, which two points sum exactly
            const GaussRule& rule =
                affine ? two_points() : m_.gauss_rule(part, std::min(1.0, value(extent) / part_length));
            for (std::size_t g = 0; g < rule.x.size(); ++g) {
                const Real c = low + extent * rule.x[g];
                const MaterialLine<Real> line = m_.belly.at(c);
                const Real mass = total_ * line.density * extent * rule.w[g];
                if (affine)
                    out_.moments.add(c, line.mean, mass, line.variance());
                else
                    out_.lines.add(c, mass, m_.belly.point(c, line.mean));
            }
        }
        if (affine)
            out_.add_moments(m_, part);
        else
            add_lines(part);
    }

    // The mass at each of some distances: its mean, and what slips past it. On a bend that is held on the surface by
    // its own speed: the mean of the accelerations exceeds the mean's acceleration by the variance of the speeds along
    // the path times the path's curvature.
    void add_lines(const Part<Real>& part) {
        const std::size_t first = out_.samples.size();
        out_.add_places(m_, part, out_.lines.mass, out_.lines.mean);
        if (m_.belly.is_line()) return;
        const Real speed = m_.slip_distance.d;
        find_curvatures(part, first);
        for (std::size_t i = 0; i < out_.lines.c.size(); ++i) {
            const Real variance = m_.belly.at(out_.lines.c[i]).variance();
            out_.slip_weight += out_.lines.mass[i] * variance;
            const Vec<Real> bends = out_.lines.curvature[i] * (variance * speed * speed);
            for (int k = 0; k < 3; ++k) out_.samples[first + i].x[k].dd += bends[k];
        }
    }

    // Second derivatives of the places over the distance along the path, in ground, at the samples from `first` on.
    void find_curvatures(const Part<Real>& part, std::size_t first) {
        auto& [c, mass, mean, curvature, passing] = out_.lines;
        curvature.assign(c.size(), Vec<Real>::Zero());
        const Element& element = m_.elements[part.element];
        if (element.span >= 0) {
            const Span<Real>& span = m_.spans[static_cast<std::size_t>(element.span)];
            if (const auto* helix = std::get_if<HelixWrap<T>>(&span.wrap)) {
                for (std::size_t i = 0; i < c.size(); ++i)
                    curvature[i] =
                        span.frame.R * helix->curvature(span.frame.to_local_place(real(out_.samples[first + i].x)));
                return;
            }
            if (const auto* string = std::get_if<EllipsoidWrap<T>>(&span.wrap); string && !string->guided) {
                for (std::size_t i = 0; i < c.size(); ++i)
                    curvature[i] = span.frame.R * string->curvature(m_.along(part.element, mean[i]) - string->lead);
                return;
            }
        }
        // a place is a function of time and distance: two material points that pass it at other speeds tell
        const Real speed = m_.slip_distance.d;
        if (value(speed) * value(speed) < 1e-300) return;
        passing.clear();
        for (std::size_t i = 0; i < c.size(); ++i)
            for (double z : {1.0, -1.0}) passing.push_back(m_.belly.point(c[i], m_.belly.at(c[i]).mean + z));
        const std::span<const Vec3<T>> places = out_.find_places(m_, part, passing);
        for (std::size_t i = 0; i < c.size(); ++i)
            curvature[i] = (acceleration(places[2 * i]) + acceleration(places[2 * i + 1]) -
                            2.0 * acceleration(out_.samples[first + i].x)) *
                           (0.5 / (speed * speed));
    }

    // Mass that slides past a corner with speed w changes its direction from e to e': a force - mu w^2 (e' - e), mu
    // being the mass per length. It is what mu (adot [J^T v] - 1/2 [v.v] da/dq) of the quadratic velocity vector comes
    // to, as v = xdot - w e on either side. Within an element the path is smooth and owes none. What is at the corner
    // is a line of the belly's material, along which w is affine.
    void add_corner(std::size_t k, const Real& c, const T& corner) {
        const Vec<Real> turn = m_.tangent(k + 1, false) - m_.tangent(k, true);
        const MaterialLine<Real> line = m_.belly.at(c);
        const Real w = m_.proximal_end.d - corner.d + m_.apart(m_.belly.point(c, line.mean)).d;
        const Real slips = m_.slip_distance.d;
        const Real flux = line.density * (w * w + slips * slips * line.variance());
        out_.corners.push_back({m_.elements[k].last(), turn * Real(-total_ * flux)});
    }
};

}    // namespace opensim_inertia
