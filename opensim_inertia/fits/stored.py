"""Fits read from the files that they were written to."""

from __future__ import annotations

import json
import os
from typing import Any

from .._opensim import osim
from ..checks import check_file
from ..errors import FileFormatError, OtherModelError
from ..files import checksum
from ..polynomial import PolynomialError
from ..reading import initialise, own_copy, read_coordinates
from .fingerprint import check_fingerprint
from .muscle_fit import MuscleFit
from .result import FORMAT, VERSION, PathFits
from .turns import Turn
from .variables import Variables

__all__ = ["load_fits"]


def load_fits(path: str | os.PathLike[str], model: osim.Model | str | os.PathLike[str]) -> PathFits:
    """Read fits that :meth:`~opensim_inertia.PathFits.save` has written.

    Args:
        path: the file.
        model: the model that was fitted, or the path of its ``.osim`` file. It is not modified.

    Raises:
        FileFormatError: the file is missing, damaged or of another version.
        OtherModelError: the fits are of another model: coordinates, muscles or lengths of paths differ.
        ModelError: the model is missing or malformed.
    """
    file = check_file(path, "file of fits")
    try:
        stored = json.loads(file.read_text(encoding="utf-8"), parse_constant=_refuse_constant)
    except ValueError as error:
        raise FileFormatError(path, f"it is not JSON: {error}") from None
    if not isinstance(stored, dict) or stored.get("format") != FORMAT:
        raise FileFormatError(path, f"it is no file of fits: expected 'format' to be '{FORMAT}'")
    if stored.get("version") != VERSION:
        raise FileFormatError(path, f"it is of version {stored.get('version')!r}; expected {VERSION}")
    if stored.pop("sha256", None) not in (None, checksum(stored)):
        raise FileFormatError(path, "it was changed since it was written: its numbers do not fit its checksum")
    own = own_copy(model)
    coordinates = read_coordinates(own, initialise(own))
    try:
        check_fingerprint(own, coordinates, stored["model"], os.fspath(path))
        variables = Variables(own, coordinates, [_turn(each) for each in stored["quaternions"]])
        if list(variables.names) != stored["variables"] or list(variables.free.names) != stored["coordinates"]:
            raise OtherModelError(f"{path}: other coordinates of model '{own.getName()}' are locked or follow others")
        fits = {name: MuscleFit.from_dict(each) for name, each in stored["muscles"].items()}
        for name, fit in fits.items():
            if len(fit.columns) != fit.polynomial.variables or max(fit.columns) >= len(variables.names):
                raise ValueError(f"the polynomial of '{name}' does not fit its variables")
        return PathFits(own, coordinates, variables, fits, dict(stored["options"]))
    except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError, PolynomialError) as error:
        raise FileFormatError(path, f"it is damaged: {error!r}") from None


def _refuse_constant(text: str) -> float:
    """Refuse ``NaN`` and ``Infinity``, which JSON does not have and Python would read."""
    raise ValueError(f"'{text}' is not a finite number")


def _turn(stored: dict[str, Any]) -> Turn:
    x, y, z, w = (float(number) for number in stored["reference"])
    joint, parent, child = (str(stored[key]) for key in ("joint", "parent", "child"))
    return Turn(joint, parent, child, tuple(stored["coordinates"]), tuple(stored["turning"]), (x, y, z, w))
