"""What Voilà makes a page with: one whose kernel does not start ends with a sentence, and templates are compiled once.

In Voilà itself an exception on the way (a kernel whose port was taken just then, one that the system ended) is noticed by
nobody, and the reader's browser waits for the rest of the page for ever; and each page compiles all templates anew, a
seventh of the time that thirty readers wait who come at once.
"""

from __future__ import annotations

import html
from collections.abc import AsyncGenerator
from typing import Any

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from voila import handler
from voila.notebook_renderer import NotebookRenderer


class Compiled(BytecodeCache):
    """Keeps compiled templates for as long as the server runs; one whose source has changed is compiled again."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill `bucket` with what is kept for its template."""
        if bucket.key in self.kept:
            bucket.bytecode_from_string(self.kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what is in `bucket`."""
        self.kept[bucket.key] = bucket.bytecode_to_string()


_COMPILED = Compiled()


class Renderer(NotebookRenderer):  # type: ignore[misc]
    """Renders a lesson, and says so in the page when that failed."""

    async def initialize(self, **wanted: Any) -> None:
        """Read the notebook and make ready what renders it. Raises HTTPError."""
        await super().initialize(**wanted)
        self.exporter.environment.bytecode_cache = _COMPILED

    async def generate_content_generator(self, *kernel: Any) -> AsyncGenerator[tuple[str, Any], None]:
        """Yield the pieces of the page, each with its resources."""
        try:
            async for piece in super().generate_content_generator(*kernel):
                yield piece
        except Exception:
            self.log.exception("The page of %s was not finished", self.notebook_path)
            sentence = html.escape(self.resources["chnb"]["failed"])
            yield f'</div><p class="chnb-failed" role="alert">{sentence}</p></body></html>\n', self.resources


def use() -> None:
    """Let Voilà, in this process, make its pages with `Renderer`."""
    handler.NotebookRenderer = Renderer
