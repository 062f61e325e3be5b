"""Forces of the model in inverse dynamics, against a block on a leg whose forces are known by Newton's law."""

from pathlib import Path
from typing import Any

import numpy as np
import opensim as osim
import pandas as pd
import pytest

import opensim_inertia as oi

MASS, G, HEIGHT = 60.0, 9.80665, 0.48
TIMES = np.arange(0.0, 0.5, 0.01)
STILL = pd.DataFrame({"tilt": 0.0, "tx": 0.0, "ty": HEIGHT, "knee": 0.0}, index=pd.Index(TIMES, name="time"))


def leg() -> osim.Model:
    """A block of 55 kg on a shank of 5 kg, which has a knee and moves in a plane."""
    model, zero = osim.Model(), osim.Vec3(0)
    model.setName("leg")
    block = osim.Body("block", 55.0, zero, osim.Inertia(1.5))
    shank = osim.Body("shank", 5.0, osim.Vec3(0, 0.25, 0), osim.Inertia(0.1, 0.01, 0.1))
    base = osim.PlanarJoint("base", model.getGround(), zero, zero, block, zero, zero)
    for i, name in enumerate(("tilt", "tx", "ty")):
        base.upd_coordinates(i).setName(name)
    knee = osim.PinJoint("knee", block, zero, zero, shank, osim.Vec3(0, 0.45, 0), zero)
    knee.updCoordinate().setName("knee")
    for body in (block, shank):
        model.addBody(body)
    for joint in (base, knee):
        model.addJoint(joint)
    return model


def with_motor(model: osim.Model) -> osim.Model:
    """A motor of 100 N m at the knee that is half active by default."""
    motor = osim.ActivationCoordinateActuator()
    motor.setName("motor")
    motor.set_coordinate("knee")
    motor.setOptimalForce(100)
    motor.set_default_activation(0.5)
    model.addForce(motor)
    return model


def with_contact(model: osim.Model, kind: str) -> osim.Model:
    """A heel of 5 cm that is 2 cm deep in the floor."""
    floor = osim.ContactHalfSpace(osim.Vec3(0), osim.Vec3(0, 0, -np.pi / 2), model.getGround(), "floor")
    heel = osim.ContactSphere(0.05, osim.Vec3(0), model.getBodySet().get("shank"), "heel")
    for geometry in (floor, heel):
        model.addContactGeometry(geometry)
    if kind == "smooth":
        contact = osim.SmoothSphereHalfSpaceForce("heel_contact", heel, floor)
        contact.set_stiffness(1e6)
    else:
        contact = osim.HuntCrossleyForce()
        contact.setName("heel_contact")
        contact.addGeometry("heel")
        contact.addGeometry("floor")
        contact.setStiffness(1e6)
    model.addForce(contact)
    return model


def loads(folder: Path, body: str, height: float = 0.0) -> Path:
    """A plate that carries the weight, through a body at a height."""
    table = pd.DataFrame(0.0, index=STILL.index, columns=[f"f_{x}" for x in ("vx", "vy", "vz", "px", "py", "pz")])
    table["f_vy"], table["f_py"] = MASS * G, height
    header = f"loads\nversion=1\nnRows={len(table)}\nnColumns=7\ninDegrees=no\nendheader\n"
    (folder / "grf.mot").write_text(header + table.to_csv(sep="\t"))
    (folder / "loads.xml").write_text(
        '<OpenSimDocument Version="40000"><ExternalLoads name="l"><objects><ExternalForce name="plate">'
        f"<applied_to_body>{body}</applied_to_body><force_expressed_in_body>ground</force_expressed_in_body>"
        "<point_expressed_in_body>ground</point_expressed_in_body><force_identifier>f_v</force_identifier>"
        "<point_identifier>f_p</point_identifier></ExternalForce></objects><datafile>grf.mot</datafile>"
        "</ExternalLoads></OpenSimDocument>"
    )
    return folder / "loads.xml"


def solved(model: osim.Model, recording: object = STILL, **options: object) -> Any:
    model.finalizeConnections()
    return oi.inverse_dynamics(oi.InertialModel(model, {}), recording, **options)


def test_no_actuator_acts_by_default() -> None:
    """The leg is straight and still: the knee needs no moment. The motor's 50 N m are named, or act when asked for."""
    result = solved(with_motor(leg()))
    np.testing.assert_allclose(result.lumped["knee"], 0, atol=1e-9)
    (note,) = result.notes
    assert "forces of the model do not act" in note and "'motor' (-50 N m at 'knee')" in note
    acting = solved(with_motor(leg()), forces_to_exclude="Muscles")
    np.testing.assert_allclose(acting.lumped["knee"], -50, atol=1e-9)
    assert "forces of the model act" in acting.notes[0] and "'motor' (-50 N m at 'knee')" in acting.notes[0]


def test_a_bushing_is_named_with_its_moment() -> None:
    """A torsional spring of 300 N m per rad at a knee that is bent by 0.2 rad; gravity is none."""
    model = leg()
    model.setGravity(osim.Vec3(0))
    block, shank = (model.getBodySet().get(name) for name in ("block", "shank"))
    ends = block, osim.Transform(), shank, osim.Transform(osim.Vec3(0, 0.45, 0))
    stiffness = osim.Vec3(0), osim.Vec3(0, 0, 300), osim.Vec3(0), osim.Vec3(0)
    model.addForce(osim.BushingForce("hold", *ends, *stiffness))
    result = solved(model, STILL.assign(knee=0.2))
    np.testing.assert_allclose(result.lumped["knee"], 300 * 0.2, rtol=1e-9)
    assert "'hold' (60 N m at 'knee')" in result.notes[0]


@pytest.mark.parametrize("kind", ["smooth", "hunt"])
def test_contacts_do_not_act_on_top_of_measured_loads(kind: str, tmp_path: Path) -> None:
    """A plate carries the weight: no residual. Without loads the contact pushes, as much as its own record says."""
    model = with_contact(leg(), kind)
    state = model.initSystem()
    model.getCoordinateSet().get("ty").setValue(state, HEIGHT)
    model.realizeDynamics(state)
    contact = model.getForceSet().get(0)
    labels, values = contact.getRecordLabels(), contact.getRecordValues(state)
    push = max(abs(values.get(i)) for i in range(labels.getSize()) if labels.get(i).endswith("force.Y"))
    assert push > 100
    plate = loads(tmp_path, "shank")
    left_out = solved(with_contact(leg(), kind), oi.Recording(STILL, plate))
    np.testing.assert_allclose(left_out.lumped["ty"], 0, atol=1e-6)
    assert "contacts of the model do not act" in left_out.notes[0] and "'heel_contact'" in left_out.notes[0]
    kept = solved(with_contact(leg(), kind), oi.Recording(STILL, plate), forces_to_exclude=("Actuators", "-contacts"))
    np.testing.assert_allclose(kept.lumped["ty"], -push, rtol=1e-6)
    unloaded = solved(with_contact(leg(), kind))
    np.testing.assert_allclose(unloaded.lumped["ty"], MASS * G - push, rtol=1e-6)
    assert f"'heel_contact' ({-push:.4g} N at 'ty')" in unloaded.notes[0]


def test_a_contact_below_the_loaded_body_is_that_contact_too(tmp_path: Path) -> None:
    """The shank hangs on the block; what presses the block was measured with it."""
    result = solved(with_contact(leg(), "smooth"), oi.Recording(STILL, loads(tmp_path, "block", HEIGHT)))
    np.testing.assert_allclose(result.lumped["ty"], 0, atol=1e-6)


def test_single_forces_are_left_out_of_sets_with_groups(tmp_path: Path) -> None:
    """OpenSim's tool, asked for the same, lets them act; without its force set's groups it leaves them out, too."""
    times = TIMES[:10]
    peaks = {}
    for grouped in (True, False):
        model = with_motor(leg())
        if grouped:
            model.updForceSet().addGroup("motors")
            model.updForceSet().addObjectToGroup("motors", "motor")
        model.finalizeConnections()
        folder = tmp_path / str(grouped)
        folder.mkdir()
        model.printToXML(str(folder / "leg.osim"))
        oi.write_table(STILL.loc[times], folder / "still.mot")
        tool, names = osim.InverseDynamicsTool(), osim.ArrayStr()
        names.append("motor")
        tool.setModelFileName(str(folder / "leg.osim"))
        tool.setCoordinatesFileName(str(folder / "still.mot"))
        tool.setExcludedForces(names)
        tool.setStartTime(times[0])
        tool.setEndTime(times[-1])
        tool.setResultsDir(str(folder))
        tool.setOutputGenForceFileName("tool.sto")
        tool.run()
        inertial = oi.InertialModel(folder / "leg.osim", {})
        result = oi.inverse_dynamics(inertial, folder / "still.mot", "motor")
        assert any("OpenSim's tool lets 'motor' act" in note for note in result.notes) == grouped
        peaks[grouped] = oi.read_table(folder / "tool.sto")["knee_moment"].to_numpy()
        ours = result.lumped_forces[:, result.coordinate_names.index("knee")]
        np.testing.assert_allclose(ours, peaks[grouped] + (50.0 if grouped else 0.0), rtol=0, atol=1e-9)
