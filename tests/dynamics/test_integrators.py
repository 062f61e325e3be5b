"""Integrators as objects: their options, and that all which knows integrators follows from their classes."""

import argparse
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, dataclass
from typing import Any

import numpy as np
import pytest
from oracles import limbs
from oracles.gradients import errors

import opensim_inertia as oi
from opensim_inertia._core.options import above, option
from opensim_inertia.cli.simulate import add_arguments
from opensim_inertia.dynamics.integrators import (
    INTEGRATORS,
    FixedStep,
    named,
)

BAD = (0, -1e-3, np.nan, np.inf, "1 ms", True)


@pytest.mark.parametrize("name", INTEGRATORS)
def test_options_are_checked(name: str) -> None:
    for key in INTEGRATORS[name].entries():
        assert getattr(named(name, **{key: 0.5}), key) == 0.5
        for value in BAD:
            with pytest.raises(oi.errors.OptionError, match=f"{key}.*above 0") as caught:
                INTEGRATORS[name](**{key: value})
            assert caught.value.option == key
    with pytest.raises(oi.errors.OptionError, match="order=5: expected none beside integrator .* options are: step"):
        named(name, order=5)
    with pytest.raises(FrozenInstanceError):
        INTEGRATORS[name]().step = 1.0  # type: ignore[attr-defined]


@pytest.fixture
def blended() -> Iterator[type[FixedStep]]:
    """Ralston's family: two explicit stages, the second at a share of the step that is an option."""

    @dataclass(frozen=True)
    class Ralston(FixedStep):
        name = "ralston"
        order = 2
        share: float = option(2 / 3, "where in the step the second stage is", check=above(0.0))

        def advance(self, rates: Any, solve: Any, start: Any, h: float) -> Any:
            (t, y), c = start, self.share
            middle = (t + c * h, y + c * h * rates(t, y))
            return (start, middle), y + h * ((1 - 1 / (2 * c)) * rates(t, y) + rates(*middle) / (2 * c))

        @staticmethod
        def vjp(h: float, stages: Any, cotangent: Any, rates: Any) -> Any:
            c = (stages[1][0] - stages[0][0]) / h
            at_middle = rates.explicit(stages[1], h / (2 * c), cotangent)
            return (
                cotangent
                + at_middle
                + rates.explicit(stages[0], h * (1 - 1 / (2 * c)), cotangent)
                + (rates.explicit(stages[0], c * h, at_middle))
            )

    yield Ralston
    del INTEGRATORS["ralston"]


@pytest.fixture(scope="module")
def passive() -> oi.InertialModel:
    return oi.InertialModel(limbs.chain(2), {"muscle": 0.5})


def test_a_new_one_is_known_everywhere(blended: type[FixedStep], passive: oi.InertialModel) -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    text = " ".join(parser.format_help().split())
    assert "sdirk2, ralston; with error control" in text
    assert "--share SHARE where in the step the second stage is (default: 0.666667)" in text
    args = parser.parse_args(["model.osim", "--integrator", "ralston", "--share", "0.5"])
    assert (args.integrator, args.share) == ("ralston", 0.5)
    problem = oi.Problem(passive, t_final=0.1)
    exact = oi.simulate(problem, oi.integrators.DOP853(accuracy=1e-11)).y[-1]
    off = [np.abs(oi.simulate(problem, blended(step=h, share=0.5)).y[-1] - exact).max() for h in (2e-3, 1e-3)]
    assert np.log2(off[0] / off[1]) == pytest.approx(blended.order, abs=0.1)
    motion = oi.simulate(problem, "ralston")
    assert motion.integrator == "ralston" and "Ralston(step=0.001, share=0.66" in repr(motion.record)
    assert motion.provenance["simulation"]["method"] == {"name": "ralston", "step": 1e-3, "share": 2 / 3}
    gradient = oi.DifferentiableSimulation(problem, {"force": oi.gradients.Forces("q1")}, blended(step=0.02))
    assert errors(gradient, {"force": 0.3}, {"force": [0.5]})["force"] < 1e-7
