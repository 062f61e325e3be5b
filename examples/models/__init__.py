"""The models of examples, built by code: pendulums, a finger, a hopper, a reaching arm, a knee of splines, a standing
body."""

__all__ = ["muscles_apart"]


def muscles_apart(model, masses):
    """Return a model whose donor segments lost the share of their mass that their muscles have, and the masses without
    donors, so that nothing more is subtracted (Wang et al. 2022).
    """
    for name, mass in masses.groupby("segment")["mass"].sum().items():
        body = model.updBodySet().get(name)
        body.scaleMass(1.0 - mass / body.getMass())  # and the inertia; the centre of mass stays
    return model, masses.assign(segment="")
