"""Pictures of results: :func:`plot` draws the usual picture of any result; other functions draw specific ones.

All functions return Matplotlib's figure, and write it to ``path`` (.png, .svg or .pdf), if given. Figures are 90 or
180 mm wide, with 8 pt text and 300 dots per inch. OptionError: ``path`` has another suffix, or there is nothing to
draw. OutputError: the file cannot be written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure

from .._core.errors import UnknownNameError
from .forces import plot_activations, plot_bounds, plot_forces, plot_motion, plot_muscles
from .masses import plot_masses
from .page import PicturePath
from .properties import plot_array, plot_modes, plot_moment_arms, plot_share, plot_shares, plot_terms

__all__ = [
    "plot",
    "plot_activations",
    "plot_array",
    "plot_bounds",
    "plot_forces",
    "plot_masses",
    "plot_modes",
    "plot_moment_arms",
    "plot_motion",
    "plot_muscles",
    "plot_share",
    "plot_shares",
    "plot_terms",
]

#: Functions by class name, which avoids importing the classes.
PICTURES: dict[str, Callable[..., Figure]] = {
    "InverseDynamicsResult": plot_forces,
    "RecruitmentResult": plot_activations,
    "Trajectory": plot_motion,
    "MuscleRanking": plot_shares,
    "LengthPolynomials": plot_terms,
    "Linearization": plot_modes,
    "StableShare": plot_share,
    "InertialModel": plot_masses,
    "Result": plot_array,
}


def plot(result: Any, path: PicturePath = None, **options: Any) -> Figure:
    """Draw the usual picture of a result; return the Matplotlib figure.

    ============================= =================================================================================
    result of                     picture; the function in ``opensim_inertia.plotting`` describes the options
    ============================= =================================================================================
    ``inverse_dynamics``          ``plot_forces``: coordinates, most; also ``plot_muscles`` of one coordinate
    ``recruit``                   ``plot_activations``: muscles, most; also ``plot_bounds``
    ``simulate``                  ``plot_motion``: coordinates, most, lumped
    ``rank_muscles``              ``plot_shares``: coordinates, most
    ``fit_length_polynomials``    ``plot_terms``: muscles; also ``plot_moment_arms`` of one muscle
    ``linearize``                 ``plot_modes``: most
    ``stability.stable_share``    ``plot_share``: others, name
    ``InertialModel``             ``plot_masses``: muscles
    any other analysis            ``plot_array``: name, most
    ============================= =================================================================================

    Args:
        result: a result of one of these analyses, or an inertial model.
        **options: options of the picture.

    Example:
        >>> oi.plot(result, "forces.png", coordinates=["knee_angle_r"])

    Raises:
        UnknownNameError: the result has no picture.
    """
    draw = next((PICTURES[kind.__name__] for kind in type(result).__mro__ if kind.__name__ in PICTURES), None)
    if draw is None:
        raise UnknownNameError("kind of result", type(result).__name__, list(PICTURES), "plot")
    return draw(result, path, **options)
