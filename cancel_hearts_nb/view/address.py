"""The address of the page that shows a widget: its words, read with care, since anybody can write an address."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from urllib.parse import parse_qsl

MOST_QUERY = 40_000
"""Characters of an address that are looked at."""
_MOST_WORDS = 40


def query(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the words of the address by which Voilà's page was opened; of a word given twice the first; {} without any.

    Too long addresses and strange bytes are no errors: what cannot be read is left out.

    >>> query({"QUERY_STRING": "hand=1abc&step=7&step=8"})
    {'hand': '1abc', 'step': '7'}
    """
    text = _query_string() if environ is None else environ.get("QUERY_STRING", "")
    if len(text) > MOST_QUERY:
        return {}
    found: dict[str, str] = {}
    try:
        for key, value in parse_qsl(text, max_num_fields=_MOST_WORDS, errors="replace"):
            found.setdefault(key, value)
    except ValueError:
        return {}
    return found


def _query_string() -> str:
    if os.environ.get("VOILA_PREHEAT", "False") != "False":
        # this kernel was started before anybody came; Voilà tells later by which address somebody did
        try:
            # by name: it need not be installed
            utils = importlib.import_module("voila.utils")
        except ImportError:
            pass
        else:
            return str(utils.get_query_string() or "")
    return os.environ.get("QUERY_STRING", "")
