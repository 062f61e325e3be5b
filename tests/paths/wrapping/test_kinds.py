"""Kinds of wrap objects: the package, its kernel and the tests know the same ones."""

from __future__ import annotations

from oracles.wrap_model import KINDS

from opensim_inertia._kernel import surface_kinds
from opensim_inertia.paths.wrapping.surfaces import SHAPES


def test_package_kernel_and_tests_know_the_same_kinds() -> None:
    assert {name: shape.kind for name, shape in SHAPES.items()} == {k.opensim_class: name for name, k in KINDS.items()}
    assert {shape.kind: shape.has_turn for shape in SHAPES.values()} == {name: k.turns for name, k in KINDS.items()}
    assert {shape.kind: shape.planar for shape in SHAPES.values()} == {
        name: planar for name, (_, _, planar) in surface_kinds().items()
    }
    for name, (least, most, _) in surface_kinds().items():
        for size in (KINDS[name].size, KINDS[name].thick):
            assert least <= len(size) <= most
