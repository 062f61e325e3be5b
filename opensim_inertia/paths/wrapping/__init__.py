"""Paths over wrap objects and over obstacles of cables; :mod:`.plan` chooses the method for each muscle.

``analytic``: the kernel's smooth formula, on sides found by :mod:`.survey`. ``neural``: a network. ``opensim``:
OpenSim's current path, differentiated numerically.
"""
