"""The rat's knee: what the example prints, against m r^2 / 3 over the inertia of rods."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

PRINTED = 0.006  # Percent: half of the last of two digits, and the rounding of an inertia about a centre


def test_what_is_printed_is_the_closed_form(
    example: Callable[[str], ModuleType],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "argv", ["rat_knee.py", str(tmp_path)])
    knee = example("rat_knee")
    knee.main()
    table = pd.read_csv(tmp_path / "rat_knee.csv", index_col=[0, 1])
    printed = capsys.readouterr().out
    shank, foot = 1e-3 * knee.SHANK, 1e-3 * knee.FOOT
    for name, (bone, foot_bone) in knee.SHANKS.items():
        rods = 1e-3 * (bone * shank**2 / 3 + foot_bone * (shank**2 + foot**2 / 3))
        for biceps in (1.655, 2.67):
            each = {m: 1e-3 * mass * (1e-3 * arm) ** 2 / 3 for m, (mass, arm) in knee.MUSCLES.items()}
            each["biceps_femoris_posterior"] *= biceps / 1.655
            row = table.loc[(name, biceps)]
            assert row["biceps [%]"] == pytest.approx(100 * each["biceps_femoris_posterior"] / rods, rel=1e-6)
            assert row["thigh muscles [%]"] == pytest.approx(100 * sum(each.values()) / rods, rel=1e-6)
            (line,) = (text for text in printed.splitlines() if f"{biceps:.3f}" in text and _is_of(text, name, printed))
            assert float(line.split()[-4]) == pytest.approx(row["biceps [%]"], abs=PRINTED)
    fleshed = table.loc["shank and foot with flesh, 5.4 and 1.9 g"]
    assert (fleshed["biceps [%]"] < 3).all() and (fleshed["thigh muscles [%]"] < 5).all()


def test_pai_is_over_bare_bones(example: Callable[[str], ModuleType]) -> None:
    """45 % needs a shank of bones alone, 0.44 g at this length, beside 1655 mg of biceps (Johnson et al. 2011)."""
    share = example("rat_knee").shares(0.45, 0.0, 1.655)["biceps [%]"]
    assert share == pytest.approx(45.0, abs=2.0)


def _is_of(line: str, name: str, printed: str) -> bool:
    """Tell whether a line of a table, whose first index is printed once, is of that index."""
    lines = printed.splitlines()
    i = lines.index(line)
    while not lines[i][0].strip():
        i -= 1
    return lines[i].startswith(name)
