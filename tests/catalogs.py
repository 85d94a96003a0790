"""Collect the marked sentences of the package into the catalogs, and compile them; run as `poe messages`.

Everything written here depends on the sentences alone: no dates, no line numbers, no names of machines. So running it
twice changes nothing, and a test can tell whether a catalog is stale.
"""

from __future__ import annotations

import functools
import io
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from babel.messages import extract, mofile, pofile
from babel.messages.catalog import Catalog

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "cancel_hearts_nb"
LOCALE = PACKAGE / "locale"
DOMAIN = "cancel_hearts_nb"
# What people read in data files: in each folder of data/, the keys whose texts are sentences, at any depth
DATA = {"records": ("title", "about"), "questions": ("text", "reply"), "": ("title",)}
# N_("one sentence") and NN_("one", "many")
KEYWORDS = {"N_": None, "NN_": (1, 2)}
_TOLD = ("Language", "Plural-Forms", "MIME-Version", "Content-Type", "Content-Transfer-Encoding")
_ABOUT = "# The sentences of cancel_hearts_nb. Under the licence of the package (BSD-3-Clause)."


class _Steady(Catalog):
    """A catalog whose header says nothing about when, where and by which version it was made."""

    def _get_mime_headers(self) -> list[tuple[str, str]]:
        return [header for header in super()._get_mime_headers() if header[0] in _TOLD]

    mime_headers = property(_get_mime_headers, Catalog._set_mime_headers)


def _empty(language: str | None) -> Catalog:
    return _Steady(locale=language, domain=DOMAIN, header_comment=_ABOUT, charset="utf-8", fuzzy=False)


def template(package: Path = PACKAGE) -> Catalog:
    """Return the catalog of all marked sentences in the Python files of `package`, file by file, then of its data files."""
    found = _empty(None)
    for path in sorted(package.rglob("*.py")):
        with path.open("rb") as file:
            for _, message, _, _ in extract.extract("python", file, keywords=KEYWORDS):
                found.add(message)
    for folder, keys in DATA.items():
        for path in sorted((package / "data" / folder).glob("*.toml")):
            for sentence in _sentences(tomllib.loads(path.read_text(encoding="utf-8")), keys):
                found.add(sentence)
    return found


def _sentences(value: object, keys: Sequence[str]) -> Iterator[str]:
    """The texts under `keys` anywhere in `value`, in the order of the file."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in keys and isinstance(inner, str) and inner:
                yield inner
            else:
                yield from _sentences(inner, keys)
    elif isinstance(value, list):
        for inner in value:
            yield from _sentences(inner, keys)


def translated(source: Catalog, language: str, old: Catalog | None = None) -> Catalog:
    """Return the catalog of `language` for the sentences of `source`: English is the source, others keep what they had.

    A sentence that resembles an old one starts with that one's translation, marked as fuzzy and so not shown to anyone.
    """
    new = _empty(language)
    if old is not None and language != "en":
        old.update(source)
    for message in source:
        if not message.id:
            continue
        kept = old.get(message.id) if old is not None and language != "en" else None
        if language == "en":
            string = message.id
        elif kept is not None and _is_said(kept.string):
            string = kept.string
        else:
            string = ("",) * new.num_plurals if message.pluralizable else ""
        new.add(message.id, string, flags=kept.flags if kept else (), user_comments=kept.user_comments if kept else ())
    return new


def _is_said(string: str | Sequence[str]) -> bool:
    return bool(string) and all(string)


def text(catalog: Catalog) -> str:
    """Return `catalog` as a .po file."""
    out = io.BytesIO()
    pofile.write_po(out, catalog, width=0, no_location=True)
    return out.getvalue().decode()


def compiled(catalog: Catalog) -> bytes:
    """Return `catalog` as a .mo file, without what is not translated: `i18n` then shows that in English."""
    out, said = io.BytesIO(), _empty(str(catalog.locale))
    for message in catalog:
        if message.id and _is_said(message.string):
            said.add(message.id, message.string, flags=message.flags)
    mofile.write_mo(out, said)
    return out.getvalue()


def files(package: Path = PACKAGE, locale: Path = LOCALE) -> dict[Path, bytes]:
    """Return what every catalog file should hold: the template, and for each language its .po and .mo."""
    source = template(package)
    found = {locale / f"{DOMAIN}.pot": text(source).encode()}
    languages = {path.parent.parent.name for path in locale.glob(f"*/LC_MESSAGES/{DOMAIN}.po")} | {"en"}
    for language in sorted(languages):
        po = locale / language / "LC_MESSAGES" / f"{DOMAIN}.po"
        old = None
        if po.is_file():
            with po.open("rb") as file:
                old = pofile.read_po(file, locale=language)
        new = translated(source, language, old)
        found[po] = text(new).encode()
        found[po.with_suffix(".mo")] = compiled(new)
    return found


@functools.cache
def _template() -> Catalog:
    # the sources do not change while tests run, and reading them takes longer than most tests
    return template()


def add_language(locale: Path, code: str, change: Callable[[str, int], str], rules_of: str = "en") -> None:
    """Write into the folder `locale` the catalog of language `code`: what `change` makes of each form and its number."""
    made = translated(_template(), rules_of)
    for message in made:
        if not message.id:
            continue
        if message.pluralizable:
            forms = (message.id[0], *[message.id[1]] * (made.num_plurals - 1))
            message.string = tuple(change(form, i) for i, form in enumerate(forms))
        else:
            message.string = change(message.id, 0)
    target = locale / code / "LC_MESSAGES" / f"{DOMAIN}.mo"
    target.parent.mkdir(parents=True)
    target.write_bytes(compiled(made))


def main() -> int:
    """Write the catalogs and say which of them changed."""
    for path, data in files().items():
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            sys.stdout.write(f"written: {path.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
