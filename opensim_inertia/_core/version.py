"""Version of the installed package."""

__all__ = ["VERSION"]

try:
    from ._version import version as VERSION  # type: ignore[import-not-found]  # by the build; importlib.metadata is slow
except ModuleNotFoundError:  # sources that nobody has installed
    VERSION = "unknown"
