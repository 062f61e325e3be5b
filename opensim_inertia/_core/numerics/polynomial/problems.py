"""Errors of samples that cannot be fitted, and of stored polynomials."""

from __future__ import annotations

from ...errors import InertiaError

__all__ = ["FewPosesError", "NotFiniteError", "PolynomialError"]


class PolynomialError(InertiaError):
    """Polynomials cannot be made of what was given."""


class FewPosesError(PolynomialError):
    """There are fewer poses than terms, so that the terms' coefficients mean nothing between the poses.

    Attributes:
        poses: the number of poses.
        terms: the number of terms that they must determine.
    """

    def __init__(self, poses: int, terms: int) -> None:
        self.poses, self.terms = poses, terms
        super().__init__(f"{poses} poses cannot determine {terms} terms of a polynomial; give at least {terms} poses")


class NotFiniteError(PolynomialError):
    """A sample is NaN or infinite.

    Attributes:
        what: which array has it: "x", "values", "jacobian" or "motions".
        pose: the first pose (counted from 0) that has it.
    """

    def __init__(self, what: str, pose: int) -> None:
        self.what, self.pose = what, pose
        super().__init__(f"{what} of pose {pose} (counted from 0) has numbers that are not finite")
