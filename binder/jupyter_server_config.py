"""Voilà on Binder shows the lessons with the same settings as `cancel-hearts`."""

from cancel_hearts_nb import voilasettings

voilasettings.use(c)  # noqa: F821  (c comes from Jupyter)
