"""Tests of the rule engine: worked cases, the rulebook, wrong twins, conformance, the game as a whole."""

import pytest

# the helpers assert too, and should say as much as the tests when they fail
pytest.register_assert_rewrite(*(f"{__name__}.{name}" for name in ("casework", "prose", "tables")))
