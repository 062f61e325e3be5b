"""The usual picture of each kind of result."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure

from .._core.errors import UnknownNameError
from .forces import plot_forces
from .masses import plot_masses
from .motion import plot_motion
from .polynomials import plot_terms
from .recruitment import plot_activations
from .shares import plot_shares
from .stability import plot_modes, plot_share

__all__ = ["plot"]

#: By the names of classes, whose modules need not be imported.
PICTURES: dict[str, Callable[..., Figure]] = {
    "InverseDynamicsResult": plot_forces,
    "RecruitmentResult": plot_activations,
    "Trajectory": plot_motion,
    "MuscleRanking": plot_shares,
    "LengthPolynomials": plot_terms,
    "Linearization": plot_modes,
    "StableShare": plot_share,
    "InertialModel": plot_masses,
}


def plot(result: Any, path: str | os.PathLike[str] | None = None, **options: Any) -> Figure:
    """Draw the usual picture of a result, and return Matplotlib's figure.

    ============================= =================================================================================
    result of                     picture, whose function in ``opensim_inertia.plotting`` describes its options
    ============================= =================================================================================
    ``inverse_dynamics``          ``plot_forces``: coordinates, most; also ``plot_muscles`` of one coordinate
    ``recruit``                   ``plot_activations``: muscles, most; also ``plot_bounds``, ``plot_reactions``
    ``simulate``                  ``plot_motion``: coordinates, most, lumped
    ``rank_muscles``              ``plot_shares``: coordinates, most
    ``fit_length_polynomials``    ``plot_terms``: muscles; also ``plot_moment_arms`` of one muscle
    ``linearize``                 ``plot_modes``: most
    ``stability.stable_share``    ``plot_share``: others, name; also ``plot_eigenvalues``
    ``InertialModel``             ``plot_masses``: muscles; also ``plot_bellies``
    ============================= =================================================================================

    Args:
        result: one of these.
        path: file to write (.png, .svg or .pdf); None to return the figure only.
        **options: those of its picture.

    Example:
        >>> oi.plot(result, "forces.png", coordinates=["knee_angle_r"])

    Raises:
        UnknownNameError: the result has no picture. OptionError: the suffix of ``path`` is none of a picture.
        OutputError: the file cannot be written.
    """
    draw = next((PICTURES[kind.__name__] for kind in type(result).__mro__ if kind.__name__ in PICTURES), None)
    if draw is None:
        raise UnknownNameError("kind of result", type(result).__name__, list(PICTURES), "plot")
    return draw(result, path, **options)
