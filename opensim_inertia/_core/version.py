"""Version of the installed package."""

from importlib import import_module

try:
    VERSION: str = import_module("._version", __package__).version  # the build writes it: importlib.metadata is slow
except ModuleNotFoundError:  # sources that nobody has installed
    VERSION = "unknown"
