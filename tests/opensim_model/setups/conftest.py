"""Setups of OpenSim's Forward Tool for arm26."""

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import model_path

from opensim_inertia.files import ForwardSetup, read_forward_setup


@pytest.fixture(scope="session")
def arm26() -> Path:
    return model_path("Models/Arm26/arm26.osim")


@pytest.fixture
def setup_of(arm26: Path, tmp_path: Path) -> Callable[..., ForwardSetup]:
    """A setup for arm26 with some controllers and properties of the tool."""

    def make(*controllers: str, version: int = 40000, **properties: object) -> ForwardSetup:
        properties = {"model_file": arm26, "results_directory": "out", "output_precision": 17} | properties
        inner = "".join(f"<{name}>{value}</{name}>" for name, value in properties.items())
        (tmp_path / "setup.xml").write_text(
            f'<OpenSimDocument Version="{version}"><ForwardTool name="x">{inner}<ControllerSet name="Controllers">'
            f"<objects>{''.join(controllers)}</objects></ControllerSet></ForwardTool></OpenSimDocument>"
        )
        return read_forward_setup(tmp_path / "setup.xml")

    return make
