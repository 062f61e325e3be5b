"""The control of the standing model: delayed feedback at the hips, and what pushes it (Bunderson et al. 2012, 3.3)."""

from __future__ import annotations

from opensim_inertia.analyses.forward_simulation import Pulse
from opensim_inertia.dynamics.control import NeuralControl, Neuron, Synapse

from .standing import SIDES, lean

__all__ = ["ACCELERATION", "DELAY", "GAINS", "STRONGEST", "hip_feedback", "shove"]

GAINS, DELAY = (255.0, 85.0), 0.120
"""Hip torque per angle [N m/rad] and per rate [N m s/rad], and its delay [s]."""

ACCELERATION = 7.75
"""Of the pulse that pushes all masses sideways [m/s^2]."""

STRONGEST = 250.0
"""The largest torque of a hip [N m]; without a limit the delayed feedback throws a leg that has left the ground about
with growing force."""


def hip_feedback(
    stance: float = 0.334,
    gains: tuple[float, float] = GAINS,
    delay: float = DELAY,
    strongest: float | None = STRONGEST,
) -> NeuralControl:
    """Return delayed feedback of each hip's angle and rate to its torque.

    Args:
        stance: distance between the feet [m], at which the torques are zero.
        gains: torque per angle [N m/rad] and per rate [N m s/rad].
        delay: [s].
        strongest: the largest torque [N m]; None for no limit.
    """
    angle = lean(stance)
    bounds = None if strongest is None else (-strongest, strongest)
    return NeuralControl(
        [
            Neuron(
                f"hip_{side}",
                [
                    Synapse(f"hip_{side}/value", -gains[0], sign * angle, delay),
                    Synapse(f"hip_{side}/speed", -gains[1], 0.0, delay),
                ],
                bounds=bounds,
            )
            for side, sign in SIDES.items()
        ]
    )


def shove(start: float, stop: float, acceleration: float = ACCELERATION) -> dict[str, Pulse]:
    """Return excitations that push all masses to the right alike: what a platform does that jerks to the left.

    Args:
        start, stop: when it begins and ends [s].
        acceleration: [m/s^2].
    """
    return {f"push_{name}": Pulse(start, stop, acceleration) for name in ("trunk", "leg_l", "leg_r")}
