"""Paths over a shoulder's wrap objects along lines through its range: no jump where a shortest way would flip."""

from __future__ import annotations

import numpy as np
import pytest

from opensim_inertia.analyses.wrapping_report.preparing import prepare_comparison
from opensim_inertia.muscles.material.whole_path import POINTS
from opensim_inertia.opensim_model.reading import random_poses

#: Muscles over an ellipsoid, and a place on one of twelve random lines where the geodesic flips by more than 0.1 m.
FLIPS = [("SerratusAnterior_I", 3, 0.6994), ("Rhomboideus_I", 4, 0.0859), ("PectoralisMajorThorax_M", 11, 0.7873)]

#: Largest step of a place [m] that is let stand when the line is looked at closely.
CLOSE = 1e-4


@pytest.mark.slow
@pytest.mark.parametrize(("muscle", "line", "at"), FLIPS)
def test_places_are_continuous_where_the_shortest_way_flips(opensim_models, muscle, line, at):
    file = opensim_models / "Models/ThoracoscapularShoulder/ThoracoscapularShoulderModel.osim"
    paths = prepare_comparison(file, muscle, "analytic").paths
    ends = random_poses(paths.model, paths.coordinates, 24, 3)[2 * line : 2 * line + 2]

    def places(s: float):
        paths.place(ends[0] + s * (ends[1] - ends[0]), ())
        return paths.positions(muscle, "ours", POINTS)

    def apart(a, b) -> float:
        return float(np.linalg.norm(a - b, axis=1).max())

    low, high = at - 0.02, at + 0.02
    a, b = places(low), places(high)
    assert apart(a, b) > 0.05  # from one side of the ellipsoid to the other
    samples = np.linspace(low, high, 200)
    seen = [places(s) for s in samples]
    widest = int(np.argmax([apart(x, y) for x, y in zip(seen[:-1], seen[1:], strict=True)]))
    low, high = samples[widest : widest + 2]
    for _ in range(20):
        middle = (low + high) / 2
        first, second = apart(places(low), places(middle)), apart(places(middle), places(high))
        low, high = (low, middle) if first > second else (middle, high)
    assert apart(places(low), places(high)) < CLOSE
