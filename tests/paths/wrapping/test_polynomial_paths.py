"""Paths over wrap objects as polynomials: near OpenSim's, with exact derivatives, kept in files, warned of outside."""

from __future__ import annotations

import json
import pickle
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from models.pendulums import Cylinder, build_pendulum
from oracles import by_keyword
from oracles.finite_differences import christoffel_bias
from oracles.live_states import close, state_at

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim
from opensim_inertia.files.documents import checksum
from opensim_inertia.model.plugin.self_test import native_available
from opensim_inertia.paths.kernel import InertialTerms

PATH = (("ground", (0.03, 0.05, 0.0)), ("rod1", (0.03, -0.2, 0.01)), ("rod2", (0.03, -0.25, 0.03)))
RANGE = (-0.8, 0.8)


def pendulum(insertion: float = 0.03) -> tuple[osim.Model, pd.DataFrame]:
    """A double pendulum whose muscle wraps over a cylinder at the elbow, and leaves it as the elbow turns."""
    path = (*PATH[:2], ("rod2", (insertion, -0.25, 0.03)))
    return build_pendulum(path, muscle=0.2, cylinder=Cylinder(0.04), ranges=(RANGE, RANGE))


def pendulum_with_polynomials(**options: object) -> oi.InertialModel:
    options = {"warn_wraps": False} | options
    return by_keyword.inertial_model(*pendulum(), wrapping="polynomial", **options)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the pendulum's polynomial paths."""
    path = tmp_path_factory.mktemp("paths") / "pendulum.polynomial_paths.json"
    pendulum_with_polynomials(polynomial_paths=path)
    return path


@pytest.fixture(scope="module")
def inertial(file: Path) -> oi.InertialModel:
    return pendulum_with_polynomials(polynomial_paths=file)


def muscles(inertial: oi.InertialModel, q: np.ndarray, u: np.ndarray | None = None) -> InertialTerms:
    return inertial.evaluate(state_at(inertial, q, u), subtract_frozen=False)


def states(count: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(seed)
    return [(rng.uniform(*RANGE, 2), rng.normal(size=2)) for _ in range(count)]


@pytest.mark.slow
def test_mass_lies_near_that_on_opensims_path(inertial: oi.InertialModel) -> None:
    fitted = inertial.wraps.polynomial_paths["muscle"]
    assert fitted.largest < 1.2e-3 and not fitted.jumps
    opensim = oi.InertialModel(*pendulum(), wrapping="opensim")
    wrapped, off = 0, []
    for q, u in states(60, 1):
        ours, exact = (one.mass_points(state_at(one, q, u), jacobians=False)["muscle"] for one in (inertial, opensim))
        assert np.linalg.norm(ours.positions - exact.positions, axis=1).max() <= 1.2 * fitted.largest
        wrapped += bool(opensim.dynamics.read(state_at(opensim, q)).paths["muscle"].arcs)
        mass, exact_mass = (muscles(one, q, u).mass_matrix for one in (inertial, opensim))
        off.append(np.abs(mass - exact_mass).max() / np.abs(exact_mass).max())
    assert np.median(off) < 0.02  # moment arms jump where the path touches, and polynomials swing beside that
    assert 5 < wrapped < 55


@pytest.mark.slow
def test_terms_are_those_of_a_lagrangian(inertial: oi.InertialModel) -> None:
    for q, u in states(3, 2):
        exact = christoffel_bias(lambda at: muscles(inertial, at).mass_matrix, q, u, 1e-4)
        close(muscles(inertial, q, u).bias, exact, 1e-9)


@pytest.mark.slow
def test_energy_is_kept_through_touch(inertial: oi.InertialModel) -> None:
    state = state_at(inertial, np.array([0.3, -0.4]), np.array([0.0, 1.5]))
    energy = oi.simulate(
        oi.Problem(inertial, state, 0.5), oi.integrators.DOP853(accuracy=1e-10), engine="python"
    ).energy()["total"]
    assert np.ptp(energy) < 1e-8


@pytest.mark.slow
def test_a_file_gives_the_same_numbers(inertial: oi.InertialModel, file: Path) -> None:
    restored = pendulum_with_polynomials(polynomial_paths=file)
    copied = pickle.loads(pickle.dumps(inertial))
    for q, u in states(2, 3):
        terms = inertial.evaluate(state_at(inertial, q, u))
        for other in (restored, copied):
            assert np.array_equal(other.evaluate(state_at(other, q, u)).mass_matrix, terms.mass_matrix)
    record = inertial.provenance()["polynomial paths"]["muscle"]
    assert record["largest distance [m]"] == inertial.wraps.polynomial_paths["muscle"].largest
    assert record["ranges"]["elbow"] == pytest.approx(RANGE, abs=0.01)


@pytest.mark.slow
def test_paths_of_another_model_are_refused(file: Path) -> None:
    model, table = pendulum(0.035)
    with pytest.raises(
        oi.errors.OtherModelError, match=r"polynomial paths are .*path of muscle 'muscle' is .* mm off at"
    ):
        oi.InertialModel(model, table, wrapping=oi.Wrapping("polynomial", polynomial_paths=file))


@pytest.mark.slow
def test_damaged_files_and_other_kinds_are_refused_by_name(file: Path, tmp_path: Path) -> None:
    stored = json.loads(file.read_text())
    damaged = tmp_path / "damaged.json"
    without = {key: value for key, value in stored.items() if key != "sha256"}
    nothing, other_kind = without | {"muscles": {"muscle": {}}}, without | {"format": "another"}
    for document, message in (
        (stored | {"version": 99}, "of version 99; expected"),
        (stored | {"muscles": {}}, "its numbers do not fit its checksum"),
        (without, "its numbers do not fit its checksum"),
        (nothing | {"sha256": checksum(nothing)}, "holds no polynomial paths"),
        (other_kind, "its 'format' is 'another'; expected polynomial paths"),
    ):
        damaged.write_text(json.dumps(document))
        with pytest.raises(oi.errors.FileFormatError, match=rf"damaged\.json.*{message}"):
            pendulum_with_polynomials(polynomial_paths=damaged)
    text = json.dumps(without)
    elsewhere = json.loads(text.replace('"rod2"', '"rod"'))
    damaged.write_text(json.dumps(elsewhere | {"sha256": checksum(elsewhere)}))
    with pytest.raises(oi.errors.FileFormatError, match="unknown body of the path of 'muscle' 'rod'; did you mean"):
        pendulum_with_polynomials(polynomial_paths=damaged)
    none = without | {"muscles": {}, "model": stored["model"] | {"paths": {}}}
    damaged.write_text(json.dumps(none | {"sha256": checksum(none)}))
    with pytest.raises(oi.errors.OtherModelError, match="that one has no path of muscle 'muscle'"):
        pendulum_with_polynomials(polynomial_paths=damaged)


def test_an_answer_that_is_no_number_is_refused(file: Path, tmp_path: Path) -> None:
    """A coefficient so large that its square has no number: every row of the answer would be nan."""
    stored = {key: value for key, value in json.loads(file.read_text()).items() if key != "sha256"}
    stored["muscles"]["muscle"]["sections"][0]["polynomials"]["coefficients"][2][0] = 1e300
    path = tmp_path / "huge.json"
    path.write_text(json.dumps(stored | {"sha256": checksum(stored)}))
    inertial = pendulum_with_polynomials(polynomial_paths=path)
    times = np.linspace(0.0, 1.0, 21)
    angles = 0.3 * np.sin(3 * times)
    motion = pd.DataFrame(dict.fromkeys(inertial.coordinate_names, angles), index=times)
    with pytest.raises(oi.errors.MotionError, match="the inertial force at '.*' is nan at time 0"):
        oi.inverse_dynamics(inertial, motion)


@pytest.mark.slow
def test_each_kind_of_polynomials_is_refused_where_the_other_is_expected(file: Path, tmp_path: Path) -> None:
    lengths = tmp_path / "pendulum.length_polynomials.json"
    model, _ = pendulum()
    oi.fit_length_polynomials(model, 40, degree=2).save(lengths)
    with pytest.raises(
        oi.errors.FileFormatError,
        match="it is a file of length polynomials .*without places for mass.* expected polynomial p",
    ):
        pendulum_with_polynomials(polynomial_paths=lengths)
    with pytest.raises(
        oi.errors.FileFormatError,
        match="it is a file of polynomial paths .*that carry mass.* expected length polynomials",
    ):
        oi.length_polynomials.load_length_polynomials(file, model)


@pytest.mark.slow
def test_leaving_the_fitted_range_warns_of_muscle_and_coordinate(file: Path) -> None:
    inertial = pendulum_with_polynomials(polynomial_paths=file)
    inertial.evaluate(state_at(inertial, np.array([3.0, 0.79])))  # the shoulder does not move what wraps
    with pytest.warns(
        oi.warnings.PolynomialPathWarning, match=r"muscle 'muscle': .* 'elbow' from -0.8 to 0.8, and is used at 1\.3"
    ):
        inertial.evaluate(state_at(inertial, np.array([0.0, 1.3])))
    with warnings.catch_warnings():
        warnings.simplefilter("error", oi.warnings.PolynomialPathWarning)
        terms = inertial.evaluate(state_at(inertial, np.array([0.0, 1.4])))  # once
    assert any("is used at 1.4" in note for note in terms.notes) and len(terms.notes) == 1 and not inertial.notes


@pytest.mark.slow
def test_polynomials_for_a_motion_hold_its_ranges_and_the_reference_pose() -> None:
    times = np.linspace(0, 1, 21)
    motion = pd.DataFrame({"elbow": 0.3 + 0.1 * np.sin(6 * times), "shoulder": 0 * times}, index=times)
    inertial = pendulum_with_polynomials(fit_motion=motion)
    low, high = inertial.wraps.polynomial_paths["muscle"].ranges["elbow"]
    assert -0.1 < low < 0.0 and 0.4 < high < 0.5
    assert inertial.wraps.polynomial_paths["muscle"].largest < 5e-4


@pytest.mark.slow
def test_paths_may_come_from_another_model_of_the_same_bodies(inertial: oi.InertialModel, file: Path) -> None:
    geometry, table = pendulum()
    model, _ = build_pendulum((), rods=(1.2, 1.0), ranges=(RANGE, RANGE))
    muscle = osim.Millard2012EquilibriumMuscle("muscle", 100.0, 0.4, 0.4, 0.0)
    muscle.set_appliesForce(False)
    path = osim.FunctionBasedPath()
    path.appendCoordinatePath("/jointset/pin_elbow/elbow")
    path.setLengthFunction(osim.LinearFunction(0.04, 0.5))
    muscle.set_path(path)
    model.addForce(muscle)
    model.finalizeConnections()
    with pytest.raises(oi.errors.UnsupportedPathError, match="FunctionBasedPath"):
        oi.InertialModel(model, table)
    other = oi.InertialModel(
        model, table, wrapping=oi.Wrapping("polynomial", polynomial_paths=file, path_model=geometry)
    )
    for q, u in states(2, 4):
        ours, expected = (one.evaluate(state_at(one, q, u)) for one in (other, inertial))
        assert np.array_equal(ours.mass_matrix, expected.mass_matrix) and np.array_equal(ours.bias, expected.bias)
    copied = pickle.loads(pickle.dumps(other))
    assert np.array_equal(copied.evaluate(state_at(copied, q, u)).mass_matrix, ours.mass_matrix)
    moved = build_pendulum(PATH, length=0.5, cylinder=Cylinder(0.04))[0]
    with pytest.raises(oi.errors.ModelError, match="body 'rod2' lies elsewhere"):
        oi.InertialModel(model, table, wrapping=oi.Wrapping("polynomial", path_model=moved))


@pytest.mark.slow
def test_the_plugin_computes_the_same(inertial: oi.InertialModel) -> None:
    if not native_available():
        pytest.skip("the OpenSim plugin is not built")
    model = inertial.native_model()
    native = model.initSystem()
    for q, u in states(3, 5):
        state = state_at(inertial, q, u)
        native.setQ(state.getQ())
        native.setU(state.getU())
        model.realizeAcceleration(native)
        close(native.getUDot().to_numpy(), inertial.udot(state), 1e-11)


@pytest.mark.slow
def test_jumps_of_opensims_path_are_told(opensim_models: Path) -> None:
    """Arm26's biceps lets go of its wrap with a jump, and changes sides far behind the back."""
    model = osim.Model(str(opensim_models / "Models/Arm26/arm26.osim"))
    masses = oi.estimate_masses(model, muscles=["BIClong"])
    with pytest.warns(oi.warnings.PolynomialPathWarning, match=r"BIClong \(.*OpenSim's path jumps by 40 mm"):
        inertial = oi.InertialModel(model, masses, wrapping="polynomial")
    fitted = inertial.wraps.polynomial_paths["BIClong"]
    assert 0 < fitted.left_out < 400
    poses = [jump.pose["r_shoulder_elev"] for jump in fitted.jumps]
    assert all(any(abs(pose - at) < 0.01 for pose in poses) for at in (-1.369, 0.517))


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"polynomial_paths": "leg.polynomial_paths.json"}, "polynomial_paths"),
        ({"wrapping": "neural", "fit_motion": "m.mot"}, "fit_motion"),
        ({"wrapping": "opensim", "path_model": "m.osim"}, "path_model"),
    ],
)
def test_options_that_would_have_no_effect_are_refused(options: dict[str, str], named: str) -> None:
    with pytest.raises(oi.errors.OptionError, match=named):
        by_keyword.inertial_model(*pendulum(), **options)
