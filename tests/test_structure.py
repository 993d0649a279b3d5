"""What nbval does not look at: the form of every committed notebook."""

import copy
import re

import nbformat
import pytest
from build import FILES
from chapters import BOOK, NOTEBOOKS, name, read, tags

MAX_KIB = 600
MAX_CODE_LINES = 20
# IPython's magics and shell escapes that a notebook may use. nbval passes a misspelt one.
ALLOWED_MAGICS = set()
ABSOLUTE_PATH = re.compile(
    r"(?<![\w./:~-])/(home|root|Users|tmp|work|usr|opt|mnt|content)/|\b[A-Z]:\\\\?\w"
)
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}")
LOG_LINE = re.compile(r"^[IWEF]\d{4} |\.cc:\d+\]|^WARNING:", re.M)


def text_of(output):
    """All the text that an output shows."""
    if output.output_type == "stream":
        return output.text
    if output.output_type == "error":
        return "\n".join([output.ename, output.evalue, *output.traceback])
    return "\n".join(v for k, v in output.data.items() if not k.startswith("image/"))


def faults_of_code(cell):
    source = cell.source
    lines = source.splitlines()
    if not source.strip():
        yield "an empty code cell"
        return
    if cell.execution_count is None:
        yield "a code cell that was never executed: nbval passes it"
    if len(lines) > MAX_CODE_LINES:
        yield f"{len(lines)} lines of code, more than {MAX_CODE_LINES}"
    if lines[-1].rstrip().endswith(";"):
        yield "a trailing ; (nbval sees another number of outputs)"
    for magic in re.findall(r"^\s*([%!]+\w*)", source, re.M):
        if magic not in ALLOWED_MAGICS:
            yield f"the magic {magic}"


def faults_of_output(cell, output):
    text = text_of(output)
    if output.output_type == "stream" and output.name == "stderr":
        yield "stderr"
    if output.output_type == "error" and "raises-exception" not in tags(cell):
        yield f"an error that is not tagged as expected: {output.ename}"
    if "image/png" in output.get("data", {}):
        alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
        if len(alt) < 30:
            yield "a figure without alt text that says what one should see"
    for kind in set(output.get("data", {})) - {"text/plain", "image/png"}:
        yield f"an output of kind {kind}"
    if ADDRESS.search(text):
        yield "a memory address"
    if LOG_LINE.search(text):
        yield "a log line"
    if ABSOLUTE_PATH.search(text):
        yield f"an absolute path: {ABSOLUTE_PATH.search(text).group()}"


def faults(nb, size=0):
    """Return what is wrong with a notebook, as lines that name the cell."""
    found = []
    if nb.metadata.get("kernelspec", {}).get("name") != "python3":
        found.append("the kernelspec is not python3")
    if set(nb.metadata.get("language_info", {})) != {"name"}:
        found.append("language_info holds the version of one machine's Python")
    if size > MAX_KIB * 1024:
        found.append(f"{size // 1024} KiB, more than {MAX_KIB}")
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    counts = [cell.execution_count for cell in code]
    if counts != list(range(1, len(code) + 1)):
        found.append(f"not executed top to bottom in one go: {counts}")
    for number, cell in enumerate(nb.cells):
        seen = []
        if ABSOLUTE_PATH.search(cell.source):
            seen.append(
                f"an absolute path: {ABSOLUTE_PATH.search(cell.source).group()}"
            )
        if cell.cell_type == "code":
            seen += faults_of_code(cell)
            for output in cell.outputs:
                seen += faults_of_output(cell, output)
        elif re.search(r"!\[[^\]]*\]\(|<img", cell.source):
            seen.append("a picture in Markdown: pictures come from executed cells")
        found += [f"cell {number}: {fault}" for fault in seen]
    return found


def missing_sections(nb):
    """Return the parts of a chapter's arc that the notebook lacks."""
    prose = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")
    parts = {
        "a title": r"\A# \S",
        "objectives": r"^\*\*After this chapter you can\*\*",
        "a reading time": r"^\*Reading time: about \d+ minutes\.\*",
        "exercises": r"^## Exercises$",
        "key points": r"^## Key points$",
        "see also": r"^## See also$",
    }
    return [
        part for part, pattern in parts.items() if not re.search(pattern, prose, re.M)
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_notebook(path):
    nb = read(path)
    nbformat.validate(nb)
    assert faults(nb, path.stat().st_size) == []
    assert missing_sections(nb) == []


def test_every_notebook_is_in_the_table_of_contents():
    present = {f"{BOOK.name}/{name(path)}" for path in NOTEBOOKS}
    assert present <= set(FILES), f"not in _toc.yml: {sorted(present - set(FILES))}"


def plant(nb, what):
    """Return a copy of a sound notebook with one fault in it."""
    nb = copy.deepcopy(nb)
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    cell = code[1]
    output = nbformat.v4.new_output
    match what:
        case "never executed":
            cell.execution_count = None
        case "in one go":
            code[1].execution_count, code[2].execution_count = 3, 2
        case "empty code cell":
            cell.source = " "
        case "lines of code":
            cell.source = "x = 1\n" * (MAX_CODE_LINES + 1)
        case "trailing ;":
            cell.source += "\nplt.plot([1]);"
        case "the magic":
            cell.source = "%matplotlb inline"
        case "stderr":
            cell.outputs.append(output("stream", name="stderr", text="a warning"))
        case "not tagged as expected":
            cell.outputs.append(output("error", ename="E", evalue="", traceback=[]))
        case "without alt text":
            cell.metadata.pop("mystnb", None)
            cell.outputs.append(output("display_data", data={"image/png": ""}))
        case "of kind text/html":
            cell.outputs.append(output("display_data", data={"text/html": "<b>"}))
        case "memory address":
            cell.outputs.append(output("stream", text="<object at 0x7f3a5c2b1d90>"))
        case "log line":
            cell.outputs.append(output("stream", text="I0000 00:00:17 a.cc:153] on"))
        case "absolute path":
            cell.source = 'np.save("/home/reader/x.npy", x)'
        case "a picture in Markdown":
            nb.cells[0].source += "\n![](figure.png)"
        case "kernelspec":
            nb.metadata.kernelspec.name = "tf-2.21"
        case "language_info":
            nb.metadata.language_info.version = "3.11.7"
    return nb


@pytest.mark.parametrize(
    "what",
    [
        *(
            "never executed",
            "in one go",
            "empty code cell",
            "lines of code",
            "trailing ;",
        ),
        *("the magic", "stderr", "not tagged as expected", "without alt text"),
        *("of kind text/html", "memory address", "log line", "absolute path"),
        *("a picture in Markdown", "kernelspec", "language_info"),
    ],
)
def test_each_guard_sees_its_fault(what):
    sound = read(NOTEBOOKS[0])
    assert any(what in fault for fault in faults(plant(sound, what)))


def test_a_notebook_that_grew_too_large_is_seen():
    assert any("KiB" in fault for fault in faults(read(NOTEBOOKS[0]), 601 * 1024))


def test_a_chapter_without_key_points_is_seen():
    nb = read(NOTEBOOKS[0])
    nb.cells = [cell for cell in nb.cells if "## Key points" not in cell.source]
    assert missing_sections(nb) == ["key points"] or "key points" in missing_sections(
        nb
    )
