"""A picture of an inverse dynamics result."""

from __future__ import annotations

import os
import re
import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from ..errors import OptionError, UnknownNameError
from ..files import writing

if TYPE_CHECKING:
    from .result import InverseDynamicsResult

#: Colours that stay apart for the colour-blind: grey, blue, vermilion.
COLORS = {"lumped": "0.25", "moved": "#0072B2", "inertial": "#D55E00"}
#: Coordinates that a reader looks for first, where they are there and change.
EXPECTED = re.compile(r"knee_angle|ankle_angle|hip_flexion|elbow_flex", re.IGNORECASE)
#: What a difference must be of the largest of its kind to be worth drawing.
NOTHING = 1e-9
#: And what moved mass must make of it to be drawn.
WORTH_SHOWING = 0.05


def plot_result(
    result: InverseDynamicsResult, path: str | os.PathLike[str] | None, coordinates: list[str] | None, most: int
) -> Figure:
    """See :meth:`InverseDynamicsResult.plot`."""
    if most < 1 or (coordinates is not None and not coordinates):
        raise OptionError("coordinates" if coordinates is not None else "most", coordinates or most, "at least one")
    names = coordinates or _most_changed(result, most)
    for name in names:
        if name not in result.coordinate_names:
            raise UnknownNameError("coordinate", name, result.coordinate_names)
    lumped, moved, inertial = (
        result.folded(forces) for forces in (result.lumped_forces, result.moved_forces, result.inertial_forces)
    )
    which = [result.coordinate_names.index(name) for name in names]
    most_moved = float(np.abs(moved - lumped)[:, which].max(initial=0.0))
    shows_moved = most_moved > WORTH_SHOWING * float(np.abs(inertial - lumped)[:, which].max(initial=0.0))
    columns = min(3 if len(names) > 4 else 2, len(names))
    rows = -(-len(names) // columns)
    caption = _caption(result)
    figure = Figure(figsize=(4.4 * columns, 3.6 * rows + 0.7 + 0.17 * len(caption)), layout="constrained")
    ratios = [ratio for _ in range(rows) for ratio in (1.6, 1.0)]
    axes = figure.subplots(2 * rows, columns, squeeze=False, gridspec_kw={"height_ratios": ratios}, sharex=True)
    for k in range(rows * columns):
        pair = axes[2 * (k // columns), k % columns], axes[2 * (k // columns) + 1, k % columns]
        if k >= len(names):
            for axis in pair:
                axis.axis("off")
            continue
        i = result.coordinate_names.index(names[k])
        top, bottom = pair
        top.plot(result.times, lumped[:, i], color=COLORS["lumped"], lw=2.4, label="lumped (OpenSim)")
        top.plot(result.times, inertial[:, i], color=COLORS["inertial"], lw=1.3, label="inertial muscles")
        bottom.plot(result.times, inertial[:, i] - lumped[:, i], color=COLORS["inertial"], lw=1.3)
        if shows_moved:
            for axis, less in ((top, 0.0), (bottom, lumped[:, i])):
                axis.plot(
                    result.times,
                    moved[:, i] - less,
                    color=COLORS["moved"],
                    lw=1.1,
                    ls=(0, (4, 3)),
                    label="moved, not sliding",
                )
        if result.uncertainty is not None:
            lower, upper = result.difference_band(names[k])
            label = f"{100 * result.uncertainty.level:.0f} % band"
            bottom.fill_between(result.times, lower, upper, color=COLORS["inertial"], alpha=0.2, lw=0, label=label)
        unit = "N m" if result.rotational[i] else "N"
        top.set_title(names[k].replace("_", " "), fontsize=10)
        top.set_ylabel(f"{'moment' if result.rotational[i] else 'force'} [{unit}]", fontsize=9)
        bottom.set_ylabel(f"difference [{unit}]", fontsize=9)
        for axis in pair:
            axis.axhline(0, color="0.8", lw=0.6, zorder=0)
            axis.spines[["top", "right"]].set_visible(False)
            axis.margins(x=0)
            axis.tick_params(labelsize=8)
        bottom.set_xlabel("time [s]", fontsize=9)
    figure.align_ylabels()
    found: dict[str, Any] = {}
    for axis in (axes[0, 0], axes[1, 0]):
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    figure.legend(list(found.values()), list(found), loc="outside upper center", ncols=len(found), frameon=False)
    figure.supxlabel("\n".join(caption), fontsize=7.5, color="0.35")
    if path is not None:
        with writing(path) as temporary:
            figure.savefig(temporary, dpi=150)
    return figure


def _caption(result: InverseDynamicsResult) -> list[str]:
    """What was assumed, in lines."""
    made = result.provenance
    if not made:
        return []
    options = made["options"]
    text = (
        f"Model {made['model']['name']}, {made['muscles with mass']} muscles with {made['muscle mass [kg]']:.3g} kg. "
        + "; ".join(f"{key.replace('_', ' ')}: {value}" for key, value in options.items() if _short(value))
        + "."
    )
    if result.uncertainty is not None:
        u = result.uncertainty
        text += f" Band: mass of each muscle with a coefficient of variation of {100 * u.mass_cv:g} %"
        text += ", aponeuroses 0.5 to 1.5 of their length." if result.variants else "."
    return textwrap.wrap(text + f" opensim_inertia {made['versions']['opensim_inertia']}.", 150)


def _short(value: object) -> bool:
    return value is not None and not isinstance(value, dict)


def _most_changed(result: InverseDynamicsResult, most: int) -> list[str]:
    """Coordinates whose force changes most relative to its size, joints before the base; of a pair the side that
    changes more; knee and ankle first.
    """
    difference = result.folded(result.inertial_forces - result.lumped_forces)
    lumped = result.folded(result.lumped_forces)
    change, size = (np.sqrt((forces**2).mean(axis=0)) for forces in (difference, lumped))
    score = np.where(size > 1e-6 * size.max(initial=1.0), change / np.where(size > 0, size, 1.0), 0.0)
    on_base = result.on_base or (False,) * len(score)
    best: dict[str, int] = {}
    for i in result.independent:
        stem = re.sub(r"_[rl](?=$|_)", "", result.coordinate_names[i])
        if stem not in best or score[i] > score[best[stem]]:
            best[stem] = i
    sides = [m[0] for i in best.values() if (m := re.search(r"_[rl](?=$|_)", result.coordinate_names[i]))]
    side = max(set(sides), key=sides.count) if sides else ""
    chosen = {}
    for stem, i in best.items():  # one leg, not a mixture of two
        name = result.coordinate_names[i]
        other = re.sub(r"_[rl](?=$|_)", side, name) if side else name
        chosen[stem] = result.coordinate_names.index(other) if other in result.coordinate_names else i

    def rank(i: int) -> tuple[bool, bool, bool, float]:
        expected = bool(EXPECTED.search(result.coordinate_names[i])) and score[i] > NOTHING
        return on_base[i], not result.rotational[i], not expected, -float(score[i])

    order = sorted(chosen.values(), key=rank)
    return [result.coordinate_names[i] for i in sorted(order[:most])]
