"""Checks of how code is arranged: what imports what, who uses private names, how long files are.

The rules are those of docs/architecture.md, whose tables are read here; tests/test_structure.py applies them.
"""

import ast
import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

#: No file of code may be longer.
LONGEST = 500
#: Lines of Python, and files, that the package may have.
MOST_LINES, MOST_FILES = 39000, 182
#: Lines that may be imported with a module, whether at once or inside functions.
MOST_IMPORTED = {
    "analyses.inverse_dynamics.solve": 16000,
    "model.model": 11000,
    "muscles.masses.estimate": 4700,
}
#: Functions that one inverse dynamics of the demo may execute.
MOST_EXECUTED = 174
#: Share of tests that use public names only.
LEAST_PUBLIC = 0.80
#: Rooms that stand above the others; nothing below imports them.
SIDE_HOUSES = frozenset({"checks", "plotting", "reports", "studies", "cli"})
#: Modules whose leading underscore keeps them from users of the package, not from its rooms.
SHARED_MODULES = frozenset({"_core", "_kernel"})
#: Public names that begin with an underscore: of named tuples, of the interpreter, and of objects in notebooks.
PUBLIC_ANYWAY = frozenset({"_asdict", "_exit", "_fields", "_make", "_replace", "_repr_html_"})
#: Functions that take the name of an attribute.
BY_NAME = frozenset({"delattr", "getattr", "hasattr", "setattr"})

ROW = re.compile(r"^\| (\d+) \| (.+?) \| .+ \|$", re.MULTILINE)
INCLUDE = re.compile(r'#include "(.+)"')
#: Text without this uses no private name of others; most files need not be parsed.
PRIVATE = re.compile(
    r"(?<!self)(?<!cls)\._(?!_|(?:kernel|core)\b)\w|^\s+_\w+,$|\bimport\b.*\b_\w|attr\(.+[\"']_",
    re.MULTILINE,
)
NAME = re.compile(r"`(\w+)/?`")


@dataclass(frozen=True)
class Import:
    """An import of one module of a package by another; both are dotted names below the package's root."""

    place: str
    importer: str
    target: str

    def __str__(self) -> str:
        return f"{self.place} imports {self.target}"


def rooms(page: str, section: str) -> dict[str, int]:
    """The levels of the rooms in the table of a page's section, whose columns are level, room, purpose."""
    rows = ROW.findall(page.partition(f"\n## {section}\n")[2].partition("\n## ")[0])
    return {name: int(level) for level, names in rows for name in NAME.findall(names)}


@functools.cache
def nodes(text: str) -> tuple[ast.AST, ...]:
    """The parts of a module's text that the rules look at: imports, classes, definitions, attributes and calls."""
    kept = {ast.Module, ast.Import, ast.ImportFrom, ast.ClassDef, ast.Attribute, ast.Call}
    ahead: list[ast.AST] = [ast.parse(text)]
    for node in ahead:  # which grows meanwhile, as ast.walk does at three times the cost
        for value in vars(node).values():
            if isinstance(value, ast.AST):
                ahead.append(value)
            elif isinstance(value, list):
                ahead += [item for item in value if isinstance(item, ast.AST)]
    return tuple(node for node in ahead if type(node) in kept)


def modules(package: Path) -> dict[str, Path]:
    """Dotted names of a package's modules below its root, which is called ``__init__``."""
    found = {}
    for path in sorted([*package.rglob("*.py"), *package.rglob("*.pyi")]):
        parts = path.relative_to(package).with_suffix("").parts
        found[".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)] = path
    return found


def room_of(module: str) -> str:
    """The room that a module lies in."""
    return module.partition(".")[0]


def imports(package: Path) -> list[Import]:
    """All imports between modules of a package, those inside functions and for type checkers among them."""
    known = modules(package)
    found = []
    for importer, path in known.items():
        above = path.relative_to(package).parts[:-1]
        for node in nodes(path.read_text()):
            place = f"{path.relative_to(package)}:{getattr(node, 'lineno', 0)}"
            targets = _targets(node, above, package.name, known)
            found += [Import(place, importer, target) for target in targets if target != importer]
    return found


def _targets(node: ast.AST, above: tuple[str, ...], package: str, known: Mapping[str, Path]) -> Iterator[str]:
    """Modules of the package that a statement imports, in a folder ``above``."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            root, *rest = alias.name.split(".")
            if root == package:
                yield ".".join(rest) or "__init__"
    elif isinstance(node, ast.ImportFrom):
        module = tuple(node.module.split(".")) if node.module else ()
        if node.level:
            module = above[: len(above) - node.level + 1] + module
        elif module[:1] == (package,):
            module = module[1:]
        else:
            return
        for alias in node.names:
            whole = ".".join((*module, alias.name))
            if whole in known:
                yield whole
            if whole not in known or not module:
                yield ".".join(module) or "__init__"


def modules_named(path: Path, package: str) -> list[str]:
    """Imports of modules or names of a package in a file outside it, as ``file:line imports name``."""
    found = []
    for node in nodes(path.read_text()):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [
                f"{node.module}.{alias.name}" if node.module == package else str(node.module) for alias in node.names
            ]
        else:
            continue
        inside = {name for name in names if name.startswith(f"{package}.")}
        found += [f"{path.name}:{getattr(node, 'lineno', 0)} imports {name}" for name in sorted(inside)]
    return found


def includes(headers: Path) -> list[Import]:
    """All includes between the headers of a folder, as imports between modules."""
    found = []
    for path in sorted(headers.rglob("*.hpp")):
        name = path.relative_to(headers)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if include := INCLUDE.match(line):
                target = include[1].removeprefix(f"{headers.name}/")
                found.append(Import(f"{name}:{number}", _dotted(name), _dotted(Path(target))))
    return found


def _dotted(path: Path) -> str:
    return ".".join(path.with_suffix("").parts)


def upward(found: Iterable[Import], levels: Mapping[str, int]) -> list[str]:
    """Imports that the rules do not allow: from a room that does not lie below the importer's, or has no row."""
    return [str(one) for one in found if not _is_allowed(room_of(one.importer), room_of(one.target), levels)]


def _is_allowed(here: str, there: str, levels: Mapping[str, int]) -> bool:
    return here == there or (here in levels and there in levels and levels[there] < levels[here])


def circles(found: Iterable[Import]) -> list[list[str]]:
    """Groups of modules that import each other, directly or through others."""
    after: dict[str, set[str]] = {}
    for one in found:
        after.setdefault(one.importer, set()).add(one.target)
    reached = {module: _reached(module, after) for module in after}
    groups = {
        tuple(sorted(other for other in after if other in reached[module] and module in reached[other]))
        for module in after
        if module in reached[module]
    }
    return [list(group) for group in sorted(groups)]


def _reached(start: str, after: Mapping[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    ahead = [start]
    while ahead:
        new = after.get(ahead.pop(), set()) - seen
        seen |= new
        ahead += new
    return seen


def private(name: str) -> bool:
    """Whether a name is private: one underscore ahead, or two without two behind."""
    return name.startswith("_") and name != "_" and not name.endswith("__") and name not in PUBLIC_ANYWAY


def foreign_private_names(package: Path) -> list[str]:
    """Private names of the package that are used in another room than the one that defines them."""
    known = modules(package)
    own: dict[str, set[str]] = {}
    for module, path in known.items():
        own.setdefault(room_of(module), set()).update(defined(path.read_text(), module_level=True))
    wrong = []
    for module, whole in known.items():
        room, path = room_of(module), whole.relative_to(package)
        for node in nodes(whole.read_text()):
            targets = {room_of(target) for target in _targets(node, path.parts[:-1], package.name, known)}
            if targets != {room}:
                wrong += [f"{path}:{line} uses {name}" for line, name in used(node) if name not in own[room]]
    return wrong


def private_names(path: Path) -> list[str]:
    """Private names that a script or test uses, but those of classes that it defines itself."""
    text = path.read_text()
    if not PRIVATE.search(text):
        return []
    own = defined(text, module_level=False)
    return [f"{path}:{line} uses {name}" for node in nodes(text) for line, name in used(node) if name not in own]


def used(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Lines and private names that one node takes from other modules and objects."""
    names: list[str] = []
    if isinstance(node, ast.Attribute) and not _is_self(node.value):
        names = [node.attr]
    elif isinstance(node, ast.ImportFrom):
        names = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
        names = [name for name in names if name not in SHARED_MODULES]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in BY_NAME:
        names = [str(argument.value) for argument in node.args[1:2] if isinstance(argument, ast.Constant)]
    for name in names:
        if private(name):
            yield getattr(node, "lineno", 0), name


def _is_self(node: ast.expr) -> bool:
    """Whether an expression is the object, or class, whose method this is."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id == "super"
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def defined(text: str, *, module_level: bool) -> set[str]:
    """Private names that a module defines: members of its classes, and on request what stands outside of them."""
    names = set()
    for body in nodes(text):
        if isinstance(body, ast.Attribute) and isinstance(body.ctx, ast.Store) and _is_self(body.value):
            names.add(body.attr)
        elif isinstance(body, ast.ClassDef) or (module_level and isinstance(body, ast.Module)):
            for node in body.body:
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    names.add(node.name)
                elif isinstance(node, ast.Assign | ast.AnnAssign):
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                    names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return {name for name in names if private(name)}


def third_party_imports(package: Path, name: str) -> list[str]:
    """Modules of a package that import the distribution ``name``, such as ``torch``."""
    found = []
    for module, path in modules(package).items():
        for node in nodes(path.read_text()):
            if isinstance(node, ast.Import):
                roots = {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                roots = {(node.module or "").partition(".")[0]}
            else:
                continue
            if name in roots:
                found.append(module)
    return sorted(set(found))


def imports_by_name(package: Path) -> list[str]:
    """Modules that import others by names made at run time, which no reading of their text can follow."""
    found = set()
    for module, path in modules(package).items():
        for node in nodes(path.read_text()):
            if isinstance(node, ast.ImportFrom) and node.module == "importlib":
                found |= {module for alias in node.names if alias.name == "import_module"}
            elif isinstance(node, ast.Attribute | ast.Call) and _imports_by_name(node):
                found.add(module)
    return sorted(found)


def _imports_by_name(node: ast.Attribute | ast.Call) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "import_module"
    return isinstance(node.func, ast.Name) and node.func.id == "__import__"


def long_files(paths: Iterable[Path]) -> list[str]:
    """Files with more lines than are allowed."""
    lengths = {path: len(path.read_text().splitlines()) for path in paths}
    return [f"{path}: {length} lines" for path, length in lengths.items() if length > LONGEST]


def public_tests(folder: Path, package: str, public: Iterable[str]) -> tuple[int, int]:
    """Number of tests in a folder, and of those that import nothing from a package but ``public`` modules and names.

    What a test uses of its own file, such as helpers and constants, counts as the test does.
    """
    known, every, sound = {package, *public}, 0, 0
    for path in folder.rglob("test_*.py"):
        uses: dict[str, set[str]] = {}
        inner: set[str] = set()
        for node in ast.parse(path.read_text()).body:
            parts = list(ast.walk(node))
            names = {str(getattr(part, "id", getattr(part, "arg", ""))) for part in parts}
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                uses[node.name] = names
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                uses = dict.fromkeys(names, names) | uses
            for part in (part for part in parts if isinstance(part, ast.Import | ast.ImportFrom)):
                module = getattr(part, "module", None) or ""
                for alias in part.names if module not in known else ():
                    whole = f"{module}.{alias.name}".strip(".")
                    if whole.split(".")[0] == package and whole not in known:
                        inner.add(alias.asname or alias.name)
        for name in [name for name in uses if name.startswith("test_")]:
            every, sound = every + 1, sound + inner.isdisjoint(_reached(name, uses))
    return every, sound


def closure(found: Iterable[Import], start: str) -> set[str]:
    """A module, and all that is imported with it: inside functions too, and the ``__init__`` of folders above."""
    after: dict[str, set[str]] = {}
    for one in found:
        if not one.place.split(":")[0].endswith(".pyi"):
            after.setdefault(one.importer, set()).add(one.target)
    seen: set[str] = set()
    ahead = {start}
    while ahead := ahead - seen - {"__init__"}:
        seen |= ahead
        above = {module[:end] for module in ahead for end, letter in enumerate(module) if letter == "."}
        ahead = above.union(*(after.get(module, ()) for module in ahead))
    return seen


def lines(package: Path, wanted: Iterable[str] | None = None) -> int:
    """Lines of Python in a package, or in some modules of it."""
    known = {name: path for name, path in modules(package).items() if path.suffix == ".py"}
    return sum(
        len(known[name].read_text().splitlines()) for name in known.keys() & (known if wanted is None else wanted)
    )


def room_lines(package: Path) -> dict[str, int]:
    """Lines of Python in each room."""
    by_room: dict[str, list[str]] = {}
    for name, path in modules(package).items():
        if path.suffix == ".py":
            by_room.setdefault(room_of(name), []).append(name)
    return {room: lines(package, names) for room, names in sorted(by_room.items())}


def executed(package: Path, call: Callable[[], object]) -> set[tuple[str, str]]:
    """Functions of a package that a call executes: files and names."""
    seen: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_flags & inspect.CO_NEWLOCALS and code.co_filename.startswith(str(package)):
            seen.add((code.co_filename, code.co_qualname))

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return {(file, name) for file, name in seen if not name.endswith(("<module>", "<lambda>", "comp>", "genexpr>"))}


def census(package: Path, page: str) -> dict[str, int]:
    """The figures of the package's arrangement: rooms, arrows between them by imports, upward arrows, circles."""
    links = imports(package)
    arrows = {(room_of(one.importer), room_of(one.target)) for one in links}
    return {
        "rooms": len({room_of(name) for name in modules(package)}),
        "arrows": sum(here != there for here, there in arrows),
        "upward": len(upward(links, rooms(page, "The package"))),
        "circles": len(circles(links)),
        "lines": lines(package),
        "files": len([path for path in modules(package).values() if path.suffix == ".py"]),
        **{f"closure of {name}": lines(package, closure(links, name)) for name in MOST_IMPORTED},
    }


if __name__ == "__main__":
    root = Path(__file__).resolve().parents[1]
    figures = census(root / "opensim_inertia", (root / "docs" / "architecture.md").read_text())
    for found in (figures, room_lines(root / "opensim_inertia")):
        print(*(f"{value:6} {name}" for name, value in found.items()), "", sep="\n")
