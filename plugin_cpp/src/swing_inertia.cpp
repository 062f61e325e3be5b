#include "opensim_inertia/dynamics/swing_inertia.hpp"

#include <cmath>

#include "opensim_inertia/dynamics/workspace.hpp"
#include "opensim_inertia/muscle/swinging_belly.hpp"

namespace opensim_inertia {

struct SwingInertia::Work {
    Work(const Kernel& kernel, std::vector<SwingingMass> masses)
        : k_(kernel),
          masses_(std::move(masses)),
          of_muscle_(kernel.size()),
          placed_(masses_.size()),
          sum_(kernel.bodies(), kernel.speeds()) {
        for (std::size_t i = 0; i < masses_.size(); ++i) {
            const SwingingMass& mass = masses_[i];
            const std::string what = "swinging mass " + std::to_string(i);
            if (mass.body < 0 || mass.body >= kernel.bodies())
                throw std::invalid_argument(what + " swings in the frame of a body that is not there");
            placed_[i].first = coordinates_;
            coordinates_ += static_cast<std::size_t>(mass.coordinates());
            if (mass.muscle < 0) continue;
            if (!kernel.muscle(mass.muscle).mass.continuous || !(kernel.muscle(mass.muscle).mass.total > 0))
                throw std::invalid_argument(what + " is of a muscle that has no belly");
            of_muscle_[static_cast<std::size_t>(mass.muscle)].push_back(i);
        }
    }

    using T = TimeJet<double>;

    // A mass at the state evaluated last.
    struct Placed {
        std::size_t first = 0;              // of its coordinates
        std::vector<int> ids;               // of the carriers
        std::vector<double> coupling[3];    // B^T W, (width)
        Vec3d at_rest = Vec3d::Zero();      // zddot at udot = 0
    };

    struct AddedTerms {
        std::vector<double> inertia, bias, gravity;
    };

    const Kernel& k_;
    std::vector<SwingingMass> masses_;
    std::size_t coordinates_ = 0;
    std::vector<std::vector<std::size_t>> of_muscle_;
    std::vector<Placed> placed_;
    CarrierSum sum_;
    SwingingBelly belly_;
    std::vector<Sample<double>> ends_;
    std::vector<double> J_, J_chord_, D_, W_, rows_, signed_;    // (3, width), the last two (4, width)
    AddedTerms terms_;

    void add_bellies(const State<double>& s, int muscle, const double* z, const double* rate, double tension,
                     Workspace& work, CarrierSum& sum) {
        const std::vector<std::size_t>& which = of_muscle_[static_cast<std::size_t>(muscle)];
        if (which.empty()) return;
        const LaidMuscle<double>& laid = work.laid;
        const int body = masses_[which[0]].body;
        work.carriers.find(s, laid, body);
        bool again = false;
        const auto find_jacobian = [&](const std::vector<Sample<double>>& samples, std::vector<double>& out) {
            out.resize(3 * work.carriers.width);
            work.terms.sum_jacobians(laid, work.carriers, samples, std::exchange(again, true), out.data());
        };
        for (std::size_t i : which) {
            belly_.find(k_.muscle(muscle).path, laid, k_.muscle(muscle).mass.total, masses_[i].shape);
            if (i == which[0]) {
                ends_.assign(belly_.ends, belly_.ends + 2);
                ends_[0].weight = -1.0;
                find_jacobian(ends_, J_chord_);
            }
            find_jacobian(belly_.samples, J_);
            const Vec3<T> chord = belly_.ends[1].x - belly_.ends[0].x;
            check_turn(s, masses_[i], chord, k_.muscle(muscle).path);
            add(s, i, chord, belly_.moment, z, rate, tension, work.carriers, sum);
        }
    }

    void add_masses(const State<double>& s, const double* z, const double* rate, CarrierSum& sum) {
        for (std::size_t i = 0; i < masses_.size(); ++i) {
            const SwingingMass& mass = masses_[i];
            if (mass.muscle >= 0) continue;
            CarrierColumns carriers;
            carriers.bodies = {mass.body};
            carriers.number(k_.bodies());
            const Vec3<T> arm = carried_vector(s, mass.body, mass.centre);
            const Vec3<T> place = (jets<double>(s.p(mass.body), s.v(mass.body), s.a(mass.body)) + arm) * mass.moment;
            const Vec3d r = value(arm);
            J_.assign(3 * carriers.width, 0.0);
            J_chord_.assign(3 * carriers.width, 0.0);
            for (int c = 0; c < 3; ++c) {
                double* row = J_.data() + static_cast<std::size_t>(c) * carriers.width;
                const int k = (c + 1) % 3, j = (c + 2) % 3;
                row[k] = mass.moment * r[j];
                row[j] = -mass.moment * r[k];
                row[3 + c] = mass.moment;
            }
            add(s, i, arm, place, z, rate, 0.0, carriers, sum);
        }
    }

    // With the chord and the sum of m phi X, whose Jacobians are J_chord_ and J_.
    void add(const State<double>& s, std::size_t i, const Vec3<T>& chord, const Vec3<T>& moment, const double* z,
             const double* rate, double tension, const CarrierColumns& carriers, CarrierSum& sum) {
        const SwingingMass& mass = masses_[i];
        Placed& placed = placed_[i];
        const int n = mass.coordinates();
        const std::size_t width = carriers.width;
        const double mu = mass.modal_mass, k = mass.stiffness_at(tension), c = 2 * mass.damping * std::sqrt(k * mu);
        z += placed.first;
        rate += placed.first;
        const Displaced here(s, mass, chord, z, rate);
        Vec3d dd = acceleration(here.d);
        Vec3d y = acceleration(moment) + mu * dd - mass.moment * k_.gravity();
        for (int a = 0; a < n; ++a) {
            const Vec3d axis = here.basis.col(a);
            placed.at_rest[a] = -(axis.dot(y) + k * z[a] + c * rate[a]) / mu;
        }
        for (int a = 0; a < n; ++a) dd += placed.at_rest[a] * here.basis.col(a);
        y = acceleration(moment) + mu * dd - mass.moment * k_.gravity();

        // D, from the chord and the body's rotation, and W
        D_.assign(3 * width, 0.0);
        const std::size_t turning = carriers.column(mass.body);
        for (int a = 0; a < 3; ++a) {
            double* row = D_.data() + static_cast<std::size_t>(a) * width;
            const auto& g = here.gradient[a].g;
            add_three_rows(width, J_chord_.data(), g.data(), row);
            for (int b = 0; b < 3; ++b) row[turning + static_cast<std::size_t>(b)] += g[3 + b];
        }
        W_ = J_;
        add_scaled(W_.data(), mu, D_.data(), 3 * width);
        placed.ids = carriers.ids;
        for (int a = 0; a < n; ++a) {
            placed.coupling[a].assign(width, 0.0);
            const Vec3d axis = here.basis.col(a);
            add_three_rows(width, W_.data(), axis.data(), placed.coupling[a].data());
        }
        // rows whose squares add up, of a belly that of W along the chord besides those of J
        const std::size_t rows = n == 2 ? 4 : 3;
        rows_ = J_;
        rows_.resize(rows * width, 0.0);
        if (n == 2) {
            const Vec3d e = value(chord).normalized();
            add_three_rows(width, W_.data(), e.data(), rows_.data() + 3 * width);
        }
        signed_ = rows_;
        for (std::size_t q = 0; q < rows * width; ++q) signed_[q] *= q < 3 * width ? -1 / mu : 1 / mu;
        terms_.inertia.resize(width * width);
        multiply_rows(rows, width, signed_.data(), rows_.data(), terms_.inertia.data());
        terms_.bias.assign(width, 0.0);
        terms_.gravity.assign(width, 0.0);
        const Vec3d on_moment = -dd, on_d = -y;
        add_three_rows(width, J_.data(), on_moment.data(), terms_.bias.data());
        add_three_rows(width, D_.data(), on_d.data(), terms_.bias.data());
        sum.add(carriers, terms_);
    }
};

SwingInertia::SwingInertia(const Kernel& kernel, std::vector<SwingingMass> masses)
    : work_(std::make_unique<Work>(kernel, std::move(masses))) {}
SwingInertia::~SwingInertia() = default;

std::size_t SwingInertia::coordinates() const { return work_->coordinates_; }

Terms SwingInertia::evaluate(const State<double>& s, const double* z, const double* rate, const double* tension) {
    const Kernel& kernel = work_->k_;
    return kernel.evaluate(s, kernel.every(), work_->sum_, [&](int muscle, Workspace& work, CarrierSum& all) {
        if (muscle < 0)
            work_->add_masses(s, z, rate, all);
        else
            work_->add_bellies(s, muscle, z, rate, tension[muscle], work, all);
    });
}

void SwingInertia::couplings(const State<double>& s, double* at_rest, Matrix& gain) const {
    const Eigen::Index carried = 6 * work_->k_.bodies(), speeds = work_->k_.speeds();
    const RowMap jacobian(s.jacobian, carried, speeds);
    gain.setZero(static_cast<Eigen::Index>(coordinates()), speeds);
    for (std::size_t i = 0; i < work_->masses_.size(); ++i) {
        const Work::Placed& p = work_->placed_[i];
        for (int c = 0; c < work_->masses_[i].coordinates(); ++c) {
            const std::size_t at = p.first + static_cast<std::size_t>(c);
            at_rest[at] = p.at_rest[c];
            auto row = gain.row(static_cast<Eigen::Index>(at));
            for (std::size_t a = 0; a < p.ids.size(); ++a) {
                const double share = p.coupling[c][a] / work_->masses_[i].modal_mass;
                if (p.ids[a] < carried)
                    row += share * jacobian.row(p.ids[a]);
                else
                    row[p.ids[a] - carried] += share;
            }
        }
    }
}

}    // namespace opensim_inertia
