"""Print the figures that the README states, each measured side by side in one run."""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
BUILD = [str(BIN / "jupyter-book"), "build", "-W", "-n", "-q"]


def seconds(*command, cwd=ROOT):
    start = time.perf_counter()
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(
            f"{' '.join(command)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        )
    return time.perf_counter() - start


def ratio_of_builds(repeats=5):
    """Build this book and an empty Jupyter Book, from clean, in turn."""
    ours, empty = [], []
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder, "empty")
        book.mkdir()
        (book / "_config.yml").write_text("title: Empty\n")
        (book / "_toc.yml").write_text("format: jb-book\nroot: index\n")
        (book / "index.md").write_text("# Empty\n")
        for _ in range(repeats):
            for times, source in ((ours, ROOT), (empty, book)):
                output = Path(folder, "output")
                times.append(seconds(*BUILD, "--path-output", str(output), str(source)))
                shutil.rmtree(output)
    return statistics.median(ours) / statistics.median(empty)


def ratio_of_tests(*arguments):
    """Run pytest as configured and without parallelism, in turn."""
    pytest = [sys.executable, "-m", "pytest", *arguments]
    return seconds(*pytest) / seconds(*pytest, "-n0")


def notebooks():
    return {p: p.read_bytes() for p in (ROOT / "book").rglob("*.ipynb")}


def main():
    print("make book, against an empty Jupyter Book: ", end="", flush=True)
    print(f"{ratio_of_builds():.2f} times (at most 3)")
    print("make test, against the same run without parallelism: ", end="", flush=True)
    print(f"{ratio_of_tests():.2f} (at most 0.65)")
    print("its nbval part alone: ", end="", flush=True)
    print(f"{ratio_of_tests('book'):.2f}")
    before = notebooks()
    for _ in range(2):
        seconds(sys.executable, "tools/execute.py")
    changed = [
        str(p.relative_to(ROOT)) for p, raw in notebooks().items() if raw != before[p]
    ]
    print(f"make execute twice changes: {', '.join(changed) or 'no byte'}")


if __name__ == "__main__":
    main()
