"""The article's three results, from the functions that stand in the notebooks."""

import os

os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "1", "TF_ENABLE_ONEDNN_OPTS": "0"}

import pytest
import tensorflow as tf
from chapters import BOOK, definition, read

CALLS = {
    "custom_square": ([3.0], [6.0], "Gradient: 6.0"),
    "log1pexp": ([1000.0], [1.0], "Gradient for stable fn: 1.0"),
    "subtract_square": ([5.0, 2.0], [6.0, -6.0], "6.0"),
}


def gradients(rule, values):
    inputs = [tf.constant(value) for value in values]
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        y = rule(*inputs)
    return [float(g) for g in tape.gradient(y, inputs)]


@pytest.mark.parametrize("name", CALLS)
def test_result(name):
    values, expected, _ = CALLS[name]
    rule = definition(BOOK / "article" / f"{name}.ipynb", name)
    assert gradients(rule, values) == expected


@pytest.mark.parametrize("name", CALLS)
def test_the_notebook_prints_the_articles_line(name):
    printed = [
        output.text
        for cell in read(BOOK / "article" / f"{name}.ipynb").cells
        for output in cell.get("outputs", [])
        if output.output_type == "stream"
    ]
    assert any(CALLS[name][2] in text for text in printed)


def test_the_articles_fault_is_kept():
    """log1pexp is the article's version: its value overflows between 88.7 and 100."""
    rule = definition(BOOK / "article" / "log1pexp.ipynb", "log1pexp")
    assert float(rule(tf.constant(95.0))) == float("inf")
