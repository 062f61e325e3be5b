"""The integrators by family, so that tests run over new ones, too."""

from opensim_inertia.dynamics.integrators import (
    INTEGRATORS,
    FixedStep,
    ImplicitFixedStep,
    OpenSimIntegrator,
    SciPyIntegrator,
)

FIXED = {name: kind for name, kind in INTEGRATORS.items() if issubclass(kind, FixedStep)}
ADAPTIVE = {name: kind for name, kind in INTEGRATORS.items() if issubclass(kind, SciPyIntegrator)}
OPENSIM = tuple(name for name, kind in INTEGRATORS.items() if issubclass(kind, OpenSimIntegrator))
STEPPED_HERE = (*FIXED, *ADAPTIVE)  # Those that make their steps in this package
#: Explicit and implicit ones with fixed steps and with error control, one of each, for quick tests.
OF_EACH_KIND = ("forward_euler", "sdirk2", "rk45", "bdf")


def fixed_step(name: str, step: float, accuracy: float) -> FixedStep:
    """Return an integrator with fixed steps [s]; the accuracy is that of its equations, where it solves any."""
    kind = FIXED[name]
    return kind(step=step, accuracy=accuracy) if issubclass(kind, ImplicitFixedStep) else kind(step=step)
