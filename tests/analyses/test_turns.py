"""Joints, and pins in a row whose axes meet, as one rotation: against OpenSim's own lengths and moment arms."""

from functools import cache

import numpy as np
import opensim as osim
import pytest
from models.pendulums import build_pendulum

import opensim_inertia as oi

RANGE = 0.6  # Of each coordinate [rad]: a girdle's bones turn by some 30 degrees
AXES = {"y": (-np.pi / 2, 0.0, 0.0), "x": (0.0, np.pi / 2, 0.0), "z": (0.0, 0.0, 0.0)}
"""Turns of a pin's frames that lay its axis, which is z, along an axis."""


def girdle(gap: float = 0.0, on_phantom: bool = False) -> osim.Model:
    """A shoulder girdle like DAS3's: three pins from thorax to clavicle, three on to the scapula, and three muscles."""
    model = osim.Model()
    model.setName("girdle")
    parent: osim.PhysicalFrame = model.getGround()
    places = {"sc": osim.Vec3(0.0, 0.05, 0.02), "ac": osim.Vec3(0.0, 0.02, 0.15)}
    for joint, bone in (("sc", "clavicle"), ("ac", "scapula")):
        at = places[joint]
        for number, axis in enumerate("yxz", 1):
            is_bone = number == 3
            inertia = 1e-3 if is_bone else 1e-6
            name = bone if is_bone else f"{joint}_phantom{number}"
            body = osim.Body(name, 0.2 if is_bone else 1e-4, osim.Vec3(0), osim.Inertia(inertia))
            model.addBody(body)
            turned = osim.Vec3(*AXES[axis])
            pin = osim.PinJoint(f"{joint}{number}", parent, at, turned, body, osim.Vec3(0), turned)
            coordinate = pin.updCoordinate()
            coordinate.setName(f"{joint}_{axis}")
            coordinate.setRangeMin(-RANGE)
            coordinate.setRangeMax(RANGE)
            model.addJoint(pin)
            parent, at = body, osim.Vec3(gap if joint == "sc" else 0.0, 0.0, 0.0)
    bodies = model.getBodySet()
    ends = {
        "subclavius": (("clavicle", (0.01, -0.01, 0.08)),),
        "trapezius": (("scapula", (-0.05, 0.01, 0.03)),),
        "crossing": (("clavicle", (0.02, 0.02, 0.1)), ("scapula", (-0.02, -0.06, 0.01))),
    }
    if on_phantom:
        ends["odd"] = (("sc_phantom1", (0.02, 0.02, 0.05)),)
    for name, points in ends.items():
        muscle = osim.Thelen2003Muscle(name, 100.0, 0.1, 0.1, 0.0)
        muscle.addNewPathPoint(
            f"{name}-o", model.getGround(), osim.Vec3(-0.03, 0.2 if name == "trapezius" else -0.02, 0.0)
        )
        for k, (body_name, place) in enumerate(points):
            muscle.addNewPathPoint(f"{name}-{k}", bodies.get(body_name), osim.Vec3(*place))
        model.addForce(muscle)
    model.finalizeConnections()
    return model


@cache
def fitted() -> oi.length_polynomials.LengthPolynomials:
    return oi.fit_length_polynomials(girdle(), 400, rotations="quaternion", degree=4, stop=0.0005)


def test_three_pins_whose_axes_meet_are_one_rotation() -> None:
    polynomials = fitted()
    clavicle, scapula = ([f"{name}1+{name}2+{name}3.Q{i}" for i in (1, 2, 3)] for name in ("sc", "ac"))
    assert polynomials.variables_of("subclavius") == tuple(clavicle)
    assert polynomials.variables_of("trapezius") == (*clavicle, *scapula)
    assert set(polynomials.coordinate_names) == {f"{joint}_{axis}" for joint in ("sc", "ac") for axis in "xyz"}


def test_their_moment_arms_are_opensims() -> None:
    """The fits' own figures of error, and an independent look at poses that were not fitted."""
    polynomials, model = fitted(), girdle()
    state = model.initSystem()
    coordinates = model.getCoordinateSet()
    poses = np.random.default_rng(7).uniform(-0.9 * RANGE, 0.9 * RANGE, (12, len(polynomials.coordinate_names)))
    for muscle in polynomials.muscle_names:
        path = model.getMuscles().get(muscle).getPath()
        expected_arms, expected_lengths = [], []
        for pose in poses:
            for name, value in zip(polynomials.coordinate_names, pose, strict=True):
                coordinates.get(name).setValue(state, float(value), False)
            model.realizePosition(state)
            expected_lengths.append(path.getLength(state))
            expected_arms.append(
                [path.computeMomentArm(state, coordinates.get(n)) for n in polynomials.coordinate_names]
            )
        arms = polynomials.moment_arms(muscle, poses).reindex(
            columns=list(polynomials.coordinate_names), fill_value=0.0
        )
        assert np.abs(arms.to_numpy() - np.array(expected_arms)).max() < 1.5e-3  # of some 50 mm
        assert np.abs(polynomials.lengths(poses)[muscle].to_numpy() - np.array(expected_lengths)).max() < 5e-4


@pytest.mark.parametrize(
    ("options", "reason"),
    [({"gap": 0.01}, "their axes pass each other by up to .*"), ({"on_phantom": True}, "muscles act on 'sc_phantom1'")],
)
def test_coordinates_that_make_no_rotation_are_named(options: dict[str, object], reason: str) -> None:
    """Axes that pass each other; and a body between pins that carries something."""
    of_clavicle = ("sc_y", "sc_x", "sc_z")
    named = rf"'sc_y', 'sc_x', 'sc_z' \({reason} between 'ground' and 'clavicle'\)"
    with pytest.warns(oi.warnings.EulerAnglesWarning, match=named):
        polynomials = oi.fit_length_polynomials(girdle(**options), 200, "crossing", "quaternion", degree=2)
    assert polynomials.variables_of("crossing") == (*of_clavicle, *(f"ac1+ac2+ac3.Q{i}" for i in (1, 2, 3)))


def test_a_model_without_any_rotation_in_space_says_so() -> None:
    model, _ = build_pendulum([("ground", (0.05, 0.1, 0.0)), ("rod2", (0.03, -0.1, 0.0))])
    with pytest.warns(oi.warnings.EulerAnglesWarning, match="no joint .* turns in three directions.*rotations='euler'"):
        polynomials = oi.fit_length_polynomials(model, 60, rotations="quaternion", degree=3)
    assert polynomials.variables_of("muscle") == ("shoulder", "elbow")
