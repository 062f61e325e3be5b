"""The sites where a cable wraps its obstacles: spans and order from the model, sides from the contact hints.

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


def survey_cable(samples: OpenSimPathSamples, widths: TouchWidths) -> Survey:
    """Find a cable's wrap sites.

    Args:
        samples: OpenSim's paths at the survey's poses.
        widths: half widths of the transition at touch.
    """
    notes, sites = [], []
    for name, surface in samples.surfaces.items():
        width = widths.at(samples.path.muscle, surface)
        turn = 1.0
        if surface.has_turn:
            turns = np.array(samples.turns(name) or [*_turns_at_hint(samples, name)])
            turn = 1.0 if turns.sum() >= 0 else -1.0
            other_share = float(np.mean(turns != turn)) if len(turns) else 0.0
            if other_share > 0:
                notes.append(f"OpenSim changes to the other side of '{name}' at {100 * other_share:.0f} % of poses")
        has_hint = bool(np.any(surface.hint))
        if not has_hint:
            notes.append(f"'{name}' has no contact hint: OpenSim lays the path the short way")
        first, last = samples.ranges[name]
        sites.append(WrapSite(surface, first, last, turn, has_hint, width))
    assert samples.cable is not None
    unconverged = samples.cable.unconverged
    if unconverged.any():
        worst = np.degrees(samples.cable.corners.max())
        notes.append(f"OpenSim's path has corners, up to {worst:.2g} deg, at {100 * unconverged.mean():.0f} % of poses")
    return Survey(tuple(sites), notes=tuple(notes))


def _turns_at_hint(samples: OpenSimPathSamples, name: str) -> Array:
    """Return the senses, +1 or -1, in which a path over a cylinder turns at its hint at all poses, (poses,)."""
    surface, (first, last) = samples.surfaces[name], samples.ranges[name]
    if surface.hint is None or not surface.hint.any():
        return np.empty(0)
    local = samples.local(name)
    chord = local[:, last] - local[:, first]
    return np.where(surface.hint[0] * chord[:, 1] - surface.hint[1] * chord[:, 0] >= 0, 1.0, -1.0)
