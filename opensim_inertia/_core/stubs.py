"""Lazy imports (PEP 562) of the names in a package's stub."""

import sys
from collections.abc import Callable
from importlib import import_module


def read_stub(text: str) -> dict[str, str]:
    """Return the names that a stub imports from relative modules, each with its module."""
    places: dict[str, str] = {}
    for statement in text.split("\nfrom .")[1:]:
        module, _, names = statement.partition(" import ")
        names = names[1:].partition(")")[0] if names.startswith("(") else names.partition("\n")[0]
        places |= {entry.rpartition(" ")[2]: module for entry in map(str.strip, names.split(",")) if entry}
    return places


def stub_beside(file: str) -> str:
    """Return the text of the ``.pyi`` file beside a module's file."""
    with open(f"{file.removesuffix('c')}i", encoding="utf-8") as stub:
        return stub.read()


def attach(package: str, file: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package from its stub."""
    places = read_stub(stub_beside(file))

    def get(name: str) -> object:
        module = sys.modules[package]
        if name not in places:
            raise AttributeError(f"module '{package}' has no attribute '{name}'", name=name, obj=module)
        value: object = getattr(import_module(f".{places[name]}", package), name)
        setattr(module, name, value)
        return value

    return get, lambda: sorted(places), sorted(places)
