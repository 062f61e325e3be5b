"""opensim_inertia: muscle mass along the paths of OpenSim muscles, instead of lumped into the segments.

OpenSim lumps muscle mass into the bones. This package puts it back along the musculotendon paths, sliding as the
joints move (Wang et al. 2022), and computes the changes.

Importing the package alone is quick: each public name is imported from its module at its first use (PEP 562). The
names and their modules are written once, in ``__init__.pyi``, which type checkers and editors read as it is.

These are the names that most programs use. Exceptions are in ``errors``, warnings in ``warnings``, and names of one
subject in its module, as ``opensim_inertia.integrators.SDIRK2``; ``dir(opensim_inertia)`` lists them all.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.machinery import PathFinder

from ._core.stubs import read_stub, stub_beside

_names, _, _modules = stub_beside(__file__).partition("\n# Modules ")
_PLACES = read_stub(_names)
_MODULES = {name: f"{folder}.{name}".lstrip(".") for name, folder in read_stub(_modules).items()}

__all__ = sorted(_PLACES)

if PathFinder.find_spec(f"{__name__}._kernel", __path__) is None:  # sources take the kernel of the installed package
    __path__ += [os.path.join(os.path.abspath(entry), __name__) for entry in sys.path]
    if PathFinder.find_spec(f"{__name__}._kernel", __path__) is None:
        raise ImportError(f"{__path__[0]} has no compiled kernel: run `pip install .` in the folder above it")


def public_names() -> dict[str, str]:
    """Return the module of each public name; names inside the modules of ``public_modules`` are not listed."""
    return dict(_PLACES)


def public_modules() -> dict[str, str]:
    """Return the public modules and their dotted paths in the package, such as ``dynamics.integrators``."""
    return dict(_MODULES)


def __getattr__(name: str) -> object:
    """Import a public name or module at its first use; ``__version__`` is the installed version."""
    if name == "__version__":
        return import_module("._core.version", __name__).VERSION
    if name in _PLACES:
        value: object = getattr(import_module(f".{_PLACES[name]}", __name__), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        globals()[name] = module = import_module(f".{_MODULES[name]}", __name__)
        return module
    if not name.startswith("__") and _is_module(f"{__name__}.{name}"):
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'", name=name, obj=sys.modules[__name__])


def _is_module(name: str) -> bool:
    """Return whether a module with this dotted name exists."""
    from importlib.util import find_spec  # which takes time, and which most programs do not need

    return find_spec(name) is not None


def __dir__() -> list[str]:
    """Return all public names and modules, imported or not, and ``__version__``."""
    return sorted([*_PLACES, *_MODULES, "__version__"])
