"""One network that is fitted to samples: its weights, its loss and its optimizer, in PyTorch."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ...._core.arrays import Array
from ...._core.torch import torch
from ..settings import TrainingSettings
from ..weights import Layer
from .samples import TrainingSamples
from .soap import Soap

__all__ = ["NetworkFit", "TrainingTask"]


@dataclass(frozen=True, eq=False)
class TrainingTask:
    """A network to fit.

    Attributes:
        samples: the samples that it learns from.
        hidden: widths of its hidden layers.
        bump: the samples are of 4 a (1 - a) N, with a the last input, rather than of N.
    """

    samples: TrainingSamples
    hidden: tuple[int, ...]
    bump: bool = False


class NetworkFit:
    """A network that is being fitted, its samples and its optimizer.

    Values and their derivatives along t directions go through the network together, in rows (1 + t, n, .): the value
    first, then one tangent per direction. So a gradient needs no second derivatives by backward mode.

    Args:
        task: the network and its samples.
        settings: the settings of the training.
        index: number of the task in the training, from which its seed follows.
        device: the device on which it is computed.
    """

    def __init__(self, task: TrainingTask, settings: TrainingSettings, index: int, device: torch.device) -> None:
        """Put whitened samples and initial weights on the device."""
        samples = task.samples
        n, k = samples.inputs.shape
        self.whitening = _Whitening.of(samples) if settings.whiten else _Whitening.none(samples)
        tangents = samples.directions[:0] if settings.slope_weight == 0 else samples.directions
        derivatives = samples.derivatives[: len(tangents)]
        whitening = self.whitening
        inputs = np.concatenate([(samples.inputs - whitening.shift)[None], tangents]) * whitening.scale
        targets = np.concatenate([samples.values[None], derivatives]) / whitening.size
        self.rows = torch.from_numpy(inputs.astype(np.float32)).to(device)
        self.targets = torch.from_numpy(targets.astype(np.float32)).to(device)
        self.bumps: torch.Tensor | None = None
        if task.bump:
            a = samples.inputs[:, -1:]
            bumps = np.concatenate([(4 * a * (1 - a))[None], (4 - 8 * a) * tangents[..., -1:]])
            self.bumps = torch.from_numpy(bumps.astype(np.float32)).to(device)
        self.batch, self.count, self.slope_weight = settings.batch, n, settings.slope_weight
        sizes = (k, *task.hidden, samples.values.shape[1])
        generator = torch.Generator().manual_seed(settings.seed * 1_000_003 + 500_000_000_000 + index)
        self.weights = _initial(sizes, generator, device)
        self.optimizer = _OPTIMIZERS[settings.optimizer](self.weights)

    def advance(self, rate: float, generator: torch.Generator) -> None:
        """Make one step of the optimizer, on a random batch."""
        sample_numbers = torch.randint(self.count, (self.batch,), generator=generator).to(self.rows.device)
        out = self._forward(self.rows.index_select(1, sample_numbers))
        if self.bumps is not None:
            bump = self.bumps.index_select(1, sample_numbers)
            value, tangents = torch.split_with_sizes(out, [1, len(out) - 1])
            out = torch.cat([bump[:1] * value, bump[:1] * tangents + bump[1:] * value])
        errors = (out - self.targets.index_select(1, sample_numbers)).square().sum(dim=(1, 2)) / self.batch
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
        """Return the network as it is used: from plain inputs to plain outputs."""
        arrays = [weight.detach().cpu().double().numpy() for weight in self.weights]
        return self.whitening.absorb([(arrays[i], arrays[i + 1]) for i in range(0, len(arrays), 2)])

    def state_dict(self) -> dict[str, Any]:
        """Return all that a later :meth:`load_state_dict` needs to go on as if nothing had happened."""
        return {"weights": [w.detach() for w in self.weights], "optimizer": self.optimizer.state_dict()}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Go on from a saved state."""
        with torch.no_grad():
            for weight, old in zip(self.weights, saved["weights"], strict=True):
                weight.copy_(old)
        self.optimizer.load_state_dict(saved["optimizer"])


@dataclass(frozen=True, eq=False)
class _Whitening:
    """A change of units: inputs become (x - shift) * scale, outputs multiples of size."""

    shift: Array
    scale: Array
    size: float

    @classmethod
    def of(cls, samples: TrainingSamples) -> _Whitening:
        inputs = samples.inputs.astype(np.float64)
        deviation = inputs.std(axis=0)
        moves = deviation > 1e-6 * (1 + abs(inputs).max(axis=0))
        # an input that never changes is not listened to
        scale = np.where(moves, 1 / np.where(moves, deviation, 1), 0)
        size = float(np.sqrt(np.square(samples.values, dtype=np.float64).mean()))
        return cls(inputs.mean(axis=0), scale, size or 1.0)

    @classmethod
    def none(cls, samples: TrainingSamples) -> _Whitening:
        k = samples.inputs.shape[1]
        return cls(np.zeros(k), np.ones(k), 1.0)

    def absorb(self, layers: list[tuple[Array, Array]]) -> tuple[Layer, ...]:
        (weight, bias), *others = layers
        layers = [(weight * self.scale, bias - weight @ (self.shift * self.scale)), *others]
        layers[-1] = (layers[-1][0] * self.size, layers[-1][1] * self.size)
        return tuple(Layer(weight.astype(np.float32), bias.astype(np.float32)) for weight, bias in layers)


class _Adam:
    """PyTorch's Adam, with a rate per step."""

    def __init__(self, parameters: list[torch.Tensor]) -> None:
        self._adam = torch.optim.Adam(parameters)
        self.state_dict, self.load_state_dict = self._adam.state_dict, self._adam.load_state_dict

    def step(self, rate: float) -> None:
        self._adam.param_groups[0]["lr"] = rate
        self._adam.step()


_OPTIMIZERS: Mapping[str, Callable[[list[torch.Tensor]], Any]] = {"soap": Soap, "adam": _Adam}


def _initial(sizes: tuple[int, ...], generator: torch.Generator, device: torch.device) -> list[torch.Tensor]:
    """Draw weights and biases in turn, on the CPU, so that they do not depend on the device."""
    weights = []
    for i, (k, m) in enumerate(pairwise(sizes)):
        shrink = 0.1 if i + 2 == len(sizes) else 1.0
        weights.append(torch.randn(m, k, generator=generator) * (shrink / math.sqrt(k)))
        weights.append(torch.rand(m, generator=generator) * 2 - 1 if i == 0 else torch.zeros(m))
    return [weight.to(device).requires_grad_() for weight in weights]
