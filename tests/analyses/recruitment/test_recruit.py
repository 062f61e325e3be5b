"""Recruitment of the demo's swing: moment arms, equilibrium, reactions, momentum, tension along muscles, processes."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("daqp", reason="recruitment needs DAQP")

import opensim as osim
from models.pendulums import build_pendulum
from oracles import by_keyword, real_models, tutorial
from oracles.demo_leg import build_leg, swing_motion
from oracles.recruited_leg import RESERVES, recruited
from oracles.recruited_leg import heavy_leg as leg

import opensim_inertia as oi
from opensim_inertia.analyses.recruitment.rows import ReactionSolver
from opensim_inertia.dynamics.load_sharing.actuation import ModelActuators
from opensim_inertia.model.recorded_motion import recorded_motion
from opensim_inertia.opensim_model.setups.loads import Loads

KINDS = ("inertial", "lumped")


@cache
def recorded() -> Any:
    return oi.inverse_dynamics(leg(), oi.Recording(swing_motion(), time_range=(0.05, 0.55)), band=False).motion


def put(model: osim.Model, state: osim.State, motion: Any, time: float) -> int:
    place = int(np.argmin(np.abs(motion.times - time)))
    leg().coordinates.set_values(state, motion.q[place])
    state.setU(osim.Vector.createFromMat(motion.u[place]))
    model.realizeVelocity(state)
    return place


def swing(**options: object) -> oi.recruitment.RecruitmentResult:
    return recruited(leg(options.pop("distribution", "continuous")), **options)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("criterion", ["polynomial", "soft_saturation", "min_max"])
def test_muscles_make_the_moments_by_opensims_own_moment_arms(kind: str, criterion: str) -> None:
    """``Muscle.computeMomentArm`` solves a problem of its own; inverse dynamics comes from a run of its own."""
    result = swing(kind=kind, criterion=criterion)
    assert (result.status == "solved").all() and result.unsolved == 0
    moments = getattr(
        oi.inverse_dynamics(leg(), oi.Recording(swing_motion(), time_range=(0.05, 0.55)), band=False), kind
    )
    model = build_leg()
    state = model.initSystem()
    for row in range(0, len(result.times), 3):
        place = put(model, state, recorded(), result.times[row])
        for name in ("ankle_angle_r", "knee_angle_r", "hip_flexion_r"):
            coordinate = model.getCoordinateSet().get(name)
            moment = sum(
                model.getMuscles().get(m).computeMomentArm(state, coordinate) * result.forces[m].iloc[row]
                for m in result.muscles
            )
            moment += result.forces[f"{name}_reserve"].iloc[row] if name in RESERVES else 0.0
            needed = moments[name].iloc[place]
            assert moment == pytest.approx(needed, abs=1e-6 * max(1.0, abs(needed)))


def test_strength_is_opensims() -> None:
    model = build_leg()
    state = model.initSystem()
    put(model, state, recorded(), 0.05)
    result, plain = swing(), swing(physiology=False)
    for i, name in enumerate(result.muscles):
        muscle = osim.Muscle.safeDownCast(model.getMuscles().get(name))
        assert (plain.strengths[:, i] == muscle.getMaxIsometricForce()).all()
        assert result.strengths[0, i] == muscle.calcInextensibleTendonActiveFiberForce(state, 1.0)


def test_passive_fibres_are_what_rigid_tendons_make_of_opensims_muscles() -> None:
    model = build_leg()
    for muscle in model.getMuscles():
        osim.Millard2012EquilibriumMuscle.safeDownCast(muscle).set_ignore_tendon_compliance(True)
    state = model.initSystem()
    result, without = swing(passive=True), swing()
    assert not without.passive_forces.any() and result.passive_forces.max() > 1.0
    for row in range(0, len(result.times), 4):
        put(model, state, recorded(), result.times[row])
        model.realizeDynamics(state)
        for i, name in enumerate(result.muscles):
            muscle = osim.Millard2012EquilibriumMuscle.safeDownCast(model.getMuscles().get(name))
            force = muscle.getPassiveFiberElasticForceAlongTendon(state)
            assert result.passive_forces[row, i] == pytest.approx(force, abs=1e-6 * max(1.0, force))
    moment = [r.forces[["soleus_r", "tib_ant_r", "gasmed_r", "gaslat_r"]].to_numpy() for r in (result, without)]
    assert np.abs(moment[0] - moment[1]).max() > 1.0


def body_motion(body: osim.Body, state: osim.State) -> tuple[np.ndarray, np.ndarray]:
    """Return a body's homogeneous transform to ground (4, 4) and its rate."""
    to_ground, velocity = body.getTransformInGround(state), body.getVelocityInGround(state)
    place, speed = np.eye(4), np.zeros((4, 4))
    place[:3, :3] = [[to_ground.R().get(r, c) for c in range(3)] for r in range(3)]
    place[:3, 3], speed[:3, 3] = to_ground.p().to_numpy(), velocity.get(1).to_numpy()
    speed[:3, :3] = np.cross(velocity.get(0).to_numpy(), place[:3, :3], axisb=0, axisc=0)
    return place, speed


@pytest.mark.parametrize("kind", KINDS)
def test_reactions_change_the_momentum_of_the_whole_body(kind: str) -> None:
    """All that holds the leg passes through its base: it and gravity make the momentum of bones and muscles change."""
    result = swing(kind=kind, joints="all", distribution="points", every=10)
    assert result.answer.acceleration_error.max() < 1e-8
    inertial = leg("points")
    model, state = inertial.model, inertial.initial_state()
    reaction = result.reaction("ground_pelvis")
    for row in range(1, len(result.times) - 1, 2):
        place = put(model, state, recorded(), result.times[row])
        q, u, udot = (getattr(recorded(), name)[place] for name in ("q", "u", "udot"))

        def momentum(after: float, q=q, u=u, udot=udot):
            inertial.coordinates.set_values(state, q + after * u + 0.5 * after**2 * udot)
            state.setU(osim.Vector.createFromMat(u + after * udot))
            model.realizeVelocity(state)
            spatial = model.getMatterSubsystem().calcSystemMomentumAboutGroundOrigin(state)
            total = np.r_[spatial.get(0).to_numpy(), spatial.get(1).to_numpy()]
            weights = model.getMatterSubsystem().calcSystemMass(state)
            center = weights * model.getMatterSubsystem().calcSystemMassCenterLocationInGround(state).to_numpy()
            if kind == "inertial":
                for points in inertial.mass_points(state, jacobians=False).values():
                    m = points.masses[:, None]
                    total[:3] += np.cross(points.positions, m * points.velocities).sum(axis=0)
                    total[3:] += (m * points.velocities).sum(axis=0)
                    weights, center = weights + m.sum(), center + (m * points.positions).sum(axis=0)
                for name, frozen in inertial.frozen.by_segment.items():
                    place, speed = body_motion(model.getBodySet().get(name), state)
                    products = place @ frozen @ speed.T  # of positions and velocities, integrated over the mass
                    skew = products - products.T
                    total[:3] -= skew[[1, 2, 0], [2, 0, 1]]
                    total[3:] -= products[3, :3]
                    weights, center = weights - frozen[3, 3], center - (place @ frozen)[:3, 3]
            return total, weights, center

        def difference(h: float, momentum=momentum):
            return (momentum(h)[0] - momentum(-h)[0]) / (2 * h)

        h = 3e-5
        rate = (4 * difference(h) - difference(2 * h)) / 3  # Richardson: 1e-12 off, where one step of 1e-5 is 5e-9 off
        _, mass, moment_of_mass = momentum(0.0)
        gravity = np.array([0.0, -9.80665, 0.0])
        force, moment = rate[3:] - mass * gravity, rate[:3] - np.cross(moment_of_mass, gravity)
        f, m, p = (reaction[[f"{w}{x}" for x in "xyz"]].iloc[row].to_numpy() for w in "fmp")
        size = np.linalg.norm(force)
        assert np.abs(f - force).max() < 1e-10 * size
        assert np.abs(m + np.cross(p, f) - moment).max() < 1e-10 * size


def test_reactions_are_expressed_as_asked() -> None:
    result = swing(joints=["knee_r", "ankle_r"], every=20)
    ground, child = result.reaction("ankle_r"), result.reaction("ankle_r", frame="child")
    sizes = [np.linalg.norm(table[["fx", "fy", "fz"]], axis=1) for table in (ground, child)]
    np.testing.assert_allclose(sizes[0], sizes[1], rtol=1e-12)
    assert np.abs(child[["px", "py", "pz"]]).to_numpy().max() < 1e-12  # the joint is the origin of its frame
    on_parent = result.reaction("ankle_r", on="parent")
    np.testing.assert_allclose(on_parent[["fx", "fy", "fz"]], -ground[["fx", "fy", "fz"]], rtol=1e-9)
    assert list(result.reaction_table()) == [
        f"{j}_on_{b}_in_ground_{w}{x}"
        for j, b in (("knee_r", "tibia_r"), ("ankle_r", "calcn_r"))
        for w in "fmp"
        for x in "xyz"
    ]
    assert "ankle_r_on_tibia_r_in_calcn_r_fx" in result.reaction_table([("ankle_r", "parent", "child")])
    assert set(result.reactions) == {"knee_r", "ankle_r"}
    with pytest.raises(oi.errors.UnknownNameError, match="unknown joint 'hip_r'"):
        result.reaction("hip_r")


def test_tension_at_the_end_where_the_mass_is() -> None:
    """A point mass on the insertion is carried by the insertion: OpenSim's own acceleration of that point is known."""
    station = (0.02, -0.3, 0.0)
    model, _ = build_pendulum([("ground", (0.1, 0.0, 0.0)), ("rod1", station)])
    force = osim.Muscle.safeDownCast(model.getMuscles().get("muscle"))
    force.set_appliesForce(True)
    time = np.linspace(0, 1, 60)
    motion = pd.DataFrame({"shoulder": 0.4 * np.sin(3 * time), "elbow": 0.2 * np.cos(4 * time)}, index=time)
    for fraction in (0.0, 1.0):
        masses = {"muscle": oi.masses.PointMasses([fraction], [0.7])}
        inertial = oi.InertialModel(model, masses, strain="uniform")
        result = oi.recruit(
            inertial,
            motion,
            actuation=oi.Actuation(reserves=20.0),
            outputs=oi.options.RecruitmentOutputs(tension_ends=True, every=7),
        )
        ends, swung = result.tension_ends["muscle"], result.motion
        for row in range(len(result.times)):
            state = inertial.initial_state()
            inertial.coordinates.set_values(state, swung.q[row])
            state.setU(osim.Vector.createFromMat(swung.u[row]))
            inertial.model.realizeVelocity(state)
            body = inertial.model.getBodySet().get("rod1")
            at = body.findStationLocationInGround(state, osim.Vec3(*station)).to_numpy()
            along = at - np.array([0.1, 0.0, 0.0])
            along /= np.linalg.norm(along)
            angle, speed, rate = (getattr(swung, n)[row, 0] for n in ("q", "u", "udot"))
            turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ station[:2]
            needed = np.array([-turned[1] * rate - turned[0] * speed**2, turned[0] * rate - turned[1] * speed**2, 0])
            needed -= np.array([0.0, -9.80665, 0.0])
            force = result.forces["muscle"].iloc[row]
            # the mass on the ground rests there: gravity along the path alone
            carried = 0.7 * (needed if fraction else np.array([0.0, 9.80665, 0.0])) @ along
            expected = (force, force + carried) if fraction else (force - carried, force)
            assert ends.iloc[row].to_numpy() == pytest.approx(expected, abs=1e-6)


def test_tensions_differ_by_what_the_mass_needs_along_the_path() -> None:
    result = swing(tension_ends=True, distribution="points")
    inertial, ends = leg("points"), result.tension_ends
    for row in range(0, len(result.times), 4):
        state = inertial.initial_state()
        place = put(inertial.model, state, recorded(), result.times[row])
        points = inertial.mass_points(state)["soleus_r"]
        path = osim.GeometryPath.safeDownCast(inertial.model.getMuscles().get("soleus_r").getPath()).getCurrentPath(
            state
        )
        assert path.getSize() == 2  # straight, so that the direction is known
        first, last = (path.get(i).getLocationInGround(state).to_numpy() for i in (0, 1))
        along = (last - first) / np.linalg.norm(last - first)
        needed = points.jacobians @ recorded().udot[place] + points.jdot_u - np.array([0.0, -9.80665, 0.0])
        expected = float(points.masses @ (needed @ along))
        both = ends["soleus_r"].iloc[row]
        assert both["insertion"] - both["origin"] == pytest.approx(expected, abs=1e-6)
    assert np.abs(ends["soleus_r"]["insertion"] - ends["soleus_r"]["origin"]).max() > 0.1


def test_rows_are_solved_by_themselves() -> None:
    all_rows, some = swing(every=1), swing(every=7)
    places = np.searchsorted(all_rows.times, some.times - 1e-12)
    assert places[-1] == len(all_rows.times) - 1  # the last one is there, as in OpenSim's tool
    found, expected = all_rows.controls.to_numpy()[places], some.controls.to_numpy()
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)  # they start from other rows


def test_published_forces_make_the_published_reaction(opensim_models: Path) -> None:
    """Of joints, against those that OpenSim publishes with the muscle forces."""
    folder = opensim_models / tutorial.FOLDER
    inertial = tutorial.inertial(opensim_models, False)
    actuation = ModelActuators(inertial, oi.Actuation(folder / tutorial.ACTUATORS))
    motion = recorded_motion(inertial, oi.Recording(folder / tutorial.MOTION, accelerations="speeds"))
    loads_of_motion = Loads(folder / tutorial.LOADS)
    solver = ReactionSolver(inertial, actuation, ["hip_r"], loads_of_motion, ("Actuators",), motion.times)
    forces = tutorial.published(opensim_models, "StaticOptimization_force")
    reaction = tutorial.published(opensim_models, "JointReaction_ReactionLoads")
    for row in range(0, len(forces), 10):
        pulls = forces[list(actuation.names)].iloc[row].to_numpy()
        place = int(np.argmin(np.abs(motion.times - forces.index[row])))
        reactions, frames, _ = solver.at(motion, place, "lumped", pulls, np.zeros(len(inertial.coordinate_names)))
        rotation = frames[0, 0, 3:].reshape(3, 3)
        ours = rotation.T @ reactions[0, 0, 3:]
        published = reaction[[f"hip_r_on_femur_r_in_femur_r_f{x}" for x in "xyz"]].iloc[row].to_numpy()
        assert np.abs(ours - published).max() < 0.01


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")
def test_accelerations_are_the_motions_over_wraps_couplers_and_shared_rotations(opensim_models: Path) -> None:
    inertial = real_models.heavy(opensim_models, "rajagopal2016")
    time = np.linspace(0, 1, 41)
    swung = 0.15 * np.sin(2 * np.pi * time)[:, None] * inertial.coordinates.rotational
    motion = pd.DataFrame(inertial.reference + swung, index=time, columns=inertial.coordinate_names)
    for knee in ("knee_angle_r", "knee_angle_l"):
        motion[knee] = 0.6 + 0.4 * np.sin(2 * np.pi * time)
    options = {"assemble": True, "reserves": 50.0, "kind": KINDS, "joints": "all", "every": 8}
    result = by_keyword.recruit(inertial, motion, tension_ends=True, **options)
    assert (result.status == "solved").all()
    for answer in result.answers.values():
        assert answer.acceleration_error.max() < 1e-8
    assert "knee_angle_r_beta" not in result.coordinate_names  # it follows the knee
