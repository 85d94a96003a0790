"""What all widgets beside the table share: how they read where nothing runs, and how a callback's errors are said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import anywidget

from ..i18n import Words
from ..messages import Problem


class Still(anywidget.AnyWidget):
    """A widget that is also a text (`repr`) and HTML without scripts (`_html`), for GitHub and pages without a kernel."""

    def _html(self) -> str:
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The live view, and beside it the same as text and as HTML."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return bundle
        data, metadata = bundle
        return {**data, "text/plain": repr(self), "text/html": self._html()}, metadata

    def _reply(
        self, content: Mapping[str, Any], answer: Callable[[Mapping[str, Any]], dict[str, Any]], w: Words, failed: str
    ) -> None:
        """Tell the page that the work on `content` has begun, and when it is done; whatever goes wrong is said there.

        failed: the message for an error that nobody foresaw, with %(error)s.
        """
        self.send({"begun": content.get("id")})
        said: dict[str, Any] = {}
        try:
            said = answer(content)
        except Problem as problem:
            said["failed"] = w.problem(problem)
        except Exception as error:
            self.log.exception("Exception in callback of %s", type(self).__name__)
            said["failed"] = w.text(failed, error=f"{type(error).__name__}: {error}"[:200])
        self.send({"done": content.get("id"), **said})
