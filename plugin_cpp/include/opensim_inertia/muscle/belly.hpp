// The belly as material between its ends, by distance c from the proximal end.
//
// Material fills the square of (chi, xi) evenly and lies at c = chi P + xi B (material_map.hpp): what is at one
// distance is a straight line of the square. Seen along the path the mass is a trapezoid, from 0 over the lengths p and
// b of the shorter and the longer of aponeurosis and fibre to p + b. Along a line all is affine in z, the coordinate
// (chi or xi) that belongs to the shorter one. Material at one distance moves along the path at different speeds: it
// *slips*.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "opensim_inertia/scalar/types.hpp"

namespace opensim_inertia {

// A part of a muscle's mass: what lies between two shares of it, counted from the origin's side.
struct MassWindow {
    double first = 0, last = 1;
    bool is_whole() const { return first <= 0 && last >= 1; }
};

// A material point, or a direction, of the belly.
template <class Real>
struct Material {
    Real chi, xi;
};

// The material at one distance from the proximal end.
template <class Real>
struct MaterialLine {
    Real density;        // mass per length, of a mass of 1
    Real mean, width;    // of z along the line
    Real variance() const { return width * width * (1.0 / 12); }
};

template <class Real>
class Belly {
  public:
    Belly() = default;
    Belly(const Real& aponeurosis, const Real& fibre)
        : chi_is_z_(value(aponeurosis) <= value(fibre)),
          p_(chi_is_z_ ? aponeurosis : fibre),
          b_(chi_is_z_ ? fibre : aponeurosis),
          per_p_(is_line() ? Real(0.0) : inverse(p_)),
          per_b_(inverse(b_)) {}

    Real length() const { return p_ + b_; }
    // Whether all fibres start at one place, so that z makes no difference.
    bool is_line() const { return !(value(p_) > 0); }
    // Distances between which the mass per length is linear. Where p is zero the belly is what, to the first order in
    // p, a thin trapezoid is: even over a length b.
    std::array<Real, 4> zones() const {
        if (is_line()) return {0.5 * p_, 0.5 * p_, b_ + 0.5 * p_, b_ + 0.5 * p_};
        return {Real(0.0), p_, b_, p_ + b_};
    }

    MaterialLine<Real> at(const Real& c) const {
        if (is_line()) return {per_b_, Real(0.5), Real(1.0)};
        const Real low = value(c) > value(b_) ? (c - b_) * per_p_ : Real(0.0);
        const Real high = value(c) < value(p_) ? c * per_p_ : Real(1.0);
        return {(high - low) * per_b_, 0.5 * (low + high), high - low};
    }

    // The distance up to which a share of the mass lies: the inverse of the trapezoid's integral.
    Real distance_of_share(double share) const {
        using std::sqrt;
        const auto ends = zones();
        if (!(share > 0)) return ends[0];
        if (!(share < 1)) return ends[3];
        if (is_line()) return ends[0] + b_ * share;
        const double slope = value(p_) / (2 * value(b_));    // share of the mass in either slope of the trapezoid
        if (share < slope) return sqrt(2 * share * p_ * b_);
        if (share > 1 - slope) return ends[3] - sqrt(2 * (1 - share) * p_ * b_);
        return 0.5 * p_ + b_ * share;
    }

    // The material point at distance c with coordinate z; or the direction that changes them by that.
    Material<Real> point(const Real& c, const Real& z) const {
        const Real longer = (c - p_ * z) * per_b_;
        return chi_is_z_ ? Material<Real>{z, longer} : Material<Real>{longer, z};
    }

    Real distance(double chi, double xi) const { return chi_is_z_ ? p_ * chi + b_ * xi : p_ * xi + b_ * chi; }
    double z(double chi, double xi) const { return chi_is_z_ ? chi : xi; }

  private:
    bool chi_is_z_ = true;
    Real p_{}, b_{}, per_p_{}, per_b_{};
};

// A part of the mass as moments over (c, z): a few atoms of mass, each spread over z, become a place and a direction
// whose squares sum up the same wherever the place is affine in the material; and what is spread over z alone.
template <class Real>
class MassMoments {
  public:
    void clear() { atoms_.clear(); }
    void add(const Real& c, const Real& z, const Real& mass, const Real& variance) {
        atoms_.push_back({c, z, mass, variance});
    }

    // Calls place(mass, material) and spread(weight, direction); returns the weight that is spread over z alone.
    template <class Place, class Spread>
    Real reduce(const Belly<Real>& belly, Place&& place, Spread&& spread) const {
        Real mass(0.0), c(0.0), z(0.0);
        for (const Atom& a : atoms_) {
            mass += a.mass;
            c += a.mass * a.c;
            z += a.mass * a.z;
        }
        if (!(value(mass) > 0)) return 0.0;
        const Real per = inverse(mass);
        c *= per;
        z *= per;
        Real cc(0.0), cz(0.0), zz(0.0);
        for (const Atom& a : atoms_) {
            const Real dc = a.c - c, dz = a.z - z;
            cc += a.mass * dc * dc;
            cz += a.mass * dc * dz;
            zz += a.mass * (dz * dz + a.variance);
        }
        place(mass, belly.point(c, z));
        if (value(cc) > 0) {
            const Real slant = cz / cc;
            spread(cc, belly.point(Real(1.0), slant));
            zz -= slant * cz;
        }
        return value(zz) > 0 ? zz : Real(0.0);
    }

  private:
    struct Atom {
        Real c, z, mass, variance;
    };
    std::vector<Atom> atoms_;
};

}    // namespace opensim_inertia
