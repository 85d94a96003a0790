"""One self-contained page of a table: module, style, state and a small stand-in for anywidget's model, in one file.

The page asks nobody for anything, and its content security policy forbids it: only the one script whose hash stands in
the policy runs. The state is data, not code, and is written so that no name in it can end its element.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from html import escape
from typing import Any

_EXPORT = "export default "
# get, set, on, off and save_changes are all that widgets need of anywidget's model where no kernel answers; `hear` is
# for a page that answers a message itself
MODEL = """
const modelOf = state => {
  const calls = {};
  return {
    get: key => state[key],
    set(key, value) { if (state[key] !== value) { state[key] = value; [...(calls['change:' + key] || [])].forEach(call => call()); } },
    on(event, call) { (calls[event] = calls[event] || new Set()).add(call); },
    off(event, call) { calls[event]?.delete(call); },
    save_changes() {},
    hear(said) { [...(calls['msg:custom'] || [])].forEach(call => call(said)); },
  };
};
"""
_RUN = """
const state = JSON.parse(document.getElementById('state').textContent), model = modelOf(state);
const host = document.getElementById('table'), widget = factory();
widget.initialize({ model });
host.replaceChildren();
widget.render({ model, el: host });
"""
_STYLE = "body{margin:8px;background:#fcfbf7;color:#22262a}@media (prefers-color-scheme:dark){body{background:#16191b;color:#ece9e1}}"


def factory(module: str) -> str:
    r"""Return `module` with its default export under the name “factory” and without others, to stand in a page's script.

    Raises ValueError when the module has not exactly one default export, or holds the end of a script element.

    >>> factory("export const a = 1;\nexport default () => a")
    'const a = 1;\nconst factory = () => a'
    """
    if module.count(_EXPORT) != 1 or "</script" in module.lower() or "<!--" in module:
        raise ValueError("the module cannot be put into a page")
    return re.sub("^export ", "", module.replace(_EXPORT, "const factory = "), flags=re.MULTILINE)


def policy(script: str) -> str:
    """Return a content security policy under which `script` runs and nothing is asked for.

    >>> policy("1").split("; ")[1]
    "script-src 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='"
    """
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{allowed}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def data(state: Any) -> str:
    r"""Return `state` as JSON in which no text can end the element that it stands in.

    >>> data(["</script>"])
    '["\\u003c/script>"]'
    """
    return json.dumps(state, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def page(title: str, state: Mapping[str, Any], module: str, style: str, still: str = "") -> str:
    """Return the page as HTML text.

    title: for the window; state: the traits of a table; module, style: its JavaScript and CSS; still: HTML that is read
    where no script runs. Raises ValueError when the module has not exactly one default export, or holds the end of a
    script element.

    >>> "</b>" in page("</b>", {"words": {}}, "export default () => 1", "")
    False
    """
    words: Mapping[str, Any] = state.get("words", {})
    body = f'<main id="table">{still}</main>'
    script = factory(module) + MODEL + _RUN
    return document(title, words.get("lang", "en"), words.get("dir", "ltr"), _STYLE + style, body, state, script)


def document(title: str, lang: str, direction: str, style: str, body: str, state: Any, script: str) -> str:
    r"""Return a whole page as HTML text: `body` is HTML, `script` a module that finds `state` in the element “state”.

    title, lang ("en") and direction ("ltr" or "rtl") are plain texts.

    >>> document("A & B", "en", "ltr", "", "", [], "")[:60]
    '<!DOCTYPE html>\n<html lang="en" dir="ltr">\n<head><meta chars'
    """
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(lang)}" dir="{escape(direction)}">\n'
        f'<head><meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{policy(script)}">\n'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{style}</style></head>\n"
        f'<body>{body}\n<script type="application/json" id="state">{data(state)}</script>\n'
        f'<script type="module">{script}</script></body></html>\n'
    )
