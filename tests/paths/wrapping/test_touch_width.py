"""The half width of the transition at touch: each belly's half thickness, within what the surface allows."""

import pickle
from collections import Counter
from math import pi, sqrt
from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from conftest import slow_except
from oracles import by_keyword
from oracles.kernel_records import spanned
from oracles.real_models import WRAPPING_MODELS
from oracles.wrap_model import KINDS, MASSES, limit, wrap_model

import opensim_inertia as oi
from opensim_inertia._kernel import wrap_spans
from opensim_inertia.opensim_model.reading.components import model_muscles
from opensim_inertia.opensim_model.reading.coordinates import random_poses, read_coordinates
from opensim_inertia.opensim_model.reading.kinematics import Kinematics
from opensim_inertia.opensim_model.reading.loading import initialise
from opensim_inertia.opensim_model.reading.paths import read_path
from opensim_inertia.paths.survey_comparison import compare_paths
from opensim_inertia.paths.wrapping.current_path import SampledArc
from opensim_inertia.paths.wrapping.path_samples import OpenSimPathSamples, sample_opensim_paths
from opensim_inertia.paths.wrapping.plan import plan_wraps
from opensim_inertia.paths.wrapping.surfaces import wrap_bodies
from opensim_inertia.paths.wrapping.survey import survey, survey_poses

DENSITY, BELLY = 1059.7, 0.15  # kg/m^3 and m: of muscle; fibres of 0.1 m and half of a slack length of 0.1 m
LEAST = {name: 0.1 * min(kind.size) for name, kind in KINDS.items()}  # m; a tenth of the smallest radius


def half_thickness(mass: float) -> float:
    """Radius of a round belly of this mass [kg]."""
    return sqrt(mass / (DENSITY * BELLY) / pi)


def width(inertial: oi.InertialModel) -> float:
    (site,) = inertial.wraps.sites["muscle"]
    return site.smoothing


def one_wrap(kind: str, mass: float, **options: object) -> oi.InertialModel:
    model, masses = wrap_model(kind, KINDS[kind].quadrant), MASSES.assign(mass=mass)
    return by_keyword.inertial_model(model if kind == "torus" else limit(model), masses, warn_wraps=False, **options)


@pytest.mark.parametrize("kind", slow_except(set(KINDS) - {"ellipsoid"}, KINDS))
def test_it_is_the_half_thickness_between_a_tenth_of_the_radius_and_all_of_it(kind: str) -> None:
    least, most = LEAST[kind], 10 * LEAST[kind]
    between = pi * DENSITY * BELLY * (0.5 * most) ** 2  # kg
    assert width(one_wrap(kind, between)) == pytest.approx(0.5 * most, rel=1e-12)
    assert width(one_wrap(kind, 1e-5)) == pytest.approx(least, rel=1e-12)
    assert width(one_wrap(kind, 0.9)) == pytest.approx(min(half_thickness(0.9), most), rel=1e-12)


def test_it_ends_before_the_middle_of_a_short_cylinder() -> None:
    model = limit(wrap_model("cylinder", "-y"))
    osim.WrapCylinder.safeDownCast(model.updGround().getWrapObject("wrap")).set_length(0.02)
    inertial = oi.InertialModel(model, MASSES, wrapping=oi.Wrapping(warn_wraps=False))
    assert half_thickness(0.2) > 0.01 and width(inertial) == 0.01


def test_the_user_may_name_it_for_all_or_the_thickness_of_one() -> None:
    assert width(one_wrap("sphere", 0.2, smoothing=7e-3)) == 7e-3
    assert width(one_wrap("sphere", 0.2, half_thickness={"muscle": 0.012})) == 0.012
    assert width(one_wrap("sphere", 0.2, half_thickness={"muscle": 0.5})) == 0.03
    with pytest.raises(oi.errors.UnknownNameError, match="'muscel'.*'muscle'"):
        one_wrap("sphere", 0.2, half_thickness={"muscel": 0.012})
    with pytest.raises(oi.errors.OptionError, match="half_thickness.*a length in metres"):
        one_wrap("sphere", 0.2, half_thickness={"muscle": -0.012})


def test_other_masses_in_the_same_model_leave_it_but_another_model_has_its_own() -> None:
    inertial, heavy = one_wrap("sphere", 0.1), MASSES.assign(mass=0.2)
    anew = inertial.rebuilt(masses=heavy)
    assert width(anew) == width(pickle.loads(pickle.dumps(anew))) == width(inertial)
    alone, reused = one_wrap("sphere", 0.2), one_wrap("sphere", 0.2, plan=inertial.wraps)
    assert width(reused) == width(alone) == pytest.approx(half_thickness(0.2), rel=1e-12) != width(inertial)
    # what muscles change is linear in their masses where the paths are the same
    state = anew.reference_state()
    twice = 2 * inertial.evaluate(inertial.reference_state()).mass_matrix
    np.testing.assert_allclose(anew.evaluate(state).mass_matrix, twice, rtol=1e-12, atol=1e-15)


def seen_in_arm(root: Path) -> tuple[OpenSimPathSamples, tuple[str, ...]]:
    """OpenSim's paths of Arm26's TRIlat, which may wrap on several spans, at the survey's poses."""
    model = osim.Model(str(root / WRAPPING_MODELS["arm26"]))
    table = read_coordinates(model, initialise(model))
    muscle = model_muscles(model)["TRIlat"]
    path = read_path(muscle, table)
    bodies = tuple(dict.fromkeys([*path.bodies, *wrap_bodies(muscle)]))
    kinematics = Kinematics(model, table, bodies)
    return sample_opensim_paths(model, table, [path], kinematics, survey_poses(model, table))["TRIlat"], table.names


def with_arcs(samples: OpenSimPathSamples, arcs: list[SampledArc]) -> OpenSimPathSamples:
    return OpenSimPathSamples(
        samples.path,
        samples.surfaces,
        samples.ranges,
        samples.poses,
        samples.places,
        samples.active,
        arcs,
        samples.reported,
    )


def test_a_span_that_opensim_wraps_at_a_single_pose_is_left_out(opensim_models: Path) -> None:
    samples, _ = seen_in_arm(opensim_models)
    (site,) = survey(samples)[0]
    assert Counter(arc.span for arc in samples.arcs).keys() == {(site.first, site.last)}
    elsewhere = (site.first - 1, site.first)
    first, *others = samples.arcs
    assert len(others) > 25
    (once,) = survey(with_arcs(samples, [first._replace(span=elsewhere), *others]))[0]
    assert (once.first, once.last) == (site.first, site.last)
    often = [arc._replace(span=elsewhere) if k % 4 == 0 else arc for k, arc in enumerate(samples.arcs)]
    (wider,) = survey(with_arcs(samples, often))[0]
    assert (wider.first, wider.last) == (site.first - 1, site.last)


def test_poses_at_which_opensims_path_winds_are_not_compared(opensim_models: Path) -> None:
    samples, names = seen_in_arm(opensim_models)
    plan = plan_wraps("analytic", {"TRIlat": samples})
    girth = 2 * pi * plan.sites["TRIlat"][0].surface.thickness
    for extra, winds in ((0.4 * girth, False), (0.95 * girth, True)):
        first, *others = samples.arcs
        longer = with_arcs(samples, [first._replace(length=first.length + extra), *others])
        difference = compare_paths({"TRIlat": longer}, plan, names)["TRIlat"]
        assert (difference.winding > 0) == winds and (difference.length > 0.9 * extra) != winds
        if winds:
            assert difference.winding == 1 / len(samples.poses)
            compared = plan.compared({"TRIlat": difference}, strict=True)
            assert not compared.different and "wind the long way round" in compared.describe_differences()


def test_left_and_right_limbs_are_surveyed_at_the_same_poses(opensim_models: Path) -> None:
    model = osim.Model(str(opensim_models / WRAPPING_MODELS["rajagopal2016"]))
    table = read_coordinates(model, initialise(model))
    q, alone = survey_poses(model, table), random_poses(model, table, 3)
    pairs = [
        (name, f"{name[:-2]}_l") for name in table.names if name.endswith("_r") and f"{name[:-2]}_l" in table.names
    ]
    assert len(pairs) > 10
    for right, left in pairs:
        np.testing.assert_array_equal(q[:, table.index(left)], q[:, table.index(right)])
    right = [table.index(name) for name, _ in pairs]
    np.testing.assert_array_equal(q[:3, right], alone[:, right])  # the right limb's are as random as before
    inertial = oi.InertialModel(model, oi.estimate_masses(model), wrapping=oi.Wrapping(warn_wraps=False))
    sizes = {name: difference.size for name, difference in inertial.wraps.different.items()}
    for name in [name for name in sizes if name.endswith("_r")]:
        assert sizes[f"{name[:-2]}_l"] == pytest.approx(sizes[name], rel=0, abs=1e-5)


STEP = 5e-7  # m, of central differences
SLOPES, PLACES = 1e-6, 1e-4
"""Of 99 % of derivatives of length and place; measured 5e-7 and 6e-6 over ellipsoids, near their flips, else 1e-8."""


@pytest.mark.parametrize("kind", list(KINDS))
def test_paths_are_regular_where_the_transition_is_as_wide_as_the_radius(kind: str) -> None:
    """Ends at random beside a surface, near it and far, chords clear of it and through its axis."""
    rng, count = np.random.default_rng(3), 800
    across = np.array([0.02, 0.04, 0.02])
    if kind == "torus":
        p, q = (np.array([0.05, 0.0, z]) + 0.01 * rng.normal(size=(count, 3)) for z in (-0.08, 0.08))
    else:
        p, q = (np.array([x, 0.0, 0.0]) + across * rng.normal(size=(count, 3)) for x in (-0.09, 0.09))
    middle, way = np.full(count, 0.5), rng.normal(size=(count, 3))

    def path(start: np.ndarray) -> tuple[np.ndarray, ...]:
        over = spanned(kind, KINDS[kind].size, 10 * LEAST[kind], 1.0)
        return wrap_spans(over, np.ascontiguousarray(start), q, middle)

    places, by_start, _, _, lengths, slopes, _, touched = path(p)
    ahead, behind = path(p + STEP * way), path(p - STEP * way)
    by_length = np.abs(np.einsum("ni,ni->n", slopes, way) - (ahead[4] - behind[4]) / (2 * STEP))
    by_place = np.abs(np.einsum("nij,nj->ni", by_start, way) - (ahead[0] - behind[0]) / (2 * STEP)).max(axis=1)
    assert np.isfinite(places).all() and (lengths >= np.linalg.norm(q - p, axis=1) * (1 - 1e-12)).all()
    assert 0.5 < np.mean(touched) < 1
    assert np.quantile(by_length, 0.99) < SLOPES and np.quantile(by_place, 0.99) < PLACES
