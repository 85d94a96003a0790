"""The one direction of flow: which module may import which, and how light the engine is to load."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "cancel_hearts_nb"

# From left to right; a module may import only from rows above its own, or an earlier name of its own row. A new module
# needs a place here. Two stand further left than the drawing in the design has them: `rules.deal` answers what is
# asked before a ruleset exists, and `explain` gives errors of `game` their sentence.
LAYERS = (
    "messages",
    "cards seeds resources names playerlist",
    "rules.deal",
    "ruleset rulebook",
    "rules.nouns",
    "rules.follow rules.lead rules.trick rules.passing rules.scoring rules.match rules.legality",
    "events",
    "state i18n explain faults optiontexts scoresheet",
    "game",
    "predict players knowledge cautious frames handreader loader record simulate sampling hints",
    "course questionreader questions examiner howoften trial answers tasks checks",
    "playcode session comparing",
    "view",
    "voilarenderer voilasettings kernelguard voilaserver serve offline webruntime website benchview benchusual benchlessons benchsimulate bench commandline simulatetable strength",
    "cli",
)
RANK = {name: (row, place) for row, names in enumerate(LAYERS) for place, name in enumerate(names.split())}
# What rank alone does not say
NEVER = {
    "frames": {"explain", "i18n"},  # knows no language
    "simulate": {"players"},
}
# Not code to import, only what names the package and hands its parts out
ROOTS = {"", "rules"}
# Packages that stand in LAYERS as a whole
PACKAGES = {"view", "simulate", "tasks"}


def layer(module: str) -> str:
    """The name under which a module stands in LAYERS: a package such as `view` is one."""
    package = module.split(".")[0]
    return package if package in PACKAGES else module


def imports(path: Path, module: str) -> set[str]:
    """The modules of the package that the file at `path` imports, anywhere in it, by their names inside the package."""
    found = set()
    inside = module.split(".") if path.stem == "__init__" and module else module.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            if node.level:
                base = inside[: len(inside) - node.level + 1]
            elif node.module and node.module.split(".")[0] == PACKAGE.name:
                base = []
            else:
                continue
            rest = (node.module or "").split(".") if node.level else (node.module or "").split(".")[1:]
            base = [*base, *filter(None, rest)]
            for name in node.names:
                longer = ".".join([*base, name.name])
                found.add(longer if is_module(longer) else ".".join(base))
        elif isinstance(node, ast.Import):
            found |= {name.name.partition(".")[2] for name in node.names if name.name.split(".")[0] == PACKAGE.name}
    return found


def is_module(name: str) -> bool:
    path = PACKAGE.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def foreign(path: Path) -> set[str]:
    """The top-level names of everything from outside the package that the file at `path` imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").split(".")[0])
    return found - {PACKAGE.name}


def modules() -> dict[str, Path]:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


@pytest.mark.parametrize("module", [name for name in MODULES if name not in ROOTS])
def test_nothing_points_left(module: str) -> None:
    own = layer(module)
    assert own in RANK, f"{module} has no place in LAYERS"
    for other in imports(MODULES[module], module):
        target = layer(other)
        if (target == own and own in PACKAGES) or other in ROOTS:
            continue
        assert RANK[target] < RANK[own], f"{module} imports {other}"
        assert target not in NEVER.get(own, set()), f"{module} imports {other}"


@pytest.mark.parametrize("module", sorted(ROOTS))
def test_a_package_of_modules_imports_none_of_them(module: str) -> None:
    assert imports(MODULES[module], module) == set()


def test_the_reader_of_imports_sees_every_spelling(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text(
        "from . import follow, legality as l\nfrom .. import seeds\nfrom ..cards import Card\nfrom ..game import Game\n"
        "import cancel_hearts_nb.players\nfrom cancel_hearts_nb.view import labels\nfrom cancel_hearts_nb import record\n"
        "def f():\n    from .trick import winner\n    import numpy.random\n"
    )
    assert imports(file, "rules.x") == {
        "rules.follow", "rules.legality", "seeds", "cards", "game", "players", "view.labels", "record", "rules.trick",
    }  # fmt: skip
    assert foreign(file) == {"numpy"}


def test_only_the_view_knows_widgets_and_only_simulator_and_sampling_player_numpy() -> None:
    view, many = {"view"}, {"simulate", "sampling"}
    allowed = {
        "anywidget": view,
        "ipywidgets": view,
        "traitlets": view | {"voilaserver"},
        "IPython": view,
        "numpy": many,
    }
    for module, path in MODULES.items():
        for name in foreign(path) & set(allowed):
            assert layer(module) in allowed[name], f"{module} imports {name}"


def test_the_engine_needs_the_standard_library_alone() -> None:
    """It must also run where almost nothing is installed, such as in a browser; records are written by tomlkit."""
    server = {"jupyter_client", "jupyter_server", "tornado", "traitlets", "voila"}
    outside = {
        "record": {"tomlkit"},
        "bench": None,
        "simulate": {"numpy", "tqdm"},
        "sampling": {"numpy"},
        "offline": {"mistune"},
        "kernelguard": server,
        "voilarenderer": server | {"jinja2"},
        "voilaserver": server,
        "serve": {"segno"},
    }
    for module, path in MODULES.items():
        allowed = (
            set()
            if layer(module) != "view"
            else {"anywidget", "ipywidgets", "traitlets", "IPython", "segno", "matplotlib"}
        )
        extra = outside.get(layer(module), set())
        if extra is not None:
            assert foreign(path) <= set(sys.stdlib_module_names) | allowed | extra, module


def test_modules_do_not_wait_for_each_other() -> None:
    """No cycle among the modules, those of the view included."""
    graph = {
        name: {other for other in imports(path, name) if other in MODULES and other not in ROOTS}
        for name, path in MODULES.items()
    }
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, " → ".join([*way, name])
        if name not in done:
            for other in graph[name]:
                # view/__init__ names the widget, which is loaded only when asked for
                if not (name == "view" and other.startswith("view.")):
                    visit(other, (*way, name))
            done.add(name)

    for name in graph:
        visit(name, ())


def loaded(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


HEAVY = {"numpy", "ipywidgets", "anywidget", "traitlets", "IPython", "tomlkit", "voila", "matplotlib"}


@pytest.mark.parametrize(
    "statement",
    [
        "import cancel_hearts_nb",
        "from cancel_hearts_nb import Game, RandomPlayer, legal_cards, parse, play",
        "import cancel_hearts_nb.explain, cancel_hearts_nb.frames, cancel_hearts_nb.record",
        "import cancel_hearts_nb.cli, cancel_hearts_nb.serve",
        "import cancel_hearts_nb.view.labels",
    ],
)
def test_loading_the_engine_loads_no_widgets_and_no_numpy(statement: str) -> None:
    assert not loaded(statement) & HEAVY


def test_importing_the_package_loads_none_of_its_modules() -> None:
    assert {name for name in loaded("import cancel_hearts_nb") if name.startswith("cancel_hearts_nb")} == {
        "cancel_hearts_nb"
    }


def test_the_form_of_a_match_is_shown_without_the_game() -> None:
    """A class opens the playing page all at once; what holds and explains a game is loaded when somebody sits down."""
    page = "from cancel_hearts_nb import lesson, play_table; lesson('07_play_a_hand'); table = play_table()"
    game = {f"cancel_hearts_nb.{name}" for name in ("events", "state", "game", "explain", "record", "session")}
    assert not loaded(page) & game
    start = "table._do({'do': 'start', 'values': {'game': 'hearts', 'seats': '4'}})"
    assert loaded(f"{page}; {start}") >= game
