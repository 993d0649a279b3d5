"""The comparison of pictures can fail: a changed curve is seen, an unchanged one passes."""

import subprocess
import sys

import nbformat
import pytest
from chapters import ROOT

CELL = """\
import matplotlib.pyplot as plt
import numpy as np

x = np.linspace(-10, 10, 200)
plt.figure(figsize=(7, 3.6), dpi=100)
plt.plot(x, np.tanh(x), label="rule")
plt.plot(x, {curve}, "--", label="truth")
plt.legend()
plt.show()"""
CURVE = "np.tanh(x / 2)"


def notebook(curve):
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL, id="figure")])
    nb.metadata.kernelspec = {
        "name": "python3",
        "display_name": "",
        "language": "python",
    }
    nb.cells[0].source = CELL.format(curve=curve)
    return nb


def python(*args):
    return subprocess.run(
        [sys.executable, *args], capture_output=True, text=True, cwd=ROOT, check=False
    )


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    path = tmp_path_factory.mktemp("figures") / "figure.ipynb"
    nbformat.write(notebook(CURVE), path)
    done = python("tools/execute.py", str(path))
    assert done.returncode == 0, done.stderr
    return path


CURVES = {
    "the_same": (CURVE, True),
    # Less than a hundredth of a pixel: what another last bit of a sum would do.
    "another_last_bit": (f"{CURVE} * (1 + 1e-5)", True),
    # About two pixels at the ends.
    "two_pixels": (f"{CURVE} * 1.02", False),
    "another_curve": ("np.tanh(x / 1.9)", False),
}


def test_only_a_changed_curve_fails(executed, tmp_path):
    for name, (curve, _) in CURVES.items():
        nb = nbformat.read(executed, as_version=4)
        nb.cells[0].source = CELL.format(curve=curve)
        nbformat.write(nb, tmp_path / f"{name}.ipynb")
    done = python(
        *("-m", "pytest", "-n0", "-c", "pyproject.toml", "--rootdir", str(ROOT)),
        *("-p", "no:cacheprovider", "-p", "conftest", str(tmp_path)),
    )
    for name, (_, passes) in CURVES.items():
        assert (f"{name}.ipynb::Cell 0" not in done.stdout) is passes, done.stdout
    assert "the figure changed: RMS difference" in done.stdout, done.stdout
    assert "2 failed, 2 passed" in done.stdout, done.stdout


def test_executing_twice_gives_the_same_bytes(executed):
    before = executed.read_bytes()
    assert python("tools/execute.py", str(executed)).returncode == 0
    assert executed.read_bytes() == before


def test_a_failing_notebook_is_not_written(tmp_path):
    path = tmp_path / "fails.ipynb"
    nb = notebook(CURVE)
    nb.cells[0].source = "1 / 0"
    nbformat.write(nb, path)
    before = path.read_bytes()
    done = python("tools/execute.py", str(path))
    assert done.returncode == 1
    assert "ZeroDivisionError: division by zero; nothing was written" in done.stderr
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
