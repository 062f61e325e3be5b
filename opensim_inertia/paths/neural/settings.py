"""The settings of a training, and those with which the package trains its networks."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from ..._core.checks import check_choice
from ..._core.choices import TRAINING_STEPS
from ..._core.errors import OptionError

__all__ = ["PAPER_SETTINGS", "PLANAR_SETTINGS", "SPAN_SETTINGS", "TrainingSettings"]


@dataclass(frozen=True)
class TrainingSettings:
    """The settings of a training. With the samples they decide its result, but for the machine and its rounding.

    Weight files and the keys of the cache hold the settings by these names.

    Attributes:
        steps: number of steps of the optimizer.
        batch: samples per step, for each network.
        optimizer: "soap" or "adam".
        rate: learning rate after the warm-up.
        schedule: "cosine" (down to zero at the last step) or "constant".
        warm_up: steps over which the rate rises from zero.
        slope_weight: weight of the squared errors of derivatives, against those of values.
        position: widths of the position network's hidden layers.
        length: the same of the length network; empty: none is trained.
        whiten: whether inputs and outputs are shifted and scaled by their mean and deviation (which the first and the
            last layer absorb).
        seed: seed of weights, samples and batches.

    Raises:
        OptionError: a setting is out of its range.
    """

    steps: int
    batch: int = 1024
    optimizer: str = "soap"
    rate: float = 1e-2
    schedule: str = "cosine"
    warm_up: int = 100
    slope_weight: float = 1.0
    position: tuple[int, ...] = (64, 64, 64, 64)
    length: tuple[int, ...] = (32, 32, 32)
    whiten: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice("optimizer", self.optimizer, ("soap", "adam"))
        check_choice("schedule", self.schedule, ("cosine", "constant"))
        for name in ("steps", "batch"):
            if getattr(self, name) < 1:
                raise OptionError(name, getattr(self, name), "1 or more")
        if not 0 <= self.seed < 2**31:
            raise OptionError("seed", self.seed, f"a whole number from 0 to {2**31 - 1}")

    def rate_at(self, step: int, progress: float) -> float:
        """Return the learning rate of a step; ``progress`` of the whole training goes from 0 to 1."""
        warm = min(1.0, (step + 1) / self.warm_up) if self.warm_up else 1.0
        return self.rate * warm * (0.5 + 0.5 * math.cos(math.pi * progress) if self.schedule == "cosine" else 1.0)

    def metadata(self) -> dict[str, Any]:
        """Return the settings as JSON holds them."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


#: The planar network that the package ships: about 4 minutes on two cores, and already better than it has to be.
PLANAR_SETTINGS = TrainingSettings(steps=TRAINING_STEPS["ours"])

#: The spans over one surface within one muscle's range of motion: about a minute.
SPAN_SETTINGS = TrainingSettings(steps=TRAINING_STEPS["span"], batch=256, position=(48, 48, 48))

#: Wang et al. 2022, section 3.4; batches and number of steps are not in the paper. About as long as the planar one.
PAPER_SETTINGS = TrainingSettings(
    steps=TRAINING_STEPS["paper"],
    batch=512,
    optimizer="adam",
    rate=1e-4,
    schedule="constant",
    warm_up=0,
    slope_weight=0.0,
    position=(256,) * 6,
    length=(),
    whiten=False,
)
