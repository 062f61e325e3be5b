"""Polynomial paths: paths over wrap objects whose points are polynomials of the coordinates, and files of them.

They have places, and so carry mass; polynomials of lengths
(:class:`~opensim_inertia.length_polynomials.LengthPolynomials`) have none. How they are fitted stands in the room
``polynomial_paths``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..._core.errors import FileFormatError, PolynomialError
from ..._core.numerics.polynomial import Polynomials
from ...files.documents import POLYNOMIAL_PATHS, read_document, write_document
from ...opensim_model.reading import MusclePath, PathFingerprint, PolynomialPoint
from .jumps import PathJump

__all__ = [
    "CLOSE",
    "PolynomialPath",
    "PolynomialPaths",
    "PolynomialSection",
]

#: Polynomial paths shall be within this of OpenSim's [m].
CLOSE = 1e-3


@dataclass(frozen=True)
class PolynomialSection:
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
class PolynomialPath:
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
    """

    source: MusclePath
    sections: tuple[PolynomialSection, ...]
    ranges: Mapping[str, tuple[float, float]]
    poses: int
    largest: float
    rms: float
    length: float
    jumps: tuple[PathJump, ...]
    left_out: int

    @property
    def path(self) -> MusclePath:
        """The path that the kernel takes: the sections' points in place of what the model has between their ends."""
        points, shift = list(self.source.points), 0
        for section in self.sections:
            section_points = section.points()
            points[shift + section.first + 1 : shift + section.last] = section_points
            shift += len(section_points) - (section.last - section.first - 1)
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
        """Return the main facts about the fit, as types of JSON."""
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


class PolynomialPaths(Mapping[str, PolynomialPath]):
    """Polynomial paths by muscle, which files keep.

    Args:
        paths: the paths.
        fingerprint: places on OpenSim's paths, by which another model is known.

    Attributes:
        fingerprint: as given.
    """

    def __init__(self, paths: Mapping[str, PolynomialPath], fingerprint: PathFingerprint) -> None:
        self._paths, self.fingerprint = dict(paths), fingerprint

    def __getitem__(self, muscle: str) -> PolynomialPath:
        return self._paths[muscle]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the paths to a JSON file, whole or not at all. What is read from the model is not in it.

        Raises:
            OutputError: the file cannot be written.
        """
        muscles = {name: _stored(fitted) for name, fitted in self.items()}
        write_document(path, POLYNOMIAL_PATHS, {"model": self.fingerprint.to_dict(), "muscles": muscles})

    @classmethod
    def load(cls, path: str | os.PathLike[str], sources: Mapping[str, MusclePath]) -> PolynomialPaths:
        """Read the paths of muscles from a JSON file.

        Args:
            path: the file.
            sources: the model's paths, by muscle; those of other muscles are left out.

        Raises:
            FileFormatError: there is no such file, or it is damaged or of another kind or version.
        """
        stored = read_document(path, POLYNOMIAL_PATHS)
        try:
            stored_paths = {name: stored_path for name, stored_path in stored["muscles"].items() if name in sources}
            paths = {name: _restored(stored_path, sources[name]) for name, stored_path in stored_paths.items()}
            return cls(paths, PathFingerprint.from_dict(stored["model"]))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, PolynomialError) as error:
            raise FileFormatError(path, f"it holds no polynomial paths: {error!r}") from None


def _stored(fitted: PolynomialPath) -> dict[str, Any]:
    """Return the content of a file for a path, as types of JSON."""
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
    }


def _restored(stored: Mapping[str, Any], source: MusclePath) -> PolynomialPath:
    if stored["points"] != len(source.points):
        raise ValueError(f"the path of '{source.muscle}' had {stored['points']} points, now {len(source.points)}")
    sections = tuple(_section(s, len(source.points)) for s in stored["sections"])
    return PolynomialPath(
        source,
        sections,
        {str(name): (float(low), float(high)) for name, (low, high) in stored["ranges"].items()},
        int(stored["poses"]),
        float(stored["largest"]),
        float(stored["rms"]),
        float(stored["length"]),
        tuple(PathJump(float(jump["size"]), dict(jump["pose"])) for jump in stored["jumps"]),
        int(stored["left_out"]),
    )


def _section(stored: Mapping[str, Any], points: int) -> PolynomialSection:
    section = PolynomialSection(
        int(stored["first"]),
        int(stored["last"]),
        tuple(map(str, stored["coordinates"])),
        tuple(map(str, stored["bodies"])),
        Polynomials.from_dict(stored["polynomials"]),
    )
    is_whole = section.polynomials.outputs == 3 * len(section.bodies)
    is_whole = is_whole and section.polynomials.variables == len(section.coordinates)
    if not is_whole or not 0 <= section.first < section.last < points:
        raise ValueError("a section's parts do not fit together")
    return section
