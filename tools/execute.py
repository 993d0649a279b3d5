"""Execute notebooks in parallel and write their outputs back, each file whole or not at all."""

import argparse
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

ROOT = Path(__file__).resolve().parent.parent


def execute(path, timeout):
    """Run one notebook in a fresh kernel; return an error line, or None when it is written."""
    nb = nbformat.read(path, as_version=4)
    # Times and the exact Python would make two runs differ.
    client = NotebookClient(
        nb,
        timeout=timeout,
        kernel_name="python3",
        record_timing=False,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    )
    try:
        client.execute()
    except CellTimeoutError:
        return f"{path}: a cell ran longer than {timeout} s; nothing was written"
    except CellExecutionError as error:
        return f"{path}: {error.ename}: {error.evalue}; nothing was written"
    except DeadKernelError:
        return f"{path}: the kernel died (out of memory?); nothing was written"
    nb.metadata["language_info"] = {"name": "python"}
    nb.metadata["kernelspec"] = {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    }
    # Write beside the notebook and rename: a full disk or a Ctrl-C leaves the old file whole.
    draft = None
    try:
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(handle)
        nbformat.write(nb, draft)
        os.chmod(draft, path.stat().st_mode)
        os.replace(draft, path)
        draft = None
    except OSError as error:
        return f"{path}: {error.strerror}; nothing was written"
    finally:
        if draft:
            Path(draft).unlink(missing_ok=True)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "notebooks", nargs="*", type=Path, help="default: every notebook under book/"
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count(),
        help="how many at once (default: cores)",
    )
    parser.add_argument(
        "--timeout", type=int, default=120, help="seconds that one cell may take"
    )
    args = parser.parse_args()
    notebooks = args.notebooks or sorted(
        p
        for p in (ROOT / "book").rglob("*.ipynb")
        if ".ipynb_checkpoints" not in p.parts
    )
    for path in notebooks:
        if path.suffix != ".ipynb" or not path.is_file():
            sys.exit(f"{path}: no such notebook")
    failed = 0
    with ThreadPoolExecutor(max(1, args.jobs)) as pool:
        for path, error in zip(
            notebooks,
            pool.map(lambda p: execute(p, args.timeout), notebooks),
            strict=True,
        ):
            failed += error is not None
            print(
                error or f"{path}: executed",
                file=sys.stderr if error else sys.stdout,
                flush=True,
            )
    sys.exit(failed > 0)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        # The kernels end with this process; each notebook is as it was, or executed whole.
        print("interrupted", file=sys.stderr)
        os._exit(130)
