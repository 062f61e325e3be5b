"""A small cohort, and the configuration of studies of it, which this process computes unless told otherwise."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opensim_inertia.demo import write_cohort


@pytest.fixture(scope="session")
def cohort(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two subjects that swing once at each of two speeds; shared, and not to be changed."""
    return write_cohort(tmp_path_factory.mktemp("cohort"), subjects=[(1.62, 56.0), (1.88, 92.0)])


@pytest.fixture
def configured(cohort: Path, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """A configuration of the cohort's four trials, without reports and pictures; sections may be replaced."""

    def make(**sections: Any) -> dict[str, Any]:
        trials = [
            {"setup": f"{cohort}/S{n}/setup_*.xml", "id": f"S{n}_{{1}}", "subject": f"S{n}", "condition": "{1}"}
            | {"masses": f"{cohort}/S{n}/masses.csv"}
            for n in (1, 2)
        ]
        return {
            "name": "small",
            "out": str(tmp_path / "out"),
            "trial": trials,
            "grid": {"strain": ["aponeurosis", "uniform"], "cutoff": ["setup", 12]},
            "uncertainty": {"draws": 128},
            "cluster": {"workers": 0},
            "output": {"reports": "none", "pictures": False},
        } | sections

    return make
