"""The trainer: fits networks to samples of values and derivatives, and resumes to the same result."""

from __future__ import annotations

import json
import os
import pickle
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from tqdm import tqdm

from ...._core.checks import shows_bar
from ...._core.errors import CheckpointError, OptionError
from ...._core.torch import torch
from ....files.atomic import writing
from ..settings import TrainingSettings
from ..weights import Layer
from .fit import NetworkFit, TrainingTask
from .interruption import TrainingInterrupted, interrupts

__all__ = ["Networks", "TrainOptions", "TrainingResult", "train", "training_record"]

#: Looks at the networks, and writes of a checkpoint, in a whole training.
LOOKS = 40

Networks = dict[str, tuple[Layer, ...]]


@dataclass(frozen=True, eq=False)
class TrainingResult:
    """Trained networks, and what training them took.

    Attributes:
        networks: layers by name.
        steps: number of steps that were taken.
        seconds: time that they took by the training's clock, interruptions not counted.
        device: device on which they ran.
    """

    networks: Networks
    steps: int
    seconds: float
    device: str


class TrainOptions(TypedDict, total=False):
    """Keyword arguments that trainings hand on to :func:`train`."""

    checkpoint: Any
    resume: bool
    device: str
    minutes: float | None
    clock: Callable[[], float]
    progress: bool | None


def train(
    tasks: Mapping[str, TrainingTask],
    settings: TrainingSettings,
    look: Callable[[Networks], str] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    device: str = "auto",
    minutes: float | None = None,
    clock: Callable[[], float] = time.monotonic,
    progress: bool | None = None,
) -> TrainingResult:
    """Train one network per task, side by side.

    Args:
        tasks: the networks to fit, by name.
        settings: how they are trained.
        look: says how good networks are, in a few words, for the progress bar.
        checkpoint: file that is written now and then, and when Ctrl-C is pressed.
        resume: go on from ``checkpoint``, which holds all there is: the result is the same as without the interruption,
            as far as the machine repeats its own sums (several threads may round differently now and then).
        device: "cpu", "cuda", ...; "auto": a GPU if there is one.
        minutes: end after this time at the latest; the learning rate falls in time. Such a result depends on the
            machine's speed.
        clock: the time in seconds, by which ``minutes`` are counted; ``time.process_time`` counts processor time.
        progress: show a bar; default: on a terminal.

    Raises:
        TrainingInterrupted: after Ctrl-C or SIGTERM, once the checkpoint is written.
        CheckpointError: ``checkpoint`` cannot be resumed.
        OptionError: there is no such device.
    """
    torch_device = _device(device)
    file = None if checkpoint is None else Path(checkpoint)
    show = shows_bar(progress)
    interval = max(1, settings.steps // LOOKS)
    with _deterministic(), interrupts() as interrupted:
        fits = {name: NetworkFit(task, settings, i, torch_device) for i, (name, task) in enumerate(tasks.items())}
        run = _TrainingState(settings, fits, _fingerprint(tasks, settings))
        if resume:
            run.load(file)
        begin = clock() - run.seconds
        with tqdm(total=settings.steps, initial=run.step, disable=not show, unit="step", desc="training") as bar:
            while run.step < settings.steps and (minutes is None or run.seconds < 60 * minutes):
                run.advance(minutes)
                run.seconds = clock() - begin
                bar.update()
                if run.step % interval == 0:
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
        return TrainingResult(run.networks(), run.step, run.seconds, str(torch_device))


def training_record(
    settings: TrainingSettings, data: Mapping[str, Any], result: TrainingResult, options: TrainOptions
) -> dict[str, Any]:
    """Return a weight file's "recipe": settings, samples (``data``) and training."""
    return {
        **settings.metadata(),
        **data,
        "steps_taken": result.steps,
        "minutes_allowed": options.get("minutes"),
        "training_seconds": round(result.seconds, 1),
        "device": result.device,
        "torch": str(torch.__version__),
    }


class _TrainingState:
    """The state of a training: everything that a checkpoint holds."""

    def __init__(self, settings: TrainingSettings, fits: Mapping[str, NetworkFit], fingerprint: str) -> None:
        self.settings, self.fits, self.fingerprint = settings, fits, fingerprint
        self.step, self.seconds = 0, 0.0

    def advance(self, minutes: float | None) -> None:
        """Make one step of every network; ``minutes`` is the time that the whole training is allowed."""
        progress = self.step / self.settings.steps
        if minutes is not None:
            progress = min(1.0, max(progress, self.seconds / (60 * minutes)))
        rate = self.settings.rate_at(self.step, progress)
        # a generator per step: batches do not depend on where the training was interrupted
        generator = torch.Generator().manual_seed(self.settings.seed * 1_000_003 + self.step + 1)
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


def _fingerprint(tasks: Mapping[str, TrainingTask], settings: TrainingSettings) -> str:
    """Return all that must be the same for a checkpoint to be resumed, as text."""
    data = {name: [task.samples.digest(), list(task.hidden), task.bump] for name, task in tasks.items()}
    return json.dumps([settings.metadata(), data], sort_keys=True)


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
    was_deterministic, warn_only = (
        torch.are_deterministic_algorithms_enabled(),
        torch.is_deterministic_algorithms_warn_only_enabled(),
    )
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(was_deterministic, warn_only=warn_only)
