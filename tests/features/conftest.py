"""The examples that make the pictures are what these tests simulate, each motion once."""

import functools
import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
#: Functions whose results the tests of an example and its own ``main`` have in common.
KEPT = {
    "finger_flick": ("finger", "broken_after"),
    "jump": ("model", "simulation", "optimise"),
    "reaching_with_excitations": ("arm", "leg", "arm26", "Reach.optimise"),
    "spline_knee": ("simulate",),
    "wrapped_pendulums": ("member", "lumped", "run"),
}


def keep_results(module: ModuleType, names: tuple[str, ...]) -> None:
    """Let functions of a module remember what they returned for the same arguments."""
    for name in names:
        *path, last = name.split(".")
        owner: Any = functools.reduce(getattr, path, module)
        function = getattr(owner, last)
        if not hasattr(function, "cache_info"):
            setattr(owner, last, functools.cache(function))


@pytest.fixture(scope="session")
def example() -> Iterator[Callable[[str], ModuleType]]:
    """Imports an example by its name; what is in KEPT is computed once."""

    def load(name: str) -> ModuleType:
        module = importlib.import_module(name)
        keep_results(module, KEPT.get(name, ()))
        return module

    sys.path.insert(0, str(EXAMPLES))
    yield load
    sys.path.remove(str(EXAMPLES))


@pytest.fixture(scope="module")
def scene(request: pytest.FixtureRequest, example: Callable[[str], ModuleType]) -> ModuleType:
    return example(request.module.EXAMPLE)


@pytest.fixture
def run_example(
    example: Callable[[str], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], set[str]]:
    """Runs the whole of an example in this process and returns the names of the files that it wrote."""

    def run(name: str) -> set[str]:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", [f"{name}.py", "out"])
        example(name).main()
        assert {path.name for path in tmp_path.iterdir()} == {"out"}, "an example writes into its own folder only"
        written = list((tmp_path / "out").iterdir())
        assert all(path.stat().st_size > 0 for path in written)
        return {path.name for path in written}

    return run
