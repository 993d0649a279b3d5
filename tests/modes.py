"""Value, first and second derivative of a function, and the three modes to compute them in."""

import tensorflow as tf

# autograph=False: AutoGraph would take the rule from a decorated function that is passed on.
MODES = {
    "eager": lambda f: f,
    "graph": lambda f: tf.function(f, autograph=False),
    "XLA": lambda f: tf.function(f, autograph=False, jit_compile=True),
}


def derivatives(f, x):
    """f(x), f'(x) and f''(x) for each element of x, by two nested tapes."""
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        first = inner.gradient(y, x)
    return y, first, outer.gradient(first, x, unconnected_gradients="zero")
