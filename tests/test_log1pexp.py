"""The promises of the accurate log1pexp, on a sample of float32 and at its worst known points.

`make verify` checks every float32; what it printed as worst is in WORST.
"""

import os

os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "1", "TF_ENABLE_ONEDNN_OPTS": "0"}

import numpy as np
import pytest
import tensorflow as tf
from chapters import BOOK, namespace
from modes import MODES, derivatives

NOTEBOOK = BOOK / "stability" / "accurate_log1pexp.ipynb"
BOUNDS = (0.51, 0.51, 1.0)
WORST = [
    -63.07661437988281,
    -85.28845977783203,
    85.28845977783203,
    -5.322370634530671e-05,
]


@pytest.fixture(scope="module")
def cells():
    return namespace(NOTEBOOK, "log1pexp")


@pytest.fixture(scope="module")
def sample():
    """A million random bit patterns with |x| < 104, both ends of the normal range, WORST."""
    bits = np.random.default_rng(0).integers(0, 2**32, 2_000_000, dtype=np.uint32)
    x = bits.view(np.float32)
    x = x[np.abs(x) < 104]
    edges = np.linspace(-87.4, -87.2, 10_000, dtype=np.float32)
    return np.concatenate([x, edges, -edges, np.array(WORST, np.float32)])


def errors(cells, f, x, mode):
    results = MODES[mode](lambda x: derivatives(f, x))(tf.constant(x))
    rows = zip(results, cells["truth"](x), strict=True)
    return [cells["ulps"](got, exact).max() for got, exact in rows]


@pytest.mark.parametrize("mode", MODES)
def test_bounds(cells, sample, mode):
    assert np.all(np.array(errors(cells, cells["log1pexp"], sample, mode)) <= BOUNDS)


@pytest.mark.parametrize("mode", MODES)
def test_a_worse_form_is_seen(cells, sample, mode):
    assert np.all(np.array(errors(cells, tf.math.softplus, sample, mode)) > BOUNDS)


@pytest.mark.parametrize("mode", MODES)
def test_special_values(cells, mode):
    x = tf.constant([0.0, -0.0, np.inf, -np.inf, np.nan, 3e38, -3e38])
    value, first, second = MODES[mode](lambda x: derivatives(cells["log1pexp"], x))(x)
    log2 = np.float32(np.log(2))
    np.testing.assert_array_equal(
        value, [log2, log2, np.inf, 0, np.nan, np.float32(3e38), 0]
    )
    np.testing.assert_array_equal(first, [0.5, 0.5, 1, 0, np.nan, 1, 0])
    np.testing.assert_array_equal(second, [0.25, 0.25, 0, 0, np.nan, 0, 0])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("shape", [(), (0,), (1,), (2, 3), (3, 0, 2)])
def test_shape_and_dtype_are_kept(cells, mode, dtype, shape):
    results = MODES[mode](lambda x: derivatives(cells["log1pexp"], x))(
        tf.zeros(shape, dtype)
    )
    for result in results:
        assert (result.shape, result.dtype.name) == (shape, dtype)


@pytest.mark.parametrize("wrong", [3, [1, 2], "one", 1j, True])
def test_a_wrong_dtype_is_named(cells, wrong):
    with pytest.raises(
        TypeError, match=r"^log1pexp: x must be float16, .* or float64, not"
    ):
        cells["log1pexp"](tf.constant(wrong))
