// A laid muscle's inertia and forces in the coordinates of what carries it.
//
// dM = sum m D^T D, h = - sum m D^T a + corners, g_m = sum m D^T g over the few samples of every element, D being their
// Jacobians: what unit motions of the carriers take, and what the mass exerts at udot = 0.
#pragma once

#include <algorithm>
#include <cstring>

#include "opensim_inertia/dynamics/carrier_columns.hpp"
#include "opensim_inertia/dynamics/node_forces.hpp"

namespace opensim_inertia {

class CarrierTerms {
  public:
    std::vector<double> inertia;                              // (width, width)
    std::vector<double> bias, gravity, gradient_of_length;    // (width), the last of the path
    double kinetic = 0, potential = 0;
    double stretch = 0;    // see Stretch

    // `known`: the gradients of the muscle's spans, or null.
    void sum(const LaidMuscle<double>& m, const CarrierColumns& J, const Vec3d& g,
             AllSpanGradients<double>* known = nullptr) {
        if (!known) own_gradients_.start(m);
        find_columns(m, J, g, known ? *known : own_gradients_);
        write(J);
        kinetic = 0.5 * m.slip_weight * m.slip_distance.d * m.slip_distance.d;
        potential = 0;
        for (const Sample<double>& sample : m.samples) {
            kinetic += 0.5 * sample.weight * rate(sample.x).squaredNorm();
            if (!sample.is_spread) potential -= sample.weight * g.dot(value(sample.x));
        }
    }

    // What acts on the ends of a whole muscle's spans because its mass is divided.
    void sum_on_ends(const LaidMuscle<double>& m, const CarrierColumns& J,
                     const std::vector<DividedMuscle<double>::OnEnds>& ends, const Vec3d& g) {
        Forces& forces = start(m, J);
        for (const auto& at : ends) {
            BothEnds<FourNumbers> f{Force::zero(), Force::zero()};
            for (int i = 0; i < 6; ++i) {
                FourNumbers& on = f[static_cast<std::size_t>(i / 3)][i % 3];
                on.set(kBias, at.kinetic[i]);
                on.set(kGravity, at.moment.row(i).matrix().dot(g));
            }
            forces.load_ends(m.elements[at.element], f);
        }
        finish(0, J);
        write(J);
        kinetic = potential = stretch = 0;
    }

    // The gradient of a path's length.
    void find_gradient_of_length(const LaidMuscle<double>& m, const CarrierColumns& J) {
        start(m, J).pull(unit(kLength));
        finish(0, J);
        write(J);
    }

    // The sum of the Jacobians of samples on a path, none of which is a spread, by their weights, (3, width). `again`:
    // the path is the one of the last call.
    void sum_jacobians(const LaidMuscle<double>& m, const CarrierColumns& J, const std::vector<Sample<double>>& samples,
                       bool again, double* out) {
        if (!again) own_gradients_.start(m);
        begin(1, m, J, own_gradients_);
        each_sample(m, own_gradients_, samples, [&](const auto& place) {
            Force f = Force::zero();
            for (std::size_t c = 0; c < 3; ++c) {
                const Vec3d axis = place.seen(Vec3d::Unit(static_cast<Eigen::Index>(c)));
                for (int r = 0; r < 3; ++r) f[r].set(c, place.sample.weight * axis[r]);
            }
            forces_[0].load(place, f);
        });
        finish(0, J);
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t r = 0; r < J.width; ++r) out[c * J.width + r] = r < J.ids.size() ? rows_[r][c] : 0.0;
    }

  private:
    // What is found four at a time: three vectors, then the columns of the inertia.
    enum Vectors : std::size_t { kBias, kGravity, kLength, kVectors };
    using Force = Three<FourNumbers>;
    using Forces = NodeForces<double, FourNumbers>;

    AllSpanGradients<double> own_gradients_;
    std::vector<Forces> forces_;
    std::vector<NodeMotions<FourNumbers>> motions_;
    std::vector<FourNumbers> rows_;    // what acts on each carrier, (carriers, fours)
    std::size_t fours_ = 0;

    void begin(std::size_t fours, const LaidMuscle<double>& m, const CarrierColumns& J,
               AllSpanGradients<double>& gradients) {
        fours_ = fours;
        rows_.assign(J.ids.size() * fours, FourNumbers(0.0));
        forces_.resize(std::max(forces_.size(), fours));
        for (std::size_t i = 0; i < fours; ++i) {
            forces_[i].clear();
            forces_[i].begin(m, gradients);
        }
    }

    // For vectors alone.
    Forces& start(const LaidMuscle<double>& m, const CarrierColumns& J) {
        own_gradients_.start(m);
        begin(1, m, J, own_gradients_);
        return forces_[0];
    }

    // 1 in a lane, or none; lanes before the first one count as large numbers.
    OPENSIM_INERTIA_INLINED static FourNumbers unit(std::size_t lane) {
        FourNumbers all;
        for (std::size_t l = 0; l < kFour; ++l) all.set(l, l == lane ? 1.0 : 0.0);
        return all;
    }

    template <class Place>
    OPENSIM_INERTIA_CLONES void add(const Place& place, const Vec3d& g) {
        const Sample<double>& sample = place.sample;
        const Vec3d a = place.seen(acceleration(sample.x)), its_g = place.seen(g);
        Force f = Force::zero();
        for (int c = 0; c < 3; ++c) {
            f[c].set(kBias, -sample.weight * a[c]);
            if (!sample.is_spread) f[c].set(kGravity, sample.weight * its_g[c]);
        }
        forces_[0].load(place, f);
        for (std::size_t i = 1; i < fours_; ++i) forces_[i].load(place, sample.weight * motions_[i].of(place));
    }

    // What unit motions of the carriers take, and what the mass exerts at udot = 0.
    OPENSIM_INERTIA_CLONES void find_columns(const LaidMuscle<double>& m, const CarrierColumns& J, const Vec3d& g,
                                             AllSpanGradients<double>& gradients) {
        begin(1 + J.width / kFour, m, J, gradients);
        motions_.resize(std::max(motions_.size(), fours_));
        for (std::size_t i = 1; i < fours_; ++i) {
            const auto column = [&](std::size_t c)
                                    OPENSIM_INERTIA_INLINED_LAMBDA { return unit(kFour + c - kFour * i); };
            motions_[i].find(
                m, gradients,
                [&](int body) OPENSIM_INERTIA_INLINED_LAMBDA -> NodeMotions<FourNumbers>::Twist {
                    const std::size_t c = J.column(body);
                    return {{column(c), column(c + 1), column(c + 2)}, {column(c + 3), column(c + 4), column(c + 5)}};
                },
                [&](int speed) OPENSIM_INERTIA_INLINED_LAMBDA { return column(J.column_of_speed(speed)); });
        }
        Stretch its_stretch;
        each_sample(m, gradients, m.samples, [&](const auto& place) {
            its_stretch.add(place);
            add(place, g);
        });
        stretch = its_stretch.largest();
        // what slips past other material at its place moves along the path, as the path's length does
        const double slips = map_derivatives(m).apart(m.slip);
        FourNumbers along = unit(kLength);
        along.set(kBias, -m.slip_weight * slips * m.slip_distance.dd);
        forces_[0].pull(along);
        forces_[0].turn(unit(kBias));
        for (std::size_t i = 1; i < fours_; ++i) forces_[i].pull(m.slip_weight * slips * slips * motions_[i].length);
        for (std::size_t i = 0; i < fours_; ++i) finish(i, J);
    }

    // What acts on the carriers, by rows.
    OPENSIM_INERTIA_INLINED void finish(std::size_t i, const CarrierColumns& J) {
        Forces& forces = forces_[i];
        forces.finish();
        for (const auto& w : forces.wrenches) {
            FourNumbers* row = rows_.data() + J.column(w.body) * fours_ + i;
            for (int c = 0; c < 3; ++c) {
                row[static_cast<std::size_t>(c) * fours_] += w.moment[c];
                row[static_cast<std::size_t>(c + 3) * fours_] += w.force[c];
            }
        }
        for (const auto& on : forces.on_speeds) rows_[J.column_of_speed(on.speed) * fours_ + i] += on.pull;
    }

    void write(const CarrierColumns& J) {
        std::vector<double>* const vectors[] = {&bias, &gravity, &gradient_of_length};
        for (auto* x : vectors) x->assign(J.width, 0.0);
        inertia.assign(J.width * J.width, 0.0);
        for (std::size_t r = 0; r < J.ids.size(); ++r) {
            const FourNumbers* row = rows_.data() + r * fours_;
            for (std::size_t k = 0; k < kVectors; ++k) (*vectors[k])[r] = row[0][k];
            for (std::size_t i = 1; i < fours_; ++i)
                std::memcpy(inertia.data() + r * J.width + kFour * (i - 1), row + i, sizeof *row);
        }
    }
};

}    // namespace opensim_inertia
