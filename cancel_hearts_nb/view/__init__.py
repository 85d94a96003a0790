"""The drawing side: from frames to a table that a person steps through.

`TableWidget` is found here but loaded when first asked for, so that `view.labels` and `view.text` need no anywidget.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .table import TableWidget

__all__ = ["TableWidget"]


def __getattr__(name: str) -> object:
    if name == "TableWidget":
        from .table import TableWidget

        return TableWidget
    raise AttributeError(name)
