"""The result of inverse dynamics: its labels, summary, files and picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.trials import short_walk

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
