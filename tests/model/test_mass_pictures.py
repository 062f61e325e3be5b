"""Pictures of where mass lies: what is drawn is what the kernel has, and files are what was asked for."""

from pathlib import Path

import matplotlib.image
import numpy as np
import opensim as osim
import pytest
from conftest import model_path, slow_except
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from oracles.demo_leg import build_leg

import opensim_inertia as oi
from opensim_inertia.options.masses import DENSITY

STARTS = {".png": b"\x89PNG", ".pdf": b"%PDF", ".svg": b"<?xml"}


@pytest.fixture(scope="module")
def leg():
    model = build_leg()
    return oi.InertialModel(model, oi.estimate_masses(model))


def muscles_of(figure: Figure) -> list[str]:
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def corners(figure: Figure) -> tuple[dict[str, np.ndarray], float]:
    """The outline (n, 2) of each belly [m, in], and how many m^2 of cross-section an inch stands for."""
    *outlines, bar = (
        each.get_paths()[0].vertices for each in figure.axes[0].collections if isinstance(each, PolyCollection)
    )
    (text,) = (each.get_text() for each in figure.axes[0].texts if each.get_text().endswith("of cross-section"))
    area = 1e-4 * float(text.split()[0])
    return dict(zip(muscles_of(figure), outlines, strict=True)), area / np.ptp(bar[:, 1])


def thickness(outline: np.ndarray, s: np.ndarray) -> np.ndarray:
    """The height of an outline at arc lengths: twice that of its upper half, which is a polyline."""
    middle = 0.5 * (outline[:, 1].min() + outline[:, 1].max())
    upper = np.unique(outline[outline[:, 1] >= middle - 1e-12], axis=0)
    return np.interp(s, upper[:, 0], 2 * (upper[:, 1] - middle), 0.0, 0.0)


@pytest.mark.parametrize("strain", slow_except(["aponeurosis"], ["aponeurosis", "rigid_tendon", "uniform"]))
def test_areas_are_the_mass_of_the_mass_points(strain: str) -> None:
    """Also where it lies: of straight paths, on which the distance from the origin is the arc length."""
    model = build_leg()
    inertial = oi.InertialModel(model, oi.estimate_masses(model), strain=strain, points=3000)
    figure, state = oi.plotting.plot_masses(inertial), inertial.initial_state()
    outlines, scale = corners(figure)
    points, lengths = inertial.mass_points(state, jacobians=False), inertial.path_lengths(state)
    assert set(outlines) == set(inertial.muscle_names)
    compared = 0
    for name, outline in outlines.items():
        s = np.linspace(0.0, lengths.loc[name, "path"], 20001)
        across = scale * thickness(outline, s)
        mass = inertial.muscles.masses[name]
        assert DENSITY * np.trapezoid(across, s) == pytest.approx(mass, rel=1e-3)
        assert np.ptp(outline[:, 0]) == pytest.approx(lengths.loc[name, "belly"], abs=1e-9)
        muscle = inertial.model.getMuscles().get(name)
        path = osim.GeometryPath.safeDownCast(muscle.getPath()).getPathPointSet()
        if path.getSize() > 2:
            continue
        origin = path.get(0).getLocationInGround(state).to_numpy()
        distances = np.linalg.norm(points[name].positions - origin, axis=1)
        share = np.cumsum(across) / across.sum()
        quantiles = np.linspace(0.02, 0.98, 33)
        drawn = np.interp(quantiles, share, s)
        np.testing.assert_allclose(np.quantile(distances, quantiles), drawn, atol=0.02 * s[-1])
        compared += 1
    assert compared


def test_path_points_and_joints(leg: oi.InertialModel) -> None:
    figure = oi.plotting.plot_masses(leg)
    axes, lengths = figure.axes[0], leg.path_lengths(leg.initial_state())
    rows = dict(zip(muscles_of(figure), axes.get_yticks(), strict=True))
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert {"crosses knee_r", "crosses ankle_r"} <= set(labels)
    for name, y in rows.items():
        lines = [line for line in axes.lines if line.get_ydata()[0] == y]
        (marks,) = (line.get_xdata() for line in lines if line.get_marker() == "|")
        assert marks[0] == 0 and marks[-1] == lengths.loc[name, "path"] and (np.diff(marks) > 0).all()
        joints = [line for line in lines if len(line.get_xdata()) == 1]
        assert len(joints) == {"gasmed_r": 2, "soleus_r": 1}.get(name, len(joints))
        assert all(0 < line.get_xdata()[0] < marks[-1] for line in joints)
    heading = f"muscles: {leg.masses['mass'].sum():.2f} of "
    assert any(text.get_text().startswith(heading) for text in axes.texts)


def test_one_side_of_symmetric_models() -> None:
    model = str(model_path("Models/Rajagopal/Rajagopal2016.osim"))
    inertial = oi.InertialModel(model, oi.estimate_masses(model))
    figure = oi.plotting.plot_masses(inertial)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert len(muscles_of(figure)) == 40
    assert [text for text in texts if text in ("pelvis", "femur_r", "tibia_r")] == ["pelvis", "femur_r", "tibia_r"]
    assert any(text.endswith("with 11 muscles not shown") for text in texts)
    both = oi.plotting.plot_masses(inertial, muscles=["soleus_*"])
    assert muscles_of(both) == ["soleus_l", "soleus_r"]
    assert ["the left is the same" in each.get_supxlabel() for each in (figure, both)] == [True, False]
    heavier = inertial.masses.copy()
    heavier.loc[heavier["muscle"] == "soleus_l", "mass"] *= 1.1
    changed = inertial.rebuilt(masses=heavier, plan=inertial.wraps)
    assert len(muscles_of(oi.plotting.plot_masses(changed))) == 80


@pytest.mark.parametrize("suffix", slow_except([".png", ".pdf"], STARTS))
def test_files(leg: oi.InertialModel, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"picture{suffix}"
    oi.plotting.plot_masses(leg, path, "*_r")
    assert path.read_bytes().startswith(STARTS[suffix])
    assert [p.name for p in tmp_path.iterdir()] == [path.name]
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
        oi.plotting.plot_masses(oi.InertialModel(build_leg(), {}), "picture.png")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(oi.errors.OutputError, match="folder"):
        oi.plotting.plot_masses(leg, "folder.png")
    assert [p.name for p in tmp_path.iterdir()] == ["folder.png"]
