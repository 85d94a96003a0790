"""What a page is sent of `static/`: the files joined, without what only their readers need, and the module packed.

Every table sends its module anew, and Jupyter's sockets do not compress. So the module goes out as gzip in base64, with
a few lines in front that any browser unpacks it with; developer tools show the unpacked text, as `script` returns it.
"""

from __future__ import annotations

import base64
import gzip
import re
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"
TABLE = ("dom", "table", "alive", "rules", "predict", "share")

# `import` reads only addresses; a text gets one as a blob, as anywidget gives one to the module itself. What is here at
# once is small: anywidget 0.11 keeps all messages from a widget for good if its module has not begun within two seconds.
_UNPACK = """/* cancel_hearts_nb: this module is packed with gzip; the text that is imported below is the one to read */
async function unpack() {
  const letters = atob('%s'), packed = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) packed[i] = letters.charCodeAt(i);
  const stream = new DecompressionStream('gzip'), writer = stream.writable.getWriter();
  writer.write(packed); writer.close();
  const text = await new Response(stream.readable).text();
  const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const { default: made } = await import(address);
  URL.revokeObjectURL(address);
  return typeof made === 'function' ? made() : made;
}
export default () => {
  const widget = unpack();
  let begun = widget;
  return {
    initialize(given) {
      begun = widget.then(made => made.initialize?.(given));
      return () => begun.then(stop => stop?.());
    },
    async render(given) { await begun; return (await widget).render(given); },
  };
};
"""


def lean(text: str) -> str:
    r"""Return JavaScript or CSS without its indentation, empty lines, and comments that fill whole lines.

    It looks at lines, not at the language, and so it is right only for text in which no line within a template string
    begins with blanks or looks like a comment; a test holds the files of `static/` to having none over several lines.

    >>> lean("a {\n  b: 'c';  /* kept */\n}\n\n  /* gone,\n     all of it */\n// this too\nd")
    "a {\nb: 'c';  /* kept */\n}\nd"
    """
    bare = re.sub(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)$", "", text, flags=re.MULTILINE | re.DOTALL)
    return "\n".join(line.strip() for line in bare.splitlines() if line.strip())


@cache
def _read(name: str) -> str:
    return lean((STATIC / name).read_text(encoding="utf-8"))


def joined(suffix: str, *names: str) -> str:
    """Return the files of `static/` with these names and this suffix, one after the other, lean. Raises OSError.

    >>> joined("js", "dom", "scoresheet").count("export default")
    1
    """
    return "\n".join(_read(f"{name}.{suffix}") for name in names)


def script(*names: str) -> str:
    """The table's module: the small tools, table.js with its plugins, and after them the further files of `static/` that are named.

    >>> "export default" in script()
    True
    """
    return joined("js", *TABLE, *names)


def style(*names: str) -> str:
    """The table's style sheet, and after it the further ones of `static/` that are named.

    >>> ".chnb" in style()
    True
    """
    return joined("css", "table", *names)


def packed(module: str) -> str:
    """Return a module whose default export makes what that of `module` makes, and that is less than half as long.

    >>> len(packed(script())) < len(script()) / 2
    True
    """
    # more care than this takes each kernel longer and saves some fifty bytes
    small = gzip.compress(module.encode(), 6, mtime=0)
    return _UNPACK % base64.b64encode(small).decode()
