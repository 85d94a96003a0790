"""Where the files that belong to the package are: notebooks, example records, measured results, catalogs; the same call for every install.

In a checkout, and so in an editable install, the notebooks stand beside the package; a wheel carries them inside it,
under `share/`. What lies in the package itself is in one place anyway.
"""

from __future__ import annotations

from pathlib import Path

from .messages import N_, Problem

_PACKAGE = Path(__file__).resolve().parent
# Kinds that a checkout has at its top, beside the package
_BESIDE = ("notebooks", "exercises")
_INSIDE = {
    "data": "data", "records": "data/records", "questions": "data/questions", "plots": "data/plots", "locale": "locale", "jupyter": "jupyter",
}  # fmt: skip


class MissingFiles(Problem):
    """Files that should have come with the package are not there."""


def path(kind: str) -> Path:
    """Return the folder of `kind`: "notebooks", "exercises", "data", "records", "questions", "plots", "locale" or "jupyter". Raises MissingFiles.

    >>> path("locale").name
    'locale'
    >>> path("boats")
    Traceback (most recent call last):
    ...
    cancel_hearts_nb.resources.MissingFiles: The folder “boats” did not come with this installation of cancel_hearts_nb.
    """
    for folder in _places(kind):
        if folder.is_dir():
            return folder
    raise MissingFiles(N_("The folder “%(kind)s” did not come with this installation of cancel_hearts_nb."), kind=kind)


def checkout() -> Path | None:
    """Return the top folder of the checkout that this package is run from, or None for an installation of its own.

    >>> checkout() is None or (checkout() / "pyproject.toml").is_file()
    True
    """
    # Beside an installed package stand other people's packages: only a checkout of ours may answer
    top = _PACKAGE.parent
    return top if (top / "pyproject.toml").is_file() else None


def _places(kind: str) -> tuple[Path, ...]:
    if kind in _INSIDE:
        return (_PACKAGE / _INSIDE[kind],)
    if kind not in _BESIDE:
        return ()
    inside = _PACKAGE / "share" / kind
    top = checkout()
    return (inside, top / kind) if top else (inside,)
