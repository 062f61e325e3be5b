"""Mass frozen to donor segments at the reference pose, against explicit points and Lagrange's equations of them."""

import warnings
from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from oracles.finite_differences import Array
from oracles.lagrangian import Muscle, forces
from oracles.limbs import MASSES, limbs
from oracles.live_states import close, pseudo_inertia, state_at
from oracles.real_models import MODELS, heavy, random_motion
from oracles.two_links import BENT, two_links

import opensim_inertia as oi

EXACT = 1e-12  # Relative: sums and differences of the same numbers
POINTS = {100: 5e-3, 1600: 2e-4}
"""Relative to the segment's about its origin: a lattice of so many points in each belly, whose path has corners.
Measured up to 1.8e-3 and 6e-5."""
MATRIX = 1e-9  # Relative to the largest entry of the muscles' own dM; measured below 1e-15
FORCES = 1e-9  # Relative to the largest force
LAGRANGE = 1e-8  # Relative: differences of fourth order; measured below 6e-11

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


def on_links(mass: float, segment: str, model: osim.Model | None = None, **options: object) -> oi.InertialModel:
    masses = pd.DataFrame({"muscle": ["mus"], "mass": [mass], "segment": [segment]})
    return oi.InertialModel(two_links(BENT) if model is None else model, masses, **options)


def frozen_points(inertial: oi.InertialModel, points: int) -> dict[str, Array]:
    """Mass, first and second moments (4, 4) of muscles in their donors' frames, from explicit mass points."""
    shown = inertial.rebuilt(points=points)
    state = shown.reference_state()
    lengths = shown.path_lengths(state)
    sums: dict[str, Array] = {}
    for name, cloud in shown.mass_points(state, jacobians=False).items():
        path, belly, fibre, _ = lengths.loc[name]
        along = np.argsort(cloud.starts * (belly - fibre) + cloud.fractions * fibre, kind="stable")  # as they lie now
        after = np.empty(points)
        after[along] = np.cumsum(cloud.masses[along]) / cloud.masses.sum()
        before = after - cloud.masses / cloud.masses.sum()
        for stretch in shown.muscles.donors[name]:
            if stretch.segment == "ground":
                continue
            inside = np.clip(np.minimum(after, stretch.last) - np.maximum(before, stretch.first), 0.0, None)
            masses = inside * cloud.masses.sum()
            placed = shown.model.getBodySet().get(stretch.segment).getTransformInGround(state)
            R = np.array([[placed.R().get(i, j) for j in range(3)] for i in range(3)])
            x = np.column_stack([(cloud.positions - placed.p().to_numpy()) @ R, np.ones(points)])
            sums[stretch.segment] = sums.get(stretch.segment, 0.0) + np.einsum("k,ki,kj->ij", masses, x, x)
    return sums


def check_points(inertial: oi.InertialModel) -> None:
    """Mass exactly; centre and second moments as near as points can show, and nearer the more there are."""
    frozen = inertial.frozen.by_segment
    for n, tolerance in POINTS.items():
        found = frozen_points(inertial, n)
        assert found.keys() == frozen.keys()
        for body, matrix in frozen.items():
            whole = pseudo_inertia(inertial.model.getBodySet().get(body))
            off, second = np.abs(found[body] - matrix), np.trace(whole[:3, :3])
            assert off[3, 3] < EXACT * whole[3, 3]
            assert off[:3, 3].max() < tolerance * np.sqrt(whole[3, 3] * second)
            assert off[:3, :3].max() < tolerance * second


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in MODELS if name != "leg6dof9musc"])
def test_points_are_the_frozen_mass(opensim_models: Path, name: str) -> None:
    check_points(heavy(opensim_models, name))


def test_points_are_the_frozen_mass_beside_ground() -> None:
    check_points(on_links(0.5, "0.2 ground + 0.45 link1 + 0.35 link2", reference=[0.4, -0.7]))


EXPLICIT = oi.masses.PointMasses([0.1, 0.3, 0.45, 0.7, 0.9], [0.1, 0.2, 0.3, 0.1, 0.2])
DONORS = "0.2 trunk + 0.45 shank + 0.1 ground + 0.25 trunk"


@pytest.mark.parametrize("kind", ["explicit", "points", "continuous"])
def test_the_difference_is_lagranges_of_sliding_less_frozen_points(kind: str) -> None:
    """A muscle over four bodies that move, two of them donors, with two via points."""
    reference = np.array([0.2, -0.1, 0.3, 0.1, 0.2, -0.1, 0.3, -0.4, 0.2])
    masses = pd.DataFrame({"muscle": ["long"], "mass": [MASSES["long"]], "segment": [DONORS]})
    if kind == "explicit":
        inertial = oi.InertialModel(limbs("custom"), {"long": EXPLICIT}, "uniform", reference=reference)
        muscle = Muscle(0.0, 0.0, 0.0, 1.0, EXPLICIT.masses, EXPLICIT.fractions)
    elif kind == "points":
        inertial = oi.InertialModel(limbs("custom"), masses, "aponeurosis", "points", 11, reference=reference)
        cloud = inertial.mass_points(inertial.initial_state())["long"]
        ends = inertial.masses.loc[0, ["free_tendon_proximal", "free_tendon_distal"]].to_numpy(float)
        aponeurosis = 0.55 - ends.sum()  # m: tendon slack length less free tendons
        muscle = Muscle(ends[0] + aponeurosis * cloud.starts, 0.0, -0.55, 1.0, cloud.masses, cloud.fractions)
        assert aponeurosis > 0.1 and np.ptp(cloud.starts) > 0.5
    else:
        belly = oi.StrainModel("uniform", belly=(0.1, 0.95))
        inertial = oi.InertialModel(limbs("custom"), masses, belly, reference=reference)
        muscle = Muscle(0.0, 0.1, 0.0, 0.85, MASSES["long"])
    parts = [stretch for stretch in inertial.muscles.donors["long"] if stretch.segment != "ground"]
    assert len({part.segment for part in parts}) == 2
    q, u, udot = np.random.default_rng(1).normal(size=(3, 9)) * [[0.4], [1.0], [2.0]]
    lagrangians = (
        muscle.sliding(),
        muscle.frozen(reference, [(part.segment, (part.first, part.last)) for part in parts]),
    )
    (sliding, its), (frozen, their) = ((forces(each, q, u, udot), each(q, u)) for each in lagrangians)
    state = state_at(inertial, q, u)
    close(inertial.evaluation.inverse([inertial.dynamics.read(state)], udot[None])[0], sliding - frozen, LAGRANGE)
    for subtract, exact, value in ((True, sliding - frozen, its - their), (False, sliding, its)):
        terms = inertial.evaluate(state, subtract_frozen=subtract)
        close(terms.mass_matrix @ udot - terms.bias - terms.gravity, exact, LAGRANGE)
        assert terms.kinetic_energy - terms.potential_energy == pytest.approx(value, rel=1e-11)


BASES = dict.fromkeys(("gait10dof18musc", "gait2392", "hamner", "rajagopal2016"), "pelvis")


def base_blocks(inertial: oi.InertialModel, q: Array) -> tuple[float, float]:
    """Largest entries of the difference's dM at speeds of the base, and of the muscles' own dM there."""
    base = [i for i, c in enumerate(inertial.coordinate_names) if c.startswith("pelvis")]
    assert len(base) in (3, 6)
    both = (inertial.evaluate(state_at(inertial, q), subtract_frozen=subtract) for subtract in (True, False))
    changed, muscles = (np.abs(terms.mass_matrix[np.ix_(base, base)]).max() for terms in both)
    return changed, muscles


@pytest.mark.parametrize("name", BASES)
def test_the_base_feels_the_same_mass(opensim_models: Path, name: str) -> None:
    """With all joints but the base's held at the reference pose, muscles and frozen mass are one rigid body."""
    inertial = heavy(opensim_models, name)
    changed, muscles = base_blocks(inertial, inertial.reference)
    assert changed < MATRIX * muscles and muscles > 1.0
    changed, muscles = base_blocks(inertial, random_motion(inertial)[0])
    assert changed > 1e-4 * muscles


@pytest.mark.parametrize("name", ["gait10dof18musc", "gait2392"])
def test_held_joints_leave_nothing(opensim_models: Path, name: str) -> None:
    """Only the base moves, all else rests in the reference pose: inertial muscles are lumped ones."""
    inertial = heavy(opensim_models, name)
    base = [i for i, c in enumerate(inertial.coordinate_names) if c.startswith("pelvis")]
    motion = swing(inertial, [inertial.coordinate_names[i] for i in base])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", oi.warnings.InputWarning)  # that the trunk stands still
        result = oi.inverse_dynamics(inertial, motion)
    peak = np.abs(result.lumped_forces).max()
    # along the base: forces between held segments depend on which of them carries a muscle's mass
    assert np.abs(result.difference.to_numpy()[:, base]).max() < FORCES * peak
    assert peak > 100


def swing(inertial: oi.InertialModel, moving: list[str]) -> pd.DataFrame:
    """Some coordinates move about the reference pose."""
    times, rng = np.linspace(0.0, 0.3, 31), np.random.default_rng(8)
    columns = {}
    for c, q in zip(inertial.coordinate_names, inertial.reference, strict=True):
        size = 0.2 * rng.uniform(0.5, 1.0) * (c in moving)
        columns[c] = q + size * np.sin(rng.uniform(5, 15) * times + rng.uniform(0, 6))
    return pd.DataFrame(columns, index=times)


def test_massless_muscles_change_no_bit() -> None:
    for masses in ({}, {"long": 0.0}):
        inertial = oi.InertialModel(limbs(), masses)
        result = oi.inverse_dynamics(inertial, swing(inertial, ["hip", "knee", "ankle"]))
        np.testing.assert_array_equal(result.inertial_forces, result.lumped_forces)
        assert np.abs(result.lumped_forces).max() > 10


@pytest.mark.parametrize("segment", ["", "ground"])
def test_without_a_donor_nothing_is_subtracted(segment: str) -> None:
    """An empty donor, or mass that is frozen to ground."""
    inertial = on_links(0.5, segment)
    assert inertial.frozen.by_segment == {} and inertial.frozen.donors == () and len(inertial.segments) == 0
    state = state_at(inertial, [0.4, 0.9], [1.3, -2.1])
    with_frozen, alone = (inertial.evaluate(state, subtract_frozen=subtract) for subtract in (True, False))
    for attribute in ("mass_matrix", "bias", "gravity", "kinetic_energy", "potential_energy"):
        np.testing.assert_array_equal(getattr(with_frozen, attribute), getattr(alone, attribute))
    assert np.abs(alone.mass_matrix).max() > 0.01


def test_the_model_stays_as_published() -> None:
    """Whatever is frozen to a link of 4 kg, which is a note where it is more."""
    model = two_links(BENT)
    published = pseudo_inertia(model.getBodySet().get("link1"))
    for mass, notes in ((0.5, []), (8.0, ["link1: the model publishes 4.00 kg; muscles that lie in it weigh 8.00 kg"])):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            inertial = on_links(mass, "link1")
        np.testing.assert_array_equal(pseudo_inertia(inertial.model.getBodySet().get("link1")), published)
        assert [note.split(": it was")[0] for note in inertial.notes] == notes
        assert inertial.segments.loc["link1"].to_dict() == pytest.approx({"mass": 4.0, "muscles": mass}, rel=EXACT)


@pytest.mark.parametrize("add", [False, True])
def test_missing_inertia_is_added(add: bool) -> None:
    """A line of muscle along y about the centre of a link that is published as a crumb."""
    mass, muscle, length, moments = 0.4, 0.25, 0.2, np.array([3e-5, 1e-5, 2e-5])
    model = two_links([(2, (0.05, -0.1, 0.0)), (2, (0.05, -0.1 - length, 0.0))], slack=0.0)
    link = model.getBodySet().get("link2")
    link.setMass(mass)
    link.setMassCenter(osim.Vec3(0.05, -0.1 - length / 2, 0.0))
    link.setInertia(osim.Inertia(*(moments.sum() - moments)))
    inertial = on_links(
        muscle, "link2", model, strain=oi.StrainModel("uniform", belly=(0.0, 1.0)), add_missing_inertia=add
    )
    least = (mass - muscle) * min(0.005**2, moments[1] / mass)
    added = least - (moments[1] - muscle * length**2 / 12)
    expected = np.diag(moments.sum() - moments + add * added * np.array([1.0, 0.0, 1.0]))
    found = inertial.model.getBodySet().get("link2")
    entries = [found.get_inertia().get(k) for k in range(6)]
    np.testing.assert_allclose(entries, [*np.diag(expected), 0, 0, 0], rtol=0, atol=EXACT * expected.max())
    assert found.getMass() == mass and inertial.segments.loc["link2", "mass"] == mass
    note = f"link2: {added:.2g} kg m^2 are added, which it lacks for its muscles"
    assert (note in inertial.notes) == add
    assert np.isfinite(inertial.udot(state_at(inertial, [0.4, 0.9], [1.0, 2.0]))).all()


def test_missing_mass_is_added_to_segments_lighter_than_their_muscles() -> None:
    """Three tenths of what was published stay without muscles, and what is left is a body."""
    inertial = on_links(8.0, "link1", add_missing_inertia=True)
    link = inertial.model.getBodySet().get("link1")
    assert link.getMass() == pytest.approx(8.0 + 0.3 * 4.0) and inertial.segments.loc["link1", "mass"] == 4.0
    left = pseudo_inertia(link) - inertial.frozen.by_segment["link1"]
    assert np.linalg.eigvalsh(left).min() > -1e-12
