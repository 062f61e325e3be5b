"""Wrap objects, obstacles of cables, and how paths are led over them, chosen by :mod:`.plan`.

``analytic``: the kernel's smooth formula, on sides found by :mod:`.survey`. ``neural``: a network in its place.
``opensim``: OpenSim's own current path, differentiated numerically.
"""
