"""The result of inverse dynamics: its labels, summary, files and picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.trials import short_walk

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


def test_result_is_labelled_as_opensims(opensim_models: Path) -> None:
    result = short_walk(opensim_models)
    assert "pelvis_tilt_moment" in result.column_names and "pelvis_tx_force" in result.column_names
    assert result.inertial.index.name == "time"
    both = result.to_dataframe()
    assert list(both.columns.get_level_values(0).unique()) == ["lumped", "inertial"]
    pd.testing.assert_frame_equal(both["inertial"], result.inertial)
    pd.testing.assert_frame_equal(result.difference, result.inertial - result.lumped)
    for array in (result.times, result.lumped_forces, result.inertial_forces):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    table = result.inertial
    table.iloc[0, 0] = 1e9  # a table is the user's own
    assert result.inertial.iloc[0, 0] != 1e9


@pytest.mark.parametrize("kind", ["lumped", "inertial"])
def test_sto_is_read_back_by_opensim(opensim_models: Path, tmp_path: Path, kind: str) -> None:
    result = short_walk(opensim_models)
    path = tmp_path / f"{kind}.sto"
    result.to_sto(path, kind)
    table = osim.TimeSeriesTable(str(path))
    assert tuple(table.getColumnLabels()) == result.column_names
    np.testing.assert_allclose(table.getIndependentColumn(), result.times, rtol=1e-14, atol=0)
    np.testing.assert_allclose(table.getMatrix().to_numpy(), getattr(result, f"{kind}_forces"), rtol=1e-14, atol=1e-14)
    assert table.getTableMetaDataString("inDegrees") == "no"
    storage = osim.Storage(str(path))
    assert storage.getSize() == len(result.times)


@pytest.mark.slow
def test_unknown_kind_and_unwritable_place(opensim_models: Path, tmp_path: Path) -> None:
    result = short_walk(opensim_models)
    with pytest.raises(oi.errors.OptionError, match="'inertial'"):
        result.to_sto(tmp_path / "a.sto", "inert")
    (tmp_path / "file").write_text("not a folder")
    for write in (result.to_sto, lambda path: oi.plot(result, path), lambda path: result.save(path.parent)):
        with pytest.raises(oi.errors.OutputError):
            write(tmp_path / "file" / "a.png")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file"]


@pytest.mark.slow
def test_plot_and_save(opensim_models: Path, tmp_path: Path) -> None:
    result = short_walk(opensim_models)
    figure = oi.plot(result, tmp_path / "id.png", coordinates=["knee_angle_r", "pelvis_tx"])
    assert (tmp_path / "id.png").read_bytes().startswith(b"\x89PNG")
    drawn = figure.axes[0].lines
    knee = result.coordinate_names.index("knee_angle_r")
    np.testing.assert_array_equal(drawn[0].get_ydata(), result.lumped_forces[:, knee])
    np.testing.assert_array_equal(drawn[1].get_ydata(), result.inertial_forces[:, knee])
    assert figure.axes[0].get_ylabel() == "moment [N m]" and figure.axes[1].get_ylabel() == "force [N]"
    with pytest.raises(oi.errors.UnknownNameError, match="knee_angle_r"):
        oi.plot(result, tmp_path / "no.png", coordinates=["knee_angle"])
    assert not (tmp_path / "no.png").exists()

    (tmp_path / "out").mkdir()
    paths = result.save(tmp_path / "out", "walk_")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == sorted(p.name for p in paths.values())
    assert all(p.name.startswith("walk_") and p.stat().st_size > 100 for p in paths.values())
    summary = pd.read_csv(paths["summary"], index_col=0)
    assert summary.loc["knee_angle_r", "lumped peak"] == pytest.approx(
        result.summary().loc["knee_angle_r", "lumped peak"], rel=1e-12
    )
