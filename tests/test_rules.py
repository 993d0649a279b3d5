"""The rules that chapters offer for copying, against mpmath's derivatives, in three modes.

Each is made a function of one number; mpmath differentiates its mathematical definition
numerically with 50 digits, so no formula of a notebook is used to judge it.
"""

import os
from functools import cache

os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "1", "TF_ENABLE_ONEDNN_OPTS": "0"}

import mpmath as mp
import numpy as np
import pytest
import tensorflow as tf
from chapters import BOOK, definition
from modes import MODES, derivatives


def softplus(x):
    return mp.log1p(mp.exp(x))


def hypotenuse(x):
    return mp.sqrt(x * x + 9)


WIDE = [-600.0, -80.0, -20.0, -1.0, 0.0, 1e-3, 2.0, 30.0, 600.0]
POSITIVE = [1e-6, 0.1, 0.6931, 0.6932, 1.0, 5.0, 40.0, 300.0]
# name: (notebook, function, as a function of one tensor, its definition, points)
RULES = {
    "custom_square": (
        "article/custom_square",
        lambda f: f,
        lambda x: x * x,
        [-2.0, 0.0, 3.0],
    ),
    "log1pexp_repaired": ("article/log1pexp", lambda f: f, softplus, WIDE),
    "subtract_square": (
        "article/subtract_square",
        lambda f: lambda x: f(x, tf.constant(2.0, x.dtype)),
        lambda x: (x - 2) ** 2,
        [-1.0, 2.0, 5.0],
    ),
    "log1pexp": ("stability/accurate_log1pexp", lambda f: f, softplus, WIDE),
    "log1mexp": (
        "stability/log_family",
        lambda f: f,
        lambda x: mp.log(-mp.expm1(-x)),
        POSITIVE,
    ),
    "logaddexp": (
        "stability/log_family",
        lambda f: lambda x: f(x, 0 * x),
        softplus,
        WIDE,
    ),
    "logsumexp": (
        "stability/log_family",
        lambda f: lambda x: f(tf.stack([x, 0 * x, 0 * x], -1)),
        lambda x: mp.log(mp.exp(x) + 2),
        [-30.0, -1.0, 0.0, 1.0, 30.0],
    ),
    "logdiffexp": (
        "stability/log_family",
        lambda f: lambda x: f(x, 0 * x),
        lambda x: mp.log(mp.expm1(x)),
        POSITIVE,
    ),
    "xlogy": (
        "stability/log_family",
        lambda f: lambda x: f(x, x + 1),
        lambda x: x * mp.log(x + 1),
        [0.0, 1e-3, 1.0, 50.0],
    ),
    "root_or_zero": (
        "stability/where_trap",
        lambda f: f,
        lambda x: mp.sqrt(x) if x > 0 else mp.mpf(0),
        [-4.0, -1e-3, 1e-3, 1.0, 9.0],
    ),
    "maximum_even": (
        "stability/kinks_and_singular_points",
        lambda f: lambda x: f(x * x, x),
        lambda x: x * x if x > 1 or x < 0 else x,
        [-2.0, 0.5, 3.0],
    ),
    "norm": (
        "stability/kinks_and_singular_points",
        lambda f: lambda x: f(tf.stack([x, 3 + 0 * x], -1)),
        hypotenuse,
        [-5.0, 0.0, 1e-3, 4.0],
    ),
    "angle_of": (
        "stability/kinks_and_singular_points",
        lambda f: lambda x: f(x, 3 + 0 * x),
        lambda x: mp.atan(x / 3),
        [-5.0, 0.0, 1e-3, 4.0],
    ),
    "largest_eigenvalue": (
        "stability/kinks_and_singular_points",
        lambda f: (
            lambda x: f(tf.reshape(tf.stack([x, 1 + 0 * x, 1 + 0 * x, -x]), (2, 2)))
        ),
        lambda x: mp.sqrt(x * x + 1),
        [-5.0, 0.5, 4.0],
    ),
    "log1pexp_half": (
        "stability/half_precision",
        lambda f: f,
        softplus,
        [-80.0, -20.0, -1.0, 0.0, 2.0, 30.0],
    ),
}
# Rules of these dtypes only, with the relative error that they may have.
DTYPES = {"log1pexp_half": ("float32", 1e-5)}
# The second derivative of logsumexp is a difference of two numbers near 1 far from a tie: its
# chapter promises it to an absolute error only.
ABSOLUTE = {"logsumexp": 1e-15}


@cache
def rule(name):
    return definition(BOOK / f"{RULES[name][0]}.ipynb", name)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", RULES)
def test_value_and_derivatives(name, mode):
    _, adapt, exact, points = RULES[name]
    dtype, rtol = DTYPES.get(name, ("float64", 1e-11))
    f = adapt(rule(name))
    run = MODES[mode](lambda x: derivatives(f, x))
    for point in points:
        results = run(tf.constant(point, dtype))
        with mp.workdps(50):
            truth = [float(mp.diff(exact, mp.mpf(point), order)) for order in (0, 1, 2)]
        for order, (got, wanted) in enumerate(zip(results, truth, strict=True)):
            atol = ABSOLUTE[name] if order == 2 and name in ABSOLUTE else 1e-9 * rtol
            where = f"{name} in {mode} at {point}, order {order}"
            np.testing.assert_allclose(got, wanted, rtol=rtol, atol=atol, err_msg=where)


@pytest.mark.parametrize("name", RULES)
def test_the_upstream_is_used(name):
    _, adapt, _, points = RULES[name]
    dtype, rtol = DTYPES.get(name, ("float64", 1e-11))
    x = tf.constant(points[-2], dtype)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = adapt(rule(name))(x)
    one, three = (tape.gradient(y, x, tf.constant(u, dtype)) for u in (1.0, -3.0))
    np.testing.assert_allclose(three, -3 * one, rtol=rtol)


CHECKED = ["log1pexp", "log1mexp", "logaddexp", "logsumexp", "logdiffexp", "xlogy"]
CHECKED += ["root_or_zero", "maximum_even", "norm", "angle_of", "largest_eigenvalue"]
CHECKED += ["log1pexp_half"]
TWO = {"logaddexp", "logdiffexp", "xlogy", "maximum_even", "angle_of"}


@pytest.mark.parametrize(
    "wrong", [[1, 2], "one", 1j], ids=["integer", "string", "complex"]
)
@pytest.mark.parametrize("name", CHECKED)
def test_a_wrong_dtype_is_named(name, wrong):
    arguments = [tf.constant(wrong)] * (2 if name in TWO else 1)
    with pytest.raises(TypeError, match=r"\b(x|y|a|b)\b.*must be.*float32.*, not \w+"):
        rule(name)(*arguments)


def test_a_wrong_rule_is_seen():
    """The comparison above can fail: a rule with half of the gradient does."""
    half = tf.custom_gradient(lambda x: (x**2, lambda dy: dy * x))
    got = derivatives(half, tf.constant(3.0, tf.float64))[1]
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(got, float(mp.diff(lambda x: x * x, 3)), rtol=1e-11)
