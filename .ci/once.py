"""For pytest: note the tests that pass in the file PASSED_TESTS, and leave out those that were noted before."""

import os
from pathlib import Path

import pytest

NOTES = Path(os.environ["PASSED_TESTS"])
PASSED = frozenset(NOTES.read_text().splitlines()) if NOTES.exists() else frozenset()
#: Files whose tests say more of a wheel, or with all extras.
AGAIN = ("test_answers_stand_alone.py", "test_package.py", "test_xarray.py")


def is_proven(item: pytest.Item) -> bool:
    """Whether a test has passed, and would say no more now."""
    return item.nodeid in PASSED and item.path.name not in AGAIN


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is proven."""
    config.hook.pytest_deselected(items=[item for item in items if is_proven(item)])
    items[:] = [item for item in items if not is_proven(item)]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a test that passes."""
    if report.when == "call" and report.passed and "PYTEST_XDIST_WORKER" not in os.environ:
        with NOTES.open("a") as notes:
            notes.write(f"{report.nodeid}\n")
