"""Wrap objects, obstacles of cables, and methods for paths over both, chosen by :mod:`.plan`.

``analytic``: the kernel's smooth formula, on sides found by :mod:`.survey`. ``neural``: a network. ``opensim``:
OpenSim's current path, differentiated numerically.
"""
