"""Loops that have no delay in them, which no order of evaluation can solve."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ..._core.errors import ModelError


def find_loop(successors: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the nodes of a circle in a graph, the first of them again at its end; empty if there is none."""
    visited: set[str] = set()

    def visit(node: str, path: list[str]) -> list[str]:
        if node in path:
            return [*path[path.index(node) :], node]
        if node in visited:
            return []
        for successor in successors.get(node, ()):
            cycle = visit(successor, [*path, node])
            if cycle:
                return cycle
        visited.add(node)
        return []

    for start in successors:
        cycle = visit(start, [])
        if cycle:
            return cycle
    return []


def check_loops(reads: Mapping[str, Iterable[str]], follows: Callable[[str], str]) -> None:
    """Refuse loops without delay: excitations that depend on signals that depend on the same excitations.

    Args:
        reads: by actuator, the signals that its excitation follows without delay.
        follows: gives the muscle whose excitation a signal follows without delay, or an empty text.

    Raises:
        ModelError: names the loop.
    """
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
