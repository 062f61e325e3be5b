"""How gradually a muscle comes to bear on a wrap object: the half width of the transition at touch.

A belly is centimetres thick and does not meet a surface all at once. So the transition is as wide as the belly is
thick: its half width is the belly's half thickness, within what the surface allows. Wider than the surface's radius it
would not have ended where the straight line between the neighbours passes through the axis.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .surfaces import Surface

#: Least half width of the transition at touch, as a share of the surface's smallest radius; that of thin muscles, and
#: of those whose thickness is unknown.
SMOOTHING = 0.1


@dataclass(frozen=True)
class TouchWidths:
    """The half widths of the transition at touch, of all muscles and surfaces.

    Attributes:
        fixed: one half width for all of them [m]; None: each muscle's half thickness.
        half_thickness: of the muscles' bellies [m], by muscle; of those that are not named it is unknown.
    """

    fixed: float | None = None
    half_thickness: Mapping[str, float] = field(default_factory=dict)

    def at(self, muscle: str, surface: Surface) -> float:
        """Return the half width with which a muscle touches a surface [m]."""
        if self.fixed is not None:
            return self.fixed
        return max(SMOOTHING * surface.thickness, min(self.half_thickness.get(muscle, 0.0), surface.widest_touch))
