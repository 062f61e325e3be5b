"""Error tables that compare neural paths with the kernel's on random realistic spans."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...._core.arrays import Array
from ..evaluate import neural_spans
from ..weights import NeuralWeights
from .planar import ValidationSet, kernel_spans

__all__ = ["Errors", "brief", "describe_errors", "error_table", "statistics"]

#: An error table: mean, 95 % quantile and maximum by quantity.
Errors = dict[str, dict[str, float]]

MM = 1e3

LABELS = {
    "position_mm": "position [mm]",
    "jacobian_away_from_touch": "Jacobian, away from touch",
    "jacobian_near_touch": "Jacobian, near touch",
    "jacobian": "Jacobian",
    "length_mm": "length [mm]",
    "length_slope": "derivative of the length",
}


def error_table(weights: NeuralWeights, spans: ValidationSet) -> Errors:
    """Return the errors against the kernel's formula: ``{quantity: {"mean", "p95", "max"}}``.

    Position: distance [mm]. Jacobian: entries of d x / d origin and d x / d insertion in the plane across the axis
    (the others are exact in the planar form), away from touch and near it (see :class:`ValidationSet`). Length: of the
    whole path [mm], and the entries of its derivatives with respect to the ends in that plane.
    """
    s = spans
    exact = kernel_spans(s.radius, s.side, s.origin, s.insertion, s.fraction)
    neural = neural_spans(weights, "cylinder", s.radius, s.side, s.origin, s.insertion, s.fraction)
    errors = np.concatenate([neural.dx_dorigin - exact.dx_dorigin, neural.dx_dinsertion - exact.dx_dinsertion], axis=2)
    errors = errors[:, :2][..., [0, 1, 3, 4]]
    table = {
        "position_mm": statistics(MM * np.linalg.norm(neural.x - exact.x, axis=1)),
        "jacobian_away_from_touch": statistics(errors[s.away]),
        "jacobian_near_touch": statistics(errors[s.near_touch]),
    }
    if "length" in weights.networks:
        gradient_errors = (
            neural.dlength_dorigin - exact.dlength_dorigin,
            neural.dlength_dinsertion - exact.dlength_dinsertion,
        )
        table["length_mm"] = statistics(MM * (neural.length - exact.length))
        table["length_slope"] = statistics(np.concatenate([rows[:, :2] for rows in gradient_errors]))
    return table


def statistics(errors: Array) -> dict[str, float]:
    """Return the mean, 95 % quantile and maximum of the absolute errors."""
    size = abs(errors)
    return {"mean": float(size.mean()), "p95": float(np.quantile(size, 0.95)), "max": float(size.max())}


def brief(table: Mapping[str, Mapping[str, float]]) -> str:
    """Return the mean error of positions as a few words, for a progress bar."""
    return f"error {table['position_mm']['mean']:.2g} mm"


def describe_errors(table: Mapping[str, Mapping[str, float]]) -> str:
    """Return an error table as text."""
    width = max(len(LABELS.get(name, name)) for name in table)
    lines = [f"{'error':<{width}} {'mean':>10} {'95 %':>10} {'largest':>10}"]
    lines += [
        f"{LABELS.get(name, name):<{width}} " + " ".join(f"{row[key]:>10.2g}" for key in ("mean", "p95", "max"))
        for name, row in table.items()
    ]
    return "\n".join(lines)
