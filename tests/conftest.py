"""What every test shares: where the real models are, which copy of the package is under test, and clean folders."""

import gc
import importlib
import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "data"  # A few real models, with a motion and its loads, for those who have no copy of all


for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS") if "PYTEST_XDIST_WORKER" in os.environ else ():
    os.environ.setdefault(_variable, "1")  # each core has a worker; threads of BLAS would only wait for one another


def _prefer_installed_package() -> None:
    """Test the installed package: ``python -m pytest`` puts the source tree, which has no kernel, before it."""
    if "opensim_inertia" in sys.modules:  # this file is imported again as a module of its own
        return
    kept = list(sys.path)
    sys.path[:] = [entry for entry in kept if Path(entry or os.curdir).resolve() != ROOT]
    if importlib.util.find_spec("opensim_inertia") is None:
        sys.path[:] = kept


_prefer_installed_package()
# Before a test's file imports opensim by itself: the package imports it without an opensim.log, whatever runs first.
importlib.import_module("opensim_inertia._core.opensim")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Give each worker of ``pytest -n`` whole files as far as possible: tests of a file share what they build."""
    if getattr(config.option, "numprocesses", None) and config.option.dist == "no":
        config.option.dist = "worksteal"


def pytest_configure(config: pytest.Config) -> None:
    """Let our own warnings fail a test; all warnings where ``OPENSIM_INERTIA_STRICT_WARNINGS`` is 1.

    Not in ``pyproject.toml``, whose filters import what they name before the installed package is preferred. Those that
    come later in the list decide, so that what ``pyproject.toml`` ignores stays ignored.
    """
    every = os.environ.get("OPENSIM_INERTIA_STRICT_WARNINGS") == "1"
    config.getini("filterwarnings").insert(0, "error" if every else "error::opensim_inertia.InertiaWarning")
    gc.disable()  # what is made until all tests are collected stays for good


def pytest_collection_finish() -> None:
    """Let Python's garbage collection pass over all tests, which takes seconds in sum, and look through the rest."""
    gc.freeze()
    gc.enable()


def pytest_unconfigure() -> None:
    gc.unfreeze()


def slow_except(quick: Iterable[Any], values: Iterable[Any]) -> list[Any]:
    """Parameters of a test, or tuples of parameters, of which those that are not ``quick`` are marked as slow."""
    quick, values = set(quick), list(values)
    assert quick <= set(values), quick - set(values)
    slow = pytest.mark.slow
    return [
        value if value in quick else pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=slow)
        for value in values
    ]


def _copy_of_all() -> Path | None:
    """A copy of the public opensim-models repository: ``OPENSIM_MODELS``, or the one beside this repository."""
    named = os.environ.get("OPENSIM_MODELS")
    root = Path(named).expanduser() if named else ROOT.parent / "shared" / "opensim-models"
    return root.resolve() if (root / "Models").is_dir() else None


def _roots() -> list[Path]:
    return [root for root in (_copy_of_all(), DATA) if root is not None]


def _absent(reason: str, published: bool = True) -> NoReturn:
    """Skip a test for want of files; fail it if they are published and ``OPENSIM_INERTIA_REQUIRE_MODELS`` is 1."""
    if published and os.environ.get("OPENSIM_INERTIA_REQUIRE_MODELS") == "1":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def model_path(relative: str | os.PathLike[str], published: bool = True) -> Path:
    """Path of a file or folder of the public opensim-models repository, such as ``Models/Arm26/arm26.osim``.

    It is looked for in the copy of that repository that ``OPENSIM_MODELS`` names, or that lies beside this repository,
    and then among the few files in ``tests/data``. Where it is in neither, the test is skipped; it fails where
    ``OPENSIM_INERTIA_REQUIRE_MODELS`` is 1, but for files that the public repository lacks (``published=False``).
    """
    for root in _roots():
        if (root / relative).exists():
            return root / relative
    file = os.fspath(relative)
    _absent(f"{file} is not at hand: set OPENSIM_MODELS to a copy of the opensim-models repository", published)


class RealModels(type(Path())):  # type: ignore[misc]
    """The folder of the real models, or one in it: ``folder / file`` is where :func:`model_path` finds that file."""

    def __truediv__(self, relative: str | os.PathLike[str]) -> Path:
        root = next((root for root in _roots() if self.is_relative_to(root)), None)
        if root is None:  # a folder beside the models
            return Path(self) / relative
        path = model_path(os.path.normpath(os.path.join(os.path.relpath(self, root), relative)))
        return RealModels(path) if path.is_dir() else path


@pytest.fixture(scope="session")
def opensim_models() -> Path:
    """Folder of the real models; a test that asks it for a file that is not at hand is skipped."""
    return RealModels(_copy_of_all() or DATA)


@pytest.fixture(scope="session")
def copy_of_opensim_models() -> Path:
    """A copy of the whole opensim-models repository, for what reads ``OPENSIM_MODELS`` itself; skips without one."""
    root = _copy_of_all()
    if root is None:
        _absent("no copy of the opensim-models repository: set OPENSIM_MODELS to one")
    return root


@pytest.fixture(scope="session")
def cyclist(copy_of_opensim_models: Path) -> Path:
    """A model of 520 muscles, in a folder ``cyclist`` beside the real models; skips without it."""
    path = copy_of_opensim_models.parent / "cyclist" / "s01modelScaled.osim"
    if not path.is_file():
        pytest.skip(f"the cyclist is not at hand: {path}")
    return path


@pytest.fixture(scope="session", autouse=True)
def loaded_plugin() -> None:
    """Let simulations use the OpenSim plugin where it has to be there, in whatever order tests run."""
    if os.environ.get("OPENSIM_INERTIA_REQUIRE_NATIVE") == "1":
        importlib.import_module("opensim_inertia").load_plugin()


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep tests from the user's cache: each process of a session has one of its own, which is empty at first."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("OPENSIM_INERTIA_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True)
def no_opensim_log(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves an ``opensim.log`` in the current directory."""
    log = Path.cwd() / "opensim.log"
    before = log.exists()
    yield
    if log.exists() and not before:
        log.unlink()
        pytest.fail(f"{request.node.name} left an opensim.log in the current directory", pytrace=False)
