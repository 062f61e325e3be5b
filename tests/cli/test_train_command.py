"""``opensim-inertia train``, as its own parser reads it."""

import argparse
import sys
from pathlib import Path

import pytest

from opensim_inertia import InertiaError, OptionError
from opensim_inertia.cli import train
from opensim_inertia.neural import load_weights

SMALL = {"PLANAR_SAMPLES": 2_000, "PAPER_SAMPLES": 200, "VALIDATION": 200}


def run(*arguments: str) -> None:
    parser = argparse.ArgumentParser()
    train.add_arguments(parser)
    train.run(parser.parse_args(arguments))


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    from opensim_inertia.neural import recipes

    for name, count in SMALL.items():
        monkeypatch.setattr(recipes, name, count)


@pytest.mark.parametrize(
    ("recipe", "file", "kind"), [("ours", "planar.json", "planar"), ("paper", "paper.json", "cylinder")]
)
def test_writes_weights_and_prints_their_errors(small, recipe: str, file: str, kind: str, capsys) -> None:
    run("--recipe", recipe, "--steps", "3", "--seed", "7", "--device", "cpu")
    weights = load_weights(file, kind=kind)
    assert (weights.recipe["steps"], weights.recipe["seed"]) == (3, 7)
    out = capsys.readouterr().out
    assert f"{weights.count} weights, 3 steps" in out
    assert f"{weights.errors['position_mm']['mean']:.2g}" in out
    assert f"written to {file}" in out
    assert [path.name for path in Path.cwd().iterdir()] == [file]


def test_same_seed_same_file(small) -> None:
    for name in ("one.json", "two.json"):
        run("--steps", "3", "-o", name)
    one, two = load_weights("one.json"), load_weights("two.json")
    assert one.errors == two.errors


def test_an_interrupted_training_is_not_overwritten() -> None:
    Path("planar.json.checkpoint").touch()
    with pytest.raises(InertiaError, match="--resume"):
        run()


@pytest.mark.parametrize("arguments", [("--steps", "0"), ("--seed", "-1")])
def test_options_out_of_range(arguments: tuple[str, str]) -> None:
    with pytest.raises(OptionError, match=arguments[0]):
        run(*arguments)


def test_without_torch_it_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in ("_torch", "soap", "training", "recipes"):
        monkeypatch.delitem(sys.modules, f"opensim_inertia.neural.{name}", raising=False)
    with pytest.raises(InertiaError, match=r"pip install torch.*opensim_inertia\[train\]"):
        run()
