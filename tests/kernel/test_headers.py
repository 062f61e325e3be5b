"""The kernel's headers lie in rooms that include downward only, and none is long."""

from __future__ import annotations

import re
from pathlib import Path

HEADERS = Path(__file__).parents[2] / "plugin_cpp/include/opensim_inertia"
ROOMS = ["scalar", "state", "wrap", "path", "muscle", "dynamics"]
"""From the lowest up."""


def included(header: Path) -> list[str]:
    return re.findall(r'#include "opensim_inertia/([a-z_/]+\.hpp)"', header.read_text())


def test_every_header_is_in_a_room() -> None:
    found = {path.relative_to(HEADERS).parts[0] for path in HEADERS.rglob("*.hpp")}
    assert found == set(ROOMS)


def test_headers_include_downward_without_circles() -> None:
    headers = {str(path.relative_to(HEADERS)): included(path) for path in HEADERS.rglob("*.hpp")}
    for name, others in headers.items():
        for other in others:
            assert other in headers, f"{name} includes {other}, which is not there"
            assert ROOMS.index(other.split("/")[0]) <= ROOMS.index(name.split("/")[0]), f"{name} includes {other}"
    left = dict(headers)
    while left:
        free = [name for name, others in left.items() if not any(other in left for other in others)]
        assert free, f"headers that include each other are among {sorted(left)}"
        for name in free:
            del left[name]


def test_no_source_is_long() -> None:
    for path in HEADERS.parents[1].rglob("*.?pp"):
        assert len(path.read_text().splitlines()) <= 400, path.name
