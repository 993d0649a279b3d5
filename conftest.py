"""Wherever pytest is started below this folder, nbval compares pictures as well as text."""

import nbval_figures  # noqa: F401
