"""Equations of motion around others, which evaluate OpenSim: with more states, or with other ones."""

from __future__ import annotations

from .system import System


class WrappedSystem(System):
    """Equations that hold those of another system and are evaluated by it."""

    plant: System

    @property
    def evaluations(self) -> int:  # type: ignore[override]
        """How often the right-hand side has been evaluated."""
        return self.plant.evaluations

    @evaluations.setter
    def evaluations(self, count: int) -> None:
        self.plant.evaluations = count

    @property
    def trouble(self) -> str:  # type: ignore[override]
        """Why OpenSim could not evaluate the last state that it could not; empty if it always could."""
        return self.plant.trouble

    @property
    def span(self) -> tuple[float, float]:  # type: ignore[override]
        """The first and last time [s] at which forces and drives are evaluated."""
        return self.plant.span

    @span.setter
    def span(self, span: tuple[float, float]) -> None:
        self.plant.span = span
