"""The sites where a cable wraps its obstacles: the model says the spans and their order, the contact hints the sides.

OpenSim's search for the contact starts at the hint, along the line between the neighbouring points. A path over a
cylinder holds the sense in which that start turns about the axis at most poses; over a sphere or an ellipsoid it passes
on the side of the hint. Where the line between the neighbours passes clear beyond the surface the path still goes round
it. Without a hint OpenSim lays it the short way.
"""

from __future__ import annotations

import numpy as np

from ..._core.arrays import Array
from .path_samples import OpenSimPathSamples
from .survey import Survey, WrapSite
from .touch_width import TouchWidths


def survey_cable(seen: OpenSimPathSamples, widths: TouchWidths) -> Survey:
    """Find a cable's wrap sites.

    Args:
        seen: what OpenSim did at the survey's poses.
        widths: half widths of the transition at touch.
    """
    notes, sites = [], []
    for name, surface in seen.surfaces.items():
        width = widths.at(seen.path.muscle, surface)
        turn = 1.0
        if surface.has_turn:
            turns = np.array(seen.turns(name) or [*_turns_at_hint(seen, name)])
            turn = 1.0 if turns.sum() >= 0 else -1.0
            other = float(np.mean(turns != turn)) if len(turns) else 0.0
            if other > 0:
                notes.append(f"OpenSim changes to the other side of '{name}' at {100 * other:.0f} % of poses")
        holds = bool(np.any(surface.hint))
        if not holds:
            notes.append(f"'{name}' has no contact hint: OpenSim lays the path the short way")
        first, last = seen.ranges[name]
        sites.append(WrapSite(surface, first, last, turn, holds, width))
    assert seen.cable is not None
    lost = seen.cable.unconverged
    if lost.any():
        worst = np.degrees(seen.cable.corners.max())
        notes.append(f"OpenSim's path has corners, up to {worst:.2g} deg, at {100 * lost.mean():.0f} % of poses")
    return Survey(tuple(sites), notes=tuple(notes))


def _turns_at_hint(seen: OpenSimPathSamples, name: str) -> Array:
    """Return the senses, +1 or -1, in which a path over a cylinder turns at its hint at all poses, (poses,)."""
    surface, (first, last) = seen.surfaces[name], seen.ranges[name]
    if surface.hint is None or not surface.hint.any():
        return np.empty(0)
    local = seen.local(name)
    chord = local[:, last] - local[:, first]
    return np.where(surface.hint[0] * chord[:, 1] - surface.hint[1] * chord[:, 0] >= 0, 1.0, -1.0)
