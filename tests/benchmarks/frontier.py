"""Measure what each form of log1pexp costs under XLA, side by side in one run.

Prints the table that book/stability/accurate_log1pexp.ipynb records: the time of the value, and
of value and gradient together, over that of tf.math.softplus; and the chapter's bounds.
"""

import os
import statistics
import sys
import time
from pathlib import Path

os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "1", "TF_ENABLE_ONEDNN_OPTS": "0"}
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import tensorflow as tf
from chapters import BOOK, definition

NOTEBOOK = BOOK / "stability" / "accurate_log1pexp.ipynb"
ELEMENTS = 1 << 20


def step(form):
    """Value and gradient, as one training step needs them."""

    def run(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = form(x)
        return y, tape.gradient(y, x)

    return run


def seconds(functions, x, rounds):
    """The best time of each function over `rounds` turns: what other programs do, drops out."""
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(rounds):
        for name, function in functions.items():
            start = time.perf_counter()
            function(x)
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def main():
    forms = definition(NOTEBOOK, "FORMS")
    gradient = definition(NOTEBOOK, "log1pexp_gradient")
    x = tf.constant(np.random.default_rng(0).uniform(-90, 30, ELEMENTS), tf.float32)
    functions = {(name, "value"): form for name, form in forms.items()}
    functions |= {(name, "step"): step(form) for name, form in forms.items()}
    functions |= {("gradient", "value"): gradient, ("tf.sigmoid", "value"): tf.sigmoid}
    functions = {
        k: tf.function(f, autograph=False, jit_compile=True)
        for k, f in functions.items()
    }
    functions[("eager", "ours")] = step(forms["this chapter"])
    functions[("eager", "softplus")] = step(forms["tf.math.softplus"])
    for function in functions.values():
        function(x)
    runs = [seconds(functions, x, rounds=20) for _ in range(9)]

    def ratio(of, to):
        return statistics.median(run[of] / run[to] for run in runs)

    base = "tf.math.softplus"
    print("TIME = {")
    for name in forms:
        pair = [ratio((name, what), (base, what)) for what in ("value", "step")]
        print(f'    "{name}": ({pair[0]:.2f}, {pair[1]:.2f}),')
    print("}")
    ours = "this chapter"
    print(
        f"value:    {ratio((ours, 'value'), (base, 'value')):.2f} of softplus (bound 1.1)"
    )
    against = ratio(("gradient", "value"), ("tf.sigmoid", "value"))
    print(f"gradient: {against:.2f} of tf.sigmoid (bound 1.5)")
    both = ratio((ours, "step"), (base, "step"))
    eager = ratio(("eager", "ours"), ("eager", "softplus"))
    print(f"eager mode, value and gradient: {eager:.0f} times softplus")
    print(f"both:     {both:.2f} of softplus and its gradient (bound 1)")


if __name__ == "__main__":
    main()
