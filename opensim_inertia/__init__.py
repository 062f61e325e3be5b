"""opensim_inertia: muscle mass where it belongs, for OpenSim models.

OpenSim lumps muscle mass into the bones. This package puts it back along the musculotendon paths, sliding as the
joints move (Wang et al. 2022), and computes what changes.

Importing the package alone is quick: each public name is imported from its module at its first use (PEP 562). The
names and their modules are written once, in ``__init__.pyi``, which type checkers and editors read as it is.
"""

from __future__ import annotations

import sys
from importlib import import_module

__version__ = "0.1.0"

#: Modules whose names need PyTorch, and which ``from opensim_inertia import *`` therefore leaves out.
_NEED_TORCH = ("analyses.gradients.tensors",)


def _read_stub(text: str) -> dict[str, str]:
    """Return the names that a stub imports from modules of its package, each with its module.

    Statements of the form ``from .module import name as name, ...`` are read, on one line or in parentheses. Importing
    Python's own parser for it would take longer than importing this package does.
    """
    places = {}
    for statement in text.split("\nfrom .")[1:]:
        module, _, names = statement.partition(" import ")
        names = names[1:].partition(")")[0] if names.startswith("(") else names.partition("\n")[0]
        for entry in filter(None, map(str.strip, names.split(","))):
            places[entry.rpartition(" ")[2]] = module
    return places


with open(f"{__file__.removesuffix('c')}i", encoding="utf-8") as _stub:
    _PLACES = _read_stub(_stub.read())

__all__ = sorted(name for name, module in _PLACES.items() if module not in _NEED_TORCH)


def public_names() -> dict[str, str]:
    """Return the public names, each with the module of the package that has it."""
    return {name: _PLACES[name] for name in __all__}


def __getattr__(name: str) -> object:
    """Import a public name, or a module of the package, at its first use."""
    if name in _PLACES:
        module = import_module(f".{_PLACES[name]}", __name__)
        value = getattr(module, name, None) or import_module(f".{name}", module.__name__)
        globals()[name] = value
        return value
    if not name.startswith("__") and _is_module(f"{__name__}.{name}"):
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'", name=name, obj=sys.modules[__name__])


def _is_module(name: str) -> bool:
    """Tell whether a dotted name is that of a module."""
    from importlib.util import find_spec  # which takes time, and which most programs do not need

    return find_spec(name) is not None


def __dir__() -> list[str]:
    """Return the public names, whether they have been imported or not, and nothing else."""
    return sorted([*_PLACES, "__version__"])
