"""Functions take few arguments: what belongs together is one object."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import opensim_inertia

PACKAGE = Path(opensim_inertia.__file__).parent
WINGS = ("dynamics", "analyses/forward_simulation", "analyses/gradients", "analyses/stability", "cli")
MOST = 9


@pytest.mark.parametrize("wing", WINGS)
def test_no_function_takes_more_than_nine(wing: str) -> None:
    counted = 0
    for path in (PACKAGE / wing).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                count = len(arguments) - (arguments[:1] != [] and arguments[0].arg in ("self", "cls"))
                assert count <= MOST, f"{path.name}: {node.name} takes {count} arguments"
                counted += 1
    assert counted > 20
