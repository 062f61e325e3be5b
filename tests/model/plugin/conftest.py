"""All tests of this folder need the OpenSim plugin."""

import pytest
from oracles.plugin import need_plugin


@pytest.fixture(autouse=True, scope="session")
def plugin() -> None:
    need_plugin()
