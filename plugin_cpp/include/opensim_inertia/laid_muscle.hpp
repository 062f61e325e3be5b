// A muscle laid along its path at one state: the samples that sum its mass, and the corners it slides past.
#pragma once

#include "laid_path.hpp"

namespace opensim_inertia {

template <class Real>
class LaidMuscle : public LaidPath<Real> {
  public:
    using T = TimeJet<Real>;
    using LaidPath<Real>::x, LaidPath<Real>::elements, LaidPath<Real>::start, LaidPath<Real>::parts;
    using LaidPath<Real>::spans, LaidPath<Real>::length, LaidPath<Real>::muscle;
    T proximal_end, aponeurosis, fibre;    // A, P and B of the material map
    std::vector<Sample<Real>> samples;     // in the order of their elements
    std::vector<CornerForce<Real>> corners;
    Material<Real> slip{};           // the direction in which the distance from the belly's end stays
    T slip_distance;                 // and does so at this moment only
    Real slip_weight = Real(0.0);    // sum of mass times the square of what is along it
    bool held = false;
    MaterialMap<Real> map;

    void lay(const State<Real>& s, const Muscle& which) { lay(s, which, which.map.template as<Real>()); }

    // With another map than the muscle's own.
    void lay(const State<Real>& s, const Muscle& which, const MaterialMap<Real>& its_map) {
        this->lay_path(s, which);
        map = its_map;
        place_belly();
        samples.clear();
        corners.clear();
        if (which.mass.total > 0) which.mass.continuous ? sum_continuous() : sum_points();
    }

    // The part on which a material point lies.
    std::size_t locate(const Material<Real>& material) const {
        const double s = value(proximal_end) + value(apart(material));
        std::size_t k = 0;
        while (k + 1 < parts.size() && s >= value(parts[k + 1].start)) ++k;
        return k;
    }

    // chi P + xi B
    T apart(const Material<Real>& m) const { return aponeurosis * m.chi + fibre * m.xi; }

    // How far a material point is along element k.
    T along(std::size_t k, const Material<Real>& m) const { return proximal_end - start[k] + apart(m); }

    // The mass as a rigid body, in ground: [[sum m x x^T, sum m x], [., sum m]] (Wensing, Kim, Slotine 2018).
    Mat4<Real> pseudo_inertia() const {
        Mat4<Real> P = Mat4<Real>::Zero();
        for (const Sample<Real>& s : samples) {
            Eigen::Matrix<Real, 4, 1> place;
            place << real(s.x), Real(s.is_spread ? 0.0 : 1.0);
            P += s.weight * place * place.transpose();
        }
        return P;
    }

    // Place of a material point that lies on this part.
    Vec3<T> place_on(const Part<Real>& part, const Material<Real>& material) const {
        return this->place_at(part, along(part.element, material));
    }

  private:
    Belly<Real> belly_;
    MassMoments<Real> moments_;
    std::vector<std::size_t> part_of_;    // of each point mass

    void place_belly() {
        fibre = map.fibre_length(length);
        proximal_end = map.proximal_end(length, fibre);
        aponeurosis = map.aponeurosis_length(length, fibre);
        const double L = value(length), B = value(fibre);
        held = map.holds(L);
        if (!(B > 0) || B > L * (1 + 1e-12))
            throw PathError(*muscle, "its belly, " + std::to_string(B) + " m, does not fit on its path of " +
                                         std::to_string(L) + " m; check its tendon slack length");
        belly_ = Belly<Real>(aponeurosis.v, fibre.v);
        slip = belly_.point(Real(0.0), Real(1.0));
        slip_distance = apart(slip);
        slip_weight = Real(0.0);
    }

    void add_place(const Part<Real>& part, const Real& mass, const Material<Real>& material) {
        samples.push_back({part.element, part.piece, material, mass, false, place_on(part, material)});
    }

    // The moments collected for a part on which the place is affine.
    void add_moments(const Part<Real>& part) {
        slip_weight += moments_.reduce(
            belly_, [&](const Real& mass, const Material<Real>& material) { add_place(part, mass, material); },
            [&](const Real& weight, const Material<Real>& direction) { add_spread(part, weight, direction); });
    }

    void add_spread(const Part<Real>& part, const Real& weight, const Material<Real>& direction) {
        samples.push_back({part.element, part.piece, direction, weight, true, this->spread_at(part, apart(direction))});
    }

    static const GaussRule& two_points() {
        static const GaussRule rule(2);
        return rule;
    }

    // Distance of a part's start from the belly's proximal end, or of the path's end.
    Real distance(std::size_t part) const {
        return (part < parts.size() ? parts[part].start.v : length.v) - proximal_end.v;
    }

    void sum_continuous() {
        const auto zones = belly_.zones();
        Real low = 0.0;
        for (std::size_t i = 0; i < parts.size() && value(low) < value(zones[3]); ++i) {
            const bool last = i + 1 == parts.size();
            const Real end = last ? zones[3] : distance(i + 1);
            const bool within = value(end) < value(zones[3]);
            if (value(end) > value(low)) {
                add_section(parts[i], low, within ? end : zones[3], value(distance(i + 1)) - value(distance(i)));
                low = within ? end : zones[3];
            }
            if (!last && value(end) > 0 && within && parts[i].element != parts[i + 1].element)
                add_corner(parts[i].element, end, start[parts[i + 1].element]);
        }
    }

    // The mass between two distances from the belly's proximal end, which lies on one part.
    void add_section(const Part<Real>& part, const Real& from, const Real& to, double part_length) {
        const auto zones = belly_.zones();
        const bool affine = this->is_affine(part);
        moments_.clear();
        for (std::size_t zone = 0; zone < 3; ++zone) {
            const Real low = value(from) > value(zones[zone]) ? from : zones[zone];
            const Real high = value(to) < value(zones[zone + 1]) ? to : zones[zone + 1];
            if (!(value(high) > value(low))) continue;
            const Real extent = high - low;
            // the mass per length and its moments over z are at most cubic, which two points sum exactly
            const GaussRule& rule =
                affine ? two_points() : this->gauss_rule(part, std::min(1.0, value(extent) / part_length));
            for (std::size_t g = 0; g < rule.x.size(); ++g) {
                const Real c = low + extent * rule.x[g];
                const MaterialLine<Real> line = belly_.at(c);
                const Real mass = muscle->mass.total * line.density * extent * rule.w[g];
                if (affine)
                    moments_.add(c, line.mean, mass, line.variance());
                else
                    add_line(part, c, line, mass);
            }
        }
        if (affine) add_moments(part);
    }

    // The mass at one distance: its mean, and what slips past it. On a bend that is held on the surface by
    // its own speed: the mean of the accelerations exceeds the mean's acceleration by the variance of the speeds along
    // the path times the path's curvature.
    void add_line(const Part<Real>& part, const Real& c, const MaterialLine<Real>& line, const Real& mass) {
        const Material<Real> mean = belly_.point(c, line.mean);
        add_place(part, mass, mean);
        if (belly_.is_line()) return;
        const Real variance = line.variance();
        slip_weight += mass * variance;
        Vec3<T>& x = samples.back().x;
        const Vec<Real> bends = curvature(part, c, line, x) * (variance * slip_distance.d * slip_distance.d);
        for (int i = 0; i < 3; ++i) x[i].dd += bends[i];
    }

    // Second derivative of the place over the distance along the path, in ground, at the material that is at x.
    Vec<Real> curvature(const Part<Real>& part, const Real& c, const MaterialLine<Real>& line, const Vec3<T>& x) const {
        const Element& element = elements[part.element];
        if (element.span >= 0) {
            const Span<Real>& span = spans[static_cast<std::size_t>(element.span)];
            if (const auto* helix = std::get_if<HelixSegment<T>>(&span.segment))
                return span.frame.R * helix->curvature(span.frame.to_local_place(real(x)));
        }
        // the place is a function of time and distance: two material points that pass it at other speeds tell
        const Real speed = slip_distance.d;
        if (value(speed) * value(speed) < 1e-300) return Vec<Real>::Zero();
        const auto passing = [&](double z) { return acceleration(place_on(part, belly_.point(c, line.mean + z))); };
        return (passing(1.0) + passing(-1.0) - 2.0 * acceleration(x)) * (0.5 / (speed * speed));
    }

    // Mass that slides past a corner with speed w changes its direction from e to e': a force - mu w^2 (e' - e), mu
    // being the mass per length. It is what mu (adot [J^T v] - 1/2 [v.v] da/dq) of the quadratic velocity vector comes
    // to, as v = xdot - w e on either side. Within an element the path is smooth and owes none. What is at the corner
    // is a line of the belly's material, along which w is affine.
    void add_corner(std::size_t k, const Real& c, const T& corner) {
        const Vec<Real> turn = this->tangent(elements[k + 1], false) - this->tangent(elements[k], true);
        const MaterialLine<Real> line = belly_.at(c);
        const Real w = proximal_end.d - corner.d + apart(belly_.point(c, line.mean)).d;
        const Real slips = slip_distance.d;
        const Real flux = line.density * (w * w + slips * slips * line.variance());
        corners.push_back({elements[k].last(), turn * Real(-muscle->mass.total * flux)});
    }

    // Points of fibres that all start at one place, where the path is affine: their running moments say all, however
    // many they are.
    void sum_points_on_line() {
        const MassDistribution& d = muscle->mass;
        const double per_fibre = 1 / value(fibre);
        std::size_t first = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const bool last = i + 1 == parts.size();
            const double end_xi = last ? 0.0 : value(distance(i + 1)) * per_fibre;
            const std::size_t end = last ? d.mass.size() : std::max(first, d.index_below(end_xi));
            const double m = d.m0[end] - d.m0[first];
            if (!this->is_affine(parts[i])) {
                for (std::size_t p = first; p < end; ++p)
                    if (d.mass[p] > 0) add_place(parts[i], Real(d.mass[p]), {Real(0.0), Real(d.xi[p])});
            } else if (m > 0) {
                const double mean = (d.m1[end] - d.m1[first]) / m, spread = d.m2[end] - d.m2[first] - m * mean * mean;
                add_place(parts[i], Real(m), {Real(0.0), Real(mean)});
                if (spread > 0) add_spread(parts[i], Real(spread), {Real(0.0), Real(1.0)});
            }
            first = end;
        }
    }

    void sum_points() {
        if constexpr (!Differentiating<Real>)
            if (belly_.is_line()) return sum_points_on_line();
        const MassDistribution& d = muscle->mass;
        part_of_.resize(d.mass.size());
        for (std::size_t p = 0; p < d.mass.size(); ++p) part_of_[p] = locate({Real(d.chi[p]), Real(d.xi[p])});
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const bool affine = this->is_affine(parts[i]);
            moments_.clear();
            for (std::size_t p = 0; p < d.mass.size(); ++p) {
                if (part_of_[p] != i || !(d.mass[p] > 0)) continue;
                if (affine)
                    moments_.add(belly_.distance(d.chi[p], d.xi[p]), Real(belly_.z(d.chi[p], d.xi[p])), Real(d.mass[p]),
                                 Real(0.0));
                else
                    add_place(parts[i], Real(d.mass[p]), {Real(d.chi[p]), Real(d.xi[p])});
            }
            if (affine) add_moments(parts[i]);
        }
    }
};

}    // namespace opensim_inertia
