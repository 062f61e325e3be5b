"""The segment to blame where the inertia with sliding muscles is not positive definite."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from .._core.errors import MissingInertiaError, ModelError, Option
from .._core.opensim import osim
from ..muscles.masses.rigid import body_mass_properties, spatial_inertias
from .frozen_mass import FrozenMass
from .wobble import MuscledModel

#: A segment whose axis of rotation is farther away than 1/sqrt of this [1/m^2] counts as not turning.
SMALL = 1e-6


class FrozenModel(MuscledModel, Protocol):
    """An inertial model with the mass that is frozen to its segments."""

    frozen: FrozenMass


def error_of_segment(inertial: FrozenModel, state: osim.State, error: MissingInertiaError) -> ModelError:
    """Return the error that names the segment; a plain one where no segment lacks inertia for its muscles.

    Args:
        inertial: the model.
        state: a state realized to velocity.
        error: says along which speeds M + dM is not positive.
    """
    frozen = inertial.frozen.by_segment
    reader = inertial.dynamics.kinematics
    places, kinematics = [reader.bodies.index(name) for name in frozen], reader.read(state, realized=True)
    twists = (kinematics.jacobian @ error.motion).reshape(-1, 6)[places]
    published = [body_mass_properties(inertial.model, name).pseudo_inertia for name in frozen]
    matrices = np.stack([published, list(frozen.values())]).reshape(2, -1, 4, 4)
    inertias = spatial_inertias(matrices, kinematics.rotation[places])
    has, muscles = np.einsum("bi,sbij,bj->sb", twists, inertias, twists)
    if (has >= muscles).all():
        return ModelError(str(error))
    worst = int(np.argmin(has - muscles))
    turning, moving = (float(part @ part) for part in twists[worst].reshape(2, 3))
    size, unit = (turning, "kg m^2") if turning > SMALL * moving else (moving, "kg")
    cure: tuple[object, ...] = ("; lower the masses of its muscles",)
    if not inertial.options.add_missing_inertia:
        cure = ("; ", Option("add_missing_inertia", True), " adds what segments lack")
    return MissingInertiaError(
        f"the inertia with sliding muscles is not positive definite: segment '{list(frozen)[worst]}' publishes "
        f"{has[worst] / size:.2g} {unit}, the muscles in it have {muscles[worst] / size:.2g}",
        *cure,
    )
