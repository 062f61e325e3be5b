"""What muscles about which there is a note make of the difference: the parts of these muscles, added by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from oracles.real_models import WRAPPING_MODELS

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim


def test_the_note_has_the_sum_of_their_parts_at_the_peak(opensim_models: Path) -> None:
    model = osim.Model(str(opensim_models / WRAPPING_MODELS["arm26"]))
    with pytest.warns(oi.warnings.WrapDifferenceWarning):
        inertial = oi.InertialModel(model, oi.estimate_masses(model))
    named = list(inertial.wraps.different)
    assert len(named) == 2
    times = [0.01 * k for k in range(40)]
    motion = pd.DataFrame(
        {"r_shoulder_elev": [k**2 for k in times], "r_elbow_flex": [1 + k for k in times]}, index=times
    )
    result = oi.inverse_dynamics(inertial, motion, band=False)
    (note,) = (text for text in result.provenance["warnings"] if text.startswith("the 2 muscles whose paths"))
    part, total, coordinate = re.search(r"make (\S+) of the (\S+) N m by which muscles change '(\w+)'", note).groups()
    at_peak = {c: result.muscle_table(c).loc[result.summary().loc[c, "peak time"]] for c in inertial.coordinate_names}
    sums = {c: row[named].sum() for c, row in at_peak.items()}
    assert abs(sums[coordinate]) == max(map(abs, sums.values()))
    assert float(part) == pytest.approx(sums[coordinate], rel=0.06)
    assert float(total) == pytest.approx(at_peak[coordinate][list(inertial.muscle_names)].sum(), rel=0.006)
    without = oi.inverse_dynamics(inertial, motion, per_muscle=False, band=False)
    assert not [text for text in without.provenance["warnings"] if "make" in text]
