"""How much of the answer comes from muscles about which there is a note, so that a reader knows whether it matters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ..._core.arrays import Array
from ...model import InertialModel
from ...paths.wrapping.plan import DIFFERENT

__all__ = ["doubtful_muscles", "effect_notes"]


def doubtful_muscles(inertial: InertialModel) -> dict[str, tuple[str, ...]]:
    """Return the names of the muscles about which a run has a note, by what the note says of them."""
    noted = inertial.evaluation.notes.noted
    different = tuple(inertial.wraps.different) if inertial.options.paths.warn_wraps else ()
    groups = {
        f"whose paths are more than {1e3 * DIFFERENT:.0f} mm from OpenSim's somewhere": different,
        "whose fibres were held": noted.clamped,
        "that had no smooth path somewhere": tuple(noted.fallbacks),
        "whose paths are in doubt somewhere": tuple(dict.fromkeys(muscle for muscle, _ in noted.doubts)),
    }
    return {note: names for note, names in groups.items() if names}


def effect_notes(
    groups: Mapping[str, Collection[str]],
    muscles: Sequence[str],
    parts: Array,
    coordinates: Sequence[str],
    candidates: Sequence[int],
    units: Sequence[str],
) -> list[str]:
    """Return a sentence about each group of muscles: how much of the difference at a peak they make.

    Args:
        groups: names of muscles, by what is said of them.
        muscles: names of all muscles with mass.
        parts: what each of them adds to each coordinate's force where the lumped one is largest, (muscles, nu).
        coordinates: their names.
        candidates: numbers of the coordinates that count.
        units: of the coordinates' forces.
    """
    notes = []
    for description, names in groups.items():
        group_parts = parts[[muscles.index(name) for name in names]].sum(axis=0)
        if not len(candidates):
            continue
        i = max(candidates, key=lambda k: abs(float(group_parts[k])))
        single = f"the muscle {description} ({next(iter(names))}) makes"
        subject = single if len(names) == 1 else f"the {len(names)} muscles {description} make"
        notes.append(
            f"{subject} {group_parts[i]:.2g} of the {parts[:, i].sum():.3g} {units[i]} by which muscles change "
            f"'{coordinates[i]}' where its lumped force is largest, and less at every other joint"
        )
    return notes
