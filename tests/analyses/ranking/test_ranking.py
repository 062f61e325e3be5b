"""Which muscles matter, by mass matrices and by trying all sets; the share that slides, and the law of it."""

from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from conftest import slow_except
from oracles import limbs
from oracles.dense_dynamics import constraint_rows
from oracles.finite_differences import Array
from oracles.real_models import MODELS, original

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics.band import mass_factors
from opensim_inertia.muscles.masses.rigid import RigidMass, body_mass_properties, set_mass_properties
from opensim_inertia.options import Uncertainty

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InertiaWarning")

EXACT = 1e-9  # Both sides are the same sums of the same numbers in another order


@cache
def leg(root: Path, **options: object) -> oi.InertialModel:
    model = original(root, "gait10dof18musc")
    return oi.InertialModel(model, oi.estimate_masses(model), **options)


def opensim_matrix(model: osim.Model, q: Array) -> Array:
    model = osim.Model(model)  # a copy: the working state of the one given stays as it is
    state = model.initSystem()
    state.setQ(osim.Vector.createFromMat(q))
    model.realizePosition(state)
    matrix = osim.Matrix()
    model.getMatterSubsystem().calcM(state, matrix)
    return np.asarray(matrix.to_numpy().copy())


def at(inertial: oi.InertialModel, q: Array) -> osim.State:
    state = inertial.initial_state()
    state.setQ(osim.Vector.createFromMat(q))
    return state


def slid(inertial: oi.InertialModel, q: Array) -> Array:
    """The muscles' mass matrix less OpenSim's of the same mass frozen to its donor segments."""
    held = osim.Model(inertial.model)
    held.initSystem()
    for name, frozen in inertial.frozen.by_segment.items():
        whole = body_mass_properties(held, name).pseudo_inertia + frozen
        set_mass_properties(held, name, RigidMass.from_pseudo_inertia(whole))
    muscles = inertial.evaluate(at(inertial, q), subtract_frozen=False).mass_matrix
    return muscles + opensim_matrix(inertial.model, q) - opensim_matrix(held, q)


@pytest.mark.parametrize("donors", ["default", "none"])
def test_it_is_what_the_mass_matrix_has_more_than_the_published_one(opensim_models: Path, donors: str) -> None:
    inertial = leg(opensim_models)
    if donors == "none":
        inertial = inertial.rebuilt(masses=inertial.masses.assign(segment=""))
        assert not inertial.frozen.donors
    for q in np.random.default_rng(1).uniform(-0.5, 0.5, (2, len(inertial.coordinate_names))):
        published = opensim_matrix(inertial.model, q)
        expected = np.diag(slid(inertial, q)) / np.diag(published)
        ranking = oi.rank_muscles(inertial, at(inertial, q), band=False)
        np.testing.assert_allclose(ranking.sliding["share"], expected, rtol=0, atol=EXACT)
        np.testing.assert_allclose(ranking.sliding["inertia"], np.diag(published), rtol=EXACT)
        assert np.abs(expected).max() > 0.05
        if donors == "none":  # all of the muscles' inertia is added, and the law says the same
            np.testing.assert_allclose(ranking.shares.sum(axis=0), expected / (1 + expected), rtol=0, atol=EXACT)
            assert (ranking.sliding["estimate"] / expected)[expected > 0.01].between(0.5, 2.0).all()


def test_a_coordinate_takes_along_what_follows_it() -> None:
    """With q3 = -1.5 q2 + 0.1 the direction of q2 is (0, 1, -1.5, 0, 0), and q3 has none."""
    model, state_of = limbs.constrained("coupled")
    inertial = oi.InertialModel(model, {"muscle": 0.8})
    state = state_of(inertial)
    q = state.getQ().to_numpy().copy()
    added, lumped = slid(inertial, q), opensim_matrix(inertial.model, q)
    table = oi.rank_muscles(inertial, state, band=False).sliding
    for name, direction in (("q1", [1, 0, 0, 0, 0]), ("q2", [0, 1, -1.5, 0, 0]), ("q4", [0, 0, 0, 1, 0])):
        t = np.array(direction, dtype=float)
        assert table.loc[name, "share"] == pytest.approx((t @ added @ t) / (t @ lumped @ t), rel=0, abs=EXACT)
    assert abs(table.loc["q2", "share"]) > 1e-3
    assert table.loc["q3"].isna().all()


def test_what_is_locked_has_no_share() -> None:
    model, state_of = limbs.constrained("locked")
    inertial = oi.InertialModel(model, {"muscle": 0.8})
    ranking = oi.rank_muscles(inertial, state_of(inertial), band=False)
    assert ranking.sliding.loc["q4"].isna().all() and ranking.sliding.drop(index="q4").notna()["share"].all()
    assert ranking.shares["q4"].sum() == 0.0 and "q4" not in ranking.summary().index


@pytest.mark.parametrize("kind", ["held point", "tied"])
def test_other_constraints_move_as_little_as_they_must(kind: str) -> None:
    """The direction meets the constraints, and no other one that does moves the others less, weighed by inertia."""
    model, state_of = limbs.constrained(kind)
    inertial = oi.InertialModel(model, {"muscle": 0.8})
    state = state_of(inertial)
    table = oi.rank_muscles(inertial, state, band=False).sliding
    q = state.getQ().to_numpy().copy()
    added, lumped = slid(inertial, q), opensim_matrix(inertial.model, q)
    root = np.sqrt(np.diag(lumped))  # in coordinates times these, the least change is that of least squares
    for unit, name in zip(np.eye(5), inertial.coordinate_names, strict=True):
        bound = np.vstack([constraint_rows(inertial.model, state)[0], unit])
        change = np.linalg.pinv(bound / root, rcond=1e-9) @ (np.eye(len(bound))[-1] - bound @ unit)
        direction = unit + change / root
        np.testing.assert_allclose(bound @ direction, np.eye(len(bound))[-1], atol=1e-9)
        expected = (direction @ added @ direction) / (direction @ lumped @ direction)
        assert table.loc[name, "share"] == pytest.approx(expected, rel=1e-6)


def test_parts_of_muscles_sum_up_and_the_band_holds_it(opensim_models: Path) -> None:
    inertial = leg(opensim_models)
    ranking = oi.rank_muscles(inertial)
    table = ranking.sliding
    np.testing.assert_allclose(ranking.sliding_by_muscle.sum(axis=0), table["share"], rtol=0, atol=EXACT)
    for name in ("hip_flexion_r", "knee_angle_r", "ankle_angle_r"):
        assert table.loc[name, "lower"] < table.loc[name, "share"] < table.loc[name, "upper"]
    masses = Uncertainty(placement=False)
    narrower = oi.rank_muscles(inertial, inertial.initial_state(), band=masses).sliding
    shares = ranking.sliding_by_muscle.loc[list(inertial.muscle_names), "ankle_angle_r"].to_numpy()
    drawn = np.sort(shares @ mass_factors(masses, len(shares)).T)  # masses alone: the same draws, summed by hand
    ends = [drawn[round(p * (masses.draws - 1))] for p in (0.025, 0.975)]
    found = narrower.loc["ankle_angle_r", ["lower", "upper"]].astype(float)
    np.testing.assert_allclose(found, ends, rtol=1e-6)  # drawn in single precision


def test_the_largest_over_the_range_is_found_by_trying(opensim_models: Path) -> None:
    inertial = leg(opensim_models)
    table = oi.rank_muscles(inertial, band=False).sliding
    i = inertial.coordinate_names.index("knee_angle_r")
    tried = []
    for angle in np.linspace(*inertial.coordinates.ranges[i], 9):
        q = inertial.coordinates.values(inertial.initial_state())
        q[i] = angle
        tried.append(oi.rank_muscles(inertial, at(inertial, q), band=False).sliding.loc["knee_angle_r", "share"])
    best = int(np.abs(tried).argmax())
    assert table.loc["knee_angle_r", "largest"] == pytest.approx(tried[best], rel=1e-9)
    assert table.loc["knee_angle_r", "at"] == pytest.approx(np.linspace(*inertial.coordinates.ranges[i], 9)[best])
    assert abs(tried[best]) > 1.1 * abs(table.loc["knee_angle_r", "share"])


def test_a_reader_gets_a_verdict(opensim_models: Path) -> None:
    inertial = leg(opensim_models)
    motion = opensim_models / "Pipelines/Gait10dof18musc/OutputReference/IK/subject01_walk_IK.mot"
    result = oi.inverse_dynamics(inertial, oi.Recording(motion, cutoff=6.0, time_range=(0.6, 0.9)), band=False)
    ranked = oi.rank_muscles(inertial, result, band=False)
    row = result.summary().loc["ankle_angle_r"]
    share = abs(row["largest difference [%]"])
    said = f"changes by at most {abs(row['largest difference']):.2g} N m, {share:.2g} % of its peak"
    for threshold, verdict in ((0.99 * share, "may not be neglected where"), (1.01 * share, "may be neglected where")):
        (ankle,) = ranked.sentences(["ankle_angle_r"], threshold / 100)
        assert said in ankle and verdict in ankle
    with pytest.raises(oi.errors.UnknownNameError, match="ankle_angle_r"):
        ranked.sentences(["ankle"])


def test_a_result_of_another_model_is_refused(opensim_models: Path) -> None:
    model, _ = limbs.constrained("coupled")
    other = oi.InertialModel(model, {"muscle": 0.8})
    motion = pd.DataFrame({f"q{i + 1}": np.zeros(9) for i in range(5)}, index=np.linspace(0, 1, 9))
    result = oi.inverse_dynamics(other, oi.Recording(motion, as_recorded=True), band=False)
    with pytest.raises(oi.errors.ModelError, match="another model"):
        oi.rank_muscles(leg(opensim_models), result)
    with pytest.raises(oi.errors.OptionError, match="band"):
        oi.rank_muscles(other, band="yes")


def test_shares_are_diagonals_over_effective_inertia(opensim_models: Path) -> None:
    inertial = leg(opensim_models)
    poses = [at(inertial, q) for q in np.random.default_rng(0).uniform(-0.5, 0.5, (3, len(inertial.coordinate_names)))]
    ranking = oi.rank_muscles(inertial, poses)
    assert ranking.poses == 3 and set(ranking.shares.index) == set(inertial.muscle_names)
    assert tuple(ranking.shares.columns) == inertial.coordinate_names
    expected = np.zeros((len(inertial.muscle_names), len(inertial.coordinate_names)))
    for state in poses:
        inertial.model.realizePosition(state)
        M = osim.Matrix()
        inertial.model.getMatterSubsystem().calcM(state, M)
        effective = np.diag(M.to_numpy() + inertial.evaluate(state).mass_matrix)
        for i, name in enumerate(inertial.muscle_names):
            points = inertial.mass_points(state, [name])[name]
            row = (points.masses[:, None, None] * points.jacobians**2).sum(axis=(0, 1)) / effective
            expected[i] += row / len(poses)
    ours = ranking.shares.loc[list(inertial.muscle_names)].to_numpy()
    assert ours.max() > 0.01
    # mass_points shows 20 points of a continuous muscle: 1/(4 n^2) of its second moment
    np.testing.assert_allclose(ours, expected, rtol=0, atol=0.01 * expected.max())
    assert (ours >= 0).all() and (ours.sum(axis=0) < 1).all()
    most = ranking.shares.max(axis=1).to_numpy()
    assert (np.diff(most) <= 0).all()


@pytest.mark.parametrize("fraction", [0.5, 0.9, 1.0])
def test_needed_is_the_smallest_set(opensim_models: Path, fraction: float) -> None:
    ranking = oi.rank_muscles(leg(opensim_models), fraction=fraction, band=False)
    for name in ("ankle_angle_r", "knee_angle_r"):
        share = ranking.shares[name]
        total, needed = share.sum(), ranking.needed[name]
        held = share[list(needed)].sum()
        assert held >= fraction * total * (1 - 1e-9)
        positive = share[share > 0]
        assert 0 < len(needed) <= len(positive)
        fewer = combinations(positive, len(needed) - 1)
        assert all(sum(set_of) < fraction * total for set_of in fewer)
        assert all(share[m] > 0 for m in needed)


def test_no_muscles_and_bad_arguments(opensim_models: Path, tmp_path: Path) -> None:
    inertial = leg(opensim_models)
    massless = oi.InertialModel(inertial.model, {})
    empty = oi.rank_muscles(massless)
    assert empty.shares.empty and all(needed == () for needed in empty.needed.values()) and empty.summary().empty
    for fraction in (0.0, -1.0, 1.5, float("nan")):
        with pytest.raises(oi.errors.OptionError, match="fraction"):
            oi.rank_muscles(inertial, fraction=fraction)
    with pytest.raises(oi.errors.MotionError, match="no state"):
        oi.rank_muscles(inertial, [])
    with pytest.raises(oi.errors.FileFormatError, match="no_such"):
        oi.rank_muscles(inertial, tmp_path / "no_such.mot")


NOTHING = 1e-6  # Shares of an inertia that are none
ATLAS = Path(__file__).resolve().parents[3] / "docs" / "atlas.csv"


@pytest.mark.parametrize("name", slow_except({"arm26", "gait10dof18musc"}, sorted(set(MODELS) - {"double_pendulum"})))
def test_it_is_within_a_factor_of_two_at_every_coordinate(name: str, opensim_models: Path) -> None:
    model = osim.Model(str(opensim_models / MODELS[name]))
    inertial = oi.InertialModel(model, oi.estimate_masses(model), unsupported="massless")
    ranking = oi.rank_muscles(inertial, inertial.initial_state(), band=False)
    table = ranking.sliding.drop(index=list(ranking.on_base))
    table = table[ranking.sliding_by_muscle[table.index].abs().sum() > NOTHING]
    assert len(table) >= 2
    ratio = table["share"] / table["estimate"]
    assert ratio.between(0.5, 2.0).all(), ratio[~ratio.between(0.5, 2.0)]
    lengths = table["length rates"] / table["share"]
    distal = [n for n in table.index if n.startswith(("ankle_angle", "r_elbow"))]
    assert lengths[distal].between(0.5, 2.0).all()  # bellies on the near side: kappa m r^2 alone


def test_what_the_atlas_says_of_the_law() -> None:
    """All coordinates of all public models, as they are in the committed table: where 1 % or more slides."""
    table = pd.read_csv(ATLAS)
    poses = table[(table["what"] != "motion") & (table["share"].abs() > 0)]
    assert poses["of"].nunique() >= 11 and len(poses) > 150
    within = (poses["share"] / poses["estimate"]).between(0.5, 2.0)
    large = poses["share"].abs() >= 0.01
    assert within[large].mean() >= 0.95 and large.sum() > 60  # measured: all of 85
    assert within.mean() >= 0.95  # measured: 0.97; the rest cancels along one spine
    assert (within.groupby(poses["of"]).mean() >= 0.9).all()
    assert "{" not in ATLAS.with_suffix(".md").read_text()  # the page's text is filled in


def test_it_knows_no_size(opensim_models: Path) -> None:
    """A leg that is twice as long, and eight times as heavy, muscles too, has the same shares."""
    model = osim.Model(str(opensim_models / MODELS["gait10dof18musc"]))
    scaled = osim.Model(model)
    state = scaled.initSystem()
    scales = osim.ScaleSet()
    for body in scaled.getBodySet():
        scale = osim.Scale()
        scale.setSegmentName(body.getName())
        scale.setScaleFactors(osim.Vec3(2.0))
        scale.setApply(True)
        scales.cloneAndAppend(scale)
    assert scaled.scale(state, scales, True, 8.0 * scaled.getTotalMass(state))
    masses = oi.estimate_masses(model)
    heavy = masses.assign(mass=8.0 * masses["mass"])
    for column in ("belly", "free_tendon_proximal", "free_tendon_distal"):
        heavy[column] = 2.0 * heavy[column]
    shares = []
    for one, table in ((model, masses), (scaled, heavy)):
        inertial = oi.InertialModel(one, table)
        shares.append(oi.rank_muscles(inertial, inertial.initial_state(), band=False).sliding["share"])
    np.testing.assert_allclose(shares[0], shares[1], rtol=0, atol=1e-9)
    assert shares[0].abs().max() > 0.05


def test_the_verdict_counts_swing_apart(opensim_models: Path) -> None:
    """The swing of the walk is where less than 20 N act on the right foot."""
    walk = opensim_models / "Pipelines/Gait10dof18musc"
    loads = walk / "ExperimentalData" / "subject01_walk_grf.xml"
    motion = walk / "OutputReference" / "IK" / "subject01_walk_IK.mot"
    result = oi.inverse_dynamics(leg(opensim_models), oi.Recording(motion, loads, 6.0, (0.5, 1.7)), band=False)
    force = oi.read_table(loads.with_suffix(".mot"))["ground_force_vy"]
    in_swing = np.interp(result.times, force.index, force) < 20.0
    lumped, change = (table["ankle_angle_r"][in_swing].abs().max() for table in (result.lumped, result.difference))
    ranking = oi.rank_muscles(leg(opensim_models), result, band=False)
    (ankle,) = ranking.sentences(["ankle_angle_r"])
    assert "may be neglected where 1 % matters, but not while the foot is in the air" in ankle
    assert f"changes by {100 * change / lumped:.2g} % of the peak there" in ankle
    assert "in the air" not in ranking.sentences(["lumbar_extension"])[0]
