"""Read the book's notebooks: their cells, their exercises, and the functions that they define."""

import ast
import contextlib
import io
import linecache
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import nbformat

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
NOTEBOOKS = sorted(
    p for p in BOOK.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts
)


def name(path):
    """The notebook's path below book/, without its ending: the id of a parametrized test."""
    return path.relative_to(BOOK).with_suffix("").as_posix()


def read(path):
    return nbformat.read(path, as_version=4)


def tags(cell):
    return cell.metadata.get("tags", [])


@dataclass
class Exercise:
    """An exercise: its label, its two code cells, its solution's code, typical wrong answers."""

    label: str
    stub: str
    check: str
    solution: str
    wrong: list


def exercises(path):
    """Return the exercises of a notebook; raise ValueError where one has not the book's form."""
    answers = ROOT / "tests" / "wrong_answers" / f"{path.stem}.toml"
    wrong = tomllib.loads(answers.read_text()) if answers.is_file() else {}
    cells = read(path).cells
    found = []
    for i, cell in enumerate(cells):
        start = re.match(r":::\{exercise\}.*\n:label: (\S+)\n", cell.source)
        if cell.cell_type != "markdown" or not start:
            continue
        label = start.group(1)
        stub, check, solution = cells[i + 1 : i + 4]
        if "exercise" not in tags(stub) or "check" not in tags(check):
            raise ValueError(
                f"{label}: after the question come a cell tagged exercise and one tagged check"
            )
        code = re.search(
            r'<details class="solution">.*?```python\n(.*?)```', solution.source, re.S
        )
        if not code:
            raise ValueError(
                f"{label}: the cell after the check holds no folded solution with Python code"
            )
        found.append(
            Exercise(
                label, stub.source, check.source, code.group(1), wrong.get(label, [])
            )
        )
    return found


def run(source, namespace, filename="<cell>"):
    """Execute a cell's source in `namespace`; return what it printed."""
    # As IPython does: inspect, and with it AutoGraph, finds the source of a cell in linecache.
    linecache.cache[filename] = (
        len(source),
        None,
        source.splitlines(keepends=True),
        filename,
    )
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, filename, "exec"), namespace)
    return printed.getvalue()


def execute(path):
    """Run a notebook's code cells in this process, without pictures; return their namespace."""
    namespace = {"__name__": "__main__"}
    with matplotlib.rc_context({"backend": "agg"}):
        for number, cell in enumerate(read(path).cells):
            if cell.cell_type == "code":
                run(cell.source, namespace, f"<{path.stem} cell {number}>")
                plt.close("all")
    return namespace


def names(source):
    """The names that a cell's top level defines as a function or assigns."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (t.id for t in node.targets if isinstance(t, ast.Name))


def namespace(path, wanted):
    """Run a notebook's cells up to the last that defines `wanted`; return all their names.

    Raises LookupError if no cell defines it.
    """
    code = [cell.source for cell in read(path).cells if cell.cell_type == "code"]
    last = max(
        (i for i, source in enumerate(code) if wanted in names(source)), default=None
    )
    if last is None:
        raise LookupError(f"no cell of {path} defines {wanted}")
    found = {"__name__": "__main__"}
    with matplotlib.rc_context({"backend": "agg"}):
        for number, source in enumerate(code[: last + 1]):
            run(source, found, f"<{path.stem} code cell {number}>")
            plt.close("all")
    return found


def definition(path, wanted):
    """Return what a notebook last defines under the name `wanted`."""
    return namespace(path, wanted)[wanted]
