"""The types of the compiled module, ``_kernel.pyi``, are those that its bindings say."""

import ast
from pathlib import Path

import pytest

from opensim_inertia import _kernel

STUB = Path(_kernel.__file__).with_name("_kernel.pyi")


def statements(text: str) -> list[str]:
    """What a stub says, whatever its layout."""
    return [ast.unparse(statement) for statement in ast.parse(text).body]


def test_the_stub_is_that_of_the_module() -> None:
    stubgen = pytest.importorskip("nanobind.stubgen", reason="nanobind writes stubs")
    generator = stubgen.StubGen(_kernel)
    generator.put(_kernel)
    stub, expected = statements(STUB.read_text(encoding="utf-8")), statements(generator.get())
    missing, old = ([x for x in one if x not in other] for one, other in ((expected, stub), (stub, expected)))
    assert not missing and not old, (
        f"{STUB.name} is not what nanobind {pytest.importorskip('nanobind').__version__} writes for the module, which "
        f"has\n\n{chr(10).join(missing)}\n\nwhere the file has\n\n{chr(10).join(old)}\n\nBuild the kernel beside the "
        "sources, which writes the file anew (cmake -S . -B build -G Ninja && cmake --build build), and commit it"
    )
