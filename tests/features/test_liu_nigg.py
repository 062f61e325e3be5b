"""Liu and Nigg 2000: four masses in a line, against the paper's equations and what its abstract says."""

from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest

EXAMPLE = "liu_nigg"


def test_a_wobbling_mass_obeys_the_paper(scene: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ground's force until after the impact, to a millionth of it: both are integrated to 1e-8."""
    monkeypatch.setattr(scene, "UNTIL", 0.012)
    times, force = scene.simulated(scene.Masses(), 1)
    _, expected = scene.equations_of_the_paper(scene.Masses(), times)
    np.testing.assert_allclose(force, expected, rtol=0, atol=1e-6 * expected.max())
    assert expected.max() > 1500


@pytest.mark.slow
def test_trends_of_the_abstract(scene: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mass of the lower body, and its rigid share, raise the impact; the upper body's, the second peak."""
    monkeypatch.setattr("sys.argv", ["liu_nigg.py", str(tmp_path)])
    scene.main()
    assert (tmp_path / "liu_nigg.png").stat().st_size > 0
    table = pd.read_csv(tmp_path / "liu_nigg.csv", index_col=0)
    impact, second = (table[peak] / table.loc["as it is", peak] - 1 for peak in ("impact [kN]", "second peak [kN]"))
    assert impact["lower rigid + 2 kg"] > 0.05 and impact["2 kg of the lower wobbling made rigid"] > 0.05
    assert impact["lower wobbling + 2 kg"] > 0.001
    assert abs(impact["upper wobbling + 10 kg"]) < 0.005 and second["upper wobbling + 10 kg"] > 0.05
    assert impact["both, but nothing wobbles"] > 0.2
