"""What every test shares: where the real models are, which copy of the package is under test, and clean folders."""

import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]


def _prefer_installed_package() -> None:
    """Test the installed package: ``python -m pytest`` puts the source tree, which has no kernel, before it."""
    if "opensim_inertia" in sys.modules:  # this file is imported again as a module of its own
        return
    kept = list(sys.path)
    sys.path[:] = [entry for entry in kept if Path(entry or os.curdir).resolve() != ROOT]
    if importlib.util.find_spec("opensim_inertia") is None:
        sys.path[:] = kept


_prefer_installed_package()


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Give each worker of ``pytest -n`` whole files as far as possible: tests of a file share what they build."""
    if getattr(config.option, "numprocesses", None) and config.option.dist == "no":
        config.option.dist = "worksteal"


def slow_except(quick: Iterable[Any], values: Iterable[Any]) -> list[Any]:
    """Parameters of a test, or tuples of parameters, of which those that are not ``quick`` are marked as slow."""
    quick, values = set(quick), list(values)
    assert quick <= set(values), quick - set(values)
    slow = pytest.mark.slow
    return [
        value if value in quick else pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=slow)
        for value in values
    ]


def models_root() -> Path | None:
    """Folder laid out like the public opensim-models repository: ``OPENSIM_MODELS``, or the one beside this repository.

    Returns:
        The folder, or None where there is none.
    """
    named = os.environ.get("OPENSIM_MODELS")
    root = Path(named).expanduser() if named else ROOT.parent / "shared" / "opensim-models"
    return root.resolve() if (root / "Models").is_dir() else None


def model_path(relative: str) -> Path:
    """Path of a file of the real models, such as ``Models/Arm26/arm26.osim``.

    Skips the test where the models are absent; fails it instead where ``OPENSIM_INERTIA_REQUIRE_MODELS`` is 1.
    """
    root = models_root()
    if root is None:
        reason = "real models not found: set OPENSIM_MODELS to a copy of the opensim-models repository"
        if os.environ.get("OPENSIM_INERTIA_REQUIRE_MODELS") == "1":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    path = root / relative
    if not path.exists():
        pytest.fail(f"{relative} is not in {root}", pytrace=False)
    return path


@pytest.fixture(scope="session")
def opensim_models() -> Path:
    """Root of the real models; skips, or fails where ``OPENSIM_INERTIA_REQUIRE_MODELS`` is 1, without them."""
    return model_path(".")


@pytest.fixture(scope="session")
def cyclist() -> Path:
    """A model of 520 muscles, in a folder ``cyclist`` beside the real models; skips without it."""
    path = model_path(".").parent / "cyclist" / "s01modelScaled.osim"
    if not path.is_file():
        pytest.skip(f"the cyclist is not found: {path}")
    return path


@pytest.fixture(autouse=True)
def no_opensim_log(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves an ``opensim.log`` in the current directory."""
    log = Path.cwd() / "opensim.log"
    before = log.exists()
    yield
    if log.exists() and not before:
        log.unlink()
        pytest.fail(f"{request.node.name} left an opensim.log in the current directory", pytrace=False)
