"""What OpenSim says of the mass of exported models: as of the published segments, or where the muscles really are."""

from pathlib import Path
from typing import Any

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from oracles import limbs, trials
from oracles.live_states import pseudo_inertia
from oracles.plugin import Native, write_model

import opensim_inertia as oi
from opensim_inertia.files import read_table

COMPONENT = "/componentset/inertial_muscles"
SAME = 1e-12  # Relative: the same sums in another order
STEP = 1e-5  # Of central differences along a motion [s], which are then off by 1e-9

pytestmark = [
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning"),
]


@pytest.fixture(scope="module")
def inertial() -> oi.InertialModel:
    """Of point masses, so that their places say all."""
    return oi.InertialModel(limbs.limbs("custom"), limbs.masses(), distribution="points")


def moving_state(inertial: oi.InertialModel, seed: int = 0) -> osim.State:
    rng = np.random.default_rng(seed)
    state = inertial.initial_state()
    inertial.coordinates.set_values(state, rng.uniform(-0.6, 0.6, state.getNQ()))
    state.setU(osim.Vector.createFromMat(rng.normal(size=state.getNU())))
    inertial.model.realizeVelocity(state)
    return state


def output(native: Native, name: str) -> Any:
    found = native.model.getComponent(COMPONENT).getOutput(name)
    kind = osim.OutputVec3 if "com" in name else osim.OutputDouble
    value = kind.safeDownCast(found).getValue(native.state)
    return value.to_numpy().copy() if kind is osim.OutputVec3 else float(value)


def whole_centre(inertial: oi.InertialModel, state: osim.State) -> np.ndarray:
    """The centre of mass of bodies and mass points, less the mass that is frozen to bodies."""
    mass, moment = 0.0, np.zeros(3)
    for body in inertial.model.getBodySet():
        centre = body.findStationLocationInGround(state, body.getMassCenter()).to_numpy()
        mass, moment = mass + body.getMass(), moment + body.getMass() * centre
    for name, matrix in inertial.frozen.by_segment.items():
        body = inertial.model.getBodySet().get(name)
        centre = body.findStationLocationInGround(state, osim.Vec3(*(matrix[:3, 3] / matrix[3, 3]))).to_numpy()
        mass, moment = mass - matrix[3, 3], moment - matrix[3, 3] * centre
    for points in inertial.mass_points(state).values():
        mass, moment = mass + points.masses.sum(), moment + points.masses @ points.positions
    return moment / mass


def test_segments_have_the_mass_that_was_published(inertial: oi.InertialModel) -> None:
    exported, published = inertial.native_model(), inertial.original_model()
    state, original = exported.initSystem(), published.initSystem()
    for body in published.getBodySet():
        np.testing.assert_array_equal(pseudo_inertia(exported.getBodySet().get(body.getName())), pseudo_inertia(body))
    assert exported.getTotalMass(state) == published.getTotalMass(original)


def test_centre_of_mass_and_energy_with_the_muscles_where_they_are(inertial: oi.InertialModel) -> None:
    """Against mass points and frozen mass; velocities against differences of places along the motion."""
    native, state = Native(inertial), moving_state(inertial)
    native.state.setY(state.getY())
    native.model.realizeVelocity(native.state)
    centre = whole_centre(inertial, state)
    np.testing.assert_allclose(output(native, "model_com_position"), centre, rtol=0, atol=1e-12)
    terms = inertial.evaluate(state)
    kinetic = inertial.model.calcKineticEnergy(state) + terms.kinetic_energy
    assert output(native, "model_kinetic_energy") == pytest.approx(kinetic, rel=1e-12)
    potential = inertial.model.calcPotentialEnergy(state) + terms.potential_energy
    assert native.model.calcPotentialEnergy(native.state) == pytest.approx(potential, rel=1e-12)
    ends = []
    for sign in (1.0, -1.0):
        moved = inertial.initial_state()
        moved.setQ(osim.Vector.createFromMat(state.getQ().to_numpy() + sign * STEP * state.getQDot().to_numpy()))
        inertial.model.realizePosition(moved)
        ends.append(whole_centre(inertial, moved))
    velocity = (ends[0] - ends[1]) / (2 * STEP)
    np.testing.assert_allclose(output(native, "model_com_velocity"), velocity, rtol=0, atol=1e-8)
    rigid = native.model.calcMassCenterPosition(native.state).to_numpy()
    assert 1e-4 < np.abs(rigid - centre).max() < 0.05  # what the outputs are for


def test_the_component_switched_off_leaves_the_published_model(inertial: oi.InertialModel) -> None:
    exported = inertial.native_model()
    component = exported.updComponent(COMPONENT)
    osim.PropertyHelper.setValueBool(False, component.updPropertyByName("enabled"))
    native = Native(inertial, exported)
    stock = oi.InertialModel(inertial.original_model(), {})
    state, ours = stock.initial_state(), moving_state(inertial)
    state.setY(ours.getY())
    y = ours.getY().to_numpy().copy()
    lumped = stock.udot(state)
    assert np.abs(native.udot(0.0, y) - lumped).max() < SAME * np.abs(lumped).max()
    assert np.abs(inertial.udot(ours) - lumped).max() > 1e-3 * np.abs(lumped).max()
    rigid = native.model.calcMassCenterPosition(native.state).to_numpy()
    np.testing.assert_array_equal(output(native, "model_com_position"), rigid)


def test_masses_that_were_changed_before_the_export() -> None:
    """They are kept, and so is the frozen mass that is subtracted."""
    inertial = oi.InertialModel(limbs.limbs(), limbs.masses())
    donor = inertial.segments.index[0]
    inertial.model.updBodySet().get(donor).setMass(4.5)
    inertial.model.initSystem()
    assert Native(inertial).error_at(moving_state(inertial)) < 1e-11
    exported = inertial.native_model()
    assert exported.getBodySet().get(donor).getMass() == 4.5


def kinematics(model: osim.Model, motion: Path, folder: Path) -> dict[str, pd.DataFrame]:
    """BodyKinematics of all bodies and of the centre of mass, by OpenSim's Analyze Tool."""
    folder.mkdir()
    write_model(model, folder / "model.osim")
    analysis = osim.BodyKinematics()
    analysis.setName("bodies")
    analysis.setRecordCenterOfMass(True)
    analysis.setInDegrees(False)
    trials.run_analysis(folder / "model.osim", analysis, (0.5, 0.6), "walk", coordinates=motion)
    return {part: read_table(folder / f"walk_bodies_{part}_global.sto") for part in ("pos", "vel")}


def test_body_kinematics(opensim_models: Path, tmp_path: Path) -> None:
    """OpenSim's tool gives equal results for an export and for the published model."""
    inertial, motion, _ = trials.gait10(opensim_models)
    stock = kinematics(inertial.original_model(), motion, tmp_path / "stock")
    exported = kinematics(inertial.native_model(), motion, tmp_path / "export")
    for part in ("pos", "vel"):
        pd.testing.assert_frame_equal(exported[part], stock[part], rtol=1e-7, atol=1e-9)
        assert any(str(name).startswith("center_of_mass") for name in stock[part].columns)


def inverse_dynamics(model: osim.Model, motion: Path, loads: Path, folder: Path) -> None:
    trials.run_tool(model, motion, loads, 6.0, (0.5, 0.7), folder)


def test_the_wrong_export_fails_in_the_inverse_dynamics_tool(opensim_models: Path, tmp_path: Path) -> None:
    """It is refused before anything is written; the other one runs."""
    inertial, motion, loads = trials.gait10(opensim_models)
    with pytest.raises(RuntimeError, match="InverseDynamicsTool Failed"):
        inverse_dynamics(inertial.native_model(), motion, loads, tmp_path)
    assert not list(tmp_path.glob("*.sto"))
    inverse_dynamics(inertial.native_model("inverse"), motion, loads, tmp_path)


def test_states_that_were_realized_before_are_not_taken_for_the_tool_s() -> None:
    """Copies, old states at other poses, states of several integrations: forward dynamics go on being served."""
    inertial = oi.InertialModel(limbs.limbs(pull=True), limbs.masses())
    model = inertial.native_model()
    state = model.initSystem()
    kept = []
    for seed in range(40):
        state.setY(moving_state(inertial, seed).getY())
        model.realizeAcceleration(state)
        kept.append(osim.State(state))
    for old in kept:  # copies have the accelerations of where they were copied, or none
        old.setTime(1.0)
        old.setQ(osim.Vector.createFromMat(np.full(3, 0.1)))
        model.realizeDynamics(old)
    for old in kept:
        old.setTime(2.0)
        model.realizeDynamics(old)
        model.realizeAcceleration(old)
        model.realizeDynamics(kept[0])
    manager = osim.Manager(model, kept[0])
    manager.integrate(2.1)
    model.realizeDynamics(osim.State(manager.getState()))
