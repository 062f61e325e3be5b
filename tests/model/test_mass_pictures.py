"""Pictures of where mass lies: what is drawn is what the kernel has, and files are what was asked for."""

from pathlib import Path

import matplotlib.image
import numpy as np
import opensim as osim
import pytest
from conftest import model_path, slow_except
from oracles.demo_leg import build_leg

import opensim_inertia as oi
from opensim_inertia.plotting.masses import linear_density, mass_picture

PLOTS = (oi.plotting.plot_masses, oi.plotting.plot_bellies)
STARTS = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml"}


@pytest.fixture(scope="module")
def leg():
    model = build_leg()
    return oi.InertialModel(model, oi.estimate_masses(model))


def arm(**options) -> oi.InertialModel:
    model = osim.Model(str(model_path("Models/Arm26/arm26.osim")))
    return oi.InertialModel(model, oi.estimate_masses(model), **options)


@pytest.mark.parametrize(("aponeurosis", "fibre"), [(0.2, 0.05), (0.05, 0.2), (0.1, 0.1), (0.0, 0.1), (0.1, 0.0)])
def test_trapezoid_is_the_density_of_fibres_that_start_evenly(aponeurosis: float, fibre: float) -> None:
    s, along = linear_density(0.3, 0.02, aponeurosis, fibre)
    assert np.trapezoid(along, s) == pytest.approx(0.3, rel=1e-12)
    middles = (np.arange(1000) + 0.5) / 1000
    places = (0.02 + aponeurosis * middles[:, None] + fibre * middles[None, :]).ravel()
    edges = np.linspace(0.0, 0.4, 41)
    counted, _ = np.histogram(places, edges, weights=np.full(places.size, 0.3 / places.size))
    fine = np.linspace(0.0, 0.4, 40001)
    inside = np.interp(fine, s, along, left=0.0, right=0.0)
    mass = np.concatenate([[0.0], np.cumsum(0.5 * (inside[1:] + inside[:-1]) * np.diff(fine))])
    np.testing.assert_allclose(np.diff(np.interp(edges, fine, mass)), counted, atol=2e-4)


@pytest.mark.slow
@pytest.mark.parametrize("strain", slow_except(["aponeurosis"], ["aponeurosis", "rigid_tendon", "uniform"]))
def test_areas_are_the_mass_of_the_mass_points(strain: str) -> None:
    inertial = arm(strain=strain, points=3000)
    picture = mass_picture(inertial)
    assert {m.name for m in picture.muscles} == set(inertial.muscle_names)
    state = inertial.initial_state()
    points = inertial.mass_points(state, jacobians=False)
    lengths = inertial.path_lengths(state)
    for m in picture.muscles:
        s, area = m.area()
        assert 1059.7 * np.trapezoid(area, s) == pytest.approx(inertial.muscles.masses[m.name], rel=1e-9)
        found = points[m.name]
        # arc lengths from places in ground alone: those of the nearest points of the drawn course
        even = np.linspace(0.0, m.length, 20001)
        course = m.at(even)
        near = even[[int(np.argmin(((course - x) ** 2).sum(axis=1))) for x in found.positions[::10]]]
        quantiles = np.linspace(0.02, 0.98, 33)
        fine = np.linspace(s[0], s[-1], 4001)
        density = np.interp(fine, s, area)
        share = np.concatenate([[0.0], np.cumsum(density[1:] + density[:-1])])
        expected = np.interp(quantiles, share / share[-1], fine)
        np.testing.assert_allclose(np.quantile(near, quantiles), expected, atol=0.02 * m.length)
        assert m.aponeurosis + m.fibre == pytest.approx(lengths.loc[m.name, "belly"], abs=1e-9)


def test_paths_points_and_joints(leg: oi.InertialModel) -> None:
    picture = mass_picture(leg)
    state = leg.initial_state()
    lengths = leg.path_lengths(state)
    by_name = {m.name: m for m in picture.muscles}
    assert [name for name, _ in by_name["gasmed_r"].crossings] == ["knee_r", "ankle_r"]
    assert [name for name, _ in by_name["soleus_r"].crossings] == ["ankle_r"]
    for m in picture.muscles:
        assert m.length == lengths.loc[m.name, "path"]
        measured = np.linalg.norm(np.diff(m.course, axis=0), axis=1).sum()
        assert measured == pytest.approx(m.length, rel=2e-3)
        assert m.path_points[0] == 0 and m.path_points[-1] == m.length
        assert (np.diff(m.path_points) > 0).all()
    assert list(picture.donors) == ["tibia_r"]
    assert picture.donors["tibia_r"].muscles == pytest.approx(leg.masses["mass"].sum())
    assert picture.donors["tibia_r"].hidden == 0
    np.testing.assert_allclose(picture.views @ picture.views.transpose(0, 2, 1), np.tile(np.eye(2), (2, 1, 1)))


def test_one_side_of_symmetric_models() -> None:
    model = osim.Model(str(model_path("Models/Rajagopal/Rajagopal2016.osim")))
    inertial = oi.InertialModel(model, oi.estimate_masses(model))
    picture = mass_picture(inertial)
    assert len(picture.muscles) == 40
    assert list(picture.donors) == ["pelvis", "femur_r", "tibia_r"]
    assert picture.donors["pelvis"].hidden == 11
    assert "the left is the same" in picture.caption
    recfem = next(m for m in picture.muscles if m.name == "recfem_r")
    assert [joint for joint, _ in recfem.crossings] == ["hip", "walker_knee"]  # the patella is not a joint to cross
    both = mass_picture(inertial, ["soleus_*"])
    assert [m.name for m in both.muscles] == ["soleus_l", "soleus_r"]
    assert "the left" not in both.caption
    heavier = inertial.masses.copy()
    heavier.loc[heavier["muscle"] == "soleus_l", "mass"] *= 1.1
    assert len(mass_picture(inertial.rebuilt(masses=heavier, plan=inertial.wraps)).muscles) == 80


@pytest.mark.parametrize(
    ("plot", "suffix"),
    slow_except(
        [(PLOTS[0], ".png"), (PLOTS[1], ".pdf")],
        [(plot, suffix) for plot in PLOTS for suffix in STARTS],
    ),
)
def test_files(leg: oi.InertialModel, tmp_path: Path, plot, suffix: str) -> None:
    path = tmp_path / f"picture{suffix}"
    figure = plot(leg, path, "*_r")
    assert path.read_bytes().startswith(STARTS[suffix])
    assert [p.name for p in tmp_path.iterdir()] == [path.name]
    assert figure.axes
    if suffix == ".png":
        pixels = matplotlib.image.imread(path)[..., :3]
        assert 0.02 < np.mean((pixels < 0.95).any(axis=-1)) < 0.6
        # nothing is cut off at the edges
        border = np.concatenate([pixels[:4].reshape(-1, 3), pixels[-4:].reshape(-1, 3), pixels[:, :4].reshape(-1, 3)])
        assert (border == 1).all() and (pixels[:, -4:] == 1).all()


def test_errors(leg: oi.InertialModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(oi.errors.OptionError, match=r"\.png, \.svg, \.pdf"):
        oi.plotting.plot_masses(leg, "picture.osim")
    with pytest.raises(oi.errors.UnknownNameError, match="soleus_r"):
        oi.plotting.plot_masses(leg, "picture.png", "soleus")
    with pytest.raises(oi.InertiaError, match="nothing to draw"):
        oi.plotting.plot_bellies(oi.InertialModel(build_leg(), {}), "picture.png")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(oi.errors.OutputError, match="folder"):
        oi.plotting.plot_masses(leg, "folder.png")
    assert [p.name for p in tmp_path.iterdir()] == ["folder.png"]
