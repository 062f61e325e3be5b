"""Paths over wrap objects as polynomials: close to OpenSim's, exact in their derivatives, kept in files."""
