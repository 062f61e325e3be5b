"""What is said where the OpenSim plugin was not built, or is for another OpenSim."""

import subprocess
import sys
from pathlib import Path

import pytest

import opensim_inertia as oi
from opensim_inertia.model.plugin import check_version

ROOT = str(Path(oi.__file__).resolve().parents[1])


@pytest.mark.slow
def test_a_plugin_that_is_not_there(tmp_path: Path) -> None:
    """In a process of its own: a plugin, once loaded, stays."""
    code = (
        f"import sys; sys.path.insert(0, {ROOT!r})\n"
        "from pathlib import Path\n"
        "import opensim_inertia as oi\n"
        "from opensim_inertia.model.plugin import is_loaded, load_library\n"
        "try:\n    load_library(Path('nowhere.so'))\n"
        "except oi.errors.PluginError as error:\n    print(error)\n"
        "print(is_loaded())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    said, loaded = done.stdout.splitlines()
    assert said.startswith("the OpenSim plugin was not built: there is no nowhere.so. It needs headers of OpenSim")
    assert "get_headers.sh" in said
    assert loaded == "False"
    assert done.stderr == ""


@pytest.mark.parametrize("version", ["4.5.2-2025-01-01-abcdef0", "4.60", "5.0"])
def test_other_versions_of_opensim(version: str) -> None:
    with pytest.raises(oi.errors.PluginError, match=f"built for OpenSim 4.6, and this is {version}"):
        check_version(version)
    check_version("4.6-2026-06-22-85aaf64")
