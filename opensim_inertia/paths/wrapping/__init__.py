"""Wrap objects and obstacles of cables, and methods for paths over both; :mod:`.plan` chooses the method.

``analytic``: the kernel's smooth formula, on sides found by :mod:`.survey`. ``neural``: a network. ``opensim``:
OpenSim's current path, differentiated numerically.
"""
