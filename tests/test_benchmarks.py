"""Each benchmark finds by itself what it imports: its figures are not taken in tests."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
IMPORTS = """
import runpy, sys
for file in sys.argv[1:]:
    try:
        runpy.run_path(file, run_name="imported")
    except ModuleNotFoundError as error:
        if error.name.partition(".")[0] not in ("distributed", "resource", "torch"):
            raise SystemExit(f"{file}: {error}")
"""


@pytest.mark.slow
def test_benchmarks_are_imported(tmp_path: Path) -> None:
    files = sorted(map(str, BENCHMARKS.glob("*.py")))
    command = [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, {str(BENCHMARKS)!r})\n{IMPORTS}", *files]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert len(files) > 20
    assert done.returncode == 0, done.stderr
