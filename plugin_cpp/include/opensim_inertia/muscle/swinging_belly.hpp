// The first moment of a belly's mass, weighted by a mode's shape, and the places of the belly's ends, along the motion.
//
//   x_phi = int phi X dm = int W(c) X(c) dc
// over the distance c from the belly's proximal end. All mass at one distance is at one place, so W is the mass per
// length times the mean of phi over the line of material there. The limits, where parts of the path and zones of the
// belly end, move; rates are those of the whole sum, so that nothing has to be added at corners.
#pragma once

#include <algorithm>
#include <vector>

#include "opensim_inertia/muscle/laid_muscle.hpp"
#include "opensim_inertia/muscle/mode_shape.hpp"

namespace opensim_inertia {

class SwingingBelly {
  public:
    using T = TimeJet<double>;
    Vec3<T> moment;    // x_phi [kg m]
    // Weights are those of the sum; in the order of their elements. On straight ones places are left out.
    std::vector<Sample<double>> samples;
    Sample<double> ends[2];    // the belly's, with a weight of one

    void find(const Path& path, const LaidMuscle<double>& m, double mass, const ModeShape& shape) {
        if (m.is_divided())
            throw PathError(path,
                            "its mass is divided between two ways past a wrap object at this state, where its belly "
                            "cannot swing");
        samples.clear();
        moment = {{T(0.0), T(0.0), T(0.0)}};
        const bool by_chi = value(m.aponeurosis) <= value(m.fibre);    // whether z is chi, see belly.hpp
        const T p = by_chi ? m.aponeurosis : m.fibre, b = by_chi ? m.fibre : m.aponeurosis;
        const bool is_line = !(value(p) > 0);
        const T zones[4] = {T(0.0), is_line ? T(0.0) : p, b, is_line ? b : p + b};
        const double n_pi = shape.order * std::numbers::pi;
        const double by_z = n_pi * (by_chi ? shape.aponeurosis : 1 - shape.aponeurosis), by_longer = n_pi - by_z;
        const T per_b = inverse(b), per_p = is_line ? T(0.0) : inverse(p);
        const T slope = T(by_z) - p * per_b * by_longer, per_longer = per_b * by_longer;
        const ModeOnLine<T> across_all(slope, T(0.5));
        for (std::size_t i = 0; i < m.parts.size(); ++i) {
            const bool last = i + 1 == m.parts.size();
            const T start = m.parts[i].start - m.proximal_end,
                    end = (last ? m.length : m.parts[i + 1].start) - m.proximal_end;
            for (int zone = 0; zone < 3; ++zone) {
                const T low = i > 0 && value(start) > value(zones[zone]) ? start : zones[zone];
                const T high = !last && value(end) < value(zones[zone + 1]) ? end : zones[zone + 1];
                if (!(value(high) > value(low))) continue;
                const T extent = high - low;
                const GaussRule& rule = this->rule(m, i, value(extent) / value(zones[3]), shape.order);
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
                    const T from = zone == 2 ? (c - b) * per_p : T(0.0), to = zone == 0 ? c * per_p : T(1.0);
                    const T z = (from + to) * 0.5, width = to - from;
                    const T mean = ModeOnLine<T>(slope, width * 0.5).mean(z * by_z + (c - p * z) * per_longer, offset);
                    add(c, rule.w[g], per_c * width * mean, value(z) + offset);
                }
            }
            lay(m, m.parts[i]);
        }
        ends[0] = end_at(m, {0.0, 0.0});
        ends[1] = end_at(m, {1.0, 1.0});
    }

  private:
    std::vector<T> weights_, distances_;    // of the samples on one part
    std::vector<Material<double>> material_;
    std::vector<Vec3<T>> places_;

    // Enough points for a sine over this share of the belly, times a quadratic, to rounding; on a bend what its mass
    // needs, and as many more.
    static const GaussRule& rule(const LaidMuscle<double>& m, std::size_t part, double share, int order) {
        const int points = 3 + static_cast<int>(std::ceil(5 * order * share));
        if (m.is_affine(m.parts[part])) return GaussRule::of(points);
        return GaussRule::of(points + static_cast<int>(m.gauss_rule(m.parts[part], 1.0).x.size()));
    }

    // Puts what was collected on a part in its place.
    void lay(const LaidMuscle<double>& m, const Part<double>& part) {
        if (m.elements[part.element].is_straight()) {    // there the place is affine in the distance
            const T ends[2] = {T(0.0), T(1.0)};
            places_.resize(2);
            m.places_at(part, ends, places_);
            T first(0.0), second(0.0);
            for (std::size_t k = 0; k < distances_.size(); ++k) {
                first = first + weights_[k];
                second = second + weights_[k] * distances_[k];
                samples.push_back({part.element, part.piece, material_[k], weights_[k].v, false, {}});
            }
            moment = moment + places_[0] * first + (places_[1] - places_[0]) * second;
        } else {
            places_.resize(distances_.size());
            m.places_at(part, distances_, places_);
            for (std::size_t k = 0; k < places_.size(); ++k) {
                moment = moment + places_[k] * weights_[k];
                samples.push_back({part.element, part.piece, material_[k], weights_[k].v, false, places_[k]});
            }
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
