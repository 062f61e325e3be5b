"""The trainer: repeatable to the last bit, interrupted or not; its networks are what NumPy makes of their files."""

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from opensim_inertia.errors import CheckpointError, OptionError, OutputError  # noqa: E402
from opensim_inertia.paths.neural import NeuralWeights, load_weights, save_weights  # noqa: E402
from opensim_inertia.paths.neural.evaluate import forward  # noqa: E402
from opensim_inertia.paths.neural.settings import PLANAR_SETTINGS, TrainingSettings  # noqa: E402
from opensim_inertia.paths.neural.training import cylinders  # noqa: E402
from opensim_inertia.paths.neural.training.cylinders import train_planar  # noqa: E402
from opensim_inertia.paths.neural.training.fit import TrainingTask  # noqa: E402
from opensim_inertia.paths.neural.training.interruption import TrainingInterrupted  # noqa: E402
from opensim_inertia.paths.neural.training.samples import TrainingSamples  # noqa: E402
from opensim_inertia.paths.neural.training.soap import Soap  # noqa: E402
from opensim_inertia.paths.neural.training.spans import SpanSamples, train_span  # noqa: E402
from opensim_inertia.paths.neural.training.training import Networks, train  # noqa: E402

SHORT = TrainingSettings(steps=60, batch=64, position=(12, 12), length=(8,), warm_up=5)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Networks this small are slower on several."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def wave(n: int = 500) -> TrainingSamples:
    """Two outputs of two inputs, with their derivatives along the inputs."""
    x = np.random.default_rng(0).uniform(-1, 1, (n, 2))
    u, v = x.T
    along = np.broadcast_to(np.eye(2)[:, None], (2, n, 2))
    derivatives = np.stack([
        np.stack([2 * np.cos(2 * u), v], axis=1),
        np.stack([0 * u, u], axis=1),
    ])  # fmt: skip
    return TrainingSamples(x, along, np.stack([np.sin(2 * u), u * v], axis=1), derivatives)


def same(one: Networks, other: Networks) -> bool:
    return one.keys() == other.keys() and all(
        np.array_equal(a.weight, b.weight) and np.array_equal(a.bias, b.bias)
        for name in one
        for a, b in zip(one[name], other[name], strict=True)
    )


class InterruptAt:
    """Sends a signal to this process when the networks are looked at for the nth time."""

    def __init__(self, look: int, sent: signal.Signals) -> None:
        self.left, self.sent = look, sent

    def __call__(self, networks: Networks) -> str:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), self.sent)
        return ""


@pytest.mark.parametrize(("optimizer", "sent"), [("soap", signal.SIGINT), ("adam", signal.SIGTERM)])
def test_interrupted_and_resumed_is_the_same_to_the_last_bit(
    optimizer: str, sent: signal.Signals, tmp_path: Path
) -> None:
    tasks = {"one": TrainingTask(wave(), (12, 12)), "two": TrainingTask(wave(300), (8,))}
    settings = replace(SHORT, optimizer=optimizer)
    whole = train(tasks, settings)
    assert same(whole.networks, train(tasks, settings).networks)
    assert not same(whole.networks, train(tasks, replace(settings, seed=1)).networks)

    file = tmp_path / "checkpoint"
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(TrainingInterrupted) as stop:
            train(tasks, settings, look=InterruptAt(17, sent), checkpoint=file, progress=True)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGINT, handler)
    assert 0 < stop.value.step < settings.steps
    assert stop.value.checkpoint == file
    resumed = train(tasks, settings, checkpoint=file, resume=True)
    assert resumed.steps == settings.steps
    assert same(whole.networks, resumed.networks)
    assert same(whole.networks, train(tasks, settings, checkpoint=file, resume=True).networks)


def test_minutes_are_counted_by_the_clock() -> None:
    ticks = iter(range(1000))
    trained = train({"one": TrainingTask(wave(), (4,))}, SHORT, minutes=0.25, clock=lambda: float(next(ticks)))
    assert trained.steps == trained.seconds == 15


def test_settings_of_torch_are_left_as_they_were() -> None:
    assert not torch.are_deterministic_algorithms_enabled()
    train({"one": TrainingTask(wave(), (4,))}, replace(SHORT, steps=1))
    assert not torch.are_deterministic_algorithms_enabled()


def test_checkpoints_that_cannot_be_resumed(tmp_path: Path) -> None:
    file, tasks = tmp_path / "checkpoint", {"one": TrainingTask(wave(), (4,))}
    with pytest.raises(CheckpointError, match="no checkpoint"):
        train(tasks, SHORT, checkpoint=file, resume=True)
    file.write_bytes(b"nothing of the kind")
    with pytest.raises(CheckpointError, match="damaged"):
        train(tasks, SHORT, checkpoint=file, resume=True)
    train(tasks, SHORT, checkpoint=file)
    for other, settings in (({"one": TrainingTask(wave(400), (4,))}, SHORT), (tasks, replace(SHORT, rate=1e-3))):
        with pytest.raises(CheckpointError, match="other settings or samples"):
            train(other, settings, checkpoint=file, resume=True)
    with pytest.raises(OutputError):
        train(tasks, SHORT, checkpoint=tmp_path)


def test_networks_are_those_that_were_fitted() -> None:
    """Whitening and the bump are absorbed rightly: plain inputs to plain outputs, derivatives included."""
    plain = wave()
    a = np.random.default_rng(1).uniform(size=(500, 1))
    x = np.hstack([plain.inputs * [3, 0.1] + [5, -2], np.full((500, 1), 7.0), a])  # the third input never changes
    along = np.zeros((2, 500, 4))
    along[0, :, 0], along[1, :, 1] = 3, 0.1
    bump = 4 * a * (1 - a)
    bumped = TrainingSamples(x, along, bump * plain.values * 0.01, bump * plain.derivatives * 0.01)
    settings = replace(SHORT, steps=400, batch=128)
    layers = train({"one": TrainingTask(bumped, (24, 24), bump=True)}, settings).networks["one"]
    outputs, derivatives = forward(layers, bumped.inputs.astype(float), along.transpose(1, 0, 2))
    inside = (a > 0.1) & (a < 0.9)
    for values, targets in (
        (outputs, plain.values),
        *zip(derivatives.transpose(1, 0, 2), plain.derivatives, strict=True),
    ):
        assert abs(values - 0.01 * targets)[inside[:, 0]].mean() < 0.03 * 0.01
    assert not layers[0].weight[:, 2].any()


def test_numpy_forward_is_torch_forward() -> None:
    layers = train({"one": TrainingTask(wave(), (12, 12))}, SHORT).networks["one"]
    x = torch.tensor(wave().inputs, dtype=torch.float64)

    def network(row: torch.Tensor) -> torch.Tensor:
        for layer in layers[:-1]:
            row = torch.tanh(torch.tensor(layer.weight).double() @ row + torch.tensor(layer.bias).double())
        return torch.tensor(layers[-1].weight).double() @ row + torch.tensor(layers[-1].bias).double()

    values, derivatives = forward(layers, x.numpy(), np.broadcast_to(np.eye(2), (500, 2, 2)))
    np.testing.assert_allclose(values, torch.func.vmap(network)(x).numpy(), atol=1e-12)
    jacobian = torch.func.vmap(torch.func.jacrev(network))(x).numpy()
    np.testing.assert_allclose(derivatives.transpose(0, 2, 1), jacobian, atol=1e-12)


def test_soap_solves_a_badly_scaled_problem() -> None:
    """|A W B - C|^2 with condition numbers of 1e2: to the solution, where plain descent would take 1e4 steps."""
    generator = torch.Generator().manual_seed(0)
    left, right = (torch.linalg.qr(torch.randn(6, 6, generator=generator))[0] for _ in range(2))
    scale = torch.logspace(0, -2, 6)
    a, b, goal = left * scale, right * scale, torch.randn(6, 6, generator=generator)
    weight = torch.zeros(6, 6, requires_grad=True)
    optimizer = Soap([weight])
    steps = 1_000
    for step in range(steps):
        weight.grad = None
        (a @ (weight - goal) @ b).square().sum().backward()
        optimizer.step(0.05 * (1 - step / steps))
    assert (weight - goal).abs().max() < 1e-2


def test_planar_training_learns(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cylinders, "SAMPLES", 4_000)
    monkeypatch.setattr(cylinders, "VALIDATION", 500)
    few, more = (
        train_planar(replace(PLANAR_SETTINGS, steps=steps, batch=256, position=(16, 16), length=(8, 8)), device="cpu")
        for steps in (5, 200)
    )
    for name, row in more.errors.items():
        assert row["mean"] < 0.8 * few.errors[name]["mean"], name
    save_weights(tmp_path / "w.json", more)
    read = load_weights(tmp_path / "w.json", kind="planar")
    assert read.errors == more.errors
    assert read.recipe["sampling"]["gap"] == 0.05
    assert read.recipe["steps_taken"] == 200


@pytest.mark.parametrize("with_derivatives", [False, True])
def test_spans_over_any_surface(with_derivatives: bool, tmp_path: Path) -> None:
    """Over one muscle's range of motion: a path bent to a known curve; the origin does not move."""

    def sampler(count: int, rng: np.random.Generator) -> SpanSamples:
        swing = rng.uniform(-0.5, 0.5, count)
        p = np.broadcast_to([-0.1, 0.02, 0.01], (count, 3))
        q = 0.12 * np.stack([np.cos(swing), np.sin(swing), 0.1 * swing], axis=1)
        moves = 0.12 * np.stack([-np.sin(swing), np.cos(swing), 0.1 + 0 * swing], axis=1)
        a = rng.uniform(size=count)
        bump, dbump = (0.02 * 4 * a * (1 - a) * f for f in (np.sin(swing), np.cos(swing)))
        chord, up = q - p, np.array([0, 1.0, 0])
        span = np.linalg.norm(chord, axis=1)
        x = p + a[:, None] * chord + bump[:, None] * up
        along = np.concatenate([0 * p, moves], axis=1)[:, None]
        dx = (a[:, None] * moves + dbump[:, None] * up)[:, None]
        dlength = ((moves * chord).sum(axis=1) / span + 0.02 * swing)[:, None]
        derivatives = (along, dx, dlength) if with_derivatives else (None, None, None)
        return SpanSamples(p, q, a, x, span + 0.01 * swing**2, *derivatives)

    settings = TrainingSettings(steps=400, batch=128, position=(16, 16), length=(8,))
    weights = train_span(sampler, "ellipsoid", settings, count=2_000, source={"muscle": "one"})
    assert weights.errors["position_mm"]["mean"] < 0.2
    assert weights.errors["length_mm"]["mean"] < 0.1
    assert ("jacobian" in weights.errors) == with_derivatives
    if with_derivatives:
        assert weights.errors["jacobian"]["mean"] < 0.01
    save_weights(tmp_path / "w.json", weights)
    assert load_weights(tmp_path / "w.json", kind="ellipsoid").recipe["sampling"] == {"muscle": "one"}


@pytest.mark.parametrize("device", ["abacus", "cuda:99"])
def test_devices_that_are_not_there(device: str) -> None:
    with pytest.raises(OptionError, match="device"):
        train({"one": TrainingTask(wave(), (4,))}, SHORT, device=device)


def test_time_limit_ends_the_training() -> None:
    trained = train({"one": TrainingTask(wave(), (4,))}, replace(SHORT, steps=10**6), minutes=0.005)
    assert 0 < trained.steps < 10**6
    assert isinstance(NeuralWeights("k", "planar", trained.networks).count, int)
