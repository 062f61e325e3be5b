"""Plans of wraps in the user's cache, by checksums of the model, options, widths of touch and versions in use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ...files.documents import WRAP_PLANS, cache_key, keep, kept
from ..wrapping.plan import PathDifference, WrapPlan, fall_back
from ..wrapping.surfaces import Surface
from ..wrapping.survey import TouchWidths, WrapSite

__all__ = ["ComparedPlan", "PlanCache"]


@dataclass(frozen=True)
class ComparedPlan:
    """A plan before OpenSim's paths replace those that are far from them, and what was found of its paths."""

    plan: WrapPlan  # as :func:`~opensim_inertia.paths.wrapping.plan_wraps` makes it
    differences: Mapping[str, PathDifference]  # from OpenSim's paths, by muscle
    jumps: Mapping[str, float]  # the largest jump of each path that jumps [m], by muscle


class PlanCache:
    """The place in the user's cache of one plan, of a model's checksum, a way, muscles and widths of touch."""

    def __init__(self, checksum: str, way: str, strict: bool, muscles: Sequence[str], widths: TouchWidths) -> None:
        self._strict, self._widths = strict, widths
        half_thickness = {name: widths.half_thickness[name] for name in muscles if name in widths.half_thickness}
        inputs = {"model": checksum, "way": way, "strict": strict, "muscles": list(muscles)}
        self._key = cache_key(inputs | {"fixed": widths.fixed, "half thickness": half_thickness})

    def get(self, surfaces: Mapping[str, Mapping[str, Surface]]) -> ComparedPlan | None:
        """Return the plan, with its warnings, for surfaces by muscle and name, or None.

        UnsupportedPathError: ``strict``, and a muscle's wraps cannot be led smoothly.
        """
        content = kept(WRAP_PLANS, self._key)
        if content is None:
            return None
        try:
            compared = self._read(content, surfaces)
        except (KeyError, TypeError, ValueError, AttributeError):  # written by something else
            return None
        fall_back(compared.plan.opensim, self._strict, compared.plan.cables)
        return compared

    def put(self, compared: ComparedPlan) -> None:
        """Keep a plan whose paths are led by formulas alone."""
        plan = compared.plan
        sites = {
            name: [[s.surface.name, int(s.first), int(s.last), float(s.turn), bool(s.long_way)] for s in of_muscle]
            for name, of_muscle in plan.sites.items()
        }
        content = {
            "sites": sites,
            "opensim": dict(plan.opensim),
            "notes": {name: list(notes) for name, notes in plan.notes.items()},
            "cables": sorted(plan.cables),
            "unconverged": dict(plan.unconverged),
            "differences": {name: asdict(difference) for name, difference in compared.differences.items()},
            "jumps": dict(compared.jumps),
        }
        keep(WRAP_PLANS, self._key, content)

    def _read(self, content: Mapping[str, Any], surfaces: Mapping[str, Mapping[str, Surface]]) -> ComparedPlan:
        sites = {}
        for name, of_muscle in content["sites"].items():
            by_name = surfaces[name]
            sites[name] = tuple(
                WrapSite(by_name[at], first, last, turn, long_way, self._widths.at(name, by_name[at]))
                for at, first, last, turn, long_way in of_muscle
            )
        plan = WrapPlan(
            sites,
            dict(content["opensim"]),
            {name: tuple(notes) for name, notes in content["notes"].items()},
            cables=frozenset(content["cables"]),
            unconverged=dict(content["unconverged"]),
        )
        differences = {name: PathDifference(**difference) for name, difference in content["differences"].items()}
        return ComparedPlan(plan, differences, dict(content["jumps"]))
