// Python bindings of states, given paths, and directions in which a state changes.
#include "state.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace {

// Body, control points, their derivatives, their second derivatives.
using Arc = std::tuple<int, In<2>, In<3>, In<2>>;

oi::FreeArc make_arc(const Arc& given) {
    const auto& [body, x, dx, ddx] = given;
    const int n = static_cast<int>(x.shape(0)), speeds = static_cast<int>(dx.shape(2));
    if (n < oi::kFewestControls || n > oi::kMostControls)
        throw wrong("an arc needs " + std::to_string(oi::kFewestControls) + " to " + std::to_string(oi::kMostControls) +
                    " control points, it has " + std::to_string(n));
    expect(x, {n, 3}, "controls");
    expect(dx, {n, 3}, "dcontrols");
    expect(ddx, {n, 3}, "ddcontrols");
    oi::FreeArc arc;
    for (int j = 0; j < n; ++j) {
        oi::FreePoint point;
        point.body = body;
        point.station = Eigen::Map<const oi::Vec3d>(x.data() + 3 * j);
        point.dstation = oi::RowMap(dx.data() + static_cast<std::ptrdiff_t>(3) * speeds * j, 3, speeds);
        point.ddstation = Eigen::Map<const oi::Vec3d>(ddx.data() + 3 * j);
        arc.controls.push_back(std::move(point));
    }
    return arc;
}

oi::GivenPath make_path(std::vector<int> sequence, const std::vector<Arc>& arcs) {
    for (int i : sequence)
        if (-1 - i >= static_cast<int>(arcs.size()))
            throw nb::index_error(("kernel: a path's sequence goes over arc " + std::to_string(-1 - i) +
                                   ", there are " + std::to_string(arcs.size()))
                                      .c_str());
    oi::GivenPath path{std::move(sequence), {}};
    for (const Arc& arc : arcs) path.arcs.push_back(make_arc(arc));
    return path;
}

void check_path(int muscle, const oi::GivenPath& path, int bodies, int speeds) {
    const std::string whose = "the path of muscle " + std::to_string(muscle) + " has ";
    for (const oi::FreeArc& arc : path.arcs) {
        const oi::FreePoint& point = arc.controls.front();
        if (point.body < 0 || point.body >= bodies)
            throw wrong(whose + "an arc on body " + std::to_string(point.body) + ", there are " +
                        std::to_string(bodies));
        if (point.dstation.cols() != speeds)
            throw wrong(whose + "derivatives over " + std::to_string(point.dstation.cols()) + " speeds, expected " +
                        std::to_string(speeds));
    }
}

BoundState pick_state(const In<1>& q, const In<1>& u, const std::vector<std::uintptr_t>& transforms,
                      const std::vector<int>& mobods, const In<2>& jacobian, const In<1>& bias,
                      const In<1>& simbody_bias, oi::GivenPaths paths, oi::GivenLengths lengths) {
    const int speeds = static_cast<int>(q.shape(0)), rows = static_cast<int>(jacobian.shape(0));
    expect(u, {speeds}, "u");
    expect(jacobian, {rows, speeds}, "jacobian");
    expect(bias, {rows}, "bias");
    expect(simbody_bias, {rows}, "simbody_bias");
    if (transforms.size() != mobods.size()) throw wrong("as many transforms as mobilized bodies are expected");
    for (int m : mobods)
        if (m < 0 || 6 * m >= rows)
            throw nb::index_error(("kernel: there is no mobilized body " + std::to_string(m)).c_str());
    return {oi::SystemState(speeds, q.data(), u.data(), transforms, mobods, jacobian.data(), bias.data(),
                            simbody_bias.data()),
            std::move(paths), std::move(lengths)};
}

using View = nb::ndarray<nb::numpy, const double>;

// A property that gives one of a state's arrays without a copy; `shape` is made of the numbers of bodies and speeds.
template <class Data, class MakeShape>
auto array_of(Data data, MakeShape make_shape) {
    return [=](nb::handle self) {
        const oi::State<double>& s = nb::cast<const BoundState&>(self).view();
        const std::vector<std::size_t> shape =
            make_shape(static_cast<std::size_t>(s.bodies), static_cast<std::size_t>(s.speeds));
        return View(s.*data, shape.size(), shape.data(), self);
    };
}

using Numbers = std::vector<std::size_t>;

}    // namespace

BoundState::BoundState(const In<1>& q, const In<1>& u, const In<3>& rotation, const In<2>& position,
                       const In<2>& jacobian, const In<2>& bias, const In<2>& simbody_bias, oi::GivenPaths paths,
                       oi::GivenLengths lengths) {
    const int bodies = static_cast<int>(rotation.shape(0)), speeds = static_cast<int>(q.shape(0));
    expect(u, {speeds}, "u");
    expect(rotation, {bodies, 3, 3}, "rotation");
    expect(position, {bodies, 3}, "position");
    expect(jacobian, {6 * bodies, speeds}, "jacobian");
    expect(bias, {bodies, 6}, "bias");
    expect(simbody_bias, {bodies, 6}, "simbody_bias");
    arrays_ = {nb::ndarray<>(q),        nb::ndarray<>(u),    nb::ndarray<>(rotation),    nb::ndarray<>(position),
               nb::ndarray<>(jacobian), nb::ndarray<>(bias), nb::ndarray<>(simbody_bias)};
    view_.bodies = bodies;
    view_.speeds = speeds;
    view_.q = q.data();
    view_.u = u.data();
    view_.rotation = rotation.data();
    view_.position = position.data();
    view_.jacobian = jacobian.data();
    view_.bias = bias.data();
    view_.simbody_bias = simbody_bias.data();
    view_.derive();
    set_given(std::move(paths), std::move(lengths));
}

BoundState::BoundState(oi::SystemState system, oi::GivenPaths paths, oi::GivenLengths lengths)
    : system_(std::move(system)), view_(system_->state()) {
    set_given(std::move(paths), std::move(lengths));
}

void BoundState::set_given(oi::GivenPaths paths, oi::GivenLengths lengths) {
    for (const auto& [muscle, path] : paths) check_path(muscle, *path, view_.bodies, view_.speeds);
    if (!paths.empty()) view_.paths = std::make_shared<const oi::GivenPaths>(std::move(paths));
    if (!lengths.empty()) view_.lengths = std::make_shared<const oi::GivenLengths>(std::move(lengths));
}

BoundDirections::BoundDirections(const In<2>& q, const In<2>& u, const In<3>& twist, const In<3>& jacobian,
                                 const In<3>& bias, const In<3>& simbody_bias)
    : arrays_{nb::ndarray<>(q),        nb::ndarray<>(u),    nb::ndarray<>(twist),
              nb::ndarray<>(jacobian), nb::ndarray<>(bias), nb::ndarray<>(simbody_bias)},
      view_{static_cast<int>(q.shape(0)), q.data(), u.data(), twist.data(), jacobian.data(), bias.data(),
            simbody_bias.data()},
      bodies_(static_cast<int>(twist.shape(1))),
      speeds_(static_cast<int>(q.shape(1))) {
    expect(u, {view_.count, speeds_}, "u");
    expect(twist, {view_.count, bodies_, 6}, "twist");
    expect(jacobian, {view_.count, 6 * bodies_, speeds_}, "jacobian");
    expect(bias, {view_.count, bodies_, 6}, "bias");
    expect(simbody_bias, {view_.count, bodies_, 6}, "simbody_bias");
}

const oi::Directions& BoundDirections::of(const oi::State<double>& state) const {
    if (state.bodies != bodies_ || state.speeds != speeds_)
        throw wrong("the directions are those of " + std::to_string(bodies_) + " bodies and " +
                    std::to_string(speeds_) + " speeds, the state has " + std::to_string(state.bodies) + " and " +
                    std::to_string(state.speeds));
    return view_;
}

void bind_state(nb::module_& m) {
    nb::class_<oi::GivenPath>(m, "GivenPath", R"(The path of one muscle at one state, as OpenSim gives it.

Args:
    sequence: the path's parts from origin to insertion: a number of the muscle's path points, or -1 - i for arc i.
    arcs: body number, control points (n, 3) in the body's frame [m], their derivatives (n, 3, speeds) with respect to
        the speeds, and the second derivatives (n, 3) along u at udot = 0; 3 to 20 control points at Chebyshev-Lobatto
        fractions of the arc.)")
        .def(
            "__init__",
            [](oi::GivenPath* path, std::vector<int> sequence, const std::vector<Arc>& arcs) {
                new (path) oi::GivenPath(make_path(std::move(sequence), arcs));
            },
            nb::arg("sequence"), nb::arg("arcs") = nb::tuple());

    using State = oi::State<double>;
    nb::class_<BoundState>(
        m, "State",
        R"(One state of a model: its coordinates, speeds, and how its bodies are placed and move. It is immutable.

The arrays are those of `opensim_inertia.opensim_model.reading.StateKinematics`. They are kept, not copied, and must not be changed
afterwards; a body's spatial vectors are (angular, linear of its origin), in ground, in SI units.

Args:
    q, u: (speeds,).
    rotation: of the bodies to ground, (bodies, 3, 3).
    position: of the bodies' origins, (bodies, 3) [m].
    jacobian: system Jacobian (6 bodies, speeds).
    bias: Jdot u, (bodies, 6).
    simbody_bias: the same as Simbody has it, with which frozen mass moves, (bodies, 6).
    paths: by muscle number, for the muscles whose path is given. Others are not looked at.
    lengths: by muscle number, OpenSim's lengths [m] of muscles that are compared with them.)")
        .def(nb::init<const In<1>&, const In<1>&, const In<3>&, const In<2>&, const In<2>&, const In<2>&, const In<2>&,
                      oi::GivenPaths, oi::GivenLengths>(),
             nb::arg("q"), nb::arg("u"), nb::arg("rotation"), nb::arg("position"), nb::arg("jacobian"), nb::arg("bias"),
             nb::arg("simbody_bias"), nb::arg("paths") = nb::dict(), nb::arg("lengths") = nb::dict())
        .def_static("of_system", &pick_state, nb::arg("q"), nb::arg("u"), nb::arg("transforms"), nb::arg("mobods"),
                    nb::arg("jacobian"), nb::arg("bias"), nb::arg("simbody_bias"), nb::arg("paths") = nb::dict(),
                    nb::arg("lengths") = nb::dict(),
                    R"(The state picked from Simbody's arrays of the whole system, which are copied.

Args:
    q, u: (speeds,).
    transforms: addresses of the bodies' SimTK::Transforms.
    mobods: the bodies' mobilized body indices.
    jacobian, bias, simbody_bias: of all mobilized bodies, (6 mobods, speeds) and (6 mobods,) twice.
    paths, lengths: as for a state.)")
        .def_prop_ro("q", array_of(&State::q, [](std::size_t, std::size_t n) { return Numbers{n}; }))
        .def_prop_ro("u", array_of(&State::u, [](std::size_t, std::size_t n) { return Numbers{n}; }))
        .def_prop_ro("rotation",
                     array_of(&State::rotation, [](std::size_t b, std::size_t) { return Numbers{b, 3, 3}; }))
        .def_prop_ro("position", array_of(&State::position, [](std::size_t b, std::size_t) { return Numbers{b, 3}; }))
        .def_prop_ro("jacobian",
                     array_of(&State::jacobian, [](std::size_t b, std::size_t n) { return Numbers{6 * b, n}; }))
        .def_prop_ro("bias", array_of(&State::bias, [](std::size_t b, std::size_t) { return Numbers{b, 6}; }));

    nb::class_<BoundDirections>(
        m, "Directions",
        R"(D directions in which a state changes: derivatives of its arrays, which are kept, not copied.

Args:
    q, u: (D, speeds).
    twist: motion of every body in ground, angular and linear of its origin, (D, bodies, 6).
    jacobian: (D, 6 bodies, speeds).
    bias, simbody_bias: (D, bodies, 6).)")
        .def(nb::init<const In<2>&, const In<2>&, const In<3>&, const In<3>&, const In<3>&, const In<3>&>(),
             nb::arg("q"), nb::arg("u"), nb::arg("twist"), nb::arg("jacobian"), nb::arg("bias"),
             nb::arg("simbody_bias"));
}
