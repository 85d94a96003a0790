"""One self-contained page of a table: module, style, state and a small stand-in for anywidget's model, in one file.

The page asks nobody for anything, and its content security policy forbids it: only the one script whose hash stands in
the policy runs. The state is data, not code, and is written so that no name in it can end its element.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from html import escape
from typing import Any

_EXPORT = "export default "
# get, set, on, off and save_changes are all that the table needs of anywidget's model
_RUN = """
const state = JSON.parse(document.getElementById('state').textContent), calls = {};
const model = {
  get: key => state[key],
  set(key, value) { if (state[key] !== value) { state[key] = value; [...(calls['change:' + key] || [])].forEach(call => call()); } },
  on(event, call) { (calls[event] = calls[event] || new Set()).add(call); },
  off(event, call) { calls[event]?.delete(call); },
  save_changes() {},
};
const host = document.getElementById('table'), widget = factory();
widget.initialize({ model });
host.replaceChildren();
widget.render({ model, el: host });
"""
_STYLE = "body{margin:8px;background:#fcfbf7;color:#22262a}@media (prefers-color-scheme:dark){body{background:#16191b;color:#ece9e1}}"


def page(title: str, state: Mapping[str, Any], module: str, style: str, still: str = "") -> str:
    """Return the page as HTML text.

    title: for the window; state: the traits of a table; module, style: its JavaScript and CSS; still: HTML that is read
    where no script runs. Raises ValueError when the module has not exactly one default export, or holds the end of a
    script element.

    >>> "</b>" in page("</b>", {"words": {}}, "export default () => 1", "")
    False
    """
    if module.count(_EXPORT) != 1 or "</script" in module.lower() or "<!--" in module:
        raise ValueError("the module cannot be put into a page")
    script = module.replace(_EXPORT, "const factory = ") + _RUN
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{allowed}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    data = json.dumps(state, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    words: Mapping[str, Any] = state.get("words", {})
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(words.get("lang", "en"))}" dir="{escape(words.get("dir", "ltr"))}">\n'
        f'<head><meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{_STYLE}{style}</style></head>\n"
        f'<body><main id="table">{still}</main>\n<script type="application/json" id="state">{data}</script>\n'
        f'<script type="module">{script}</script></body></html>\n'
    )
