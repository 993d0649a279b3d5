"""Check log1pexp of book/stability/accurate_log1pexp.ipynb on every float32 that is not NaN.

Value, gradient and second derivative under XLA against NumPy's float64; prints the worst error of
each in ULP and the float32 where it occurs. Takes minutes; Ctrl-C prints what was seen so far.
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "1", "TF_ENABLE_ONEDNN_OPTS": "0"}
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import tensorflow as tf
from chapters import BOOK, namespace
from modes import MODES, derivatives
from rich.progress import track

NOTEBOOK = BOOK / "stability" / "accurate_log1pexp.ipynb"
NAMES = ("value", "gradient", "second derivative")
BOUNDS = (0.51, 0.51, 1.0)
CHUNK = 1 << 21
INFINITY = 0x7F800000  # its bits; above it come the NaNs


def main():
    cells = namespace(NOTEBOOK, "log1pexp")
    ulps, truth, log1pexp = (cells[name] for name in ("ulps", "truth", "log1pexp"))

    compiled = MODES["XLA"](lambda x: derivatives(log1pexp, x))

    def check(start):
        """Worst error of each derivative among the floats of one chunk, both signs."""
        bits = np.arange(start, min(start + CHUNK, INFINITY + 1), dtype=np.uint32)
        found = []
        for sign in (0, 0x80000000):
            x = (bits | np.uint32(sign)).view(np.float32)
            rows = zip(compiled(tf.constant(x)), truth(x), strict=True)
            # Equal first: at +inf the difference would be NaN.
            errors = [
                np.where(got == exact, 0.0, ulps(got, exact)) for got, exact in rows
            ]
            if not all(np.isfinite(e).all() for e in errors):
                raise ArithmeticError(f"not finite for bits from {start:#x}")
            found.append([(float(e.max()), float(x[e.argmax()])) for e in errors])
        return [max(pair) for pair in zip(*found, strict=True)]

    parts = list(range(0, INFINITY + 1, CHUNK))
    if "--quick" in sys.argv:
        parts = parts[::50]
    worst = [(0.0, 0.0)] * 3
    done = 0
    np.seterr(under="ignore", invalid="ignore")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(check, parts)
        try:
            for result in track(results, "every float32", len(parts)):
                worst = [max(pair) for pair in zip(worst, result, strict=True)]
                done += 1
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            print(f"interrupted after {done} of {len(parts)} parts; so far:")
    for name, (error, x), bound in zip(NAMES, worst, BOUNDS, strict=True):
        print(f"{name:17} {error:.4f} ULP at x = {x!r} (bound {bound})")
    sys.exit(any(e > bound for (e, _), bound in zip(worst, BOUNDS, strict=True)))


if __name__ == "__main__":
    main()
