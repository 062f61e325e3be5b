"""Options by keyword, as tests vary them, put into the objects that the package takes."""

from typing import Any

import opensim_inertia as oi
from opensim_inertia.options import ModelOptions
from opensim_inertia.options.recruitment import CRITERIA

RECRUIT = ("kind", "implausible", "workers", "progress")


def inertial_model(model: Any, masses: Any, **options: Any) -> oi.InertialModel:
    """An inertial model, of options of strain and wrapping besides its own."""
    strain, wrapping = oi.StrainModel.of(options), oi.Wrapping.of(options)
    _check(options, ModelOptions, oi.StrainModel, oi.Wrapping)
    chosen = ModelOptions.of(options | {"strain": strain, "wrapping": wrapping})
    return oi.InertialModel(model, masses, **chosen.values())


def recruit(inertial: oi.InertialModel, motion: Any, **options: Any) -> oi.recruitment.RecruitmentResult:
    """Muscle recruitment, of options of recording, criterion, actuation and outputs besides its own."""
    named = options.pop("criterion", "polynomial")
    criterion = CRITERIA[named].of(options) if named in CRITERIA else named
    _check(options, oi.Recording, *CRITERIA.values(), oi.Actuation, oi.options.RecruitmentOutputs, others=RECRUIT)
    return oi.recruit(
        inertial,
        oi.Recording.of(options | {"motion": motion}),
        criterion,
        oi.Actuation.of(options),
        outputs=oi.options.RecruitmentOutputs.of(options),
        **{name: options[name] for name in RECRUIT if name in options},
    )


def _check(options: dict[str, Any], *kinds: Any, others: tuple[str, ...] = ()) -> None:
    known = {entry.keyword for kind in kinds for entry in kind.entries().values()} | set(others)
    assert set(options) <= known, set(options) - known
