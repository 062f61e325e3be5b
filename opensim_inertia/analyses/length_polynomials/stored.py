"""Length polynomials read from the files that they were written to."""

from __future__ import annotations

import os
from typing import Any

from ..._core.errors import FileFormatError, OtherModelError, PolynomialError
from ..._core.opensim import osim
from ...files.documents import LENGTH_POLYNOMIALS, read_document
from ...opensim_model.reading import PathFingerprint, copy_model, initialise, read_coordinates
from .length_polynomial import LengthPolynomial
from .polynomial_set import LengthPolynomials
from .samples import opensim_lengths
from .turns import Turn
from .variables import Variables

__all__ = ["load_length_polynomials"]


def load_length_polynomials(
    path: str | os.PathLike[str], model: osim.Model | str | os.PathLike[str]
) -> LengthPolynomials:
    """Read length polynomials that :meth:`~opensim_inertia.length_polynomials.LengthPolynomials.save` has written.

    Args:
        path: the file.
        model: the model whose lengths they are, or the path of its ``.osim`` file. It is not modified.

    Raises:
        FileFormatError: the file is missing, damaged, of another version, or holds something else, such as polynomial
            paths.
        OtherModelError: they are of another model: coordinates, muscles or lengths of paths differ.
        ModelError: the model is missing or malformed.
    """
    stored = read_document(path, LENGTH_POLYNOMIALS)
    copy = copy_model(model)
    coordinates = read_coordinates(copy, initialise(copy))
    try:
        fingerprint = PathFingerprint.from_dict(stored["model"])
        where = f"{os.fspath(path)}: the length polynomials are"
        fingerprint.check(copy, coordinates, opensim_lengths(copy, coordinates), where)
        variables = Variables(copy, coordinates, [_turn(each) for each in stored["quaternions"]])
        if list(variables.names) != stored["variables"] or list(variables.free.names) != stored["coordinates"]:
            raise OtherModelError(f"{path}: other coordinates of model '{copy.getName()}' are locked or follow others")
        polynomials = {name: LengthPolynomial.from_dict(each) for name, each in stored["muscles"].items()}
        for name, fit in polynomials.items():
            if len(fit.columns) != fit.polynomial.variables or max(fit.columns) >= len(variables.names):
                raise ValueError(f"the polynomial of '{name}' does not fit its variables")
        return LengthPolynomials(copy, coordinates, variables, polynomials, dict(stored["options"]))
    except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError, PolynomialError) as error:
        raise FileFormatError(path, f"it is damaged: {error!r}") from None


def _turn(stored: dict[str, Any]) -> Turn:
    """Return the joint with a quaternion that a file describes."""
    x, y, z, w = (float(number) for number in stored["reference"])
    joint, parent, child = (str(stored[key]) for key in ("joint", "parent", "child"))
    return Turn(joint, parent, child, tuple(stored["coordinates"]), tuple(stored["turning"]), (x, y, z, w))
