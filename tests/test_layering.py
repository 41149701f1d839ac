"""Who may import whom: ARCHITECTURE.md has the table; this reads it and walks the syntax trees.

A room is a module or a package directly under `python/bytepair`; `__init__` is the public door. A
name in parentheses may be imported inside functions (or for the type checker) alone, so that
importing the room does not load it.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "bytepair"
ANYTHING, STANDARD_LIBRARY = "everything", "the standard library"
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}
LONGEST_FILE = 500


# ------------------------------------------------------------------ the table


@dataclass(frozen=True)
class Rule:
    always: frozenset[str]
    lazily: frozenset[str]


def read_table(markdown: str) -> dict[str, Rule]:
    """The block under the heading, a line a rule: `room, room → target, (lazy target)  remark`."""
    block = re.search(r"## Who may import whom.*?```\w*\n(.*?)```", markdown, re.DOTALL)
    if block is None:
        raise ValueError("no table under the heading `Who may import whom`")
    rules: dict[str, Rule] = {}
    for line in filter(str.strip, block[1].splitlines()):
        rooms, _, targets = line.partition("→")
        listed = re.split(r"\s{2,}", targets.strip())[0]  # the rest of the line is a remark
        names = [name.strip() for name in listed.split(",")]
        lazily = frozenset(name.strip("()") for name in names if name.startswith("("))
        always = frozenset(name for name in names if not name.startswith("("))
        for room in rooms.split(","):
            rules[room.strip()] = Rule(always, lazily)
    return rules


# ------------------------------------------------------------------ the imports of a file


@dataclass(frozen=True)
class Import:
    module: str  # dotted and absolute; `bytepair` by itself is the public door
    lazy: bool
    line: int


def absolute(node: ast.ImportFrom, package: list[str]) -> str:
    if node.level == 0:
        return node.module or ""
    base = package[: len(package) - node.level + 1]
    return ".".join([*base, *(node.module.split(".") if node.module else [])])


def imports(tree: ast.Module, package: list[str], rooms: set[str]) -> Iterator[Import]:
    """Every import; `package` is the dotted name of the package that holds the file."""
    stack: list[tuple[ast.AST, bool]] = [(tree, False)]
    while stack:
        node, lazy = stack.pop()
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, lazy, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = absolute(node, package)
            for alias in node.names:
                room = module == "bytepair" and alias.name in rooms
                yield Import(f"bytepair.{alias.name}" if room else module, lazy, node.lineno)
        elif isinstance(node, ast.Call) and (name := named_import(node)):
            yield Import(name, lazy, node.lineno)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            stack += [(child, True) for child in node.body]
            stack += [(child, lazy) for child in node.orelse]
            continue
        inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        stack += [(child, lazy or inside) for child in ast.iter_child_nodes(node)]


def named_import(call: ast.Call) -> str | None:
    """`importlib.import_module("bytepair.x")` is an import too."""
    function = ast.unparse(call.func).split(".")[-1]
    if function not in {"import_module", "__import__"} or not call.args:
        return None
    argument = call.args[0]
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        return argument.value
    return None


# ------------------------------------------------------------------ the checker


def rooms_of(package: Path) -> set[str]:
    found = {path.stem for path in package.glob("*.py")}
    found |= {path.name for path in package.iterdir() if any(path.glob("*.py"))}
    return {*found, "_core"}


def complaints(package: Path, rules: dict[str, Rule], dependencies: set[str]) -> Iterator[str]:
    """One line for each import that the table does not allow, and for each room that it forgot."""
    rooms = rooms_of(package)
    for room in sorted(rooms - rules.keys() - {"_core"}):
        yield f"{room}: the table has no line for this room"
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        rule = rules.get(parts[0], Rule(frozenset(), frozenset()))
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for each in imports(tree, ["bytepair", *parts[:-1]], rooms):
            if reason := forbidden(each, parts[0], rule, dependencies):
                yield f"{path.relative_to(package)}:{each.line}: {reason}"


def forbidden(each: Import, room: str, rule: Rule, dependencies: set[str]) -> str | None:
    top, _, rest = each.module.partition(".")
    if top == "bytepair":
        target = rest.partition(".")[0] or "__init__"
        if target == room or target in rule.always:
            return None
        if ANYTHING in rule.always and target != "cli":
            return None
        if target in rule.lazily or (ANYTHING in rule.lazily and target != "cli"):
            return None if each.lazy else f"`{room}` may import `{target}` inside functions alone"
        return f"`{room}` may not import `{target}`"
    if top in sys.stdlib_module_names:
        return None
    if STANDARD_LIBRARY in rule.always:
        return f"`{room}` imports `{top}`, which is not of the standard library"
    if top not in dependencies and not each.lazy:
        return f"`{top}` is no dependency: import it where it is used"
    return None


# ------------------------------------------------------------------ the project


@pytest.fixture(scope="module")
def rules() -> dict[str, Rule]:
    return read_table((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def dependencies() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {re.split(r"[<>=~! \[;]", item)[0] for item in project["dependencies"]}


def test_every_import_is_allowed(rules, dependencies):
    assert list(complaints(PACKAGE, rules, dependencies)) == []


def test_the_table_names_only_rooms_that_exist(rules):
    assert sorted(rules.keys() - rooms_of(PACKAGE)) == []


def test_import_bytepair_loads_nothing_heavy():
    script = (
        "import sys, bytepair; "
        "print(*(name for name in ('numpy', 'rich', 'bytepair._core', 'bytepair.reference') "
        "if name in sys.modules))"
    )
    assert run(sys.executable, "-c", script).strip() == ""


def test_the_reference_runs_from_a_bare_checkout():
    # -S leaves out site-packages: nothing but the standard library and the checkout is left.
    script = "import bytepair.reference, sys; print(bytepair.reference.__file__)"
    place = run(sys.executable, "-S", "-c", script, PYTHONPATH=str(ROOT / "python"))
    assert Path(place.strip()).is_relative_to(PACKAGE)


def run(*command: str, **environment: str) -> str:
    done = subprocess.run(
        command,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def sources() -> list[Path]:
    folders = (ROOT / "python", ROOT / "crates", ROOT / "tests", ROOT / "scripts", ROOT / "spec")
    return sorted(p for f in folders for p in f.rglob("*") if p.suffix in {".py", ".rs"})


def test_no_file_has_a_vague_name():
    names = [p for p in sources() if VAGUE_NAMES & {part.strip("_") for part in (p.stem, *p.parts)}]
    assert names == []


def test_no_file_is_too_long_to_read():
    lengths = {str(p.relative_to(ROOT)): length(p) for p in sources() if not is_generated(p)}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_FILE} == {}


def length(path: Path) -> int:
    """Lines without docstrings: a method well explained must not count against its class."""
    text = path.read_text(encoding="utf-8")
    lines = len(text.splitlines())
    if path.suffix != ".py":
        return lines
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            lines -= node.body[0].end_lineno - node.body[0].lineno + 1
    return lines


def is_generated(path: Path) -> bool:
    with path.open(encoding="utf-8") as lines:
        return any("do not edit" in line for _, line in zip(range(5), lines, strict=False))


def test_the_core_knows_no_python():
    manifest = tomllib.loads((ROOT / "crates/bytepair-core/Cargo.toml").read_text(encoding="utf-8"))
    assert not {name for name in manifest["dependencies"] if "py" in name}


# ------------------------------------------------------------------ the checker is checked


TABLE = """
## Who may import whom

```
cli        → everything            nobody imports it
__init__   → (everything)
view       → protocol
reader     → protocol, (view)      a comment, with → in it
reference  → the standard library
protocol   → nothing of ours
```
"""


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("view/a.py", "from ..protocol import X", None),
        ("view/a.py", "from .. import protocol", None),
        ("view/a.py", "import bytepair.protocol", None),
        ("view/a.py", "from . import b", None),
        ("view/deep/a.py", "from ...protocol import X", None),
        ("view/deep/a.py", "from ...reader import X", "`view` may not import `reader`"),
        ("view/a.py", "from bytepair import reader", "`view` may not import `reader`"),
        ("view/a.py", "from bytepair import Tokenizer", "`view` may not import `__init__`"),
        ("view/a.py", "def f():\n    from ..reader import X", "`view` may not import `reader`"),
        ("view/a.py", "def f():\n    from ..cli import X", "`view` may not import `cli`"),
        ("reader.py", "def f():\n    from .view import a", None),
        ("reader.py", "class C:\n    def f(self):\n        import bytepair.view", None),
        ("reader.py", "if TYPE_CHECKING:\n    from .view import a", None),
        ("reader.py", "from .view import a", "inside functions alone"),
        ("reader.py", "if True:\n    from .view import a", "inside functions alone"),
        ("reader.py", "import_module('bytepair.view')", "inside functions alone"),
        ("reader.py", "if TYPE_CHECKING:\n    pass\nelse:\n    from .view import a", "functions"),
        ("protocol.py", "from .reader import X", "`protocol` may not import `reader`"),
        ("protocol.py", "import numpy", None),
        ("protocol.py", "import pyarrow", "`pyarrow` is no dependency"),
        ("protocol.py", "def f():\n    import pyarrow", None),
        ("reference/a.py", "import re, collections.abc", None),
        ("reference/a.py", "def f():\n    import numpy", "not of the standard library"),
        ("reference/a.py", "from ..protocol import X", "`reference` may not import `protocol`"),
        ("cli/a.py", "from ..reader import X", None),
        ("reader.py", "from .cli import X", "`reader` may not import `cli`"),
        ("__init__.py", "def f():\n    from .reader import X", None),
        ("__init__.py", "from .reader import X", "inside functions alone"),
        ("__init__.py", "def f():\n    from .cli import X", "`__init__` may not import `cli`"),
        ("extra.py", "import re", "no line for this room"),
    ],
)
def test_the_checker(tmp_path, file, text, expected):
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    for room in ("cli", "view", "reference"):
        (tmp_path / room).mkdir(exist_ok=True)
        (tmp_path / room / "__init__.py").touch()
    for room in ("__init__", "reader", "protocol"):
        (tmp_path / f"{room}.py").touch()
    path.write_text(text, encoding="utf-8")
    found = list(complaints(tmp_path, read_table(TABLE), {"numpy"}))
    if expected is None:
        assert found == []
    else:
        assert len(found) == 1
        assert expected in found[0]


def test_a_table_that_is_gone_is_an_error():
    with pytest.raises(ValueError, match="no table"):
        read_table("# Something else")
