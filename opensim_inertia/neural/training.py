"""The trainer: fits networks to samples of values and slopes; can be interrupted and go on to the same result."""

from __future__ import annotations

import json
import math
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from .._torch import torch
from ..arrays import Array
from ..errors import FileFormatError, OptionError
from ..files import writing
from .recipe import Recipe
from .samples import Samples
from .soap import Soap
from .weights import Layer

__all__ = ["CheckpointError", "Task", "Trained", "TrainingInterrupted", "train"]

#: Looks at the networks, and writes of a checkpoint, in a whole training.
LOOKS = 40

Networks = dict[str, tuple[Layer, ...]]


class CheckpointError(FileFormatError):
    """A checkpoint is missing, damaged, or of another training."""


class TrainingInterrupted(KeyboardInterrupt):
    """Ctrl-C; what was reached lies in a checkpoint.

    Attributes:
        checkpoint: the file, or None where none was asked for.
        step: how many steps it holds.
    """

    def __init__(self, checkpoint: Path | None, step: int) -> None:
        self.checkpoint = checkpoint
        self.step = step
        super().__init__(f"training interrupted after {step} steps")


@dataclass(frozen=True, eq=False)
class Task:
    """A network to fit.

    Attributes:
        samples: what it is to learn.
        hidden: widths of its hidden layers.
        bump: the samples are of 4 a (1 - a) N, with a the last input, rather than of N.
    """

    samples: Samples
    hidden: tuple[int, ...]
    bump: bool = False


@dataclass(frozen=True, eq=False)
class Trained:
    """Networks, and what training them took.

    Attributes:
        networks: layers by name.
        steps: that were taken.
        seconds: that they took, interruptions not counted.
        device: on which they ran.
    """

    networks: Networks
    steps: int
    seconds: float
    device: str


def train(
    tasks: Mapping[str, Task],
    recipe: Recipe,
    look: Callable[[Networks], str] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    device: str = "auto",
    minutes: float | None = None,
    progress: bool | None = None,
) -> Trained:
    """Train one network per task, side by side.

    Args:
        tasks: what to fit, by name.
        recipe: how.
        look: says how good networks are, in a few words, for the progress bar.
        checkpoint: file that is written now and then, and when Ctrl-C is pressed.
        resume: go on from ``checkpoint``, which holds all there is: the result is the same as without the interruption,
            as far as the machine repeats its own sums (several threads may round differently now and then).
        device: "cpu", "cuda", ...; "auto": a GPU if there is one.
        minutes: end after this time at the latest; the learning rate falls in time. Such a result depends on the
            machine's speed.
        progress: show a bar; default: on a terminal.

    Raises:
        TrainingInterrupted: after Ctrl-C, once the checkpoint is written. CheckpointError: ``checkpoint`` cannot be
            resumed. OptionError: there is no such device.
    """
    where = _device(device)
    file = None if checkpoint is None else Path(checkpoint)
    show = progress if progress is not None else sys.stderr.isatty()
    every = max(1, recipe.steps // LOOKS)
    with _deterministic(), _interrupts() as interrupted:
        fits = {name: _Fit(task, recipe, i, where) for i, (name, task) in enumerate(tasks.items())}
        run = _Run(recipe, fits, _fingerprint(tasks, recipe))
        if resume:
            run.load(file)
        begin = time.monotonic() - run.seconds
        with tqdm(total=recipe.steps, initial=run.step, disable=not show, unit="step", desc="training") as bar:
            while run.step < recipe.steps and (minutes is None or run.seconds < 60 * minutes):
                run.advance(minutes)
                run.seconds = time.monotonic() - begin
                bar.update()
                if run.step % every == 0:
                    if file is not None:
                        run.save(file)
                    if show and look is not None:
                        bar.set_postfix_str(look(run.networks()))
                if interrupted():
                    if file is not None:
                        run.save(file)
                    raise TrainingInterrupted(file, run.step)
        if file is not None:
            run.save(file)
        return Trained(run.networks(), run.step, run.seconds, str(where))


class _Run:
    """The state of a training: everything that a checkpoint holds."""

    def __init__(self, recipe: Recipe, fits: Mapping[str, _Fit], fingerprint: str) -> None:
        self.recipe, self.fits, self.fingerprint = recipe, fits, fingerprint
        self.step, self.seconds = 0, 0.0

    def advance(self, minutes: float | None) -> None:
        """One step of every network."""
        done = self.step / self.recipe.steps
        if minutes is not None:
            done = min(1.0, max(done, self.seconds / (60 * minutes)))
        rate = self.recipe.rate_at(self.step, done)
        # a generator per step: batches do not depend on where the training was interrupted
        generator = torch.Generator().manual_seed(self.recipe.seed * 1_000_003 + self.step + 1)
        for fit in self.fits.values():
            fit.advance(rate, generator)
        self.step += 1

    def networks(self) -> Networks:
        return {name: fit.layers() for name, fit in self.fits.items()}

    def save(self, file: Path) -> None:
        state = {
            "fingerprint": self.fingerprint,
            "step": self.step,
            "seconds": self.seconds,
            "fits": {name: fit.state_dict() for name, fit in self.fits.items()},
        }
        with writing(file) as temporary:
            torch.save(state, temporary)

    def load(self, file: Path | None) -> None:
        if file is None or not file.is_file():
            raise CheckpointError(file, "there is no checkpoint to resume from")
        try:
            state = torch.load(file, map_location="cpu", weights_only=True)
            fingerprint = state["fingerprint"]
        except (OSError, RuntimeError, EOFError, LookupError, TypeError, ValueError, pickle.UnpicklingError) as error:
            raise CheckpointError(file, f"not a checkpoint, or damaged ({type(error).__name__})") from None
        if fingerprint != self.fingerprint:
            raise CheckpointError(file, "the checkpoint is of a training with other settings or samples")
        self.step, self.seconds = state["step"], state["seconds"]
        for name, fit in self.fits.items():
            fit.load_state_dict(state["fits"][name])


class _Fit:
    """A network, its samples and its optimizer.

    Values and their slopes go through the network together: rows (1 + t, n, .), the value first, then one tangent per
    direction; so a gradient needs no second derivatives by backward mode.
    """

    def __init__(self, task: Task, recipe: Recipe, index: int, device: torch.device) -> None:
        samples = task.samples
        n, k = samples.inputs.shape
        self.whitening = _Whitening.of(samples, task.bump) if recipe.whiten else _Whitening.none(samples)
        tangents = samples.directions[:0] if recipe.slope_weight == 0 else samples.directions
        slopes = samples.slopes[: len(tangents)]
        white = self.whitening
        inputs = np.concatenate([(samples.inputs - white.shift)[None], tangents]) * white.scale
        targets = np.concatenate([samples.values[None], slopes]) / white.size
        self.rows = torch.from_numpy(inputs.astype(np.float32)).to(device)
        self.targets = torch.from_numpy(targets.astype(np.float32)).to(device)
        self.bumps: torch.Tensor | None = None
        if task.bump:
            a = samples.inputs[:, -1:]
            bumps = np.concatenate([(4 * a * (1 - a))[None], (4 - 8 * a) * tangents[..., -1:]])
            self.bumps = torch.from_numpy(bumps.astype(np.float32)).to(device)
        self.batch, self.count, self.slope_weight = recipe.batch, n, recipe.slope_weight
        sizes = (k, *task.hidden, samples.values.shape[1])
        generator = torch.Generator().manual_seed(recipe.seed * 1_000_003 + 500_000_000_000 + index)
        self.weights = _initial(sizes, generator, device)
        self.optimizer = _OPTIMIZERS[recipe.optimizer](self.weights)

    def advance(self, rate: float, generator: torch.Generator) -> None:
        """One step of the optimizer, on a random batch."""
        chosen = torch.randint(self.count, (self.batch,), generator=generator).to(self.rows.device)
        out = self._forward(self.rows.index_select(1, chosen))
        if self.bumps is not None:
            bump = self.bumps.index_select(1, chosen)
            value, tangents = torch.split_with_sizes(out, [1, len(out) - 1])
            out = torch.cat([bump[:1] * value, bump[:1] * tangents + bump[1:] * value])
        errors = (out - self.targets.index_select(1, chosen)).square().sum(dim=(1, 2)) / self.batch
        loss = errors[0] + self.slope_weight * errors[1:].sum()
        for weight in self.weights:
            weight.grad = None
        torch.autograd.backward(loss)
        self.optimizer.step(rate)

    def _forward(self, rows: torch.Tensor) -> torch.Tensor:
        last = len(self.weights) // 2 - 1
        for i in range(last + 1):
            weight, bias = self.weights[2 * i : 2 * i + 2]
            value, tangents = torch.split_with_sizes(rows @ weight.T, [1, len(rows) - 1])
            value = value + bias
            if i < last:
                value = torch.tanh(value)
                tangents = tangents * (1 - value.square())
            rows = torch.cat([value, tangents])
        return rows

    def layers(self) -> tuple[Layer, ...]:
        """The network as it is used: on plain inputs, to plain outputs."""
        arrays = [weight.detach().cpu().double().numpy() for weight in self.weights]
        return self.whitening.absorb([(arrays[i], arrays[i + 1]) for i in range(0, len(arrays), 2)])

    def state_dict(self) -> dict[str, Any]:
        return {"weights": [w.detach() for w in self.weights], "optimizer": self.optimizer.state_dict()}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        with torch.no_grad():
            for weight, old in zip(self.weights, saved["weights"], strict=True):
                weight.copy_(old)
        self.optimizer.load_state_dict(saved["optimizer"])


@dataclass(frozen=True, eq=False)
class _Whitening:
    """Inputs are (x - shift) * scale, outputs are multiples of size."""

    shift: Array
    scale: Array
    size: float

    @classmethod
    def of(cls, samples: Samples, bump: bool) -> _Whitening:
        inputs = samples.inputs.astype(np.float64)
        deviation = inputs.std(axis=0)
        moves = deviation > 1e-6 * (1 + abs(inputs).max(axis=0))
        # an input that never changes is not listened to
        scale = np.where(moves, 1 / np.where(moves, deviation, 1), 0)
        size = float(np.sqrt(np.square(samples.values, dtype=np.float64).mean()))
        return cls(inputs.mean(axis=0), scale, size or 1.0)

    @classmethod
    def none(cls, samples: Samples) -> _Whitening:
        k = samples.inputs.shape[1]
        return cls(np.zeros(k), np.ones(k), 1.0)

    def absorb(self, layers: list[tuple[Array, Array]]) -> tuple[Layer, ...]:
        (weight, bias), *others = layers
        layers = [(weight * self.scale, bias - weight @ (self.shift * self.scale)), *others]
        layers[-1] = (layers[-1][0] * self.size, layers[-1][1] * self.size)
        return tuple(Layer(weight.astype(np.float32), bias.astype(np.float32)) for weight, bias in layers)


class _Adam:
    """Adam as PyTorch has it, with a rate per step."""

    def __init__(self, parameters: list[torch.Tensor]) -> None:
        self._adam = torch.optim.Adam(parameters)
        self.state_dict, self.load_state_dict = self._adam.state_dict, self._adam.load_state_dict

    def step(self, rate: float) -> None:
        self._adam.param_groups[0]["lr"] = rate
        self._adam.step()


_OPTIMIZERS: Mapping[str, Callable[[list[torch.Tensor]], Any]] = {"soap": Soap, "adam": _Adam}


def _initial(sizes: tuple[int, ...], generator: torch.Generator, device: torch.device) -> list[torch.Tensor]:
    """Weights and biases in turn; drawn on the CPU, so that they do not depend on the device."""
    weights = []
    for i, (k, m) in enumerate(pairwise(sizes)):
        shrink = 0.1 if i + 2 == len(sizes) else 1.0
        weights.append(torch.randn(m, k, generator=generator) * (shrink / math.sqrt(k)))
        weights.append(torch.rand(m, generator=generator) * 2 - 1 if i == 0 else torch.zeros(m))
    return [weight.to(device).requires_grad_() for weight in weights]


def _fingerprint(tasks: Mapping[str, Task], recipe: Recipe) -> str:
    """What must be the same for a checkpoint to be resumed."""
    data = {name: [task.samples.digest(), list(task.hidden), task.bump] for name, task in tasks.items()}
    return json.dumps([recipe.metadata(), data], sort_keys=True)


def _device(name: str) -> torch.device:
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise OptionError("device", name, f"'auto', 'cpu' or a device of PyTorch's ({_first_line(error)})") from None
    return device


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


@contextmanager
def _deterministic() -> Iterator[None]:
    before, warn_only = (
        torch.are_deterministic_algorithms_enabled(),
        torch.is_deterministic_algorithms_warn_only_enabled(),
    )
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before, warn_only=warn_only)


@contextmanager
def _interrupts() -> Iterator[Callable[[], bool]]:
    """Yield what tells whether Ctrl-C was pressed: it waits for the end of a step; pressed again, it does not."""
    pressed = False
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = signal.getsignal(signal.SIGINT)
    if before != signal.default_int_handler:  # someone else's, or ignored
        yield lambda: False
        return

    def note(*_: Any) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
