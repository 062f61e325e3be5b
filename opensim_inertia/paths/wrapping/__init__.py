"""Wrap objects, obstacles of cables, and the ways in which paths are led over them: one interface, three ways.

``analytic``: the kernel's own smooth formula, on the sides that OpenSim takes (:mod:`.survey`). ``neural``: over
cylinders and spheres a network in the formula's place. ``opensim``: OpenSim's own current path, differentiated
numerically (:mod:`.opensim_path`); for every wrap object, slow, with a kink at touch. :mod:`.plan` chooses the way of
each muscle.
"""
