"""The keys of a study that options have: their defaults, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import opensim_inertia as oi
from opensim_inertia.options import Actuation, RecruitmentOutputs
from opensim_inertia.options.recruitment import CRITERIA
from opensim_inertia.studies.config import read_config


def config(**sections: Any) -> Any:
    return read_config({"trial": [{"setup": "setup.xml"}], **sections})[0]


def test_every_option_of_recruitment_that_studies_have_is_a_key() -> None:
    keys = set(dict(config().recruitment))
    for kind in (*CRITERIA.values(), Actuation, RecruitmentOutputs):
        assert {name for name, entry in kind.asked().items() if not entry.only} <= keys
    wanted = {"power", "secondary", "passive", "reserves", "free", "joints", "every", "accelerations", "criterion"}
    assert keys == wanted


@pytest.mark.parametrize(
    ("sections", "told"),
    [
        ({"options": {"implausible": "believe"}}, "[options], implausible is 'believe'; expected one of"),
        ({"options": {"wobble": True, "wobble_frequency": 0.0}}, "wobble_frequency is 0.0; expected a number above 0"),
        ({"options": {"wobble_damping": 0.4}}, "wobble_damping is 0.4; expected only where wobble is true"),
        ({"options": {"wobble": True, "wobble_tension": 50.0}}, "unknown key 'wobble_tension' in study, [options]"),
        ({"options": {"points": 0}}, "[options], points is 0; expected a whole number from 1"),
        ({"options": {"smoothing": -1.0}}, "[options], smoothing is -1.0; expected a length in metres"),
        ({"options": {"assemble": True, "as_recorded": True}}, "as_recorded is true; expected False"),
        ({"recruitment": {"power": 0.5}}, "[recruitment], power is 0.5; expected a finite number of at least 1"),
        ({"recruitment": {"reserves": -1.0}}, "[recruitment], reserves is -1.0; expected positive strengths"),
        ({"recruitment": {"secondary": "quadratics"}}, "did you mean 'quadratic'?"),
        ({"recruitment": {"actuators": "residuals.xml"}}, "'actuators'"),
        ({"recruitment": {"stride": 2}}, "unknown key 'stride' in study, [recruitment]; did you mean 'every'?"),
        ({"grid": {"lowpass": [6.0, 15.0]}}, "unknown key 'lowpass' in study, [grid]; did you mean 'cutoff'?"),
    ],
)
def test_wrong_values_are_named(sections: dict[str, Any], told: str) -> None:
    with pytest.raises(oi.InertiaError) as caught:
        config(**sections)
    assert told in str(caught.value)
