"""Choice of a method for each muscle's path over wrap objects: smooth formula, network or OpenSim's path."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace

from ..._core.checks import warn
from ..._core.errors import Option, UnsupportedPathError, listed
from ..._core.representation import Described, some_names
from ..._core.warnings import WrappingFallbackWarning
from ...files.documents import WRAP_PLANS, keep, kept
from ...opensim_model.reading.paths import CABLE
from .current_path import FAR
from .path_samples import OpenSimPathSamples
from .surfaces import Surface
from .survey import WrapSite, survey, survey_cable

#: A smooth path is rejected if its length differs from OpenSim's by more than this [m] at more than this share of
#: poses.
DIFFERENT = 2e-3
DIFFERENT_SHARE = 0.5

#: Least half width of smoothing, as a share of the surface's smallest radius.
SMOOTHING = 0.1

#: ``getLength`` is compared at each state if the survey shows a larger difference [m].
SUSPECT = 2e-3


@dataclass(frozen=True)
class PathDifference:
    """Differences between a muscle's smooth path and OpenSim's path over many poses."""

    points: float  # largest distance of mass points (equal masses, uniform strain) [m]
    length: float  # largest absolute difference of lengths [m]
    share: float  # share of poses with a length difference above ``DIFFERENT``, or without a smooth path
    reason: str  # cause at the largest difference
    pose: Mapping[str, float]  # coordinates at the largest difference [rad or m], by name
    winding: float = 0.0  # share of poses, not compared, with OpenSim's path the long way round
    reported: float = 0.0  # largest difference from ``getLength``, if no end lies inside a surface [m]
    longer: bool = False  # whether OpenSim's path is only slightly longer at the largest difference

    @property
    def size(self) -> float:
        """The larger of two differences [m]: largest distance of corresponding points, and path length difference."""
        return max(self.points, self.length)


@dataclass(frozen=True, repr=False)
class WrapPlan(Described):
    """Method for each muscle's path over wrap objects: smooth formula, network or OpenSim's path.

    Attributes:
        sites: wrap sites of smooth paths, in path order, by formula or network.
        opensim: reasons for OpenSim's own paths.
        differences: differences of smooth paths from OpenSim's over the range of motion.
        jumps: largest length jump of smooth paths that jump [m].
        cables: muscles with cables, always smooth, since OpenSim's points are too inaccurate to differentiate.
        unconverged: share of poses, not compared, with corners in OpenSim's path of a cable.
    """

    sites: dict[str, tuple[WrapSite, ...]]
    opensim: dict[str, str]
    notes: dict[str, tuple[str, ...]]  # remarks about wraps, by muscle
    differences: dict[str, PathDifference] = field(default_factory=dict)
    jumps: dict[str, float] = field(default_factory=dict)
    cables: frozenset[str] = frozenset()
    unconverged: dict[str, float] = field(default_factory=dict)

    def touched_over(self, fixed: float | None, half_thickness: Mapping[str, float]) -> WrapPlan:
        """Return the plan with half widths of contact smoothing [m]: ``fixed`` or, if None, muscles' half thickness.

        Networks have a fixed width.
        """

        def width(muscle: str, site: WrapSite) -> float:
            thickness = 0.0 if site.network else half_thickness.get(muscle, 0.0)
            least, most = SMOOTHING * site.surface.thickness, site.surface.widest_touch
            return max(least, min(thickness, most)) if fixed is None else fixed

        sites = {n: tuple(replace(s, smoothing=width(n, s)) for s in sites) for n, sites in self.sites.items()}
        return replace(self, sites=sites)

    def exact(self, keep_networks: bool) -> WrapPlan:
        """Return the plan without contact smoothing or networks; ``keep_networks`` exempts surfaces with networks."""

        def sharpened(site: WrapSite) -> WrapSite:
            return site if keep_networks and site.network else replace(site, smoothing=0.0, network=False)

        sites = {name: tuple(map(sharpened, of_muscle)) for name, of_muscle in self.sites.items()}
        return replace(self, sites=sites)

    @property
    def touch_half_widths(self) -> dict[str, tuple[float, float]]:
        """Least and largest half width [m] of smoothing where paths touch surfaces, by muscle."""
        widths = {name: [site.smoothing for site in of_muscle] for name, of_muscle in self.sites.items()}
        return {name: (min(of_muscle), max(of_muscle)) for name, of_muscle in widths.items() if of_muscle}

    def compared(self, differences: Mapping[str, PathDifference], strict: bool) -> WrapPlan:
        """Return the plan with OpenSim's paths where smooth paths have large ``differences``; warn of these muscles.

        UnsupportedPathError: ``strict`` or a cable, and a large difference.
        """
        reasons = {
            name: f"OpenSim's path is longer or shorter by more than {1e3 * DIFFERENT:.0f} mm, or there is none, at "
            f"{100 * difference.share:.0f} % of poses"
            for name, difference in differences.items()
            if difference.share > DIFFERENT_SHARE
        }
        fall_back(reasons, strict, self.cables)
        sites = {name: difference for name, difference in self.sites.items() if name not in reasons}
        kept_differences = {name: difference for name, difference in differences.items() if name not in reasons}
        return replace(self, sites=sites, opensim=self.opensim | reasons, differences=kept_differences)

    @property
    def different(self) -> dict[str, PathDifference]:
        """Differences from OpenSim's paths, for muscles with a difference above the limit ``DIFFERENT`` [m]."""
        return {n: d for n, d in self.differences.items() if d.size > DIFFERENT}

    @property
    def watched_lengths(self) -> frozenset[str]:
        """Muscles with doubtful path lengths, which analyses compare with ``getLength`` at each state."""
        far = {name for name, difference in self.differences.items() if difference.reported > SUSPECT}
        return frozenset(far | {name for name, jump in self.jumps.items() if jump > FAR})

    def summary(self) -> str:
        """Return a warning's text: numbers of muscles with path differences, jumps or corners; empty if all are 0."""
        furthest = max(self.different.values(), key=lambda d: d.size, default=None)
        jump, far = 1e3 * max(self.jumps.values(), default=0.0), "" if furthest is None else _millimetres(furthest)
        parts = (
            (self.different, "is", "are", f"up to {far} from OpenSim's path"),
            (self.jumps, "has a smooth path that jumps", "have smooth paths that jump", f"by up to {jump:.1f} mm"),
            (self.unconverged, "has a path", "have paths", "of OpenSim's with corners"),
        )
        return ", ".join(
            f"{len(names)} of {len(self.sites)} wrapping muscles {one if len(names) == 1 else several} {text}"
            for names, one, several, text in parts
            if names
        )

    def describe_differences(self) -> str:
        """Return text listing muscles with path differences, jumps, corners, or paths the long way round obstacles."""
        different = sorted(self.different.items(), key=lambda item: -item[1].points)
        lists = {
            f"smooth paths are more than {1e3 * DIFFERENT:.0f} mm from OpenSim's somewhere in the range of motion, "
            "at least as far as given here": [f"{name} ({_millimetres(d)}: {d.reason})" for name, d in different],
            "lengths of smooth paths jump somewhere in the range of motion": [
                f"{name} ({1e3 * size:.1f} mm)" for name, size in self.jumps.items()
            ],
            "OpenSim's own paths over obstacles have corners, which it does not notice, at some poses": [
                f"{name} ({100 * share:.0f} %)" for name, share in self.unconverged.items()
            ],
            "OpenSim's own paths wind the long way round at some poses, which are not compared": [
                f"{name} ({100 * d.winding:.0f} %)" for name, d in self.differences.items() if d.winding
            ],
        }
        return ". ".join(f"{start}: {', '.join(names)}" for start, names in lists.items() if names)

    def description(self) -> dict[str, str]:
        """Return text on smooth paths, OpenSim's paths and differences between both, by topic."""
        obstructed = {name: reason for name, reason in self.opensim.items() if reason != ASKED}
        as_asked = [name for name, reason in self.opensim.items() if reason == ASKED]
        lines = {"smooth paths": some_names(list(self.sites)) or "none"}
        if as_asked:
            lines["OpenSim's paths, as asked"] = some_names(as_asked)
        lines |= {f"{name}, OpenSim's path": reason for name, reason in obstructed.items()}
        lines |= {f"{name}, at least {_millimetres(d)} off": d.reason for name, d in self.different.items()}
        return lines


#: Reason for OpenSim's path if requested by the user.
ASKED = "asked for"


def plan_wraps(way: str, samples: Mapping[str, OpenSimPathSamples], strict: bool = False) -> WrapPlan:
    """Return the plan for the method ``way``, from OpenSim's sampled paths; smoothing widths are set later.

    Cables use the formula. UnsupportedPathError: ``strict`` or a cable, and the method is impossible.
    """
    cables = frozenset(name for name, paths in samples.items() if paths.path.is_cable)
    surveys = {
        name: survey_cable(paths) if name in cables else survey(paths)
        for name, paths in samples.items()
        if name in cables or way != "opensim"
    }
    reasons = {name: reason for name, (_, reason, _) in surveys.items() if reason}
    fall_back(reasons, strict, cables)
    sites = {name: found for name, (found, reason, _) in surveys.items() if not reason}
    if way == "neural":
        led = {n: of_muscle for n, of_muscle in sites.items() if n not in cables}
        sites |= {n: tuple(replace(s, network=s.surface.planar) for s in of_muscle) for n, of_muscle in led.items()}
        without = {n: [s.surface for s in of_muscle if not s.surface.planar] for n, of_muscle in led.items()}
        missing = {n: [f"{s.kind} '{s.name}'" for s in surfaces] for n, surfaces in without.items() if surfaces}
        for muscle, surfaces in missing.items() if strict else ():
            problem = f"cannot be led by networks: there is none for its {surfaces[0]}, only for cylinders and spheres"
            raise UnsupportedPathError(muscle, "its wraps", problem)
        if missing:
            listing = "; ".join(f"muscle '{muscle}': {', '.join(surfaces)}" for muscle, surfaces in missing.items())
            text = f"no network leads paths over some wraps; the analytic path is used there ({listing})"
            warn(WrappingFallbackWarning(text))
    notes = {name: remarks for name, (_, _, remarks) in surveys.items() if remarks}
    unconverged = {name: float(item.unconverged.mean()) for name, item in samples.items() if item.unconverged.any()}
    return WrapPlan(sites, reasons, notes, cables=cables, unconverged=unconverged)


def all_by_opensim(muscles: Iterable[str]) -> WrapPlan:
    """Return the plan that uses OpenSim's own paths for these muscles."""
    return WrapPlan({}, dict.fromkeys(muscles, ASKED), {})


def _millimetres(difference: PathDifference) -> str:
    millimetres = 1e3 * difference.size
    return f"{millimetres:.1f} mm" if millimetres < 9.95 else f"{millimetres:.0f} mm"


def fall_back(reasons: Mapping[str, str], strict: bool, cables: Collection[str]) -> None:
    """Warn that muscles in ``reasons`` use OpenSim's paths; if ``strict`` or for cables, raise UnsupportedPathError."""
    for name, reason in reasons.items():
        if name in cables:
            problem = f"cannot be led over its obstacles: {reason}. Leave it out of the masses, or change the hints"
            raise UnsupportedPathError(name, f"its {CABLE}", problem)
        if strict:
            raise UnsupportedPathError(name, "its wraps", f"cannot be led smoothly: {reason}")
    if len(reasons) == 1:
        ((name, reason),) = reasons.items()
        subject = f"muscle '{name}': its wraps cannot be led smoothly ({reason}); OpenSim's own path is used for it ("
    elif reasons:
        subject = (
            f"{len(reasons)} muscles ({listed(reasons)}): their wraps cannot be led smoothly, and .wraps says why; "
            "OpenSim's own paths are used for them ("
        )
    if reasons:
        jumps = ": slower, with jumps of the Jacobian at touch)"
        warn(WrappingFallbackWarning(subject, Option("wrapping", "opensim"), jumps))


def kept_plan(key: str, surfaces: Mapping[str, Mapping[str, Surface]], strict: bool) -> WrapPlan | None:
    """Return the plan cached under ``key``, None if absent or unreadable; warn and raise like :func:`fall_back`."""
    content = kept(WRAP_PLANS, key)
    if content is None:
        return None
    try:
        sites = {
            name: tuple(WrapSite(surfaces[name][at], *rest) for at, *rest in of_muscle)
            for name, of_muscle in content["sites"].items()
        }
        differences = {name: PathDifference(**difference) for name, difference in content["differences"].items()}
        notes = {name: tuple(notes) for name, notes in content["notes"].items()}
        cables, jumps = frozenset(content["cables"]), dict(content["jumps"])
        plan = WrapPlan(
            sites, dict(content["opensim"]), notes, differences, jumps, cables, dict(content["unconverged"])
        )
    except (KeyError, TypeError, ValueError, AttributeError):  # a foreign file
        return None
    fall_back(plan.opensim, strict, plan.cables)
    return plan


def keep_plan(key: str, plan: WrapPlan) -> None:
    """Cache a plan under ``key``, with differences from OpenSim's paths and jumps of smooth paths."""
    sites = {
        name: [[s.surface.name, int(s.first), int(s.last), float(s.turn), bool(s.long_way)] for s in of_muscle]
        for name, of_muscle in plan.sites.items()
    }
    differences = {name: asdict(difference) for name, difference in plan.differences.items()}
    keep(WRAP_PLANS, key, vars(plan) | {"sites": sites, "differences": differences, "cables": sorted(plan.cables)})
