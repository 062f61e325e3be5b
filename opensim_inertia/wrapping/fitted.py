"""Paths over wrap objects as polynomials of the coordinates: what was fitted, how well, and files of it.

How they are fitted stands in the room ``fitted_paths``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..arrays import Array
from ..errors import FileFormatError, InertiaWarning
from ..files import checksum, writing
from ..polynomial import PolynomialError, Polynomials
from ..reading import MusclePath, PolynomialPoint

__all__ = ["CLOSE", "FittedPath", "FittedPaths", "FittedSection", "PathFitWarning", "PathJump"]

#: Fitted paths shall be within this of OpenSim's [m].
CLOSE = 1e-3

#: The word and the version that files of fitted paths begin with.
KIND, VERSION = "opensim_inertia fitted paths", 1


class PathFitWarning(InertiaWarning):
    """A fitted path is not where OpenSim's is, or is used where it was not fitted."""


@dataclass(frozen=True)
class PathJump:
    """A jump of OpenSim's path between two poses that lie next to each other.

    Attributes:
        size: how far a place on the path jumps [m].
        pose: coordinate values there that move the path [rad or m], by name.
    """

    size: float
    pose: Mapping[str, float]


@dataclass(frozen=True)
class FittedSection:
    """A part of a path, between two path points, as a polyline whose points are polynomials of the coordinates.

    Attributes:
        first, last: indices of the path points between which it lies, those of the model.
        coordinates: names of the polynomials' variables.
        bodies: body in whose frame each of n points moves.
        polynomials: 3 n of them, the points' stations [m].
    """

    first: int
    last: int
    coordinates: tuple[str, ...]
    bodies: tuple[str, ...]
    polynomials: Polynomials

    def points(self) -> list[PolynomialPoint]:
        """Return the points in their order along the path."""
        return [
            PolynomialPoint(f"{self.first}-{self.last}.{i}", body, self.coordinates, self.polynomials, i)
            for i, body in enumerate(self.bodies)
        ]


@dataclass(frozen=True)
class FittedPath:
    """A muscle's path of which parts over wrap objects are polynomials of the coordinates.

    Attributes:
        source: the model's path, in whose place the other is.
        sections: the fitted parts, in their order along it.
        ranges: of coordinate values over which it was fitted [rad or m], by name.
        poses: number of poses at which it was compared with OpenSim's path.
        largest, rms: distance of mass points from those on OpenSim's path at these poses, at most and root mean
            square [m]: 20 at equal distances along the whole path.
        length: largest difference of the lengths there [m].
        jumps: jumps of OpenSim's path that were found, the largest first.
        left_out: number of further poses that lie beyond such jumps: they were not fitted and are not compared.
        probe: coordinate values (n, coordinates) by name, and places on OpenSim's path there (n, points, 3), by which
            another model's path is told apart.
    """

    source: MusclePath
    sections: tuple[FittedSection, ...]
    ranges: Mapping[str, tuple[float, float]]
    poses: int
    largest: float
    rms: float
    length: float
    jumps: tuple[PathJump, ...]
    left_out: int
    probe: tuple[Mapping[str, list[float]], Array]

    @property
    def path(self) -> MusclePath:
        """The path that the kernel takes: the sections' points in place of what the model has between their ends."""
        points, at = list(self.source.points), 0
        for section in self.sections:
            inner = section.points()
            points[at + section.first + 1 : at + section.last] = inner
            at += len(inner) - (section.last - section.first - 1)
        return replace(self.source, points=tuple(points), wraps=())

    @property
    def is_close(self) -> bool:
        """Whether it is within ``CLOSE`` of OpenSim's path, which was not seen to jump."""
        return self.largest <= CLOSE and not self.jumps

    @property
    def terms(self) -> int:
        """The number of terms of its largest polynomials."""
        return max((len(section.polynomials.exponents) for section in self.sections), default=0)

    def described(self) -> dict[str, Any]:
        """Return what matters of the fit, as JSON knows it."""
        return {
            "largest distance [m]": self.largest,
            "rms distance [m]": self.rms,
            "largest difference of length [m]": self.length,
            "poses": self.poses,
            "poses beyond jumps, left out": self.left_out,
            "jumps of OpenSim's path [m]": [jump.size for jump in self.jumps],
            "ranges": {name: list(bounds) for name, bounds in self.ranges.items()},
            "terms": self.terms,
        }


class FittedPaths(Mapping[str, FittedPath]):
    """Fitted paths by muscle, which files keep.

    Args:
        paths: the paths.
    """

    def __init__(self, paths: Mapping[str, FittedPath]) -> None:
        self._paths = dict(paths)

    def __getitem__(self, muscle: str) -> FittedPath:
        return self._paths[muscle]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fits to a JSON file, whole or not at all. What is read from the model is not in it."""
        muscles = {name: _stored(fitted) for name, fitted in self.items()}
        with writing(path) as temporary:
            stored = {"kind": KIND, "version": VERSION, "sha256": checksum(muscles), "muscles": muscles}
            Path(temporary).write_text(json.dumps(stored))

    @classmethod
    def load(cls, path: str | os.PathLike[str], sources: Mapping[str, MusclePath]) -> FittedPaths:
        """Read the fits of muscles from a JSON file.

        Args:
            path: the file.
            sources: the model's paths, by muscle; fits of other muscles are left out.

        Raises:
            FileFormatError: there is no such file, or it is damaged or of another kind or version.
        """
        try:
            stored = json.loads(Path(path).read_text())
            if not isinstance(stored, dict) or stored.get("kind") != KIND:
                raise FileFormatError(
                    path,
                    "is no file of fitted paths, which wrapping 'polynomial' writes where 'fits' names a new file; "
                    "polynomials of lengths, as 'fit_paths' makes them, have no places for mass",
                )
            if stored["version"] != VERSION:
                raise ValueError(f"version {stored['version']!r}; expected {VERSION}")
            if "sha256" in stored and stored["sha256"] != checksum(stored["muscles"]):
                raise FileFormatError(path, "was changed since it was written: its numbers do not fit its checksum")
            known = {name: one for name, one in stored["muscles"].items() if name in sources}
            return cls({name: _restored(one, sources[name]) for name, one in known.items()})
        except OSError as error:
            raise FileFormatError(path, f"cannot be read: {error.strerror}") from None
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, PolynomialError) as error:
            raise FileFormatError(path, f"holds no fitted paths: {error!r}") from None


def _stored(fitted: FittedPath) -> dict[str, Any]:
    values, places = fitted.probe
    return {
        "points": len(fitted.source.points),
        "sections": [
            {
                "first": s.first,
                "last": s.last,
                "coordinates": s.coordinates,
                "bodies": s.bodies,
                "polynomials": s.polynomials.to_dict(),
            }
            for s in fitted.sections
        ],
        "ranges": {name: list(bounds) for name, bounds in fitted.ranges.items()},
        "poses": fitted.poses,
        "largest": fitted.largest,
        "rms": fitted.rms,
        "length": fitted.length,
        "jumps": [{"size": jump.size, "pose": dict(jump.pose)} for jump in fitted.jumps],
        "left_out": fitted.left_out,
        "probe": {"coordinates": dict(values), "places": places.tolist()},
    }


def _restored(stored: Mapping[str, Any], source: MusclePath) -> FittedPath:
    if stored["points"] != len(source.points):
        raise ValueError(f"the path of '{source.muscle}' had {stored['points']} points, now {len(source.points)}")
    sections = tuple(_section(s, len(source.points)) for s in stored["sections"])
    probe = stored["probe"]
    values = {str(name): [float(x) for x in column] for name, column in probe["coordinates"].items()}
    return FittedPath(
        source,
        sections,
        {str(name): (float(low), float(high)) for name, (low, high) in stored["ranges"].items()},
        int(stored["poses"]),
        float(stored["largest"]),
        float(stored["rms"]),
        float(stored["length"]),
        tuple(PathJump(float(jump["size"]), dict(jump["pose"])) for jump in stored["jumps"]),
        int(stored["left_out"]),
        (values, np.array(probe["places"], dtype=float)),
    )


def _section(stored: Mapping[str, Any], points: int) -> FittedSection:
    section = FittedSection(
        int(stored["first"]),
        int(stored["last"]),
        tuple(map(str, stored["coordinates"])),
        tuple(map(str, stored["bodies"])),
        Polynomials.from_dict(stored["polynomials"]),
    )
    fits = section.polynomials.outputs == 3 * len(section.bodies)
    fits = fits and section.polynomials.variables == len(section.coordinates)
    if not fits or not 0 <= section.first < section.last < points:
        raise ValueError("a section's parts do not fit together")
    return section
