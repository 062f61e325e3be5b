"""Estimates of muscle masses from muscle parameters, or from a person's height and mass.

* ``"specific_tension"``: ``density * (Fmax / specific tension) * optimal fibre length``, as in OpenSim's metabolics
  probes (Umberger2010, Bhargava2004). Their 0.25 MPa double the masses measured by MRI; the default is 0.6 MPa.
* ``"handsfield"``: the regression of :mod:`~opensim_inertia.muscles.masses.handsfield`, lower limbs only. Model muscles
  that represent one measured muscle share its volume in proportion to ``Fmax * optimal fibre length``.
* ``"table"``: masses given by the user.

The density 1059.7 kg/m^3 is that of the probes (Mendez and Keys 1960).
"""

from __future__ import annotations

import math
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from ..._core.checks import check_choice
from ..._core.choices import MASS_SOURCES, UNSUPPORTED, MassSource, Unsupported
from ..._core.errors import MassError, OptionError, UnknownNameError, UnsupportedPathError
from ..._core.opensim import osim
from ...opensim_model.reading.loading import InitialisedModel
from ...options.masses import DENSITY, Handsfield, MassEstimate, SpecificTension
from . import handsfield
from .architecture import MuscleArchitecture
from .donors import Reference
from .handsfield import side_of
from .table import GivenMasses, MassTable, check_masses

if TYPE_CHECKING:
    import pandas as pd


def estimate_masses(
    model: osim.Model | InitialisedModel | str | os.PathLike[str],
    method: MassSource | SpecificTension | Handsfield | None = None,
    muscles: str | Iterable[str] | None = None,
    table: GivenMasses | None = None,
    reference: Reference = None,
    unsupported: Unsupported = "error",
) -> pd.DataFrame:
    """Return a model's mass table: mass [kg], donor segment and belly [m] of each muscle, with sources.

    Rows are in the model's order.

    Args:
        model: an ``osim.Model``, which is not modified, or the path of an ``.osim`` file.
        method: :class:`~opensim_inertia.options.SpecificTension`, or its name for default options,
            :class:`~opensim_inertia.options.Handsfield`, or ``"table"``; default: the table if given,
            otherwise ``"specific_tension"``.
        muscles: names or patterns (``"*_r"``) of the muscles to include; default: all.
        table: DataFrame, dict ``{muscle: kg}`` or path of a CSV file; the result has its muscles, in its order.
        reference: the pose that determines default donor segments; default: the default pose. A dict of
            coordinate values, an array, a static trial or a state, see
            :func:`~opensim_inertia.masses.reference_pose`.
        unsupported: "massless" omits muscles with paths that cannot carry mass, instead of an error.

    Returns:
        DataFrame as in :mod:`~opensim_inertia.muscles.masses.table`. ``attrs["method"]`` is the method,
        ``attrs["not_covered"]`` lists requested muscles without an estimate, and ``attrs["unsupported"]`` omitted
        muscles with unsupported paths; the table has neither.

    Raises:
        OptionError: a value is invalid or does not fit the method.
        UnknownNameError: a name or pattern in ``muscles`` matches no muscle, or a name in ``table`` or ``reference``
            does not exist.
        MassError: a mass is not finite and positive, the method covers none of the muscles, or a muscle has invalid
            lengths.
        ModelError: the model is missing or cannot be initialised, or a name in it is not UTF-8.
        UnsupportedPathError: a muscle's path cannot carry mass.
    """
    return estimated_masses(model, method, muscles, table, reference, unsupported).frame()


def estimated_masses(
    model: osim.Model | InitialisedModel | str | os.PathLike[str],
    method: MassSource | SpecificTension | Handsfield | None = None,
    muscles: str | Iterable[str] | None = None,
    table: GivenMasses | None = None,
    reference: Reference = None,
    unsupported: Unsupported = "error",
) -> MassTable:
    """Return the mass table of :func:`estimate_masses` without making a DataFrame."""
    check_choice("unsupported", unsupported, UNSUPPORTED)
    method = ("specific_tension" if table is None else "table") if method is None else method
    name = method.name if isinstance(method, MassEstimate) else check_choice("method", method, MASS_SOURCES)
    if (table is None) == (name == "table"):
        raise OptionError("table", "None" if table is None else "given", "a table if, and only if, method is 'table'")
    if method == Handsfield.name:
        raise OptionError("height", None, "the person's height in metres, which method 'handsfield' needs")
    ready = InitialisedModel.of(model)
    chosen = select_muscles(list(ready.muscles), muscles)
    left_out: list[str] = []
    while True:
        try:
            if table is not None:
                result = check_masses(table, ready, reference)[0].of_muscles(chosen)
            else:
                result, _ = check_masses(_estimated(ready, chosen, method), ready, reference)
        except UnsupportedPathError as error:
            if unsupported == "error" or error.muscle not in chosen:
                raise
            left_out.append(error.muscle)
            chosen.remove(error.muscle)
        else:
            covered = set(result["muscle"])
            not_covered = [muscle for muscle in chosen if muscle not in covered]
            result.attrs = {"method": name, "not_covered": not_covered, "unsupported": left_out}
            return result


def _estimated(ready: InitialisedModel, chosen: list[str], method: object) -> MassTable:
    if isinstance(method, Handsfield):
        rows = _from_handsfield(ready, chosen, method)
    else:
        method, rows = method if isinstance(method, SpecificTension) else SpecificTension(), {}
        tension, density = float(method.tension), method.density
        for name in chosen:
            force, fibre = _strength(ready.muscles, name)
            source = f"{density:.10g} kg/m3 * {force:.12g} N / {tension / 1e6:.10g} MPa * {fibre:.12g} m"
            rows[name] = density * (force / tension) * fibre, source
    for muscle, (mass, _) in rows.items():
        if not math.isfinite(mass) or mass < 0.0:
            raise MassError(
                f"muscle '{muscle}' gets a mass of {mass} kg: check its maximum force and optimal fibre length"
            )
    masses, sources = ([row[i] for row in rows.values()] for i in (0, 1))
    return MassTable({"muscle": rows, "mass": masses, "source": sources})


def half_thickness(masses: Mapping[str, float], architecture: Mapping[str, MuscleArchitecture]) -> dict[str, float]:
    """Return radii [m] of cylinders with each muscle's mass and belly length; massless muscles are left out."""
    lengths = {name: architecture[name].belly for name, mass in masses.items() if mass > 0}
    return {name: math.sqrt(masses[name] / (DENSITY * b) / math.pi) for name, b in lengths.items() if b > 0}


def select_muscles(names: Sequence[str], wanted: str | Iterable[str] | None) -> list[str]:
    """Return ``names`` that match a name or pattern in ``wanted``."""
    if wanted is None:
        return list(names)
    selected: set[str] = set()
    for pattern in [wanted] if isinstance(wanted, str) else wanted:
        fitting = {pattern} if pattern in names else {name for name in names if fnmatchcase(name, pattern)}
        if not fitting:
            raise UnknownNameError("muscle", pattern, names)
        selected |= fitting
    return [name for name in names if name in selected]


def _from_handsfield(ready: InitialisedModel, chosen: list[str], method: Handsfield) -> dict[str, tuple[float, str]]:
    """Return mass [kg] and source text by muscle, for the muscles in Handsfield's regression."""
    height, body_mass, density = method.height, method.body_mass, method.density
    if body_mass is None:
        body_mass = math.fsum(body.getMass() for body in ready.model.getBodySet())
        if body_mass < 30.0:
            raise OptionError(
                "body_mass", None, f"the whole person's mass in kg; the model has only {body_mass:.4g} kg"
            )
    total = handsfield.limb_volume(height, body_mass)
    together = handsfield.MEASURED_TOGETHER  # the measured muscles that each model muscle represents
    named = handsfield.anatomical_names(ready.muscles)
    claims = {n: tuple(dict.fromkeys(together.get(muscle, muscle) for muscle in each)) for n, each in named.items()}
    sizes = {name: math.prod(_strength(ready.muscles, name)) for name in claims if claims[name]}
    sharing: defaultdict[tuple[str, str], float] = defaultdict(float)
    for name, size in sizes.items():
        for muscle in claims[name]:
            sharing[side_of(name), muscle] += size
    person = f"Handsfield 2014 ({height:g} m, {body_mass:.6g} kg: {total:.8g} cm3 a limb)"
    rows = {}
    for name in chosen:
        volume, terms = 0.0, []
        for muscle in claims[name]:
            all_sizes = sharing[side_of(name), muscle]
            share = sizes[name] / all_sizes if all_sizes > 0.0 else math.nan
            part = handsfield.muscle_volume(muscle, total)
            volume += share * part
            terms.append(f"{muscle} {part:.6g} cm3" + (f" * {share:.6g}" if share != 1.0 else ""))
        if terms:
            rows[name] = (1e-6 * density * volume, f"{person}: {density:.10g} kg/m3 * ({' + '.join(terms)})")
    if chosen and not rows:
        raise MassError(
            "method 'handsfield' covers lower-limb muscles only, and none of these: " + ", ".join(chosen[:6])
        )
    return rows


def _strength(owned: Any, name: str) -> tuple[float, float]:
    """Return a muscle's maximum isometric force [N] and optimal fibre length [m]."""
    muscle = owned[name]
    return float(muscle.getMaxIsometricForce()), float(muscle.getOptimalFiberLength())
