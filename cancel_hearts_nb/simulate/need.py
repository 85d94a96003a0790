"""numpy, or a sentence that says what to install: the rest of the package works without it."""

from __future__ import annotations

from ..messages import N_, Problem


class NumpyMissing(Problem, ImportError):
    """The simulator was asked for where numpy is not installed."""


INSTALL = "pip install cancel_hearts_nb[course]"

try:
    import numpy  # noqa: F401
except ImportError:
    raise NumpyMissing(
        N_("Simulating hands needs numpy, which is not installed; “%(command)s” installs it."), command=INSTALL
    ) from None
