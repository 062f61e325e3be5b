"""Systems of a model that is initialised anew: each is noticed, also where it lies where the former one did."""

import pytest
from oracles.two_links import BENT, two_links

from opensim_inertia.errors import ModelError
from opensim_inertia.opensim_model.reading.loading import ModelSystem


@pytest.mark.slow
@pytest.mark.parametrize("changed", [False, True])
def test_every_new_system_is_noticed(changed: bool) -> None:
    model = two_links(BENT)
    model.initSystem()
    for _ in range(300):
        system = ModelSystem(model)
        state = system.new_state()
        model.realizeAcceleration(state)
        model.realizeReport(model.updWorkingState())
        assert system.is_current() and ModelSystem(model).is_current()
        if changed:
            model.finalizeFromProperties()  # as addForce and the like do: the system goes first
            with pytest.raises(ModelError, match="call its initSystem"):
                system.is_current()
        model.initSystem()
        assert not system.is_current()
