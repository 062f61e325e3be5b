"""SOAP: Adam in the eigenbasis of Shampoo's preconditioner (Vyas et al. 2024, arXiv:2409.11321).

For small networks with smooth targets one step is worth tens of Adam's, and costs little more: the matrices are as
small as the layers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...._core.torch import torch

__all__ = ["Soap"]


class Soap:
    """The optimizer of one list of weights (matrices and vectors; vectors are left to Adam).

    Args:
        parameters: leaves that require gradients.
        beta: decay of all moving averages, per step.
        refresh: number of steps between updates of the eigenbases.
    """

    def __init__(self, parameters: Sequence[torch.Tensor], beta: float = 0.95, refresh: int = 10) -> None:
        self._parameters = list(parameters)
        self._beta, self._refresh = beta, refresh
        self._step = 0
        self._state: list[dict[str, torch.Tensor]] = []
        for p in self._parameters:
            state = {"mean": torch.zeros_like(p), "square": torch.zeros_like(p)}
            for side, size in zip(("left", "right"), p.shape if p.ndim == 2 else (), strict=False):
                state[side] = torch.zeros(size, size, dtype=p.dtype, device=p.device)
                state[side + "_basis"] = torch.eye(size, dtype=p.dtype, device=p.device)
            self._state.append(state)

    def state_dict(self) -> dict[str, Any]:
        """Return all that a later :meth:`load_state_dict` needs to go on as if nothing had happened."""
        return {"step": self._step, "state": self._state}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Go on from a saved state."""
        self._step = saved["step"]
        for state, old in zip(self._state, saved["state"], strict=True):
            for name, tensor in state.items():
                tensor.copy_(old[name])

    @torch.no_grad()
    def step(self, rate: float) -> None:
        """Move the parameters against their gradients; the first step only looks at them."""
        self._step += 1
        keep, t = self._beta, self._step - 1
        for p, state in zip(self._parameters, self._state, strict=True):
            gradient = p.grad
            assert gradient is not None
            if t > 0:
                turned = _into(gradient, state)
                state["mean"].lerp_(gradient, 1 - keep)
                state["square"].mul_(keep).addcmul_(turned, turned, value=1 - keep)
                move = _into(state["mean"], state) / (state["square"].sqrt() + 1e-8)
                p.sub_(_out_of(move, state), alpha=rate * math.sqrt(1 - keep**t) / (1 - keep**t))
            if p.ndim == 2:
                state["left"].lerp_(gradient @ gradient.T, 1 - keep)
                state["right"].lerp_(gradient.T @ gradient, 1 - keep)
                if t % self._refresh == 0:
                    _refresh(state, first=t == 0)


def _into(matrix: torch.Tensor, state: dict[str, torch.Tensor]) -> torch.Tensor:
    return state["left_basis"].T @ matrix @ state["right_basis"] if "left" in state else matrix


def _out_of(matrix: torch.Tensor, state: dict[str, torch.Tensor]) -> torch.Tensor:
    return state["left_basis"] @ matrix @ state["right_basis"].T if "left" in state else matrix


def _refresh(state: dict[str, torch.Tensor], first: bool) -> None:
    """Update the eigenbases: exactly the first time, then by one step of orthogonal iteration; the largest first."""
    for axis, side in enumerate(("left", "right")):
        basis = state[side + "_basis"]
        if first:
            basis.copy_(torch.linalg.eigh(state[side])[1])
            continue
        order = (basis.T @ state[side] @ basis).diagonal().argsort(descending=True, stable=True)
        state["square"].copy_(state["square"].index_select(axis, order))
        basis.copy_(torch.linalg.qr(state[side] @ basis[:, order])[0])
