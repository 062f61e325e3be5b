"""What the band of a run covers, settled before its rows are solved."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, NamedTuple

from ...model import InertialModel
from ...muscles.material import LARGEST_SHARE, LONGEST
from .bellies import Bellies
from .uncertainty import FEWEST, RIGID, Uncertainty, drawn

__all__ = ["Unknown"]


class Unknown(NamedTuple):
    """What a band covers.

    Attributes:
        uncertainty: of masses and places.
        bellies: of the muscles.
    """

    uncertainty: Uncertainty
    bellies: Bellies

    @classmethod
    def of(cls, inertial: InertialModel, uncertainty: Uncertainty, notes: list[str]) -> Unknown | None:
        """Return what a band covers; None where most draws are of masses that segments do not have, as is noted."""
        bellies = Bellies.of(inertial, uncertainty.placement)
        left_out = drawn(uncertainty, bellies, len(inertial.muscle_names)).left_out
        if left_out:
            which = (
                f"{left_out} of {uncertainty.draws} draws, in which muscles ask a segment for all of its mass or more"
            )
            enough = uncertainty.draws - left_out >= FEWEST
            notes.append(f"the band leaves out {which}" if enough else f"there is no band: it would leave out {which}")
            return cls(uncertainty, bellies) if enough else None
        return cls(uncertainty, bellies)

    @property
    def described(self) -> dict[str, Any]:
        """What the band covers, and what came of its draws, as JSON knows it."""
        placed = {}
        if self.bellies.strands is not None:
            placed = {
                "aponeurosis": [0.0, LONGEST],
                "free tendon at the origin": [0.0, LARGEST_SHARE],
                "rigid tendons": RIGID,
            }
        draws = drawn(self.uncertainty, self.bellies, int(self.bellies.muscles[-1]) + 1)
        return asdict(self.uncertainty) | placed | draws.described()
