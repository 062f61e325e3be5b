"""Results as labelled arrays: every number at its label, with its unit, and with what was assumed."""

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from oracles.demo_leg import build_leg, swing_motion
from oracles.planar_arm import POSE, arm

import opensim_inertia as oi

MASSES = {"soleus_r": 0.55, "tib_ant_r": 0.16, "gasmed_r": 0.23, "gaslat_r": 0.12}


@pytest.fixture(scope="module")
def inertial() -> oi.InertialModel:
    return oi.InertialModel(build_leg(), MASSES)


def test_inverse_dynamics(inertial: oi.InertialModel) -> None:
    pytest.importorskip("xarray")
    result = oi.inverse_dynamics(inertial, oi.Recording(swing_motion(), time_range=(0.1, 0.2)))
    view = result.to_xarray()
    ankle = view.sel(coordinate="ankle_angle_r")
    for kind in ("lumped", "inertial"):
        assert ankle[kind].to_numpy() == pytest.approx(getattr(result, kind)["ankle_angle_r"], abs=0)
    assert str(ankle["unit"].item()) == "N m" and str(view["unit"].sel(coordinate="pelvis_ty").item()) == "N"
    assert np.array_equal(view["time"], result.times) and view["time"].attrs["units"] == "s"
    lower, upper = result.difference_band("ankle_angle_r")
    assert np.array_equal(ankle["difference_lower"], lower) and np.array_equal(ankle["difference_upper"], upper)
    parts = view["per_muscle"].sum("muscle")
    assert parts.transpose("time", "coordinate").to_numpy() == pytest.approx(
        (view["inertial"] - view["lumped"]).to_numpy(), abs=1e-9
    ), "muscles make the whole difference"
    table = result.table("per_muscle")
    np.testing.assert_allclose(table.T.groupby(level=1, sort=False).sum().T, result.difference, atol=1e-9)
    assert table["tib_ant_r"].equals(view["per_muscle"].sel(muscle="tib_ant_r").to_pandas().astype(float))
    with pytest.raises(oi.errors.OptionError, match="per_muscle"):
        result.table("muscles")
    assert view.attrs["strain"] == "aponeurosis"
    assert view.attrs["opensim_inertia"] == oi.__version__
    assert json.loads(view.attrs["masses"]) == pytest.approx(MASSES)
    assert json.loads(view.attrs["provenance"])["model"] == result.provenance["model"]
    assert all(isinstance(value, str | float | int) for value in view.attrs.values()), "as netCDF takes them"


def test_options_of_the_recording_as_keywords(inertial: oi.InertialModel) -> None:
    recording = oi.Recording(swing_motion(), cutoff=6.0, time_range=(0.1, 0.12))
    expected = oi.inverse_dynamics(inertial, recording).inertial_forces
    for found in (
        oi.inverse_dynamics(inertial, swing_motion(), cutoff=6.0, time_range=(0.1, 0.12)),
        oi.inverse_dynamics(inertial, oi.Recording(swing_motion(), cutoff=6.0), time_range=(0.1, 0.12)),
    ):
        np.testing.assert_array_equal(found.inertial_forces, expected)
    with pytest.raises(TypeError, match="no option 'filter'; did you mean 'cutoff'"):
        oi.inverse_dynamics(inertial, swing_motion(), filter=6.0)  # type: ignore[call-arg]


def test_terms_at_values_and_speeds() -> None:
    """A model alone has the masses that are estimated; a state is values of coordinates and speeds."""
    inertial = oi.InertialModel(build_leg())  # type: ignore[call-arg]
    assert inertial.masses.equals(oi.estimate_masses(build_leg()))
    q, state = inertial.coordinates.defaults + 0.1, inertial.initial_state()
    inertial.coordinates.set_values(state, q)
    state.setU(osim.Vector(len(q), 0.2))
    np.testing.assert_array_equal(inertial.evaluate(q, np.full(len(q), 0.2)).h, inertial.evaluate(state).h)
    with pytest.raises(oi.errors.OptionError, match="values and speeds of"):
        inertial.evaluate(q[:2])


def test_trajectory(inertial: oi.InertialModel) -> None:
    pytest.importorskip("xarray")
    motion = oi.simulate(oi.Problem(inertial, t_final=0.01))
    view, table = motion.to_xarray(), motion.to_dataframe()
    path = "/jointset/knee_r/knee_angle_r"
    knee = view.sel(coordinate="knee_angle_r")
    assert np.array_equal(knee["value"], table[f"{path}/value"])
    assert np.array_equal(knee["speed"], table[f"{path}/speed"])
    assert np.array_equal(
        view["state"].sel(state_variable="/forceset/soleus_r/activation"), table["/forceset/soleus_r/activation"]
    )
    assert str(knee["unit"].item()) == "rad" and str(view["unit"].sel(coordinate="pelvis_tx").item()) == "m"
    assert view.attrs["strain"] == "aponeurosis"


def test_recruitment(inertial: oi.InertialModel) -> None:
    pytest.importorskip("xarray")
    pytest.importorskip("daqp")
    result = oi.recruit(
        inertial,
        oi.Recording(swing_motion(), time_range=(0.1, 0.12)),
        kind=("inertial", "lumped"),
        actuation=oi.Actuation(reserves=300.0),
        outputs=oi.options.RecruitmentOutputs(joints=["ankle_r"]),
    )
    view, lumped = result.to_xarray(), result.of("lumped")
    at = view.sel(kind="lumped")
    assert np.array_equal(at["force"].sel(actuator="soleus_r"), lumped.forces["soleus_r"])
    assert np.array_equal(at["control"].sel(actuator="soleus_r"), lumped.activations["soleus_r"])
    assert np.array_equal(at["reaction"].sel(joint="ankle_r", component="my"), lumped.reaction("ankle_r")["my"])
    assert list(at["status"].to_numpy()) == list(lumped.status)
    assert view.attrs["criterion"] == "polynomial" and view.attrs["muscles"] == len(result.muscles)


def test_ranking(inertial: oi.InertialModel) -> None:
    pytest.importorskip("xarray")
    ranking = oi.rank_muscles(inertial)
    view = ranking.to_xarray()
    share = view["share"].sel(muscle="soleus_r", coordinate="ankle_angle_r").item()
    assert share == ranking.shares.loc["soleus_r", "ankle_angle_r"] > 0
    assert view.attrs["strain"] == "aponeurosis" and view.attrs["poses"] == 1


def test_results_without_a_time_axis(tmp_path: Path) -> None:
    """A posture, its linearization and stable patterns are results like others: arrays, tables and files."""
    pytest.importorskip("daqp", reason="postures need DAQP")
    p = oi.equilibrate(arm("rigid"), POSE)
    linear, share = p.linearize(), oi.stability.stable_share(p, [0.0, 1.0], 8)
    for result, name, value in ((p, "force", next(iter(p.forces.values()))), (linear, "A", linear.A[0, 0])):
        assert result.table(name).iloc[0, 0] == value
    assert share.table("pattern").shape == share.patterns.shape
    for number, result in enumerate((p, linear, share)):
        paths = result.save(tmp_path / str(number))
        assert {"summary", "masses", "run"} == paths.keys() and all(path.is_file() for path in paths.values())
        assert result.notes == tuple(p.provenance["warnings"])
        if find_spec("xarray"):
            assert result.to_xarray().attrs["model"] == p.inertial.model.getName()
