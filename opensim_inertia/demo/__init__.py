"""The demo, a running swing of one leg with four muscles, and a cohort made of it."""

from .files import FILES, write_cohort, write_demo

__all__ = ["FILES", "write_cohort", "write_demo"]
