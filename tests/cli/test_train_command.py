"""``opensim-inertia train``, as its own parser reads it."""

import argparse
import signal
import sys
from pathlib import Path

import pytest
from conftest import model_path

from opensim_inertia import InertiaError
from opensim_inertia.cli import train
from opensim_inertia.errors import OptionError
from opensim_inertia.paths.neural import load_weights


def run(*arguments: str) -> None:
    parser = argparse.ArgumentParser()
    train.add_arguments(parser)
    args = parser.parse_args(arguments)
    train.check(args)
    train.run(args)


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    from opensim_inertia.paths.neural.training import cylinders
    from opensim_inertia.paths.wrapping.networks import paper

    monkeypatch.setattr(cylinders, "SAMPLES", 2_000)
    monkeypatch.setattr(cylinders, "VALIDATION", 200)
    monkeypatch.setattr(paper, "SAMPLES", 200)


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
    with pytest.raises(OptionError, match=f"{arguments[0][2:]}={arguments[1]}"):
        run(*arguments)


def test_without_torch_it_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in (
        "_core.torch",
        *(f"paths.neural.training.{part}" for part in ("soap", "fit", "training", "cylinders")),
    ):
        monkeypatch.delitem(sys.modules, f"opensim_inertia.{name}", raising=False)
    with pytest.raises(InertiaError, match=r"PyTorch, which is not installed.*opensim_inertia\[gradients\]"):
        run()


# -- a model's own networks -------------------------------------------------------------------------------------------

ARM = "Models/Arm26/arm26.osim"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("OPENSIM_INERTIA_CACHE", str(folder))
    return folder


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr("opensim_inertia.paths.wrapping.networks.train.COUNT", 100)
    monkeypatch.setattr("opensim_inertia.paths.wrapping.networks.samples.LEAST", 100)


def test_trains_what_a_model_needs_once(few, cache: Path, capsys) -> None:
    arguments = (str(model_path(ARM)), "--muscles", "BIC*", "--steps", "3", "--device", "cpu")
    run(*arguments)
    out = capsys.readouterr().out
    (file,) = cache.iterdir()
    weights = load_weights(file, kind="ellipsoid")
    assert (weights.form, weights.recipe["steps"], weights.recipe["sampling"]["target"]) == ("segment", 3, "analytic")
    assert "muscle 'BIClong', ellipsoid 'BIClonghh' (1 of 1)" in out
    assert f"{weights.errors['position_mm']['mean']:.2g}" in out and str(file) in out

    written = file.stat().st_mtime_ns
    run(*arguments)
    assert "trained before" in capsys.readouterr().out and file.stat().st_mtime_ns == written
    run(*arguments, "--target", "opensim")
    assert [path.name for path in cache.iterdir()] == [file.name]
    assert load_weights(file).recipe["sampling"]["target"] == "opensim"


def test_a_models_interrupted_training_goes_on(few, cache: Path, monkeypatch, capsys) -> None:
    from opensim_inertia.paths.neural.training.fit import NetworkFit

    arguments = (str(model_path(ARM)), "--muscles", "BIClong", "--steps", "3", "--device", "cpu")
    advance, pressed = NetworkFit.advance, []

    def press(self, *step) -> None:
        advance(self, *step)
        if not pressed:
            pressed.append(True)
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(NetworkFit, "advance", press)
            with pytest.raises(KeyboardInterrupt, match="1 steps"):
                run(*arguments)
    finally:
        signal.signal(signal.SIGINT, before)
    (checkpoint,) = cache.iterdir()
    assert checkpoint.suffix == ".checkpoint" and "--resume" in capsys.readouterr().err
    with pytest.raises(InertiaError, match="--resume"):
        run(*arguments)
    run(*arguments, "--resume")
    assert [path.name for path in cache.iterdir()] == [checkpoint.stem]


def test_a_model_that_needs_none(cache: Path, capsys) -> None:
    run(str(model_path(ARM)), "--muscles", "BRA")
    assert "no muscle among those asked for" in capsys.readouterr().out
    assert not cache.exists()


@pytest.mark.parametrize(
    "arguments",
    [("m.osim", "--recipe", "paper"), ("m.osim", "-o", "x.json"), ("--muscles", "a"), ("--target", "opensim")],
)
def test_options_without_effect(arguments: tuple[str, ...]) -> None:
    with pytest.raises(InertiaError, match="no effect"):
        run(*arguments)
