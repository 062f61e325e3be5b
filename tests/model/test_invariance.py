"""InertialModel: what may change without changing the terms, how they scale, and what stays untouched."""

from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from conftest import slow_except
from oracles.live_states import REORDERED, close, state_at
from oracles.real_models import MODELS, STRAINS, heavy, original, random_motion, table
from oracles.two_links import BENT, two_links

import opensim_inertia as oi

MIRROR = 1e-3  # Relative: the file's numbers have four to six digits and differ between the sides in the last

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


@pytest.mark.parametrize("name", slow_except({"arm26", "gait10dof18musc", "leg6dof9musc"}, MODELS))
def test_no_mass_is_added_and_the_users_model_is_untouched(opensim_models: Path, name: str) -> None:
    model = osim.Model(str(opensim_models / MODELS[name]))
    total = model.getTotalMass(model.initSystem())
    before = model.dump()
    masses = oi.estimate_masses(model)
    inertial = oi.InertialModel(model, masses)
    inertial.evaluate(inertial.initial_state())
    assert masses["mass"].sum() > 0.1 * total or name == "arm26"
    assert inertial.model.getTotalMass(inertial.initial_state()) == total
    muscles = inertial.muscles
    shares = [(n, s.share) for n, each in muscles.donors.items() for s in each if s.segment == "ground"]
    on_ground = sum(muscles.masses[name] * share for name, share in shares)
    frozen = inertial.segments["muscles"]
    assert frozen.sum() == pytest.approx(masses["mass"].sum() - on_ground, rel=1e-12)
    bodies = inertial.model.getBodySet()
    assert dict(inertial.segments["mass"]) == {name: bodies.get(name).getMass() for name in frozen.index}
    assert model.dump() == before


@pytest.mark.parametrize("strain", STRAINS)
def test_terms_are_proportional_to_mass(opensim_models: Path, strain: str) -> None:
    model, masses = original(opensim_models, "gait10dof18musc"), table(opensim_models, "gait10dof18musc")
    once, twice = (
        oi.InertialModel(model, masses.assign(mass=factor * masses["mass"]), strain) for factor in (0.25, 0.5)
    )
    q, u = random_motion(once)
    one, two = (m.evaluate(state_at(m, q, u)) for m in (once, twice))
    for attribute in ("mass_matrix", "bias", "gravity"):
        close(getattr(two, attribute), 2 * getattr(one, attribute), REORDERED)
    assert two.kinetic_energy == pytest.approx(2 * one.kinetic_energy, rel=REORDERED)


@pytest.mark.parametrize("strain", STRAINS)
def test_units_of_length(strain: str) -> None:
    """A model twice as large in every direction, at the same angles: four times dM and h, twice g_m."""
    small = oi.InertialModel(two_links(BENT), {"mus": 0.5}, strain)
    large_model = two_links([(b, tuple(2 * x for x in p)) for b, p in BENT], slack=0.1, fibre=0.2)
    joint = osim.PinJoint.safeDownCast(large_model.getJointSet().get("pin2"))
    joint.upd_frames(0).set_translation(osim.Vec3(0, -1.0, 0))
    large = oi.InertialModel(large_model, {"mus": 0.5}, strain)
    q, u = np.array([0.3, 0.8]), np.array([1.0, -2.0])
    one, two = (m.evaluate(state_at(m, q, u)) for m in (small, large))
    close(two.mass_matrix, 4 * one.mass_matrix, REORDERED)
    close(two.bias, 4 * one.bias, REORDERED)
    close(two.gravity, 2 * one.gravity, REORDERED)


@pytest.mark.parametrize("strain", STRAINS)
def test_left_right_mirror(opensim_models: Path, strain: str) -> None:
    """gait2392 is symmetric: a mirrored state has mirrored terms."""
    inertial = heavy(opensim_models, "gait2392", strain, wraps=False)
    names = inertial.coordinate_names
    flipped = {"pelvis_list", "pelvis_rotation", "pelvis_tz", "lumbar_bending", "lumbar_rotation"}
    assert flipped <= set(names)
    other = {name: name[:-1] + {"r": "l", "l": "r"}[name[-1]] if name[-2:] in ("_r", "_l") else name for name in names}
    S = np.zeros((len(names), len(names)))
    for i, name in enumerate(names):
        S[i, names.index(other[name])] = -1.0 if name in flipped else 1.0
    q, u = random_motion(inertial, 1)
    assert np.abs(S @ q - q).max() > 0.1
    here, there = inertial.evaluate(state_at(inertial, q, u)), inertial.evaluate(state_at(inertial, S @ q, S @ u))
    close(there.mass_matrix, S @ here.mass_matrix @ S.T, MIRROR)
    close(there.bias, S @ here.bias, MIRROR)
    close(there.gravity, S @ here.gravity, MIRROR)
    assert there.kinetic_energy == pytest.approx(here.kinetic_energy, rel=MIRROR)


@pytest.mark.parametrize("subtract_frozen", [True, False])
@pytest.mark.parametrize("name", ["gait10dof18musc", "arm26"])
def test_parts_sum_to_the_total(opensim_models: Path, name: str, subtract_frozen: bool) -> None:
    inertial = heavy(opensim_models, name)
    state = state_at(inertial, *random_motion(inertial))
    terms = inertial.evaluate(state, None, True, subtract_frozen)
    assert tuple(terms.muscles) == inertial.muscle_names
    parts = terms.muscles.values()
    for attribute in ("mass_matrix", "bias", "gravity"):
        close(sum(getattr(p, attribute) for p in parts), getattr(terms, attribute), REORDERED)
    for attribute in ("kinetic_energy", "potential_energy"):
        assert sum(getattr(p, attribute) for p in parts) == pytest.approx(getattr(terms, attribute), rel=1e-11)
    assert not inertial.evaluate(state, subtract_frozen=subtract_frozen).muscles
    assert subtract_frozen or all(np.linalg.eigvalsh(p.mass_matrix).min() > -1e-12 for p in parts)


def test_the_state_given_is_not_changed(opensim_models: Path) -> None:
    for name in ("gait10dof18musc", "arm26"):
        inertial = heavy(opensim_models, name)
        q, u = random_motion(inertial)
        state = state_at(inertial, q, u)
        state.setTime(0.7)
        before = state.getY().to_numpy().copy()
        inertial.evaluate(state)
        inertial.mass_points(state)
        inertial.path_lengths(state)
        np.testing.assert_array_equal(state.getY().to_numpy(), before)
        assert state.getTime() == 0.7
