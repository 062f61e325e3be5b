// The first moment of a belly's mass, weighted by a mode's shape, and the places of the belly's ends, along the motion.
//
//   x_phi = int phi X dm = int W(c) X(c) dc
// over the distance c from the belly's proximal end. All mass at one distance is at one place, so W is the mass per
// length times the mean of phi over the line of material there. The limits, where parts of the path and zones of the
// belly end, move; rates are those of the whole sum, so that nothing has to be added at corners.
//
// With G(c) = int W up to c and H(c) = int G, the sum over a straight part, on which X' is its direction e, is
//   [X G] - e [H]
// between its ends, and [X G] cancels from part to part: closed forms at the parts' ends are all that is needed there
// (mode_integrals.hpp). Bends are summed over Gauss points.
#pragma once

#include <algorithm>
#include <vector>

#include "opensim_inertia/muscle/laid_muscle.hpp"
#include "opensim_inertia/muscle/mode_integrals.hpp"

namespace opensim_inertia {

class SwingingBelly {
  public:
    using T = TimeJet<double>;
    Vec3<T> moment;    // x_phi [kg m]
    // Weights are those of the sum; in the order of their elements. On straight ones places are left out. None where
    // they are not asked for: what drives the belly needs none.
    std::vector<Sample<double>> samples;
    Sample<double> ends[2];    // the belly's, with a weight of one

    void find(const Path& path, const LaidMuscle<double>& m, double mass, const ModeShape& shape,
              bool with_samples = true) {
        if (m.is_divided())
            throw PathError(path,
                            "its mass is divided between two ways past a wrap object at this state, where its belly "
                            "cannot swing");
        samples.clear();
        with_samples_ = with_samples;
        moment = {{T(0.0), T(0.0), T(0.0)}};
        ends[0] = end_at(m, {0.0, 0.0});
        ends[1] = end_at(m, {1.0, 1.0});
        const ModeIntegrals integrals(shape, m.aponeurosis, m.fibre);
        const T whole = m.aponeurosis + m.fibre;
        ModeIntegrals::Upto low;
        T from(0.0);
        bool open = false;    // whether X G at the end of the last part has not been added
        for (std::size_t i = 0; i < m.parts.size(); ++i) {
            const bool last = i + 1 == m.parts.size();
            const T end = (last ? m.length : m.parts[i + 1].start) - m.proximal_end;
            if (!last && !(value(end) > 0)) continue;
            const bool is_end = last || !(value(end) < value(whole));
            const ModeIntegrals::Upto high = is_end ? integrals.all() : integrals(end);
            const Element& element = m.elements[m.parts[i].element];
            if (element.is_straight()) {
                const Vec3<T>& start = m.x[static_cast<std::size_t>(element.first)];
                if (!open && value(from) > 0) moment = moment - start * (low.mass * mass);
                const T length = (last ? m.length : m.parts[i + 1].start) - m.parts[i].start;
                const Vec3<T>& along = m.seen_from_first[static_cast<std::size_t>(element.first)];
                moment = moment - along * (inverse(length) * (high.behind - low.behind) * mass);
                if (with_samples) add_straight(m.parts[i], mass, low, high);
            } else {
                if (open) moment = moment + m.x[static_cast<std::size_t>(element.first)] * (low.mass * mass);
                add_bend(m, i, mass, shape, from, is_end ? whole : end);
            }
            open = element.is_straight();
            if (is_end) {
                if (open) moment = moment + ends[1].x * (high.mass * mass);
                break;
            }
            low = high;
            from = end;
        }
    }

  private:
    bool with_samples_ = true;
    std::vector<T> weights_, distances_;    // of the samples on one part
    std::vector<Material<double>> material_;
    std::vector<Vec3<T>> places_;

    // Enough points for a sine over this share of the belly, times a quadratic, to rounding; on a bend what its mass
    // needs, and as many more.
    static const GaussRule& rule(const LaidMuscle<double>& m, std::size_t part, double share) {
        const int points = 3 + static_cast<int>(std::ceil(5 * share));
        if (m.is_affine(m.parts[part])) return GaussRule::of(points);
        return GaussRule::of(points + static_cast<int>(m.gauss_rule(m.parts[part], 1.0).x.size()));
    }

    // On a straight part Jacobians are affine in the material: three points, which need not lie on it, are enough.
    void add_straight(const Part<double>& part, double mass, const ModeIntegrals::Upto& low,
                      const ModeIntegrals::Upto& high) {
        const double chi = mass * (high.chi - low.chi), xi = mass * (high.xi - low.xi);
        const double rest = mass * (high.mass.v - low.mass.v) - chi - xi;
        samples.push_back({part.element, part.piece, {0.0, 0.0}, rest, false, {}});
        samples.push_back({part.element, part.piece, {1.0, 0.0}, chi, false, {}});
        samples.push_back({part.element, part.piece, {0.0, 1.0}, xi, false, {}});
    }

    // The mass between two distances, which lies on a part over a surface or on an arc.
    void add_bend(const LaidMuscle<double>& m, std::size_t i, double mass, const ModeShape& shape, const T& from,
                  const T& to) {
        const bool by_chi = value(m.aponeurosis) <= value(m.fibre);    // whether z is chi, see belly.hpp
        const T p = by_chi ? m.aponeurosis : m.fibre, b = by_chi ? m.fibre : m.aponeurosis;
        const bool is_line = !(value(p) > 0);
        const T zones[4] = {T(0.0), is_line ? T(0.0) : p, b, is_line ? b : p + b};
        constexpr double pi = std::numbers::pi;
        const double by_z = pi * (by_chi ? shape.aponeurosis : 1 - shape.aponeurosis), by_longer = pi - by_z;
        const T per_b = inverse(b), per_p = is_line ? T(0.0) : inverse(p);
        const T slope = T(by_z) - p * per_b * by_longer, per_longer = per_b * by_longer;
        const ModeOnLine<T> across_all(slope, T(0.5));
        for (int zone = 0; zone < 3; ++zone) {
            const T low = value(from) > value(zones[zone]) ? from : zones[zone];
            const T high = value(to) < value(zones[zone + 1]) ? to : zones[zone + 1];
            if (!(value(high) > value(low))) continue;
            const T extent = high - low;
            const GaussRule& rule = this->rule(m, i, value(extent) / value(zones[3]));
            const T per_c = per_b * extent * mass, from_start = m.proximal_end - m.start[m.parts[i].element];
            const auto add = [&](const T& c, double weight, const T& mean, double its_z) {
                weights_.push_back(mean * weight);
                distances_.push_back(from_start + c);
                const double longer = (value(c) - value(p) * its_z) * value(per_b);
                material_.push_back(by_chi ? Material<double>{its_z, longer} : Material<double>{longer, its_z});
            };
            for (std::size_t g = 0; g < rule.x.size(); ++g) {
                const T c = low + extent * rule.x[g];
                double offset;
                if (zone == 1) {    // lines of material lie there from end to end
                    const T mean = across_all.mean(T(0.5 * by_z) + (c - p * 0.5) * per_longer, offset);
                    add(c, rule.w[g], per_c * mean, 0.5 + offset);
                    continue;
                }
                const T first = zone == 2 ? (c - b) * per_p : T(0.0), end = zone == 0 ? c * per_p : T(1.0);
                const T z = (first + end) * 0.5, width = end - first;
                const T mean = ModeOnLine<T>(slope, width * 0.5).mean(z * by_z + (c - p * z) * per_longer, offset);
                add(c, rule.w[g], per_c * width * mean, value(z) + offset);
            }
        }
        lay(m, m.parts[i]);
    }

    // Puts what was collected on a part in its place.
    void lay(const LaidMuscle<double>& m, const Part<double>& part) {
        places_.resize(distances_.size());
        m.places_at(part, distances_, places_);
        for (std::size_t k = 0; k < places_.size(); ++k) {
            moment = moment + places_[k] * weights_[k];
            if (with_samples_)
                samples.push_back({part.element, part.piece, material_[k], weights_[k].v, false, places_[k]});
        }
        weights_.clear();
        distances_.clear();
        material_.clear();
    }

    static Sample<double> end_at(const LaidMuscle<double>& m, const Material<double>& material) {
        const Part<double>& part = m.parts[m.locate(material)];
        return {part.element, part.piece, material, 1.0, false, m.place_on(part, material)};
    }
};

}    // namespace opensim_inertia
