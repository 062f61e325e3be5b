"""The command ``opensim-inertia``: parse arguments, run a subcommand, print an error as one line.

NumPy, OpenSim and modules that import them are imported inside functions, so that help is fast.

A command is a module with its help as docstring, a function ``run(args)`` that returns the exit code, and optional
functions ``add_arguments(parser)`` and ``check(args)``, which raises errors before slow imports. ``ALIASES`` maps
keywords of the package to different options.
"""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import re
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from .._core.checks import without_bars
from .._core.errors import InertiaError, Option, UnknownNameError, listed
from .._core.options import meant_by
from .._core.processes import terminable
from .._core.warnings import InertiaWarning
from .arguments import as_typed, check_values, read_config

#: Commands in the order of the help.
NAMES = "check id recruit simulate posture study masses rank wraps fit-lengths export plugin demo"
COMMANDS = {name: import_module(f".{name.replace('-', '_')}", __package__) for name in NAMES.split()}

PROGRAM = "opensim-inertia"

#: New objects before garbage collection; saves a tenth of a command.
OBJECTS = 500_000

FAILED = 2
INTERRUPTED = 130
PIPE_CLOSED = 141
TERMINATED = 143

EPILOG = """\
examples:
  opensim-inertia demo
      inverse dynamics of a running swing, on a small model that comes with the package
  opensim-inertia check setup_id.xml
      what is wrong with your model, motion and loads, before you compute
  opensim-inertia id setup_id.xml
      your own setup of OpenSim's Inverse Dynamics Tool, with muscle masses estimated from the model

'opensim-inertia COMMAND --help' lists a command's options.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code (2: error, 130: Ctrl-C, 143: SIGTERM)."""
    # NumPy reads this at import; matrices are too small for several threads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if argv is None:  # as a program: rare garbage collection, and none at the end
        gc.set_threshold(OBJECTS)
        atexit.register(gc.freeze)
    with terminable() as received:
        try:
            return _run(argv)
        except (KeyboardInterrupt, Exception) as error:
            if not (received or isinstance(error, KeyboardInterrupt)):  # libraries turn interrupts into other errors
                raise
            print(f"{PROGRAM}: interrupted", file=sys.stderr)
            return TERMINATED if signal.SIGTERM in received else INTERRUPTED


def _run(argv: Sequence[str] | None) -> int:
    if "_ARGCOMPLETE" in os.environ:
        with suppress(ImportError):
            import argcomplete

            argcomplete.autocomplete(command_parser())
    parsed: list[argparse.Namespace] = []

    def typed(name: str) -> str | None:
        """Return the command-line name of the option ``name``; None if the command has no such option."""
        name = getattr(parsed[0].command, "ALIASES", {}).get(name, name) if parsed else name
        known = parsed and (name in parsed[0] or parsed[0].parser.get_default(name) is not None)
        return name if known else None

    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for names outside the terminal's encoding
    try:
        with tidy_warnings(typed):
            try:
                args = _parsed(sys.argv[1:] if argv is None else argv)
                parsed.append(args)
            finally:  # also for help
                _flush()
            try:
                os.getcwd()  # OpenSim needs a working folder
            except FileNotFoundError:
                raise InertiaError("the working folder has been deleted; change to another one") from None
            check_values(args)
            if args.config is not None:
                read_config(args)
            if hasattr(args.command, "check"):
                args.command.check(args)
            with talkative(args.quiet, args.verbose), _without_opensim_output():
                from .._core.opensim import quiet  # slow import

                with quiet():
                    code = args.command.run(args)
                    _flush()
    except InertiaError as error:
        print(f"{PROGRAM}: error: {_one_line(error, typed)}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        _drop_output()  # the reader has closed the pipe
        return PIPE_CLOSED
    except (OSError, MemoryError) as error:
        _drop_output()
        reason = "there is not enough memory" if isinstance(error, MemoryError) else str(error)
        print(f"{PROGRAM}: error: {' '.join(reason.split())}", file=sys.stderr)
        return FAILED
    return int(code or 0)


@contextmanager
def _without_opensim_output() -> Iterator[None]:
    """Redirect OpenSim's C++ output to the null device."""
    before = sys.stdout
    encoding, errors = getattr(before, "encoding", None), getattr(before, "errors", None)
    with ExitStack() as stack:
        nothing = stack.enter_context(open(os.devnull, "wb"))
        try:
            kept = stack.enter_context(open(os.dup(1), "w", 1, encoding, errors))
        except OSError:  # descriptor 1 is closed
            os.dup2(nothing.fileno(), 1)
            yield
            return
        with suppress(AttributeError, OSError, ValueError):  # Python prints elsewhere
            if before.fileno() == 1:
                before.flush()
                sys.stdout = kept
                stack.callback(setattr, sys, "stdout", before)
        stack.callback(os.dup2, kept.fileno(), 1)
        os.dup2(nothing.fileno(), 1)
        yield


def _flush() -> None:
    if sys.stdout is not None:  # None in programs started without one
        sys.stdout.flush()


def _drop_output() -> None:
    """If stdout cannot be written, redirect it to the null device, so that Python's exit raises no error."""
    try:
        _flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


#: Arguments that ``--help`` lists; ``--help-all`` lists all.
EVERYDAY = frozenset(
    [
        "help",
        "help_all",
        "config",
        "quiet",
        "verbose",
        "model",
        "setup",
        "motion",
        "external_loads",
        "cutoff",
        "time_range",
        "masses",
        "muscles",
        "strain",
        "out",
        "report",
        "plot",
        "criterion",
        "reserves",
        "free",
        "joints",
        "excite",
        "t_final",
        "integrator",
        "at",
        "lock",
        "push",
        "tool",
        "output",
    ]
)
# fmt: on
#: Commands without a file of options, and commands with all arguments in ``--help``.
UNCONFIGURED = ("check", "demo", "plugin", "study", "fit-lengths", "wraps")
SHORT = (*UNCONFIGURED, "masses")


class _Everyday(argparse.RawDescriptionHelpFormatter):
    """Help formatter that lists only the common arguments in :data:`EVERYDAY`."""

    def add_argument(self, action: argparse.Action) -> None:
        if not action.option_strings or action.dest in EVERYDAY:
            super().add_argument(action)

    def add_usage(self, usage: str | None, actions: Any, groups: Any, prefix: str | None = None) -> None:
        shown = [action for action in actions if not action.option_strings or action.dest in EVERYDAY]
        super().add_usage(usage, shown, [], prefix)


class _Parser(argparse.ArgumentParser):
    """Argument parser that raises InertiaError for wrong arguments instead of exiting."""

    def __init__(self, **about: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **about)

    def flags(self) -> list[str]:
        """Return the names of all options, without leading hyphens."""
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        return re.findall(r"(?m)^  (?:-.*?, )?--([a-z][a-z-]*)", self.format_help())

    def error(self, message: str) -> NoReturn:
        raise InertiaError(f"{message} (see '{self.prog} --help')")


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    """Return parsed arguments; raise InertiaError, with suggestions, for unknown commands or options."""
    name = next((word for word in words if not word.startswith("-")), None)
    if name is not None and name not in COMMANDS:
        raise InertiaError(f"{UnknownNameError('command', name, COMMANDS)} (see '{PROGRAM} --help')")
    if list(words[:1]) == ["--version"]:
        from .. import __version__  # slow import

        print(f"{PROGRAM} {__version__}")
        raise SystemExit(0)
    parser = command_parser(name, everything="--help-all" in words)
    args, unknown = parser.parse_known_args(words)
    option = next((word.partition("=")[0] for word in unknown if word.startswith("--")), None)
    see = f"(see '{args.parser.prog} --help')"
    if option is not None:
        near = meant_by(option[2:], args.parser.flags())
        hint = f"; did you mean {listed(f'--{flag}' for flag in near)}?" if near else ""
        raise InertiaError(f"unknown option '{option}'{hint} {see}")
    if unknown:
        raise InertiaError(f"unrecognized arguments: {' '.join(unknown)} {see}")
    return args


def texts(command: ModuleType) -> tuple[str, str, str]:
    """Return summary, description and examples of a command from the module's docstring."""
    line, _, rest = (command.__doc__ or "").partition(".\n\n")
    description, heading, examples = rest.partition("examples:")
    return line[:1].lower() + line[1:], description, heading + examples


def command_parser(name: str | None = None, everything: bool = False) -> argparse.ArgumentParser:
    """Return the parser with the arguments of command ``name`` (None: all); ``everything``: help lists rare options."""
    parser = _Parser(
        prog=PROGRAM,
        description="Muscle mass where it belongs, in OpenSim models: inverse dynamics and forward simulation.",
        epilog=EPILOG,
    )
    parser.add_argument("--version", action="help", help="show the version, and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for own, command in COMMANDS.items():
        help, description, epilog = texts(command)
        sub = commands.add_parser(own, help=help, description=description, epilog=epilog)
        if own not in SHORT and not everything:
            sub.formatter_class = _Everyday
        if name in (None, own) and hasattr(command, "add_arguments"):
            command.add_arguments(sub)
        group = sub.add_argument_group("output").add_mutually_exclusive_group()
        group.add_argument("-q", "--quiet", action="store_true", help="print warnings and errors only")
        group.add_argument("-v", "--verbose", action="count", default=0, help="print each step; -vv: with details")
        sub.set_defaults(command=command, parser=sub, config=None)
        sub.add_argument("--help-all", action="help", help="show all options, and exit")
        if own not in UNCONFIGURED:
            text = "take options that are not given from a file with a study's sections [masses], [options], ..."
            sub.add_argument("--config", type=Path, metavar="TOML", help=text)
    return parser


@contextmanager
def talkative(quiet: bool, verbose: int) -> Iterator[None]:
    """Within a block, hide printed text and progress bars (``quiet``) or print log messages (``verbose``)."""
    with ExitStack() as stack:
        if quiet:
            stack.enter_context(redirect_stdout(stack.enter_context(open(os.devnull, "w", encoding="utf-8"))))
            stack.enter_context(without_bars())
        if verbose:
            import logging

            handler = logging.StreamHandler(sys.stderr)
            handler.setFormatter(logging.Formatter(f"{PROGRAM}: %(message)s"))
            logger = logging.getLogger(__package__.partition(".")[0])
            before = logger.level
            logger.setLevel(logging.INFO if verbose == 1 else logging.DEBUG)
            logger.addHandler(handler)
            stack.callback(logger.setLevel, before)
            stack.callback(logger.removeHandler, handler)
        yield


@contextmanager
def tidy_warnings(typed: Callable[[str], str | None]) -> Iterator[None]:
    """Within a block, print each warning as one line on stderr, above any progress bar."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        text = f"{PROGRAM}: warning: {_one_line(message, typed)}"
        if "tqdm" in sys.modules:
            sys.modules["tqdm"].tqdm.write(text, file=sys.stderr)
        else:
            print(text, file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("always", InertiaWarning)
        warnings.showwarning = show
        yield


def _one_line(message: object, typed: Callable[[str], str | None]) -> str:
    """Return a message as one line; ``typed(name)`` is the command-line name of an option in the message."""

    def shown(option: Option) -> str:
        name = typed(option.name)
        return str(option) if name is None else as_typed(name, option.value)

    text = message.text_with(shown) if isinstance(message, InertiaError | InertiaWarning) else str(message)
    return " ".join(text.split())
