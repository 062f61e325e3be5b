"""Options of analyses: frozen dataclasses that import neither NumPy nor OpenSim."""

from __future__ import annotations

import inspect
import math
import textwrap
from argparse import SUPPRESS, ArgumentTypeError
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self

from .checks import check_choice
from .errors import Option, OptionError, listed, near_matches

#: Parsers of command-line values, by the first word of an annotation.
READ = {"int": int, "float": float, "str": str}
#: Placeholder for the default of a required option.
REQUIRED: Any = object()
#: Least similarity (ratio of :mod:`difflib`) of a misspelt word and a synonym.
MISSPELT = 0.75
#: Width of generated documentation [columns].
WIDTH = 112
Check = Callable[[str, Any], Any]


@dataclass(frozen=True)
class OptionField:
    """Metadata of an option."""

    help: str  # phrase without a full stop; the command line omits "; in Python ..."
    name: str = ""  # of the field
    kind: str = ""  # annotation of the field, as text
    default: Any = REQUIRED
    choices: tuple[str, ...] = ()  # allowed texts; empty if values are not texts
    unit: str = ""
    check: Check | None = None  # function of name and value; returns the value or raises OptionError
    metavar: str | tuple[str, ...] | None = None  # placeholder for the value in the command-line help
    parse: Callable[[str], Any] | None = None  # parser of command-line text; default: by the annotation's first type
    keyword: str = ""  # name on the command line, in studies and messages, if different
    synonyms: tuple[str, ...] = ()  # words that users may try instead, for messages
    several: bool | int = False  # number of values, or True for any number above 0; a list in studies
    setup: bool = False  # OpenSim's setup files provide the default
    only: Literal["", "command", "python"] = ""  # "command": not in studies; "python": only in Python
    is_file: bool = False  # value is a file, several files, or a table; results record its contents
    recorded: str | None = ""  # key in records; "": name in words; None: not recorded

    @property
    def asked_default(self) -> Any:
        """Default on the command line and in studies; None for options that are required or read from a setup file."""
        return None if self.default is REQUIRED or self.setup else self.default

    def described(self) -> str:
        """Return the option's entry in the ``Args`` section of a docstring."""
        text = f"{self.name}: {self.help}"
        text += f" ({', '.join(self.choices)})" if self.choices and self.choices[0] not in self.help else ""
        text += f" [{self.unit}]" if self.unit else ""
        text += "" if self.default is REQUIRED or self.default is None else f"; default: {self.default!r}"
        return textwrap.fill(f"{text}.", WIDTH, initial_indent="    ", subsequent_indent="        ")

    def argument(self) -> tuple[str, dict[str, Any]]:
        """Return the option's flag and ``argparse.add_argument`` keywords; without the flag, parsing sets no value."""
        flag, default = self.keyword.replace("_", "-"), self.asked_default
        help, _, _ = self.help.partition("; in Python")
        about: dict[str, Any] = {"dest": self.keyword, "default": SUPPRESS}
        if self.kind == "bool":
            negated = default is True
            text = f"do not {help}" if negated else help
            about |= {"action": "store_false" if negated else "store_true", "help": text.replace("%", "%%")}
            return f"--no-{flag}" if negated else f"--{flag}", about
        if self.choices:
            about["choices"] = self.choices
        else:
            about["type"] = self.parse or READ[self.kind.partition("|")[0].strip()]
        if self.metavar is not None:
            about["metavar"] = self.metavar
        if self.several:
            about |= {"nargs": "+", "action": "extend"} if self.several is True else {"nargs": self.several}
        text = help + (f" [{self.unit}]" if self.unit and self.unit != self.metavar else "")
        printed = default if isinstance(default, str) else f"{default:g}" if isinstance(default, Real) else ""
        printed = "the setup's" if self.setup else printed
        text += f" (default: {printed})" if printed and "(default" not in text else ""
        return f"--{flag}", about | {"help": text.replace("%", "%%")}

    def checked(self, value: Any) -> Any:
        """Return ``value``, converted by ``check``; raise :class:`OptionError` if ``value`` is invalid."""
        if value is None and self.default is None:
            return None
        if self.kind == "bool" and not isinstance(value, bool):
            raise OptionError(self.keyword, value, "True or False")
        if self.choices and (isinstance(value, str | None) or not self.is_file):
            value = check_choice(self.keyword, value, self.choices)
        return value if self.check is None else self.check(self.keyword, value)


def option(default: Any = REQUIRED, help: str = "", **about: Any) -> Any:
    """Return a dataclass field for an option; without ``default`` the option is required."""
    of_field = {name: about.pop(name) for name in ("compare", "repr") if name in about}
    metadata = {"option": OptionField(help, **about)}
    return field(default=MISSING if default is REQUIRED else default, metadata=metadata, **of_field)


class Options:
    """Base of option classes, frozen dataclasses of :func:`option` fields; checks values and generates docstrings."""

    kinds: ClassVar[list[type[Options]]] = []
    prefix: ClassVar[str] = ""  # prefix of keywords

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        Options.kinds.append(cls)
        declared = [f for f in getattr(cls, "__dataclass_fields__", {}).values() if "option" in f.metadata]
        inherited = [cls._entry(f, f.name, f.type) for f in declared]
        fields = {name: value for name, value in vars(cls).items() if isinstance(value, Field)}
        entries = inherited + [cls._entry(value, name, cls.__annotations__[name]) for name, value in fields.items()]
        if cls.__doc__ and entries:
            lines = "\n".join(entry.described() for entry in entries)
            cls.__doc__ = f"{inspect.cleandoc(cls.__doc__)}\n\nArgs:\n{lines}\n"

    def __new__(cls, *_: Any, **values: Any) -> Self:
        """Raise TypeError with suggestions for unknown keywords."""
        names = getattr(cls, "__dataclass_fields__", values)
        wrong = next((name for name in values if name not in names), None)
        near = [] if wrong is None else meant_by(wrong, cls.entries())
        if near:
            raise TypeError(f"{cls.__name__} has no option '{wrong}'; did you mean {listed(near)}?")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for name, entry in self.entries().items():
            try:
                object.__setattr__(self, name, entry.checked(getattr(self, name)))
            except OptionError as error:
                if name not in (entry.keyword, "kind"):  # "kind" shows the whole object, under its keyword
                    field = error.option.replace(entry.keyword, name, 1)
                    first = Option(entry.keyword, error.value, type(self).__name__, field)
                    error.args = (first, *error.args[1:])
                raise

    @classmethod
    def entries(cls) -> dict[str, OptionField]:
        """Return the metadata of all options of the class, by field name."""
        return {f.name: cls._entry(f, f.name, f.type) for f in fields(cls)}  # type: ignore[arg-type]

    @classmethod
    def _entry(cls, entry: Field[Any], name: str, annotation: Any) -> OptionField:
        about: OptionField = entry.metadata["option"]
        kind = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
        default = REQUIRED if entry.default is MISSING else entry.default
        return replace(about, name=name, keyword=about.keyword or cls.prefix + name, kind=kind, default=default)

    @classmethod
    def asked(cls, *names: str) -> dict[str, OptionField]:
        """Return metadata of the options ``names`` or, without names, of all except Python-only options."""
        entries = cls.entries()
        return {name: entries[name] for name in names or entries if names or entries[name].only != "python"}

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Return an instance made from ``values`` by keyword; ignore keywords of other classes."""
        return cls(**{name: values[e.keyword] for name, e in cls.entries().items() if e.keyword in values})

    def values(self) -> dict[str, Any]:
        """Return the options' values by field name."""
        return {name: getattr(self, name) for name in self.entries()}

    def to_record(self, of_file: Callable[[Any], Any]) -> dict[str, Any]:
        """Return option values to record in results, by key; ``of_file`` converts files and tables to records."""
        record = {}
        for name, entry in self.entries().items():
            value = getattr(self, name)
            if value is not None and entry.is_file and not (entry.choices and isinstance(value, str)):
                value = [of_file(each) for each in value] if isinstance(value, tuple) else of_file(value)
            if entry.recorded is not None:
                record[entry.recorded or name.replace("_", " ")] = value
        return record


def meant_by(word: str, names: Iterable[str]) -> list[str]:
    """Return the ``names`` of options that a user may mean by ``word``: similar names, or synonyms."""
    names = list(names)
    known = [
        (synonym, entry)
        for kind in Options.kinds
        if "__dataclass_fields__" in vars(kind)
        for entry in kind.entries().values()
        for synonym in entry.synonyms
    ]
    synonyms = [(s, n) for n in names for s, e in known if n.replace("-", "_") in (e.name, e.keyword)]
    plain = word.lower().replace("-", "_")
    found = [name for synonym, name in synonyms if synonym == plain] or [n for n in names if n.startswith(word)]
    if not found:
        similar = near_matches(plain, dict(synonyms), cutoff=MISSPELT)
        found = near_matches(word, names) + [name for synonym, name in synonyms if synonym in similar]
    return list(dict.fromkeys(found))


def whole(least: int, most: int) -> Check:
    """Return a check for integers from ``least`` to ``most``."""

    def check(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, Integral) or not least <= int(value) <= most:
            raise OptionError(name, value, f"a whole number from {least} to {most}")
        return int(value)

    return check


def finite(unit: str = "") -> Check:
    """Return a check for finite numbers; ``unit`` is part of the message."""
    return number(math.isfinite, f"a finite number{unit}")


def at_least(least: float, why: str = "") -> Check:
    """Return a check for finite numbers from ``least``; ``why`` extends the message."""
    return number(lambda value: least <= value < math.inf, f"a finite number of at least {least:g}{why}")


def above(limit: float) -> Check:
    """Return a check for finite numbers above a limit."""
    return number(lambda value: limit < value < math.inf, f"a number above {limit:g}")


def between(least: float, most: float, unit: str = "") -> Check:
    """Return a check for numbers in a range."""
    return number(lambda value: least <= value <= most, f"a number from {least:g} to {most:g}{unit}")


def by_muscle(check: Check) -> Check:
    """Return a check that applies ``check`` to one value, or to all values of a mapping from muscle names."""

    def check_each(name: str, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {muscle: check(f"{name} of '{muscle}'", each) for muscle, each in value.items()}
        return check(name, value)

    return check_each


def number(allows: Callable[[float], bool], expected: str) -> Check:
    """Return a check for numbers that satisfy ``allows``."""

    def check(name: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, Real) or not allows(float(value)):
            raise OptionError(name, value, expected)
        return float(value)

    return check


def read_cutoff(text: str) -> float | None:
    """Return a filter's cutoff frequency [Hz]; None (no filter) for "none" or negative numbers, as in OpenSim."""
    if text.lower() == "none":
        return None
    value = read_number(text)
    if not (math.isfinite(value) and value != 0):
        raise ArgumentTypeError(f"'{text}' is not a frequency in Hz, or 'none'")
    return None if value < 0 else value


def read_reserve(text: str) -> tuple[str | None, float]:
    """Return the coordinate (None: all) and strength of reserve actuators from text such as "knee=10"."""
    name, _, number = text.rpartition("=")
    if not (value := read_number(number)) > 0 or math.isinf(value):
        raise ArgumentTypeError(f"'{text}' is not a number above 0, nor COORDINATE=X")
    return name or None, value


def read_number(text: str) -> float:
    """Return ``float(text)``, or NaN if the text is no number."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def entries_of(*classes: type[Options], only: tuple[str, ...] = ()) -> dict[str, OptionField]:
    """Return metadata of the classes' options, by keyword; without names in ``only``: all but Python-only options."""
    return {entry.keyword: entry for kind in classes for entry in kind.asked(*only).values()}
