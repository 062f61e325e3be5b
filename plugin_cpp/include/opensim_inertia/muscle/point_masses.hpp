// Point masses at material points, summed over a belly that is laid along its path.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "opensim_inertia/muscle/mass_samples.hpp"

namespace opensim_inertia {

template <class Real>
class PointMasses {
  public:
    // Keeps the references.
    PointMasses(const LaidBelly<Real>& laid, const MassDistribution& mass, MassSamples<Real>& out)
        : m_(laid), mass_(mass), out_(out) {}

    void sum(const MassWindow& window) {
        if constexpr (!Differentiating<Real>)
            if (window.is_whole() && m_.belly.is_line()) return sum_on_line();
        const std::vector<double> masses = window.is_whole() ? mass_.mass : masses_in(window);
        out_.part_of.resize(mass_.mass.size());
        for (std::size_t p = 0; p < mass_.mass.size(); ++p)
            out_.part_of[p] = m_.locate({Real(mass_.chi[p]), Real(mass_.xi[p])});
        for (std::size_t i = 0; i < m_.parts.size(); ++i) {
            const bool affine = m_.is_affine(m_.parts[i]);
            out_.moments.clear();
            out_.lines.clear();
            for (std::size_t p = 0; p < mass_.mass.size(); ++p) {
                if (out_.part_of[p] != i || !(masses[p] > 0)) continue;
                if (affine)
                    out_.moments.add(m_.belly.distance(mass_.chi[p], mass_.xi[p]),
                                     Real(m_.belly.z(mass_.chi[p], mass_.xi[p])), Real(masses[p]), Real(0.0));
                else
                    out_.lines.add(m_.belly.distance(mass_.chi[p], mass_.xi[p]), Real(masses[p]),
                                   {Real(mass_.chi[p]), Real(mass_.xi[p])});
            }
            if (affine)
                out_.add_moments(m_, m_.parts[i]);
            else
                out_.add_places(m_, m_.parts[i], out_.lines.mass, out_.lines.mean);
        }
    }

  private:
    const LaidBelly<Real>& m_;
    const MassDistribution& mass_;
    MassSamples<Real>& out_;

    // What of each point's mass lies in a window, the points being counted from the origin's side as they lie now.
    std::vector<double> masses_in(const MassWindow& window) const {
        std::vector<std::size_t> order(mass_.mass.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto place = [&](std::size_t p) { return value(m_.belly.distance(mass_.chi[p], mass_.xi[p])); };
        std::stable_sort(order.begin(), order.end(), [&](auto p, auto r) { return place(p) < place(r); });
        std::vector<double> inside(order.size());
        const double low = window.first * mass_.total, high = window.last * mass_.total;
        double before = 0;
        for (std::size_t p : order) {
            const double after = before + mass_.mass[p];
            inside[p] = std::max(0.0, std::min(after, high) - std::max(before, low));
            before = after;
        }
        return inside;
    }

    // Points of fibres that all start at one place, where the path is affine: their running moments say all, however
    // many they are.
    void sum_on_line() {
        const double per_fibre = 1 / value(m_.fibre);
        std::size_t first = 0;
        for (std::size_t i = 0; i < m_.parts.size(); ++i) {
            const bool last = i + 1 == m_.parts.size();
            const double end_xi = last ? 0.0 : value(m_.distance(i + 1)) * per_fibre;
            const std::size_t end = last ? mass_.mass.size() : std::max(first, mass_.index_below(end_xi));
            const double m = mass_.m0[end] - mass_.m0[first];
            if (!m_.is_affine(m_.parts[i])) {
                out_.lines.clear();
                for (std::size_t p = first; p < end; ++p)
                    if (mass_.mass[p] > 0)
                        out_.lines.add(m_.belly.distance(0.0, mass_.xi[p]), Real(mass_.mass[p]),
                                       {Real(0.0), Real(mass_.xi[p])});
                out_.add_places(m_, m_.parts[i], out_.lines.mass, out_.lines.mean);
            } else if (m > 0) {
                const double mean = (mass_.m1[end] - mass_.m1[first]) / m,
                             spread = mass_.m2[end] - mass_.m2[first] - m * mean * mean;
                const Line<TimeJet<Real>> line = m_.line_of(m_.parts[i]);
                out_.add(m_, m_.parts[i], line, Real(m), {Real(0.0), Real(mean)}, false);
                if (spread > 0) out_.add(m_, m_.parts[i], line, Real(spread), {Real(0.0), Real(1.0)}, true);
            }
            first = end;
        }
    }
};

}    // namespace opensim_inertia
