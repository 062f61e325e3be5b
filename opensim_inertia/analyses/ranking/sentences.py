"""Sentences about the sliding share of a coordinate."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

#: Changes of a moment below this share of its peak are said to be negligible.
NEGLIGIBLE = 0.01
#: Shares below this are none.
NOTHING = 5e-5
#: Muscles that a sentence names, each with at least this share of what the largest makes.
MOST_NAMED, LEAST_NAMED = 3, 0.1


def sentence(
    name: str, row: pd.Series, muscles: pd.Series, turns: bool, change: pd.Series | None, negligible: float
) -> str:
    """Return a sentence about a coordinate.

    Given: its name, its row of ``MuscleRanking.sliding``, each muscle's part of the share, whether it turns, its row of
    a summary of inverse dynamics or None, and the share of the lumped peak below which a change is negligible.
    """
    share = float(row["share"])
    if abs(share) < NOTHING and not abs(row["largest"]) >= NOTHING:
        text = f"{name}: none of the inertia slides"
    else:
        if share < 0:
            text = (
                f"{name}: sliding takes {_percent(-share)} {_between(-row['upper'], -row['lower'])}of the inertia away"
            )
        else:
            text = f"{name}: {_percent(share)} {_between(row['lower'], row['upper'])}of the inertia slides"
        largest = float(row["largest"])
        if abs(largest) > 1.05 * abs(share) and abs(largest - share) >= NOTHING:
            size = abs(largest) if largest * share > 0 else largest
            text += f", at most {_percent(size)} at {_value(float(row['at']), turns)}"
        if named := _foremost(muscles):
            text += f", mostly of {named}"
    if change is None:
        return text + "."
    size, unit = abs(float(change["largest difference"])), change["unit"]
    of_peak = abs(float(change["largest difference [%]"])) / 100
    text += f"; in this motion the {'moment' if turns else 'force'} changes by at most {size:.2g} {unit}"
    if not math.isfinite(of_peak):
        return text + "."
    verdict = "may be neglected" if of_peak < negligible else "may not be neglected"
    return f"{text}, {_percent(of_peak)} of its peak: {verdict} where {_percent(negligible)} matters."


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if abs(share) < 0.1 else f"{100 * share:.0f} %"


def _between(lower: float, upper: float) -> str:
    if not np.isfinite([lower, upper]).all():
        return ""
    return f"({_percent(lower)[:-2]} to {_percent(upper)[:-2]}) "


def _value(at: float, turns: bool) -> str:
    return f"{math.degrees(at):.0f} degrees" if turns else f"{at:.2g} m"


def _foremost(muscles: pd.Series) -> str:
    """Return the muscles that make most of what all make, of the sign of their sum."""
    signed = muscles * np.sign(muscles.sum())
    order = signed.sort_values(ascending=False, kind="stable")
    named = [str(name) for name, value in order.items() if value >= LEAST_NAMED * order.iloc[0] > 0][:MOST_NAMED]
    return ", ".join(named[:-1]) + " and " + named[-1] if len(named) > 1 else "".join(named)
