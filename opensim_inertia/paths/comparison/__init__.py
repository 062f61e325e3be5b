"""Paths over wrap objects compared with OpenSim's own: how far apart they are, and where smooth paths jump.

:func:`compare_paths` takes OpenSim's paths as sampled at the survey's poses, once for each model that is made, and its
result decides which paths a plan keeps. :class:`PathComparison` calls OpenSim at any pose, for the wrap report.
"""
