"""Set-up and the commands end in one clear line when something is missing, and lose nothing."""

import os
import shutil
import socket
import subprocess
import sys

import pytest
from chapters import ROOT

pytestmark = pytest.mark.skipif(
    os.name == "nt", reason="tools/setup is for POSIX systems"
)


@pytest.fixture
def checkout(tmp_path):
    """A copy of what set-up reads, without .venv."""
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "setup", tmp_path / "tools")
    shutil.copy(ROOT / "requirements.txt", tmp_path)
    return tmp_path


def program(folder, name, script):
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def setup(checkout, **environment):
    done = subprocess.run(
        ["sh", "tools/setup"],
        cwd=checkout,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not (checkout / ".venv" / ".ready").exists() or done.returncode == 0
    return done.returncode, done.stderr.strip()


def only_line(stderr):
    assert stderr.startswith("set-up: ") and "\n" not in stderr, stderr
    return stderr


def test_a_missing_python(checkout):
    code, stderr = setup(checkout, PYTHON="python-that-is-not-here")
    assert code == 1
    assert "Python 3.11, 3.12 or 3.13 is needed" in only_line(stderr)
    assert "missing" in stderr


def test_an_old_python(checkout, tmp_path):
    old = program(
        tmp_path, "python-old", 'case "$2" in *write*) printf 3.8;; *) exit 1;; esac'
    )
    code, stderr = setup(checkout, PYTHON=old)
    assert code == 1
    assert "is 3.8;" in only_line(stderr)


def test_too_little_disk(checkout):
    code, stderr = setup(checkout, PYTHON=sys.executable, SETUP_NEEDS_MB="999999999")
    assert code == 1
    assert "999999999 MB of disk are needed" in only_line(stderr)


@pytest.mark.parametrize(
    ("pip_says", "seen"),
    [
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        (
            "NewConnectionError: Temporary failure in name resolution",
            "is there a network?",
        ),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", "DO NOT MATCH THE HASHES"),
    ],
)
def test_a_failing_download(checkout, tmp_path, pip_says, seen):
    # A Python that makes a .venv whose pip fails in the way that is asked for.
    inner = f"case \"$2\" in pip) echo '{pip_says}'; exit 1;; *) exit 0;; esac"
    (tmp_path / "inner").write_text(f"#!/bin/sh\n{inner}\n")
    script = f"""
case "$2" in
  venv) mkdir -p .venv/bin; cp "{tmp_path}/inner" .venv/bin/python; chmod +x .venv/bin/python;;
  *) exit 0;;
esac"""
    code, stderr = setup(checkout, PYTHON=program(tmp_path, "python-stub", script))
    assert code == 1
    assert seen in only_line(stderr)


def run(*args):
    return subprocess.run(
        [sys.executable, *args], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_serve_names_a_bad_port():
    assert "not eighty" in run("tools/serve.py", "eighty").stderr


def test_serve_names_a_taken_port(tmp_path):
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "serve.py", tmp_path / "tools")
    (tmp_path / "_build" / "html").mkdir(parents=True)
    (tmp_path / "_build" / "html" / "index.html").touch()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run(str(tmp_path / "tools" / "serve.py"), str(port))
    assert done.returncode == 1
    assert (
        done.stderr.startswith(f"serve: port {port}: ") and done.stderr.count("\n") == 1
    )


def test_execute_names_a_missing_notebook():
    done = run("tools/execute.py", "book/none.ipynb")
    assert (done.returncode, done.stderr.strip()) == (
        1,
        "book/none.ipynb: no such notebook",
    )
