"""How Voilà shows the lessons: one set of settings for `cancel-hearts`, for Binder and for any other Jupyter server.

The page itself is the template in `jupyter/voila/templates/cancel_hearts`. Jupyter finds it by an environment variable,
so that it works from a checkout and from a wheel alike, and nothing of it is installed among other people's files.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import logging
import os
from collections.abc import Mapping
from typing import Any

from . import course, resources
from .i18n import Words, chosen
from .messages import N_

TEMPLATE = "cancel_hearts"
FIRST_PAGE = "00_start_here.ipynb"
PLAYING_PAGE = "07_play_a_hand.ipynb"
# Voilà itself puts these into the page when a cell takes long; nothing else that stands in a page may run
_HEARTBEAT = "window.voila_heartbeat()"
_HEARTBEAT_HASH = base64.b64encode(hashlib.sha256(_HEARTBEAT.encode()).digest()).decode()
POLICY = "; ".join((
    "default-src 'none'",
    # the tables are modules that anywidget hands to the browser as blobs
    f"script-src 'self' blob: 'sha256-{_HEARTBEAT_HASH}'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
))  # fmt: skip
"""What a page may load and run: its own server's files and what the tables hand over, no script written into the page."""
# A page may take a while to connect to its kernel. Kernels of closed tabs go after ten minutes; one that is busy or
# has a page never does (Jupyter's defaults for cull_busy and cull_connected).
_CULL_AFTER, _CULL_EVERY = 600, 60
# where a whole class comes at once to a small machine, its kernels take turns
_START_SECONDS = 300
# without a model class of their own the widgets of others are nothing to these pages, and may ask who knows whom
_EXTENSIONS = ["@jupyter-widgets/jupyterlab-manager", "@voila-dashboards/widgets-manager8", "anywidget"]
FAILED = N_("This part of the page did not work. Please reload the page. If it happens again, tell whoever gave you this course what you did.")  # fmt: skip


def texts(w: Words) -> dict[str, Any]:
    """Return what the template shows in the language of `w`, the policy of the page and the titles of the lessons.

    >>> from .i18n import words
    >>> texts(words())["titles"]["02_passing"]
    'Passing · Cancellation Hearts'
    """
    names = {one.name: w.text(one.title) for one in course.lessons()}
    return {
        "language": w.language,
        "direction": w.direction,
        "policy": POLICY,
        "home": f"voila/render/{FIRST_PAGE}",
        "names": names,
        "titles": {name: w.text(N_("%(lesson)s · Cancellation Hearts"), lesson=title) for name, title in names.items()},
        "course": w.text(N_("Learn Cancellation Hearts")),
        "loading": w.text(N_("The tables of this page are being made ready…")),
        "slow": w.text(N_("This takes longer than usual. Please wait; if nothing comes within a minute, reload the page.")),
        "broken": w.text(N_("A part of this page did not come. Please reload the page.")),
        "noscript": w.text(N_("The tables of this page need JavaScript, which is turned off in this browser. The text can be read without it.")),
        "failed": w.text(FAILED),
        "sorry": w.text(N_("That did not work")),
        "missing": w.text(N_("There is no such page here.")),
        "unwell": w.text(N_("This page cannot be shown at the moment. Please try again in a minute.")),
    }  # fmt: skip


def settings(w: Words) -> dict[str, dict[str, Any]]:
    """Return what is set, by Jupyter's class and trait, for pages in the language of `w`.

    >>> from .i18n import words
    >>> settings(words())["VoilaConfiguration"]["template"]
    'cancel_hearts'
    """
    return {
        "VoilaConfiguration": {
            "template": TEMPLATE,
            # an address that names another template or theme would go around the policy of ours
            "allow_template_override": "NO",
            "allow_theme_override": "NO",
            "classic_tree": True,
            "strip_sources": True,
            "show_tracebacks": False,
            "resources": {"chnb": texts(w)},
            "file_allowlist": [r"(notebooks/)?images/[\w-]+\.(png|svg)"],
            "extension_allowlist": _EXTENSIONS,
        },
        # what stands below a cell that failed is shown all the same
        "VoilaExecutor": {"allow_errors": True, "on_cell_error": tell, "startup_timeout": _START_SECONDS},
        "MappingKernelManager": {"cull_idle_timeout": _CULL_AFTER, "cull_interval": _CULL_EVERY},
    }


def use(config: Any, w: Words | None = None) -> None:
    """Set everything in `config`, the `c` of a `jupyter_server_config.py`, in the language of `w` (the environment's if None)."""
    w = w or chosen().words
    more = {
        "ServerApp": {
            "kernel_websocket_connection_class": "cancel_hearts_nb.kernelguard.GuardedConnection",
            "jinja_template_vars": {"chnb": texts(w)},
        }
    }
    for name, traits in {**settings(w), **more}.items():
        config[name].update(traits)
    find_template()
    if importlib.util.find_spec("voila"):
        from . import voilarenderer

        voilarenderer.use()


def find_template() -> None:
    """Let Jupyter, in this process and those that it starts, find the template."""
    folder, known = str(resources.path("jupyter")), os.environ.get("JUPYTER_PATH", "")
    if folder not in known.split(os.pathsep):
        os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, (folder, known)))


def tell(cell: Mapping[str, Any], execute_reply: Mapping[str, Any], **more: Any) -> None:
    """Write down for whoever runs the server what went wrong in `cell`; the reader of the page is told a sentence."""
    logging.getLogger(__name__).error("\n".join(execute_reply["content"].get("traceback", ())))
