"""Pain and Challis 2006: landing from 43 cm with soft tissue that wobbles, beside rigid segments."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest

import opensim_inertia as oi

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.WrapDifferenceWarning")


@pytest.fixture(scope="module")
def landing(example: Callable[[str], ModuleType], copy_of_opensim_models: Path) -> ModuleType:
    return example("landing_with_wobble")


def test_the_first_milliseconds(landing: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """At touch-down both press alike, at the speed of the drop; total mass is the published model's."""
    monkeypatch.setattr(landing, "UNTIL", 0.002)
    model = landing.landing_model()
    inertial = oi.InertialModel(model, oi.estimate_masses(model))
    soft = landing.soft_tissue(inertial)
    shares = {mass.body: mass.mass for mass in soft.masses}
    assert 0.5 * model.getTotalMass(model.initSystem()) < sum(shares.values()) + sum(inertial.muscles.masses.values())
    pose = landing.POSES["knees bent"]
    runs = [landing.landed(inertial, pose, wobble) for wobble in (False, soft)]
    for run in runs:
        assert run.speeds()["pelvis_ty"].iloc[0] == pytest.approx(-np.sqrt(2 * 9.80665 * 0.43))
    forces = [landing.ground_force(run) for run in runs]
    assert forces[0][0] == forces[1][0]
    assert forces[0][-1] > forces[1][-1] > 1000


@pytest.mark.slow
def test_soft_tissue_lowers_the_peaks(landing: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Joints moved alike, moments of hip and knee are about half the rigid ones: published are up to nearly 50 %."""
    pose = "legs nearly straight"
    monkeypatch.setattr("sys.argv", ["landing_with_wobble.py", str(tmp_path)])
    monkeypatch.setattr(landing, "POSES", {pose: landing.POSES[pose]})
    landing.main()
    assert (tmp_path / "landing_with_wobble.png").stat().st_size > 0
    peaks = pd.read_csv(tmp_path / "landing_with_wobble.csv", index_col=[0, 1]).loc[pose]
    soft = peaks.loc["all soft mass wobbles"]
    change = soft / peaks.loc["rigid, joints moved alike"] - 1
    assert change["ground [kN]"] < -0.2 and change["ankle [N m]"] < -0.2
    assert change["hip [N m]"] < -0.4 and change["knee [N m]"] < -0.4
    same_excitations = soft / peaks.loc["rigid, same excitations"] - 1
    assert -0.35 < same_excitations["ground [kN]"] < -0.15
