"""Conserving segments: at the reference pose remainder and muscles are the segment as published.

Nothing here adds up what the package itself calls its muscles' mass: that is summed over many mass points, or read from
mass matrices.
"""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT, model_path
from oracles.finite_differences import Array
from oracles.live_states import state_at
from oracles.real_models import MODELS, random_motion
from oracles.two_links import BENT, two_links

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim
from opensim_inertia.muscles.masses.segments import LEAST_KEPT, THINNEST
from opensim_inertia.muscles.masses.stretches import read_stretches

RUNNER = ROOT.parent / "shared" / "rajagopal-running" / "subject_scaled_run.osim"
NAMES = [*(name for name in MODELS if name != "leg6dof9musc"), "runner"]
WITH_WRAPS = 1e-6
"""Relative: 2000 points of each muscle against sums; measured 5e-8."""
EXACT = 1e-12
"""Relative to what the segment has of it about its origin: sums and differences of the same numbers."""
POINTS = {100: 5e-3, 1600: 2e-4}
"""Relative to what the segment has about its origin: a lattice of so many points for each belly, whose path has
corners. Measured up to 1.8e-3 and 6e-5."""
MATRIX = 1e-9
"""Relative to the largest entry: Simbody's mass matrix of other numbers, and the kernel's sum; measured below 1e-12."""
FORCES = 1e-9
"""Relative to the largest force: ours and Simbody's inverse dynamics of one body."""

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


def path_of(name: str) -> Path:
    if name != "runner":
        return model_path(MODELS[name])
    if not RUNNER.exists():
        pytest.skip("the scaled running model is absent")
    return RUNNER


@cache
def original(name: str) -> osim.Model:
    model = osim.Model(str(path_of(name)))
    model.initSystem()
    return model


@cache
def table(name: str) -> pd.DataFrame:
    return oi.estimate_masses(original(name))


@cache
def heavy(name: str, strain: str = "aponeurosis") -> oi.InertialModel:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", oi.warnings.RemainderWarning)
        return oi.InertialModel(original(name), table(name), strain)


def tensor(model: osim.Model, body: str) -> Array:
    """A body's mass, first and second moments about its origin (4, 4), from OpenSim's numbers."""
    owned = model.getBodySet().get(body)
    xx, yy, zz, xy, xz, yz = (owned.get_inertia().get(i) for i in range(6))
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    mass, c = owned.getMass(), owned.getMassCenter().to_numpy()
    second = 0.5 * np.trace(inertia) * np.eye(3) - inertia + mass * np.outer(c, c)
    return np.block([[second, mass * c[:, None]], [mass * c[None], np.array([[mass]])]])


def frozen_points(inertial: oi.InertialModel, points: int, state: osim.State | None = None) -> dict[str, Array]:
    """Mass, first and second moments (4, 4) of the donors' muscles in their frames, from explicit mass points."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", oi.warnings.RemainderWarning)
        shown = inertial.rebuilt(points=points)
    state = shown.initial_state() if state is None else state_at(shown, inertial.coordinates.values(state))
    donors = shown.masses.set_index("muscle")["segment"]
    lengths = shown.path_lengths(state)
    sums: dict[str, Array] = {}
    for name, cloud in shown.mass_points(state, jacobians=False).items():
        path, belly, fibre, _ = lengths.loc[name]
        along = np.argsort(cloud.starts * (belly - fibre) + cloud.fractions * fibre, kind="stable")  # as they lie now
        after = np.empty(points)
        after[along] = np.cumsum(cloud.masses[along]) / cloud.masses.sum()
        before = after - cloud.masses / cloud.masses.sum()
        for stretch in read_stretches(donors[name]):
            inside = np.clip(np.minimum(after, stretch.last) - np.maximum(before, stretch.first), 0.0, None)
            masses = inside * cloud.masses.sum()
            placed = shown.model.getBodySet().get(stretch.segment).getTransformInGround(state)
            R = np.array([[placed.R().get(i, j) for j in range(3)] for i in range(3)])
            x = np.column_stack([(cloud.positions - placed.p().to_numpy()) @ R, np.ones(points)])
            sums[stretch.segment] = sums.get(stretch.segment, 0.0) + np.einsum("k,ki,kj->ij", masses, x, x)
    return sums


# -- at the reference pose -------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_remainder_and_points_are_the_segment(name: str) -> None:
    """Mass exactly; centre and second moments as near as points can show, and nearer the more there are."""
    inertial = heavy(name)
    exact = [s for s, row in inertial.segments.iterrows() if row["residual"] == 0]
    assert len(exact) == len(inertial.segments) or name == "runner"
    for n, tolerance in POINTS.items():
        found = frozen_points(inertial, n)
        for body in exact:
            whole = tensor(original(name), body)
            off = np.abs(tensor(inertial.model, body) + found[body] - whole)
            second = np.trace(whole[:3, :3])
            assert off[3, 3] < EXACT * whole[3, 3]
            assert off[:3, 3].max() < tolerance * np.sqrt(whole[3, 3] * second)
            assert off[:3, :3].max() < tolerance * second


@pytest.mark.parametrize("name", NAMES)
def test_remainder_and_muscles_are_the_segment(name: str) -> None:
    """The same to rounding, with the kernel's exact sum instead of points."""
    inertial = heavy(name)
    for body, row in inertial.segments.iterrows():
        whole = tensor(original(name), body)
        off = np.abs(tensor(inertial.model, body) + inertial.placement.total[body] - whole)
        assert off[3, 3] < EXACT * whole[3, 3]
        assert off[:3, 3].max() < EXACT * np.sqrt(whole[3, 3] * np.trace(whole[:3, :3]))
        if row["residual"] == 0:
            assert off[:3, :3].max() < EXACT * np.trace(whole[:3, :3])
        else:
            assert off[:3, :3].max() > 1e-4 * np.trace(whole[:3, :3])


def mass_matrix(inertial: oi.InertialModel, state: osim.State) -> Array:
    """M + dM (nu, nu) at a pose."""
    rigid = osim.Matrix()
    inertial.model.realizePosition(state)
    inertial.model.getMatterSubsystem().calcM(state, rigid)
    return rigid.to_numpy() + inertial.evaluate(state).mass_matrix


def original_matrix(name: str, q: Array) -> Array:
    model = original(name)
    state = model.initSystem()
    state.setQ(osim.Vector.createFromMat(np.ascontiguousarray(q)))
    model.realizePosition(state)
    rigid = osim.Matrix()
    model.getMatterSubsystem().calcM(state, rigid)
    return rigid.to_numpy().copy()


BASES = dict.fromkeys(("gait10dof18musc", "gait2392", "hamner", "rajagopal2016"), "pelvis")


@pytest.mark.parametrize("name", BASES)
def test_the_base_feels_the_same_mass(name: str) -> None:
    """All joints held but the base's, whose speeds move all mass as one rigid body: M + dM is the original's M."""
    inertial = heavy(name)
    base = [i for i, c in enumerate(inertial.coordinate_names) if c.startswith(BASES[name])]
    assert len(base) in (3, 6)
    state = inertial.initial_state()
    ours = mass_matrix(inertial, state)
    exact = original_matrix(name, inertial.coordinates.values(state))
    block = np.ix_(base, base)
    np.testing.assert_allclose(ours[block], exact[block], rtol=0, atol=MATRIX * np.abs(exact[block]).max())
    assert np.abs(inertial.evaluate(state).mass_matrix[block]).max() > 0.05 * np.abs(exact[block]).max()
    bent = state_at(inertial, random_motion(inertial)[0])
    off = mass_matrix(inertial, bent)[block] - original_matrix(name, inertial.coordinates.values(bent))[block]
    assert np.abs(off).max() > 1e-4 * np.abs(exact[block]).max(), "elsewhere muscles are where they are"


# -- what inverse dynamics says of it --------------------------------------------------------------------------------


def swing(inertial: oi.InertialModel, still: tuple[str, ...] | None = None) -> pd.DataFrame:
    """Every coordinate moves about the default pose, or all but those that do not begin with ``still``."""
    times, rng = np.linspace(0.0, 0.3, 31), np.random.default_rng(8)
    state = inertial.initial_state()
    rest = inertial.coordinates.values(state)
    columns = {}
    for c, q in zip(inertial.coordinate_names, rest, strict=True):
        size = 0.2 * rng.uniform(0.5, 1.0) if still is None or c.startswith(still) else 0.0
        columns[c] = q + size * np.sin(rng.uniform(5, 15) * times + rng.uniform(0, 6))
    return pd.DataFrame(columns, index=times)


def lumped_by_opensim(name: str, inertial: oi.InertialModel, motion: pd.DataFrame) -> Array:
    """OpenSim's InverseDynamicsSolver on the model as published, at the motion's inner rows."""
    from opensim_inertia.opensim_model.reading import load_motion

    model = osim.Model(original(name))
    state = model.initSystem()
    for i in range(model.getMuscles().getSize()):
        model.getMuscles().get(i).setAppliesForce(state, False)
    solver = osim.InverseDynamicsSolver(model)
    recorded = load_motion(motion, inertial.model, inertial.coordinate_names)
    rows = []
    for t, q, u, udot in zip(recorded.times, recorded.q, recorded.u, recorded.udot, strict=True):
        state.setTime(float(t))
        inertial.coordinates.set_values(state, q)
        state.setU(osim.Vector.createFromMat(u))
        rows.append(solver.solve(state, osim.Vector.createFromMat(udot)).to_numpy().copy())
    return np.array(rows)


@pytest.mark.filterwarnings(
    "ignore::opensim_inertia.warnings.BrokenConstraintWarning"
)  # kneecaps do not follow the knees
@pytest.mark.parametrize("name", ["gait10dof18musc", "gait2392", "rajagopal2016"])
def test_nothing_moves_and_what_differs_slides(name: str) -> None:
    """Whatever the motion: frozen muscles and remainders are, to OpenSim, the segments that it had."""
    inertial = heavy(name)
    motion = swing(inertial)
    result = oi.inverse_dynamics(inertial, oi.Recording(motion, as_recorded=True))
    exact = lumped_by_opensim(name, inertial, motion)
    peak = np.abs(exact).max()
    for forces in (result.lumped_forces, result.moved_forces):
        np.testing.assert_allclose(forces, exact, rtol=0, atol=FORCES * peak)
    assert np.abs(result.inertial_forces - exact).max() > 0.5  # N m or N


@pytest.mark.parametrize("name", ["gait10dof18musc", "gait2392"])
def test_held_joints_leave_nothing_to_slide(name: str) -> None:
    """Only the base moves, all else rests in the reference pose: inertial muscles are lumped ones."""
    inertial = heavy(name)
    base = [i for i, c in enumerate(inertial.coordinate_names) if c.startswith(BASES[name])]
    motion = swing(inertial, (BASES[name],))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", oi.warnings.InputWarning)  # that the trunk stands still
        result = oi.inverse_dynamics(inertial, motion)
    exact = lumped_by_opensim(name, inertial, motion)
    peak = np.abs(exact).max()
    # along the base: forces between held segments depend on which of them carries a muscle's mass
    np.testing.assert_allclose(result.inertial_forces[:, base], exact[:, base], rtol=0, atol=FORCES * peak)
    assert peak > 100


# -- where it cannot be ----------------------------------------------------------------------------------------------


def given_up_by(segment: str, mass: float) -> pd.DataFrame:
    return pd.DataFrame({"muscle": ["mus"], "mass": [mass], "segment": [segment]})


def in_ground(model: osim.Model, state: osim.State, body: str) -> Array:
    """Transform (4, 4) of places in a body's frame to ground."""
    placed = model.getBodySet().get(body).getTransformInGround(state)
    matrix = np.eye(4)
    matrix[:3, :3] = [[placed.R().get(i, j) for j in range(3)] for i in range(3)]
    matrix[:3, 3] = placed.p().to_numpy()
    return matrix


def whole_in_ground(model: osim.Model, state: osim.State) -> Array:
    """Mass, first and second moments (4, 4) of all bodies in ground."""
    model.realizePosition(state)
    names = [body.getName() for body in model.getBodySet()]
    frames = [in_ground(model, state, name) for name in names]
    return np.sum([T @ tensor(model, name) @ T.T for T, name in zip(frames, names, strict=True)], axis=0)


def test_links_give_up_together() -> None:
    """A link lighter than the muscle beside it: both together keep mass, centre and inertia, and are bodies."""
    model = two_links(BENT)
    model.getBodySet().get("link2").setMass(0.4)
    model.getBodySet().get("link2").setInertia(osim.Inertia(0.01, 0.001, 0.01))
    with pytest.warns(oi.warnings.RemainderWarning, match="'link2'.*of 0.4 kg.*together with 'link1'.*are kept"):
        inertial = oi.InertialModel(model, given_up_by("link2", 0.5))
    state = inertial.reference_state()
    muscle = inertial.evaluation.pseudo_inertias(inertial.dynamics.read(state))[0]
    original_model = inertial.original_model()
    whole = whole_in_ground(original_model, original_model.initSystem())
    off = np.abs(whole_in_ground(inertial.model, state) + muscle - whole)
    assert off.max() < EXACT * np.abs(whole).max()
    for link in ("link1", "link2"):
        assert np.linalg.eigvalsh(tensor(inertial.model, link))[0] > 0
        left = tensor(inertial.model, link) - LEAST_KEPT * tensor(original_model, link)
        assert np.linalg.eigvalsh(left)[0] > -EXACT, "each keeps 30 % of itself"


@pytest.mark.slow
def test_a_shoulder_keeps_its_mass_centre_and_inertia() -> None:
    """Around the scapula lies more muscle than it weighs; explicit points say the same as the kernel's sums."""
    model = osim.Model(str(model_path("Models/ThoracoscapularShoulder/ThoracoscapularShoulderModel.osim", False)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", oi.warnings.InertiaWarning)
        inertial = oi.InertialModel(model, oi.estimate_masses(model))
    exact = [name for name, row in inertial.segments.iterrows() if row["residual"] == 0]
    assert {"scapula", "humerus", "thorax"} <= set(exact)
    state = inertial.reference_state()
    inertial.model.realizePosition(state)
    original_model = inertial.original_model()
    names = list(inertial.segments.index)
    frames = {name: in_ground(inertial.model, state, name) for name in names}
    whole = sum(frames[name] @ tensor(original_model, name) @ frames[name].T for name in exact)
    left = sum(frames[name] @ tensor(inertial.model, name) @ frames[name].T for name in exact)
    muscles = sum(frames[name] @ inertial.placement.total[name] @ frames[name].T for name in exact)
    assert np.abs(left + muscles - whole).max() < EXACT * np.abs(whole).max()
    points = frozen_points(inertial, 2000)
    from_points = sum(frames[name] @ points[name] @ frames[name].T for name in exact if name in points)
    assert np.abs(from_points - muscles).max() < WITH_WRAPS * np.abs(whole).max()


def test_a_segment_that_cannot_be_conserved_is_named() -> None:
    """The links' muscle lies far beside what would be left: mass and centre stay, the rest is reported."""
    model = two_links(BENT)
    with pytest.warns(oi.warnings.RemainderWarning, match=r"'link1'.*4 kg.*1.5 kg.*% of its second moments") as caught:
        inertial = oi.InertialModel(model, given_up_by("link1", 1.5))
    assert len(caught) == 1 and caught[0].filename == __file__
    row = inertial.segments.loc["link1"]
    assert row["residual"] > 0.01
    assert f"{100 * row['residual']:.1f} %" in str(caught[0].message)
    whole, left = tensor(model, "link1"), tensor(inertial.model, "link1")
    off = left + frozen_points(inertial, 4000)["link1"] - whole
    assert abs(off[3, 3]) < EXACT * whole[3, 3]
    assert np.abs(off[:3, 3]).max() < 1e-5  # kg m: the points'
    c = left[:3, 3] / left[3, 3]
    covariance = left[:3, :3] - left[3, 3] * np.outer(c, c)
    assert np.linalg.eigvalsh(covariance)[0] == pytest.approx(left[3, 3] * THINNEST**2, rel=1e-6)
    published = tensor(model, "link1")
    center = published[:3, 3] / published[3, 3]
    spread = published[:3, :3] - published[3, 3] * np.outer(center, center)
    assert np.linalg.norm(off[:3, :3]) == pytest.approx(row["residual"] * np.linalg.norm(spread), rel=1e-3)


def test_small_residuals_are_reported_without_a_warning() -> None:
    """The scaled runner's shanks: 0.9 % of their second moments."""
    path_of("runner")
    with warnings.catch_warnings():
        warnings.simplefilter("error", oi.warnings.RemainderWarning)
        inertial = oi.InertialModel(original("runner"), table("runner"))
    residuals = inertial.segments["residual"]
    assert set(residuals[residuals > 0].index) == {"tibia_r", "tibia_l"}
    assert residuals.max() < 0.01


def test_the_proportional_recipe_does_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", oi.warnings.RemainderWarning)
        inertial = oi.InertialModel(two_links(BENT), given_up_by("link1", 2.0), transfer="proportional")
    assert inertial.segments.loc["link1", "residual"] > 0.1
    body = inertial.model.getBodySet().get("link1")
    np.testing.assert_allclose(body.getMassCenter().to_numpy(), [0, -0.25, 0], atol=1e-15)
    assert body.get_inertia().get(0) == pytest.approx(0.1 * 2 / 4, rel=EXACT)


@pytest.mark.parametrize("transfer", ["conserving", "proportional"])
def test_overdrawn_segments_are_named(transfer: str) -> None:
    """Not even both links have it: each of a group keeps 30 % of its 4 kg."""
    with pytest.raises(oi.errors.SegmentMassError, match="'link2' has 4 kg.*6 kg.*'mus' 6 kg") as caught:
        oi.InertialModel(two_links(BENT), given_up_by("link2", 6.0), transfer=transfer)
    assert (caught.value.segment, caught.value.available, caught.value.asked) == ("link2", 4.0, 6.0)


def test_the_transfer_is_checked() -> None:
    with pytest.raises(oi.errors.OptionError, match="transfer.*'conserving'"):
        oi.InertialModel(two_links(BENT), {"mus": 0.5}, transfer="taken")


# -- the reference pose ----------------------------------------------------------------------------------------------

POSE = {"hip_flexion_r": 0.6, "knee_angle_r": -1.1, "ankle_angle_r": 0.3}


@pytest.mark.parametrize("kind", ["dict", "file", "state", "array"])
def test_conservation_holds_at_the_reference_given(tmp_path: Path, opensim_models: Path, kind: str) -> None:
    """A dict of coordinates, a static trial's file, a state, values in speed order: all are one pose."""
    name = "gait10dof18musc"
    default = heavy(name)
    model = osim.Model(original(name))
    state = model.initSystem()
    for coordinate, value in POSE.items():
        model.getCoordinateSet().get(coordinate).setValue(state, value)
    q = default.coordinates.values(state)
    reference: object = {"dict": POSE, "state": state, "array": q}.get(kind)
    if kind == "file":
        trial = pd.DataFrame([np.degrees(list(POSE.values()))] * 3, index=[0.0, 0.1, 0.2], columns=list(POSE))
        trial.attrs["inDegrees"] = True
        reference = tmp_path / "static.mot"
        oi.write_table(trial, reference)
    inertial = oi.InertialModel(model, table(name), reference=reference)
    np.testing.assert_allclose(inertial.reference, q, rtol=0, atol=1e-9)
    base = [i for i, c in enumerate(inertial.coordinate_names) if c.startswith("pelvis")]
    block = np.ix_(base, base)
    for made, pose, holds in ((inertial, q, True), (default, q, False)):
        off = (mass_matrix(made, state_at(made, pose)) - original_matrix(name, pose))[block]
        assert (np.abs(off).max() < MATRIX * np.abs(original_matrix(name, pose)[block]).max()) == holds
    there = heavy(name).initial_state()
    assert np.abs(inertial.coordinates.values(inertial.initial_state()) - default.coordinates.values(there)).max() == 0


def test_rebuilt_models_keep_the_reference() -> None:
    name = "gait10dof18musc"
    bent = oi.InertialModel(original(name), table(name), reference=POSE)
    again = bent.rebuilt(points=7)
    np.testing.assert_array_equal(again.reference, bent.reference)
    for body in bent.segments.index:
        np.testing.assert_array_equal(tensor(again.model, body), tensor(bent.model, body))
    right = (tensor(made.model, "femur_r") for made in (bent, heavy(name)))
    assert np.abs(next(right) - next(right)).max() > 1e-4


@pytest.mark.parametrize("reference", [{"knee": 0.3}, {"knee_angle_r": float("nan")}, "missing.mot"])
def test_references_that_are_no_pose(reference: object) -> None:
    with pytest.raises(oi.InertiaError):
        oi.InertialModel(original("gait10dof18musc"), {"soleus_r": 0.3}, reference=reference)
