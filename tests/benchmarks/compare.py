"""Print how far log1pexp of other libraries is from the truth: a Markdown table, with versions.

Each function runs in float32 on the CPU, without XLA, on the points of
book/stability/accurate_log1pexp.ipynb. A library that is not installed is named below the table.
"""

import importlib
import os
import sys
from pathlib import Path

os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "1", "TF_ENABLE_ONEDNN_OPTS": "0"}
# TensorFlow Probability 0.25 was made for Keras 2; the variable leaves keras.ops alone.
os.environ["TF_USE_LEGACY_KERAS"] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import tensorflow as tf
from chapters import BOOK, namespace
from modes import derivatives

NOTEBOOK = BOOK / "stability" / "accurate_log1pexp.ipynb"


def by_tape(f):
    return lambda x: [result.numpy() for result in derivatives(f, tf.constant(x))]


def tensorflow(module):
    return by_tape(module.math.softplus)


def probability(module):
    return by_tape(module.bijectors.Softplus().forward)


def keras(module):
    return by_tape(module.ops.softplus)


def scipy(module):
    special = importlib.import_module("scipy.special")
    zero = np.float32(0)
    return lambda x: (np.logaddexp(zero, x), special.expit(x), None)


def jax(module):
    softplus = module.nn.softplus
    first = module.vmap(module.grad(softplus))
    second = module.vmap(module.grad(module.grad(softplus)))
    return lambda x: tuple(np.asarray(f(x)) for f in (softplus, first, second))


def torch(module):
    def run(x):
        x = module.tensor(x, requires_grad=True)
        y = module.nn.functional.softplus(x)
        (first,) = module.autograd.grad(y.sum(), x, create_graph=True)
        (second,) = module.autograd.grad(first.sum(), x)
        return y.detach().numpy(), first.detach().numpy(), second.numpy()

    return run


LIBRARIES = {
    "TensorFlow `tf.math.softplus`": ("tensorflow", tensorflow),
    "TensorFlow Probability `bijectors.Softplus`": (
        "tensorflow_probability",
        probability,
    ),
    "Keras `keras.ops.softplus`": ("keras", keras),
    "NumPy and SciPy `logaddexp(0, x)`, `expit`": ("scipy", scipy),
    "JAX `jax.nn.softplus`": ("jax", jax),
    "PyTorch `softplus`": ("torch", torch),
}


def shown(error):
    return "-" if error is None else f"{error:.1f}" if error < 1000 else f"{error:.0e}"


def main():
    cells = namespace(NOTEBOOK, "log1pexp")
    x = np.linspace(-87.3, 120, 400_001).astype(np.float32)
    exact = cells["truth"](x)

    def row(run):
        results = run(x)
        errors = [
            None
            if got is None
            else float(np.nan_to_num(cells["ulps"](got, truth), nan=np.inf).max())
            for got, truth in zip(results, exact, strict=True)
        ]
        return " | ".join(shown(error) for error in errors)

    print("| library | value | gradient | second derivative |")
    print("|---|---|---|---|")
    missing = []
    for name, (module, make) in LIBRARIES.items():
        try:
            library = importlib.import_module(module)
        except ImportError:
            missing.append(module)
            continue
        version = getattr(library, "__version__", "").split("+")[0]
        print(f"| {name} ({version}) | {row(make(library))} |")
    print(f"| this chapter | {row(by_tape(cells['log1pexp']))} |")
    if missing:
        print(f"\nNot installed: {', '.join(missing)}. make compare installs them.")


if __name__ == "__main__":
    main()
