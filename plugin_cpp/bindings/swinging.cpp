// Python bindings of bellies that wobble across their paths.
#include <mutex>
#include <vector>

#include <nanobind/stl/tuple.h>

#include "opensim_inertia/dynamics/linear_steps.hpp"
#include "opensim_inertia/dynamics/parallel.hpp"
#include "opensim_inertia/dynamics/swing_inertia.hpp"
#include "opensim_inertia/dynamics/swinging.hpp"
#include "states.hpp"

namespace {

std::vector<oi::SwingingMass> masses(const std::vector<int>& muscles, const std::vector<int>& bodies,
                                     const In<2>& constants, const In<2>& places, const In<3>& axes) {
    const int count = static_cast<int>(muscles.size());
    if (bodies.size() != muscles.size()) throw wrong("a body is expected for each mass that swings");
    expect(constants, {count, 6}, "constants");
    expect(places, {count, 3}, "places");
    expect(axes, {count, 3, 3}, "axes");
    std::vector<oi::SwingingMass> all(muscles.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        oi::SwingingMass& mass = all[i];
        const double* of = constants.data() + 6 * i;
        mass.muscle = muscles[i];
        mass.shape = {of[0]};
        mass.body = bodies[i];
        (mass.muscle < 0 ? mass.centre : mass.chord) = Eigen::Map<const oi::Vec3d>(places.data() + 3 * i);
        mass.axes = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(axes.data() + 9 * i);
        mass.modal_mass = of[1];
        mass.moment = of[2];
        mass.stiffness = of[3];
        mass.by_tension = of[4];
        mass.damping = of[5];
    }
    return all;
}

class BoundSwinging {
  public:
    BoundSwinging(const nb::typed<nb::object, oi::Kernel>& kernel, const std::vector<int>& muscles,
                  const std::vector<int>& bodies, const In<2>& constants, const In<2>& places, const In<3>& axes)
        : kept_(kernel),
          count_(muscles.size()),
          swinging_(nb::cast<const oi::Kernel&>(kernel), masses(muscles, bodies, constants, places, axes)) {}

    std::tuple<Out, Remarks> equations(const StateSequence& given, const In<2>& udot) const {
        const States states(given, udot, speeds());
        oi::Rows found = computed([&] { return swinging_.equations(states.views(), udot.data()); });
        return {give(std::move(found.values), {states.count(), count_, 5, 2}), remarks_of(found.remarks)};
    }

    std::tuple<Out, Out, Out, Remarks> answers(const StateSequence& given, const In<2>& udot, const In<4>& y,
                                               const In<3>& stiffness, const In<3>& damping) const {
        const States states(given, udot, speeds());
        const int sets = static_cast<int>(y.shape(0)), rows = static_cast<int>(states.count()),
                  count = static_cast<int>(count_);
        expect(y, {sets, rows, count, 4}, "y");
        expect(stiffness, {sets, rows, count}, "stiffness");
        expect(damping, {sets, rows, count}, "damping");
        oi::Swinging::Answers found = computed([&] {
            return swinging_.answers(states.views(), udot.data(), y.data(), stiffness.data(), damping.data(),
                                     size(sets));
        });
        return {give(std::move(found.each), {states.count(), count_, size(speeds())}),
                give(std::move(found.summed), {size(sets), states.count(), size(speeds())}),
                give(std::move(found.displacements), {states.count(), count_, 3}), remarks_of(found.remarks)};
    }

  private:
    nb::object kept_;
    std::size_t count_;
    oi::Swinging swinging_;

    int speeds() const { return nb::cast<const oi::Kernel&>(kept_).speeds(); }
};

class BoundSwingInertia {
  public:
    BoundSwingInertia(const nb::typed<nb::object, oi::Kernel>& kernel, const std::vector<int>& muscles,
                      const std::vector<int>& bodies, const In<2>& constants, const In<2>& places, const In<3>& axes)
        : kept_(kernel),
          kernel_(nb::cast<const oi::Kernel&>(kernel)),
          inertia_(kernel_, masses(muscles, bodies, constants, places, axes)) {}

    std::tuple<Out, Out, Out, Out, Remarks> equations(const BoundState& given, const In<2>& mass_matrix,
                                                      const In<1>& udot0, const In<2>& z, const In<1>& tension) {
        const std::size_t n = size(kernel_.speeds()), count = inertia_.coordinates();
        expect(mass_matrix, {kernel_.speeds(), kernel_.speeds()}, "mass_matrix");
        expect(udot0, {kernel_.speeds()}, "udot0");
        expect(z, {2, static_cast<int>(count)}, "z");
        expect(tension, {static_cast<int>(kernel_.size())}, "tension");
        const oi::State<double>& s = given.view();
        kernel_.check(s, {});
        oi::Terms terms;
        oi::Vector force;
        oi::Vector at_rest(static_cast<Eigen::Index>(count));
        oi::Matrix gain;
        {
            const nb::gil_scoped_release released;
            const std::lock_guard lock(mutex_);
            terms = inertia_.evaluate(s, z.data(), z.data() + count, tension.data());
            inertia_.couplings(s, at_rest.data(), gain);
            const oi::RowMap rigid(mass_matrix.data(), kernel_.speeds(), kernel_.speeds());
            force = rigid * oi::VecMap(udot0.data(), kernel_.speeds()) + terms.bias + terms.gravity;
            terms.mass_matrix += rigid;
        }
        return {give(std::move(terms.mass_matrix), {n, n}), give(std::move(force), {n}),
                give(std::move(at_rest), {count}), give(std::move(gain), {count, n}), remarks_of(terms.remarks)};
    }

  private:
    nb::object kept_;
    const oi::Kernel& kernel_;
    oi::SwingInertia inertia_;    // works in storage of its own
    std::mutex mutex_;
};

// What drives oscillators at the Gauss points: weighted sums of `width` rows of coefficients from `first` on.
struct Nodes {
    std::size_t count, width;
    const int* first;
    const double* weights;
};

// Which oscillators are stepped, in which sets, and where z and z' of all are kept, (sets, rows, oscillators, 2 N).
struct Stepped {
    std::vector<std::size_t> sets, which;
    double* y;
};

// Returns the largest change of z that writing them makes, by set and oscillator.
template <int N>
oi::Matrix oscillated(const In<1>& h, const In<3>& stiffness, const In<3>& damping, const In<4>& coefficients,
                      const In<3>& start, const Nodes& nodes, const Stepped& stepped) {
    using Steps = oi::LinearSteps<N>;
    constexpr std::size_t kFour = oi::kFour, kCoefficients = oi::StepOfMany<N>::kCoefficients;
    const std::size_t sets = stepped.sets.size(), rows = stiffness.shape(1), count = stepped.which.size(),
                      all = stiffness.shape(2), parts = nodes.count / std::max<std::size_t>(3 * (rows - 1), 1);
    oi::Matrix changes = oi::Matrix::Zero(static_cast<Eigen::Index>(sets), static_cast<Eigen::Index>(count));
    const std::size_t blocks = (count + kFour - 1) / kFour;
    oi::share_states(blocks, oi::thread_count(blocks), [&](std::size_t, std::size_t first, std::size_t last) {
        std::vector<Steps> steps(sets);
        std::vector<std::array<oi::FourNumbers, 2>> k(sets), c(sets);
        std::vector<oi::FourNumbers> given(coefficients.shape(0) * kCoefficients);
        typename oi::StepOfMany<N>::Coefficients driven;
        for (Steps& each : steps) each.step.coefficients = &driven;
        for (std::size_t block = first; block < last; ++block) {
            const std::size_t from = block * kFour, here = std::min(kFour, count - from);
            // this block's oscillators, of which the last fills what is left
            std::array<std::size_t, kFour> of_lane;
            for (std::size_t l = 0; l < kFour; ++l) of_lane[l] = stepped.which[from + std::min(l, here - 1)];
            const auto put = [&](const double* of_all, std::size_t stride, oi::FourNumbers& to) {
                for (std::size_t l = 0; l < kFour; ++l) to.set(l, of_all[of_lane[l] * stride]);
            };
            const auto keep = [&](std::size_t v, std::size_t t) {
                double* to = stepped.y + (stepped.sets[v] * rows + t) * all * 2 * N;
                for (std::size_t l = 0; l < here; ++l) {
                    double* of_one = to + of_lane[l] * 2 * N;
                    double& change = changes(static_cast<Eigen::Index>(v), static_cast<Eigen::Index>(from + l));
                    for (std::size_t a = 0; a < 2 * N; ++a) {
                        const double found = steps[v].step.y[a][l];
                        if (a < N) change = std::max(change, std::abs(found - of_one[a]));
                        of_one[a] = found;
                    }
                }
            };
            for (std::size_t row = 0; row < coefficients.shape(0); ++row)
                for (std::size_t a = 0; a < kCoefficients; ++a)
                    put(coefficients.data() + row * all * kCoefficients + a, kCoefficients,
                        given[row * kCoefficients + a]);
            for (std::size_t v = 0; v < sets; ++v) {
                for (std::size_t a = 0; a < 2 * N; ++a)
                    put(start.data() + stepped.sets[v] * all * 2 * N + a, 2 * N, steps[v].step.y[a]);
                keep(v, 0);
            }
            const auto put_end = [&](std::size_t v, std::size_t t) {
                const std::size_t at = (stepped.sets[v] * rows + t) * all;
                put(stiffness.data() + at, 1, k[v][1]);
                put(damping.data() + at, 1, c[v][1]);
            };
            for (std::size_t v = 0; v < sets; ++v) put_end(v, 0);
            for (std::size_t t = 0; t + 1 < rows; ++t) {
                for (std::size_t v = 0; v < sets; ++v) {
                    k[v][0] = k[v][1], c[v][0] = c[v][1];
                    put_end(v, t + 1);
                }
                for (std::size_t part = 0; part < parts; ++part) {
                    for (std::size_t g = 0; g < 3; ++g) {
                        const std::size_t node = (t * parts + part) * 3 + g;
                        oi::combine(kCoefficients, nodes.width,
                                    given.data() + static_cast<std::size_t>(nodes.first[node]) * kCoefficients,
                                    nodes.weights + node * nodes.width, driven[g].data());
                    }
                    const auto in_part = [&](const std::array<oi::FourNumbers, 2>& a) {
                        if (parts == 1) return a;
                        std::array<oi::FourNumbers, 2> found;
                        for (std::size_t end = 0; end < 2; ++end) {
                            const double share = static_cast<double>(part + end) / static_cast<double>(parts);
                            found[end].v = a[0].v + share * (a[1].v - a[0].v);
                        }
                        return found;
                    };
                    for (std::size_t v = 0; v < sets; ++v)
                        steps[v].advance(h.data()[t] / static_cast<double>(parts), in_part(k[v]), in_part(c[v]));
                }
                for (std::size_t v = 0; v < sets; ++v) keep(v, t + 1);
            }
        }
    });
    return changes;
}

// Numbers that are below a limit, each once.
std::vector<std::size_t> picked(const std::vector<int>& numbers, int limit, const char* of_what) {
    std::vector<std::size_t> out;
    for (int number : numbers) {
        if (number < 0 || number >= limit || std::ranges::find(out, size(number)) != out.end())
            throw wrong(std::string("a number of ") + of_what + " is not there, or is there twice");
        out.push_back(size(number));
    }
    return out;
}

Out oscillate(const In<1>& h, const In<3>& stiffness, const In<3>& damping, const In<4>& coefficients,
              const In<3>& start, const std::tuple<std::vector<int>, In<2>>& nodes, const std::vector<int>& sets,
              const std::vector<int>& which, const InOut<4>& y) {
    const auto& [first, weights] = nodes;
    const int all_sets = static_cast<int>(stiffness.shape(0)), rows = static_cast<int>(stiffness.shape(1)),
              count = static_cast<int>(stiffness.shape(2)), n = static_cast<int>(start.shape(2)) / 2,
              given = static_cast<int>(coefficients.shape(0)), points = static_cast<int>(first.size()),
              width = static_cast<int>(weights.shape(1));
    if (rows < 1 || (n != 2 && n != 3)) throw wrong("two or three coordinates are expected, and a row or more");
    if (rows > 1 && points % (3 * (rows - 1))) throw wrong("three Gauss points are expected in each part of a step");
    if (width < 1) throw wrong("a weight or more is expected for each Gauss point");
    expect(h, {rows - 1}, "h");
    expect(damping, {all_sets, rows, count}, "damping");
    expect(start, {all_sets, count, 2 * n}, "start");
    expect(coefficients, {given, count, 2 * n + 1, n}, "coefficients");
    expect(weights, {points, width}, "weights");
    expect(y, {all_sets, rows, count, 2 * n}, "y");
    for (int row : first)
        if (row < 0 || row > given - width) throw wrong("a Gauss point asks for coefficients that are not there");
    const Nodes at{size(points), size(width), first.data(), weights.data()};
    const Stepped stepped{picked(sets, all_sets, "a set"), picked(which, count, "an oscillator"), y.data()};
    oi::Matrix changes = computed([&] {
        return n == 2 ? oscillated<2>(h, stiffness, damping, coefficients, start, at, stepped)
                      : oscillated<3>(h, stiffness, damping, coefficients, start, at, stepped);
    });
    return give(std::move(changes), {stepped.sets.size(), stepped.which.size()});
}

}    // namespace

void bind_swinging(nb::module_& m) {
    nb::class_<BoundSwinging>(m, "Swinging",
                              R"(Muscles of a kernel whose bellies swing across their paths. It is immutable.

Material moves to x = X + phi d, phi = sin(pi (w chi + (1 - w) xi)) being its mode and d a vector that all of the belly
has. Arguments are those of SwingInertia, all of them muscles.

Raises:
    ValueError: for what is impossible; IndexError for a muscle that is not there.)")
        .def(nb::init<const nb::typed<nb::object, oi::Kernel>&, const std::vector<int>&, const std::vector<int>&,
                      const In<2>&, const In<2>&, const In<3>&>(),
             nb::arg("kernel"), nb::arg("muscles"), nb::arg("bodies"), nb::arg("constants"), nb::arg("places"),
             nb::arg("axes"))
        .def(
            "equations", &BoundSwinging::equations, nb::arg("states"), nb::arg("udot"),
            R"(Equations of displacements, z'' = -(K + k) z - (C + c) z' + b, at T states with accelerations ``udot``, and
remarks.

Returns:
    K and C (2, 2) and b (2,), (T, S, 5, 2).)")
        .def(
            "answers", &BoundSwinging::answers, nb::arg("states"), nb::arg("udot"), nb::arg("y"), nb::arg("stiffness"),
            nb::arg("damping"),
            R"(What displacements exert along a motion of T states with accelerations ``udot`` (T, speeds), and remarks.

Args:
    states, udot: the motion.
    y: z and z' in several sets, (sets, T, S, 4).
    stiffness, damping: k [1/s^2] and c [1/s], (sets, T, S).

Returns:
    generalized forces that the motion needs for each of the first set, (T, S, speeds), and for all of each set,
    (sets, T, speeds); and displacements of the first set in ground, (T, S, 3).)");
    nb::class_<BoundSwingInertia>(
        m, "SwingInertia",
        R"(Mass that swings, with n coordinates of displacements: two for a belly, three for a mass on a spring.

Args:
    kernel: has the muscles.
    muscles: numbers of the muscle whose belly each is, -1 for masses on springs, (S,).
    bodies: numbers of the bodies in whose frames they swing, (S,).
    constants: w (the aponeurosis' part of the belly), mu [kg], s [kg], stiffness [N/m], stiffness by tension [1/m],
        share of the critical damping, (S, 6).
    places: direction of a belly's chord at the reference pose, place of a mass on a spring, in the body, (S, 3).
    axes: rows span where they swing at the reference pose, of bellies the first two, (S, 3, 3).

Raises:
    ValueError: for what is impossible; IndexError for a muscle that is not there.)")
        .def(nb::init<const nb::typed<nb::object, oi::Kernel>&, const std::vector<int>&, const std::vector<int>&,
                      const In<2>&, const In<2>&, const In<3>&>(),
             nb::arg("kernel"), nb::arg("muscles"), nb::arg("bodies"), nb::arg("constants"), nb::arg("places"),
             nb::arg("axes"))
        .def("equations", &BoundSwingInertia::equations, nb::arg("state"), nb::arg("mass_matrix"), nb::arg("udot0"),
             nb::arg("z"), nb::arg("tension"),
             R"(The equations of motion with the muscles' mass and what swings, displacements having been eliminated.

Args:
    state: the state.
    mass_matrix: M of the rigid bodies, (speeds, speeds).
    udot0: the rigid bodies' accelerations under all forces, (speeds,).
    z: coordinates of displacements and their rates, (2, n).
    tension: of the kernel's muscles [N].

Returns:
    the mass matrix (speeds, speeds), the force (speeds,); the displacements' accelerations (n,) at udot = 0, and what
    they fall by with udot (n, speeds); and remarks.)");
    m.def("oscillate", &oscillate, nb::arg("h"), nb::arg("stiffness"), nb::arg("damping"), nb::arg("coefficients"),
          nb::arg("start"), nb::arg("nodes"), nb::arg("sets"), nb::arg("which"), nb::arg("y"),
          R"(Writes the motion of driven linear oscillators z'' = -(K + k) z - (C + c) z' + b.

It is exact for k and c that do not change, however stiff, and of the sixth order in the steps elsewhere.

Args:
    h: time from row to row, (T - 1,) [s].
    stiffness, damping: k [1/s^2] and c [1/s] at the rows, in several sets, (sets, T, S); linear between them.
    coefficients: numbers of which K (n, n), C (n, n) and b (n,) are weighted sums, (rows, S, 2 n + 1, n), with n = 2
        or 3.
    start: z and z' at the first row, (sets, S, 2 n).
    nodes: of each of the three Gauss points of each of equal parts of each step the first row of coefficients that
        counts there, (3 parts (T - 1),), and weights of this row and those that follow it, (3 parts (T - 1), width).
    sets, which: numbers of the sets and of the oscillators that are moved, each once.
    y: z and z' at all rows, (sets, T, S, 2 n); those that are moved are written.

Returns:
    the largest change of z that writing them made, (number of sets, number of oscillators).)");
}
