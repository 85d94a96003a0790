"""A plain table of texts as HTML: readable in a notebook, in Voilà, on a phone, and where styles are taken away."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from ..i18n import Words, words

STYLE = """
.chnb-sheet{--ink:#22262a;--soft:#555a5e;--hair:#dcd8cc;--paper:#fcfbf7;--wash:#dcebea;background:var(--paper);color:var(--ink);font:15px/1.45 "Source Sans 3","Noto Sans Arabic",system-ui,"Segoe UI",Roboto,sans-serif;max-width:1152px;margin:0 auto;padding:12px 20px 14px;box-sizing:border-box;border-block:1px solid var(--hair);border-block-start:2px solid var(--ink)}
[data-jp-theme-light=false] .chnb-sheet{--ink:#ece9e1;--soft:#aeb2af;--hair:#343a3d;--paper:#16191b;--wash:#1d4146}
.chnb-sheet.chnb-sheet.chnb-sheet :is(p,li){margin:0;padding:2px 0;text-align:start;color:inherit}
.chnb-sheet.chnb-sheet.chnb-sheet p.t{font:600 20px/1.25 "Iowan Old Style","Palatino Linotype",Palatino,Georgia,"Noto Serif",serif;padding-bottom:8px}
.chnb-sheet.chnb-sheet.chnb-sheet p.n{color:var(--soft);font-size:13.5px;padding-top:8px}
.chnb-sheet.chnb-sheet.chnb-sheet table{border-collapse:collapse;width:100%;margin:0;font-size:inherit;color:inherit;background:none;border:0;table-layout:auto}
.chnb-sheet.chnb-sheet.chnb-sheet tr{background:none}
.chnb-sheet.chnb-sheet.chnb-sheet :is(th,td){padding:7px 14px 7px 0;text-align:start;vertical-align:top;border:0;border-bottom:1px solid var(--hair);white-space:normal;max-width:none;font-weight:400;background:none}
.chnb-sheet.chnb-sheet.chnb-sheet th{font-weight:600}
.chnb-sheet.chnb-sheet.chnb-sheet td.m{font-weight:600}
.chnb-sheet.chnb-sheet.chnb-sheet td.r{color:var(--soft);font-size:13px;white-space:nowrap}
@media (max-width:699px){.chnb-sheet{padding-inline:10px}.chnb-sheet.chnb-sheet.chnb-sheet :is(table,tbody,tr,th,td){display:block}.chnb-sheet.chnb-sheet.chnb-sheet thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}.chnb-sheet.chnb-sheet.chnb-sheet :is(th,td){border:0;padding:2px 0;white-space:normal}.chnb-sheet.chnb-sheet.chnb-sheet tr{padding:8px 0;border-bottom:1px solid var(--hair)}.chnb-sheet.chnb-sheet.chnb-sheet td[data-of]::before{content:attr(data-of) " ";display:block;font-weight:400;font-size:13px;color:var(--soft)}}
""".strip()


class Cell(NamedTuple):
    """One text; `marked` texts stand out."""

    text: str
    marked: bool = False


class Sheet:
    """A table with a `title`, a `head`, `rows` whose first cell names the row, and `notes` below. Shown by a notebook."""

    def __init__(
        self,
        title: str,
        head: Sequence[str],
        rows: Sequence[Sequence[Cell]],
        notes: Sequence[str] = (),
        language: Words | None = None,
    ) -> None:
        w = language or words()
        self.title, self.head, self.rows, self.notes = title, tuple(head), tuple(map(tuple, rows)), tuple(notes)
        self._lang, self._dir = w.language.replace("_", "-"), w.direction

    def __repr__(self) -> str:
        lines = [self.title, " | ".join(self.head)] + [" | ".join(cell.text for cell in row) for row in self.rows]
        return "\n".join([*filter(None, lines), *self.notes])

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col">{escape(one)}</th>' for one in self.head)
        rows = "".join(f"<tr>{self._row(row)}</tr>" for row in self.rows)
        notes = "".join(f'<p class="n">{escape(note)}</p>' for note in self.notes)
        return (
            f'<style>{STYLE}</style><div class="chnb-sheet" lang="{escape(self._lang)}" dir="{escape(self._dir)}">'
            f'<p class="t"><strong>{escape(self.title)}</strong></p>'
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{notes}</div>"
        )

    def _row(self, row: Sequence[Cell]) -> str:
        first, *rest = row
        found = [f'<th scope="row">{escape(first.text)}</th>']
        for cell, of in zip(rest, self.head[1:], strict=True):
            text = f"<strong>{escape(cell.text)}</strong>" if cell.marked else escape(cell.text)
            found.append(f'<td data-of="{escape(of)}">{text}</td>')
        return "".join(found)


class Story:
    """Sentences in order, each with the id of its rule. Shown by a notebook."""

    def __init__(
        self, title: str, lines: Sequence[tuple[str, str]], notes: Sequence[str] = (), language: Words | None = None
    ) -> None:
        w = language or words()
        self.title, self.lines, self.notes = title, tuple(lines), tuple(notes)
        self._lang, self._dir = w.language.replace("_", "-"), w.direction

    def __repr__(self) -> str:
        lines = [
            f"{number}. {text}{f'  [{rule}]' if rule else ''}" for number, (text, rule) in enumerate(self.lines, 1)
        ]
        return "\n".join([self.title, *lines, *self.notes])

    def _repr_html_(self) -> str:
        lines = "".join(
            f"<li>{escape(text)}{f' <code>{escape(rule)}</code>' if rule else ''}</li>" for text, rule in self.lines
        )
        notes = "".join(f'<p class="n">{escape(note)}</p>' for note in self.notes)
        return (
            f'<style>{STYLE}</style><div class="chnb-sheet" lang="{escape(self._lang)}" dir="{escape(self._dir)}">'
            f'<p class="t"><strong>{escape(self.title)}</strong></p><ol>{lines}</ol>{notes}</div>'
        )
