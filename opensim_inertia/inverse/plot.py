"""A picture of an inverse dynamics result."""

from __future__ import annotations

import os
import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from ..errors import OptionError
from ..pictures import save_pictures
from ..provenance import options_told

if TYPE_CHECKING:
    from .result import InverseDynamicsResult

#: Colours that stay apart for the colour-blind: grey, blue, vermilion.
COLORS = {"lumped": "0.25", "moved": "#0072B2", "inertial": "#D55E00"}
#: Coordinates that a reader looks for first, where they are there and change.
EXPECTED = re.compile(r"knee_angle|ankle_angle|hip_flexion|elbow_flex", re.IGNORECASE)
#: Of the body, in the names of coordinates.
SIDE = re.compile(r"_[rl](?=$|_)")
#: What a difference must be of the largest of its kind to be worth drawing.
NOTHING = 1e-9
#: And what moved mass must make of it to be drawn.
WORTH_SHOWING = 0.05
#: Lines of longer motions are thinner.
MANY_ROWS = 400
#: Of the caption, a little less than fit.
LETTERS_PER_INCH = 16.5


def plot_result(
    result: InverseDynamicsResult, path: str | os.PathLike[str] | None, coordinates: list[str] | None, most: int
) -> Figure:
    """See :meth:`InverseDynamicsResult.plot`."""
    if most < 1 or (coordinates is not None and not coordinates):
        raise OptionError("coordinates" if coordinates is not None else "most", coordinates or most, "at least one")
    names = coordinates or _most_changed(result, most)
    lumped, moved, inertial = (
        result.folded(forces) for forces in (result.lumped_forces, result.moved_forces, result.inertial_forces)
    )
    which = [result.coordinate_names.index(name) for name in names]
    most_moved = float(np.abs(moved - lumped)[:, which].max(initial=0.0))
    shows_moved = most_moved > WORTH_SHOWING * float(np.abs(inertial - lumped)[:, which].max(initial=0.0))
    columns = min(3 if len(names) > 4 else 2, len(names))
    rows = -(-len(names) // columns)
    width = max(4.4 * columns, 6.0)
    caption = _caption(result, int(LETTERS_PER_INCH * width))
    size = (width, 3.6 * rows + 0.7 + 0.17 * len(caption))
    figure = Figure(figsize=size, layout=ConstrainedLayoutEngine(w_pad=0.1, wspace=0.02))
    ratios = [ratio for _ in range(rows) for ratio in (1.6, 1.0)]
    axes = figure.subplots(2 * rows, columns, squeeze=False, gridspec_kw={"height_ratios": ratios}, sharex=True)
    thin = 0.6 if len(result.times) > MANY_ROWS else 1.0
    for k in range(rows * columns):
        top, bottom = axes[2 * (k // columns), k % columns], axes[2 * (k // columns) + 1, k % columns]
        if k >= len(names):
            top.axis("off")
            bottom.axis("off")
            continue
        i = which[k]
        top.plot(result.times, lumped[:, i], color=COLORS["lumped"], lw=2.6 * thin, label="lumped (OpenSim)")
        top.plot(result.times, inertial[:, i], color=COLORS["inertial"], lw=1.2 * thin, label="inertial muscles")
        bottom.plot(result.times, inertial[:, i] - lumped[:, i], color=COLORS["inertial"], lw=1.3 * thin)
        if shows_moved:
            style: dict[str, Any] = {"color": COLORS["moved"], "lw": 1.1 * thin, "ls": (0, (4, 3))}
            top.plot(result.times, moved[:, i], label="moved, not sliding", **style)
            bottom.plot(result.times, moved[:, i] - lumped[:, i], **style)
        if result.uncertainty is not None:
            lower, upper = result.difference_band(names[k])
            label = f"{100 * result.uncertainty.level:.0f} % band"
            bottom.fill_between(result.times, lower, upper, color=COLORS["inertial"], alpha=0.3, lw=0, label=label)
        unit = "N m" if result.rotational[i] else "N"
        top.set_title(names[k].replace("_", " "), fontsize=10)
        top.set_ylabel(f"{'moment' if result.rotational[i] else 'force'} [{unit}]", fontsize=9)
        bottom.set_ylabel(f"difference [{unit}]", fontsize=9)
        for axis in (top, bottom):
            axis.axhline(0, color="0.8", lw=0.6, zorder=0)
            axis.spines[["top", "right"]].set_visible(False)
            axis.margins(x=0)
            axis.tick_params(labelsize=8)
        bottom.tick_params(labelbottom=True)
        if k + columns >= len(names):
            bottom.set_xlabel("time [s]", fontsize=9)
    figure.align_ylabels()
    found: dict[str, Any] = {}
    for axis in (axes[0, 0], axes[1, 0]):
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    in_row = len(found) if width > 8 else 2
    figure.legend(list(found.values()), list(found), loc="outside upper center", ncols=in_row, frameon=False)
    figure.supxlabel("\n".join(caption), fontsize=7.5, color="0.35")
    if path is not None:
        save_pictures({Path(path): figure})
    return figure


def _caption(result: InverseDynamicsResult, width: int) -> list[str]:
    """What was assumed, in lines of so many letters."""
    text = "Difference: inertial - lumped."
    made = result.provenance
    if made:
        text += f" Model {made['model']['name']}, {made['muscles with mass']} muscles with "
        text += f"{made['muscle mass [kg]']:.3g}\xa0kg; "
        text += "; ".join(f"{key.replace('_', ' ')}: {value}" for key, value in options_told(made).items()) + "."
    if result.uncertainty is not None:
        u = result.uncertainty
        text += f" Band: mass of each muscle with a coefficient of variation of {100 * u.mass_cv:g}\xa0%"
        text += ", aponeuroses 0.5 to 1.5 of their length." if result.variants else "."
    if made:
        text += f" opensim_inertia\xa0{made['versions']['opensim_inertia']}."
    return textwrap.wrap(text, width)


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
        stem = SIDE.sub("", result.coordinate_names[i])
        if stem not in best or score[i] > score[best[stem]]:
            best[stem] = i
    sides = [m[0] for i in best.values() if (m := SIDE.search(result.coordinate_names[i]))]
    side = max(set(sides), key=sides.count) if sides else ""
    chosen = {}
    for stem, i in best.items():  # one leg, not a mixture of two
        name = result.coordinate_names[i]
        other = SIDE.sub(side, name) if side else name
        chosen[stem] = result.coordinate_names.index(other) if other in result.coordinate_names else i

    def rank(i: int) -> tuple[bool, bool, bool, float]:
        expected = bool(EXPECTED.search(result.coordinate_names[i])) and score[i] > NOTHING
        return on_base[i], not result.rotational[i], not expected, -float(score[i])

    order = sorted(chosen.values(), key=rank)
    return [result.coordinate_names[i] for i in sorted(order[:most], key=lambda i: (on_base[i], i))]
