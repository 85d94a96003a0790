"""Words: catalogs that are not stale, a pseudo-language that nothing escapes, plural forms, isolated names."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import catalogs
import pytest
from pseudo import CLOSE, OPEN, MakeLanguage, pseudo

from cancel_hearts_nb import cli, events, explain, i18n, record, rulebook, serve
from cancel_hearts_nb.cards import PACK, cards, parse
from cancel_hearts_nb.game import Game, IllegalAction, PassCards, PlayCard
from cancel_hearts_nb.i18n import CARD_NAMES, Words, words
from cancel_hearts_nb.messages import Problem
from cancel_hearts_nb.players import RandomPlayer, play
from cancel_hearts_nb.rules.nouns import Refusal
from cancel_hearts_nb.ruleset import PRESETS, ruleset

NAMES = ("Al", "Beth", "Charlie", "Dave", "Eve", "Fay")
# What no language changes: numbers, and what is typed on the command line
UNTRANSLATED = re.compile(
    r"[\s\d.,:]|--?[a-z-]+|dashboard|replay|record|rules|scoresheet|export|site|simulate|strength|bench"
)


def outside(line: str) -> str:
    """What of `line` stands in no pseudo-language bracket, and no language leaves as it is."""
    kept, depth = [], 0
    for c in line:
        depth += (c == OPEN) - (c == CLOSE)
        assert depth >= 0, line
        if depth == 0 and c != CLOSE:
            kept.append(c)
    assert depth == 0, f"cut off: {line}"
    return UNTRANSLATED.sub("", "".join(kept))


def assert_translated(text: str, *given: str) -> None:
    """Each line of `text` is in brackets, except for the lines that are in `given`, which somebody else wrote."""
    lines = [line for line in text.splitlines() if line.strip() and line not in given]
    assert lines
    for line in lines:
        assert OPEN in line, f"untranslated: {line}"
        assert not outside(line), f"untranslated: {outside(line)!r} in {line!r}"


# --- catalogs


def test_catalogs_are_up_to_date() -> None:
    stale = [
        str(path.name) for path, data in catalogs.files().items() if not path.is_file() or path.read_bytes() != data
    ]
    assert not stale, f"run `poe messages`: {stale}"


def test_catalogs_say_nothing_about_when_and_where_they_were_made() -> None:
    for path, data in catalogs.files().items():
        for told in (b"Date", b"Generated", b"Babel", str(catalogs.ROOT).encode(), b".py:"):
            assert told not in data, (path.name, told)


def test_a_new_sentence_makes_the_catalogs_stale(tmp_path: Path) -> None:
    (tmp_path / "new.py").write_text('from .messages import N_\nX = N_("A sentence nobody has collected.")\n')
    made = catalogs.template(tmp_path)
    assert made.get("A sentence nobody has collected.") is not None


def test_every_marker_is_collected() -> None:
    """Babel reads the calls; here they are read from the syntax tree, in every spelling that Python allows."""
    found = catalogs.template()
    for path in catalogs.PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("N_", "NN_"):
                texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
                assert len(texts) == len(node.args), (
                    f"{path.name}:{node.lineno}: a marked sentence must stand there as it is"
                )
                message = found.get(texts[0])
                assert message is not None, texts
                assert message.id == (texts[0] if len(texts) == 1 else tuple(texts))


def test_what_the_table_says_is_in_the_catalog() -> None:
    labels = pytest.importorskip("cancel_hearts_nb.view.labels")
    found = catalogs.template()
    texts = [*labels.LABELS.values(), *(one for one, _ in labels.PLURALS.values())]
    assert [text for text in texts if found.get(text) is None] == []


def test_english_says_what_the_code_says() -> None:
    w = words("en")
    for message in catalogs.template():
        if message.id:
            forms = message.id if message.pluralizable else (message.id,)
            assert w.plain(forms[0]) == forms[0]


def test_what_data_files_say_is_in_the_catalog_and_shown_from_it(make_language: MakeLanguage) -> None:
    replay = pytest.importorskip("cancel_hearts_nb.view.replay")
    w = make_language("xx", lambda form, _: "ø" + form)
    loaded = record.load(record.example("12_whole_hand"))
    shown = replay.replays(loaded, w)[0]
    assert (shown["title"], shown["about"]) == ("ø" + loaded.title, "ø" + loaded.about)
    # what is saved stays as it was written
    assert f'title = "{loaded.title}"' in shown["file"]["text"]
    assert catalogs.template().get("Who takes this trick?") is not None


SENTENCE = re.compile(r"[A-Z][a-z’]*( [A-Za-z’]+){3,}.*[.!?]$")
MARKERS = ("N_", "NN_")


def unmarked(tree: ast.AST) -> list[str]:
    """Texts that read like sentences and stand neither in a marker nor in a docstring nor in an assertion."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found = []
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str) and SENTENCE.match(node.value)):
            continue
        parent = parents[node]
        marked = isinstance(parent, ast.Call) and getattr(parent.func, "id", "") in MARKERS
        if not marked and not isinstance(parent, ast.Expr | ast.Assert):
            found.append(node.value)
    return found


def test_no_sentence_in_the_code_is_unmarked() -> None:
    found = {}
    for path in catalogs.PACKAGE.rglob("*.py"):
        texts = unmarked(ast.parse(path.read_text(encoding="utf-8")))
        if texts:
            found[path.name] = texts
    assert not found


def test_an_unmarked_sentence_is_found() -> None:
    assert unmarked(ast.parse('def f():\n  "Says what it does and why."\n  g("Nobody wins this trick.")')) == [
        "Nobody wins this trick."
    ]


# --- the pseudo-language


@pytest.fixture
def run(pseudo_words: Words, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[str, str]]:
    """A function that runs the command in the pseudo-language and returns what it wrote to both outputs."""

    def run(*args: str, code: int = 0) -> tuple[str, str]:
        assert cli.main([*args, "--lang", "qps"]) == code
        shown = capsys.readouterr()
        return shown.out, shown.err

    return run


def test_the_check_sees_what_is_not_translated() -> None:
    assert_translated(f"  7. {pseudo('Al leads.')}")
    for wrong in ("Al leads.", f"{pseudo('Al leads.')} and more", f"Hand {pseudo('1 begins')}"):
        with pytest.raises(AssertionError):
            assert_translated(wrong)


@pytest.mark.parametrize(("game", "seats"), [("cancellation", 6), ("cancellation", 11), ("hearts", 4), ("omnibus", 3)])
def test_replay_escapes_no_sentence(run: Callable[..., tuple[str, str]], tmp_path: Path, game: str, seats: int) -> None:
    file = str(tmp_path / "match.toml")
    out, _ = run("record", "--ruleset", game, "--seats", str(seats), "--seed", "7", "--hands", "20", "-o", file)
    assert_translated(out)
    out, err = run("replay", file)
    assert_translated(out)
    assert not err
    for step in (1, 2, 3, 40, 100, len(out.splitlines()) // 2):
        shown, _ = run("replay", file, "--step", str(step))
        assert_translated(shown)


def test_every_kind_of_event_escapes_nothing(pseudo_words: Words) -> None:
    """Random games show most kinds; what is rare is made by hand."""
    rules, hearts = ruleset("cancellation", 6), ruleset("hearts", 4)
    some = [
        events.MoonShot(2), events.MoonChosen(2, "subtract"), events.MoonChosen(2, "add_to_others"),
        events.AsideLost(cards("QS QS"), kitty=1), events.AsideLost(cards("2C")), events.KittySet(cards("2C")),
        events.MatchWon((1,), (9,) * 6), events.MatchWon((1, 2), (1,) * 6, "match.tie"),
        events.TrickDead(0, cards("KC KC 3C 3C 4C 5C"), "trick.dead"),
        events.TrickDead(0, cards("KC KC 3D 4D 5D 6D"), "trick.none_left"),
        events.PassSkipped(), events.Passed(0, 1, (None,) * 3), events.Received(0, (None,) * 3),
        events.HandScored((0,) * 6, (0,) * 6, (0,) * 6, "score.floor"),
    ]  # fmt: skip
    for event in some:
        assert_translated(explain.event(event, NAMES, rules, pseudo_words))
    assert_translated(explain.event(events.MoonShot(2), NAMES[:4], hearts, pseudo_words))


def test_every_kind_of_event_occurs_here() -> None:
    """The kinds that the random games above do not show must be among those made by hand."""
    seen: set[str] = set()
    for game, seats in (("cancellation", 6), ("cancellation", 11), ("hearts", 4), ("omnibus", 3)):
        played = play(Game(ruleset(game, seats), cli.NAMES[:seats], 7, hands=20), [RandomPlayer()] * seats)
        seen |= {event.name for event in played.events}
    by_hand = {
        "MoonShot",
        "MoonChosen",
        "AsideLost",
        "MatchWon",
        "TrickDead",
        "PassSkipped",
        "KittySet",
        "Passed",
        "Received",
        "HandScored",
    }
    assert {kind.__name__ for kind in events.EVENTS} <= seen | by_hand


@pytest.mark.parametrize("game", ["cancellation", "hearts", "omnibus"])
def test_rules_escape_no_sentence(run: Callable[..., tuple[str, str]], game: str) -> None:
    assert_translated(run("rules", "--ruleset", game)[0])
    for rule in rulebook.page(game):
        assert_translated(run("rules", rule.id, "--ruleset", game)[0])


@pytest.mark.parametrize("name", ["", *cli.COMMANDS])
def test_help_escapes_no_sentence(run: Callable[..., tuple[str, str]], name: str) -> None:
    assert_translated(run(*filter(None, [name]), "--help")[0])


WRONG = [
    ["rekord"], ["zzz"], ["replay"], ["replay", "a", "b"], ["replay", "nowhere.toml"], ["replay", "x", "--stepp", "2"],
    ["replay", "x", "--qqqqq"], ["replay", "x", "--json=1"], ["record"], ["record", "--ruleset", "chess", "--seats", "4"],
    ["record", "--ruleset", "hearts", "--seats", "9", "--seed", "1"], ["record", "--ruleset", "hearts", "--seats", "x"],
    ["record", "--ruleset", "hearts", "--seats", "4", "--seed", "-1"], ["record", "--ruleset", "hearts", "--seats"],
    ["rules", "nothing.at.all"], ["rules", "trick.deed"], ["rules", "trick.dead", "--ruleset", "hearts"], ["rules", "--ruleset", "go"],
    ["dashboard", "--port", "0"], ["dashboard", "--ip", "no.such.address.invalid"],
    ["record", "--ruleset", "hearts", "--seats", "4", "--seed", "1", "-o", "/no/such/folder/x"],
]  # fmt: skip


@pytest.mark.parametrize("args", WRONG, ids=" ".join)
def test_errors_escape_no_sentence(
    run: Callable[..., tuple[str, str]], args: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "available", lambda: True)
    out, err = run(*args, code=2)
    assert not out
    assert_translated(err)


def test_a_wrong_record_escapes_no_sentence(run: Callable[..., tuple[str, str]], tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    good = record.dumps(play(Game(ruleset("hearts", 4), NAMES[:4], 7, hands=1), [RandomPlayer()] * 4))
    file.write_text(good.replace('leader = "Al"', 'leader = "Bo"').replace("format = 1", "format = 2\nplayrs = 3"))
    _, err = run("replay", str(file), code=2)
    assert_translated(err)
    assert len(err.splitlines()) > 2


def test_refusals_escape_no_sentence(pseudo_words: Words) -> None:
    facts: dict[str, Any] = {
        "seat": 1, "card": parse("QS"), "legal": cards("3C 4C"), "cards": cards("3C"), "count": 3, "given": 2, "turn": 2,
        "asked": Game(ruleset("hearts", 4), NAMES[:4], 7).asked, "last": 3, "choice": "maybe", "suit": parse("QS").suit,
    }  # fmt: skip
    for rule in explain.REFUSAL_RULES:
        assert_translated(explain.refusal(Refusal(rule, facts), NAMES, pseudo_words))
    assert_translated(explain.refusal(Refusal("play.held", {**facts, "seat": 9}), NAMES, pseudo_words))


def test_set_up_and_presets_escape_no_sentence(pseudo_words: Words) -> None:
    from cancel_hearts_nb.ruleset import PRESET_TEXTS

    for game, seats in (("cancellation", 7), ("hearts", 5), ("omnibus", 4)):
        for _, sentence in explain.setup(ruleset(game, seats), pseudo_words):
            assert_translated(sentence)
    for preset in PRESETS:
        assert_translated(pseudo_words.text(PRESET_TEXTS[preset]))


def test_every_card_has_a_full_name(pseudo_words: Words) -> None:
    assert list(CARD_NAMES) == [card.code for card in PACK]
    assert len({words().card_name(card.code) for card in PACK}) == 52
    for card in PACK:
        assert_translated(pseudo_words.card_name(card.code))


def test_every_kind_of_error_can_be_said(pseudo_words: Words) -> None:
    """An error is a catalog key and values, so its sentence exists wherever its key is in the catalog."""
    rules = ruleset("hearts", 4)
    wrong: Iterable[Callable[[], object]] = [
        lambda: parse("1X"), lambda: ruleset("hearts", 9), lambda: ruleset("hearts", 4, dead_rules="x"),
        lambda: ruleset("hearts", 4, target=0), lambda: ruleset("hearts", 4, tie="x"), lambda: Game(rules, NAMES, 7),
        lambda: Game(rules, NAMES[:4], -1), lambda: i18n.words("xx"), lambda: rulebook.rule("x"),
    ]  # fmt: skip
    for call in wrong:
        with pytest.raises(Problem) as caught:
            call()
        assert_translated(pseudo_words.problem(caught.value))
        assert str(caught.value) == words("en").problem(caught.value)


# --- plural forms


def test_a_language_gets_the_plural_form_that_it_needs(make_language: MakeLanguage) -> None:
    """Arabic has six: 0, 1, 2, 3-10, 11-99, and 100 and the like."""
    w = make_language("ar", lambda form, i: f"form {i}: {form}", rules_of="ar")
    forms = ("%(count)d hand is in “%(file)s”.", "%(count)d hands are in “%(file)s”.")
    shown = {n: int(w.count(forms, n, file="x")[5]) for n in (0, 1, 2, 3, 10, 11, 13, 26, 52, 99, 100, 101, 103)}
    assert shown == {0: 0, 1: 1, 2: 2, 3: 3, 10: 3, 11: 4, 13: 4, 26: 4, 52: 4, 99: 4, 100: 5, 101: 5, 103: 3}


def test_a_sentence_that_is_not_translated_is_shown_in_english(make_language: MakeLanguage) -> None:
    w = make_language("ar", lambda form, i: "", rules_of="ar")
    assert w.text("Hands:") == "Hands:"
    assert "1 hand is" in w.count(
        ("%(count)d hand is in “%(file)s”.", "%(count)d hands are in “%(file)s”."), 1, file="x"
    )
    assert "2 hands are" in w.count(
        ("%(count)d hand is in “%(file)s”.", "%(count)d hands are in “%(file)s”."), 2, file="x"
    )


# --- isolation

FSI, PDI = "\u2068", "\u2069"


def test_a_right_to_left_name_cannot_turn_the_sentence_around_it() -> None:
    shown = words().text("%(name)s leads the %(card)s.", name="דנה", card=parse("QS"))
    assert shown == f"{FSI}דנה{PDI} leads the Q♠."


def test_a_name_with_a_direction_mark_is_isolated_too() -> None:
    assert words().isolate("A\u202eB") == f"{FSI}A\u202eB{PDI}"
    assert words().isolate("Al") == "Al"


def test_in_a_right_to_left_language_everything_filled_in_is_isolated(make_language: MakeLanguage) -> None:
    w = make_language("he", lambda form, _: form, rules_of="he")
    assert w.direction == "rtl"
    assert (
        w.text("%(name)s leads the %(card)s.", name="Al", card=parse("QS")) == f"{FSI}Al{PDI} leads the {FSI}Q♠{PDI}."
    )
    assert w.cards(cards("QS 10H")) == f"{FSI}Q♠{PDI}, {FSI}10♥{PDI}"


def test_every_sentence_of_a_game_isolates_its_names_and_cards(make_language: MakeLanguage) -> None:
    w = make_language("he", lambda form, _: form, rules_of="he")
    names = ("Al", "דנה", "Charlie", "רון")
    game = play(Game(ruleset("hearts", 4), names, 7, hands=4), [RandomPlayer()] * 4)
    symbols = re.compile("(10|[2-9JQKA])[♣♦♠♥]")
    for event in game.events:
        shown = explain.event(event, names, game.ruleset, w)
        assert shown.count(FSI) == shown.count(PDI)
        inside, depth = "", 0
        for c in shown:
            depth += (c == FSI) - (c == PDI)
            inside += c if not depth and c != PDI else ""
        assert not symbols.search(inside), shown
        assert not any(re.search(rf"\b{name}\b", inside) for name in names), shown


def test_a_refusal_in_an_exception_is_isolated() -> None:
    game = Game(ruleset("hearts", 4), ("דנה", "Beth", "Charlie", "Dave"), 7)
    with pytest.raises(IllegalAction) as caught:
        game.submit(PassCards(0, cards("2C")))
    assert f"{FSI}דנה{PDI}" in str(caught.value)
    with pytest.raises(IllegalAction):
        game.submit(PlayCard(0, parse("2C")))
