"""Every answer says the same, whatever was asked of its model before, meanwhile and since."""

import pickle
import sys
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from conftest import slow_except
from oracles.live_states import state_at
from oracles.lone_answers import ANSWERS, MODELS, NOTES, answer, asked_of, build, pose, said, said_alone
from oracles.two_links import two_links

import opensim_inertia as oi

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.InertiaWarning")

QUICK = ("simulate, folded", "inverse dynamics, upright", "evaluate, folded", "rank, upright", "gradient, folded")
"""Answers of the demo's leg that the quick tests ask for, besides a simulation of the upright pose."""
HELD = "became shorter than"
COSTLY = ("gait2392", "arm26 as OpenSim")
"""Models whose answers take minutes, and whose notes are collected in the same way as those of others."""


@pytest.fixture(autouse=True)
def switch_often() -> Iterator[None]:
    """Threads take turns after 10 us, not after 5 ms."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@cache
def alone(model: str, name: str) -> dict[str, str]:
    return said_alone(model, name)


def check_said(model: str, order: Sequence[str], results: Sequence[object]) -> None:
    """Compare what results say with what each says alone, and see that there is something to be mixed up."""
    texts = ""
    for name, result in zip(order, results, strict=True):
        says = said(result)
        expected = alone(model, name)
        assert says.keys() == expected.keys()
        for what, text in says.items():
            assert text == expected[what], f"{model}: {what} of {name}"
        has_note = NOTES.get(model, "no note") in "".join(says.values())
        assert has_note <= ("folded" in name), f"{model}: {name} has a note"
        texts += "".join(says.values())
    assert (NOTES.get(model, "") in texts) or not any("folded" in name for name in order)


def in_orders(model: str, names: Sequence[str], seeds: Sequence[int]) -> None:
    inertial = build(model)
    notes = inertial.notes
    order = [str(name) for seed in seeds for name in np.random.default_rng(seed).permutation(list(names))]
    check_said(model, order, [answer(name, inertial) for name in order])
    assert inertial.notes == notes


def in_threads(model: str, names: Sequence[str], count: int) -> None:
    """Ask one model in several threads at a time, each in an order of its own."""
    inertial = build(model)
    orders = [[str(n) for n in np.random.default_rng(seed).permutation(list(names))] for seed in range(count)]
    with ThreadPoolExecutor(count) as pool:
        every = list(pool.map(lambda order: [answer(name, inertial) for name in order], orders))
    for order, results in zip(orders, every, strict=True):
        check_said(model, order, results)


def test_a_report_knows_nothing_of_what_was_asked_since() -> None:
    """The order of calls in which notes were once mixed up: of fibres that a trajectory never held, and lost again."""
    model = two_links([(1, (0.05, -0.1, 0)), (2, (0.05, -0.1, 0))], slack=0.38, fibre=0.1)
    inertial = oi.InertialModel(model, {"mus": 0.5}, "rigid_tendon")
    short = state_at(inertial, np.array([0.0, 2.4]))
    hanging = oi.simulate(oi.Problem(inertial, t_final=0.02), report_step=0.002, progress=False, engine="python")
    first = oi.report(hanging).html
    assert HELD not in first and hanging.model_notes == ()
    folded = oi.simulate(oi.Problem(inertial, short, 0.01), progress=False, engine="python")
    second = oi.report(folded).html
    assert HELD in second and HELD in "".join(folded.model_notes)
    terms = inertial.evaluate(short)
    assert HELD in "".join(terms.notes) and inertial.evaluate(inertial.initial_state()).notes == ()
    assert oi.report(hanging).html == first and inertial.notes == []
    result = oi.inverse_dynamics(inertial, hanging.coordinates(), progress=False, band=False)
    assert result.provenance["warnings"] == [] and oi.report(folded).html == second
    assert oi.report(pickle.loads(pickle.dumps(folded)), inertial=inertial).html == second


def test_any_order_of_a_few_calls_says_the_same() -> None:
    in_orders("demo leg", ("simulate, upright", *QUICK), [0])


@pytest.mark.slow
@pytest.mark.parametrize("model", [name for name in MODELS if name not in COSTLY])
def test_any_order_of_calls_says_the_same(model: str) -> None:
    in_orders(model, [name for name in asked_of(model) if "by two" not in name], [0])


@pytest.mark.slow
@pytest.mark.parametrize("model", ["demo leg"])
def test_several_processes_bring_their_notes_back(model: str) -> None:
    """What two processes say of recruitment is what one says; notes of both are among those of the result."""
    inertial = build(model)
    for where in ("folded", "upright"):
        says = said(answer(f"recruit by two, {where}", inertial))
        assert says == alone(model, f"recruit, {where}")
        assert (HELD in says["run.json"]) == (where == "folded")


def test_two_threads_do_not_mix_a_few_notes() -> None:
    in_threads("demo leg", ("simulate, folded", "inverse dynamics, upright"), 2)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["demo leg", "planar arm"])
def test_two_threads_do_not_mix_notes(model: str) -> None:
    in_threads(model, [name for name in asked_of(model) if "by two" not in name], 2)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["demo leg"])
def test_a_new_process_says_the_same(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each answer in a process of its own, where nothing else was ever asked of anything."""
    monkeypatch.syspath_prepend(str(Path(oi.__file__).parents[1]))  # the process searches where this one does
    names = ["simulate, upright", *QUICK]
    context = get_context("spawn" if sys.platform == "win32" else "forkserver")
    context.set_forkserver_preload([said_alone.__module__])  # imported once for all of them
    pool = partial(ProcessPoolExecutor, 2, mp_context=context, max_tasks_per_child=1)
    with pool() as processes:
        apart = dict(zip(names, processes.map(partial(said_alone, model), names), strict=True))
    inertial = build(model)
    results = [answer(name, inertial) for name in names]
    for name, result in zip(names, results, strict=True):
        assert said(result) == apart[name] == alone(model, name), name


@pytest.mark.parametrize("model", slow_except(["demo leg"], ["demo leg", "gait10dof18musc"]))
def test_no_answer_changes_the_model(model: str) -> None:
    """Neither what OpenSim would write of it, nor its working state, nor its notes, nor what it computes."""
    inertial = build(model)
    state = state_at(inertial, pose(inertial, True))

    def model_now() -> tuple[object, ...]:
        working = inertial.model.getWorkingState()
        start = inertial.initial_state()
        variables = [s.getY().to_numpy().tolist() for s in (working, start)]
        locked = [bool(c.getLocked(start)) for c in inertial.model.getCoordinateSet()]
        applied = [bool(f.appliesForce(start)) for f in inertial.model.getForceSet()]
        return inertial.model.dump(), start.getTime(), variables, locked, applied, inertial.notes

    before, terms = model_now(), inertial.evaluate(state)
    for name in asked_of(model):
        if "by two" not in name and (model != "demo leg" or name in QUICK or "recruit" in name):
            answer(name, inertial)
            assert model_now() == before, name
            assert np.array_equal(inertial.evaluate(state).bias, terms.bias), name


def test_each_run_warns_and_no_single_call_does_so_again() -> None:
    inertial = build("demo leg")

    def told(name: str) -> list[str]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            answer(name, inertial)
        return [str(w.message) for w in caught if issubclass(w.category, oi.warnings.ShortBellyWarning)]

    assert len(told("evaluate, folded")) == 1 and told("evaluate, folded") == []
    assert len(told("simulate, folded")) == 1 and len(told("inverse dynamics, folded")) == 1
    assert told("simulate, upright") == [] and told("evaluate, folded") == []
    assert set(QUICK) <= set(ANSWERS)
