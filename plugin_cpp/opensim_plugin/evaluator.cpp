#include "evaluator.hpp"

#include "bordered_system.hpp"
#include "description.hpp"
#include "opensim_inertia/dynamics/carrier_sum.hpp"
#include "opensim_inertia/dynamics/kernel.hpp"

namespace opensim_inertia::native {

namespace {

// Points that stand for a continuous belly where it is drawn.
constexpr int kDrawn = 5;

Description checked(Description description) {
    const auto bodies = static_cast<int>(description.outline.bodies.size());
    const auto speeds = static_cast<int>(description.outline.coordinates.size());
    for (const Muscle& muscle : description.muscles) muscle.check(bodies, speeds);
    return description;
}

}    // namespace

struct Evaluator::Parts {
    Description description;
    int bodies, speeds;
    Kernel kernel;
    CarrierSum sum;
    State<double> state;
    Terms terms;
    BorderedSystem system;
    Vector everything;

    explicit Parts(Description read)
        : description(std::move(read)),
          bodies(static_cast<int>(description.outline.bodies.size())),
          speeds(static_cast<int>(description.outline.coordinates.size())),
          kernel(bodies, speeds, Vec3d(description.outline.gravity.data()), std::move(description.muscles)),
          sum(bodies, speeds) {}

    State<double> state_of(const StateArrays& arrays) const {
        State<double> s;
        s.bodies = bodies;
        s.speeds = speeds;
        s.q = arrays.q.data();
        s.u = arrays.u.data();
        s.rotation = arrays.rotation.data();
        s.position = arrays.position.data();
        s.jacobian = arrays.jacobian.data();
        s.bias = arrays.bias.data();
        s.simbody_bias = arrays.simbody_bias.data();
        s.derive();
        return s;
    }
};

Evaluator::Evaluator(const std::string& description)
    : parts_(std::make_unique<Parts>(checked(read_description(description)))) {}
Evaluator::~Evaluator() = default;

const Outline& Evaluator::outline() const { return parts_->description.outline; }

double Evaluator::total_mass() const {
    double total = 0;
    for (int i : parts_->kernel.every()) total += parts_->kernel.muscle(i).mass.total;
    return total;
}

StateArrays Evaluator::zero_arrays() const {
    const auto bodies = static_cast<std::size_t>(parts_->bodies), speeds = static_cast<std::size_t>(parts_->speeds);
    StateArrays arrays;
    arrays.q.resize(speeds);
    arrays.u.resize(speeds);
    arrays.rotation.resize(9 * bodies);
    arrays.position.resize(3 * bodies);
    arrays.jacobian.resize(6 * bodies * speeds);
    arrays.bias.resize(6 * bodies);
    arrays.simbody_bias.resize(6 * bodies);
    return arrays;
}

Numbers3 Evaluator::lacking(std::size_t rotation, const StateArrays& arrays) const {
    const RotationRates& rates = parts_->description.rates[rotation];
    for (const ScalarFunction* angle : {&rates.second, &rates.third}) {
        const auto c = static_cast<std::size_t>(angle->coordinate);
        if (arrays.q[c] < angle->low || arrays.q[c] > angle->high)
            throw std::runtime_error("coordinate '" + outline().coordinates[c] + "' is at " +
                                     std::to_string(arrays.q[c]) +
                                     ", but the rotation that it makes was described from " +
                                     std::to_string(angle->low) + " to " + std::to_string(angle->high) + " only");
    }
    const Vec3d found = rates.lacking(arrays.q.data(), arrays.u.data());
    return {found[0], found[1], found[2]};
}

Energies Evaluator::energies(const StateArrays& arrays) const {
    const State<double> s = parts_->state_of(arrays);
    const Terms found = parts_->kernel.evaluate(s, parts_->kernel.every(), false);
    return {found.kinetic, found.potential};
}

Excess Evaluator::excess(const StateArrays& arrays) const {
    const State<double> s = parts_->state_of(arrays);
    CarrierSum sum(parts_->bodies, parts_->speeds);
    const Terms terms = parts_->kernel.evaluate(s, parts_->kernel.every(), sum);
    Excess found;
    found.mass = total_mass();
    found.energies = {terms.kinetic, terms.potential};
    Vec3d moment = Vec3d::Zero(), momentum = Vec3d::Zero();
    const Rows each = parts_->kernel.pseudo_inertia(s, parts_->kernel.every());
    for (Eigen::Index i = 0; i < each.values.rows(); i += 4) moment += each.values.block<3, 1>(i, 3);
    for (int i : parts_->kernel.every())
        for (const FrozenMass& m : parts_->kernel.muscle(i).frozen) {
            found.mass -= m.mass;
            moment -= m.moment_about_ground(s);
        }
    // The momentum is what the inertia exerts less where accelerations are the speeds, summed over the bodies.
    const Vector rest = Vector::Zero(parts_->speeds);
    Vector at_rest, moving;
    sum.loads(s, rest.data(), at_rest);
    sum.loads(s, arrays.u.data(), moving);
    for (int b = 0; b < parts_->bodies; ++b) momentum += (at_rest - moving).segment<3>(6 * b + 3);
    for (std::size_t i = 0; i < 3; ++i) {
        found.moment[i] = moment[static_cast<Eigen::Index>(i)];
        found.momentum[i] = momentum[static_cast<Eigen::Index>(i)];
    }
    return found;
}

std::vector<DrawnPoint> Evaluator::drawn_points(const StateArrays& arrays) const {
    const State<double> s = parts_->state_of(arrays);
    std::vector<DrawnPoint> drawn;
    for (int i : parts_->kernel.every()) {
        const MassDistribution& mass = parts_->kernel.muscle(i).mass;
        std::vector<Material<double>> material;
        std::vector<double> masses = mass.mass;
        for (std::size_t k = 0; k < mass.mass.size(); ++k) material.push_back({mass.chi[k], mass.xi[k]});
        if (mass.continuous && mass.total > 0) {
            masses.assign(kDrawn, mass.total / kDrawn);
            for (int k = 0; k < kDrawn; ++k) material.push_back({(k + 0.5) / kDrawn, (k + 0.5) / kDrawn});
        }
        if (material.empty()) continue;
        const MaterialPoints found = parts_->kernel.mass_points(s, i, material, false);
        for (std::size_t k = 0; k < material.size(); ++k) {
            const auto x = found.position.row(static_cast<Eigen::Index>(k));
            drawn.push_back({{x[0], x[1], x[2]}, masses[k]});
        }
    }
    return drawn;
}

void Evaluator::place(const StateArrays& arrays) {
    parts_->state = parts_->state_of(arrays);
    parts_->terms = parts_->kernel.evaluate(parts_->state, parts_->kernel.every(), parts_->sum);
}

void Evaluator::factor(const double* mass_matrix, int constraints, const double* G, const std::vector<int>& known) {
    const int n = parts_->speeds;
    const Eigen::Map<const Eigen::MatrixXd> rigid(mass_matrix, n, n), rows(G, constraints, n);
    parts_->system.factor(rigid + parts_->terms.mass_matrix, rows, known);
}

void Evaluator::solve(const double* force, const double* bound, double* udot) const {
    const int n = parts_->speeds;
    const Vector f = VecMap(force, n) + parts_->terms.bias + parts_->terms.gravity;
    parts_->system.solve(f, Eigen::Map<const Eigen::VectorXd>(bound, parts_->system.constraints()),
                         Eigen::Map<Eigen::VectorXd>(udot, n));
}

void Evaluator::loads(const double* udot, double* wrenches, double* forces) const {
    Vector& all = parts_->everything;
    parts_->sum.loads(parts_->state, udot, all);
    std::copy(all.data(), all.data() + 6 * parts_->bodies, wrenches);
    std::copy(all.data() + 6 * parts_->bodies, all.data() + all.size(), forces);
}

}    // namespace opensim_inertia::native
