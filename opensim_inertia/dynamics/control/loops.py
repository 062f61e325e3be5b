"""Loops that have no delay in them, which no order of evaluation can solve."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from graphlib import CycleError, TopologicalSorter

from ..._core.errors import ModelError


def find_loop(reads: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the nodes of a circle in a graph, the first of them again at its end; empty if there is none."""
    try:
        TopologicalSorter(reads).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def check_loops(reads: Mapping[str, Iterable[str]], follows: Callable[[str], str]) -> None:
    """Refuse excitations (``reads``: signals by actuator) that follow signals which follow the same excitations."""
    graph: dict[str, list[str]] = {}
    for actuator, names in reads.items():
        for name in names:
            muscle = follows(name)
            graph.setdefault(f"excitation of {actuator}", []).append(name)
            if muscle:
                graph[name] = [f"excitation of {muscle}"]
    loop = find_loop(graph)
    if loop:
        raise ModelError(
            f"an instantaneous loop: {' <- '.join(loop)}; give one of its links a delay, or the muscle activation "
            "dynamics"
        )
