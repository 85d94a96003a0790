"""Golden records: one for each table size, option value and odd reading, and the examples of the gallery.

Each file of `golden/` is a record, and below it stand, as comments that start with `#:`, the events that must follow:
for a few tricks everything but the cards played, for whole hands what ends a hand, and a digest of all events. The
records `table_*`, `match_*`, `saved_*` were played by random players, moons by players who try for one, all others are
written by hand. `python tests/test_golden.py` writes the comments anew: read the difference before you keep it.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from cancel_hearts_nb import events as ev
from cancel_hearts_nb import record
from cancel_hearts_nb.rulebook import RULES
from cancel_hearts_nb.ruleset import CHOICES, PRESETS, PRINTED, VARIANTS

FOLDER = Path(__file__).parent / "golden"
GOLDEN = sorted(FOLDER.glob("*.toml"))
EXAMPLES = list(record.examples())
MARK = "#: "
# What a record says itself; the rest follows from it
SAID = ev.Dealt | ev.Passed | ev.Received | ev.Played
ENDS = ev.AsideLost | ev.MoonShot | ev.MoonChosen | ev.HandScored | ev.MatchWon


def named(paths: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", paths, ids=[path.stem for path in paths])


def follows(found: record.Record) -> list[str]:
    """The lines that a golden record ends with."""
    lines = [json.dumps(ev.to_json(event)) for event in found.game.events]
    partial = found.game.state.middle is not None
    kept = [
        line
        for line, event in zip(lines, found.game.events, strict=True)
        if (not isinstance(event, SAID) if partial else isinstance(event, ENDS))
    ]
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
    return [MARK + line for line in [*kept, f"{len(lines)} events, sha256 {digest}"]]


def without_marks(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(MARK)).rstrip() + "\n"


@named([*GOLDEN, *EXAMPLES])
def test_replays_with_every_claim(path: Path) -> None:
    found = record.load(path)
    plain = tomllib.loads(path.read_text(encoding="utf-8"))
    assert found.title == plain["title"]
    seats = len(plain["players"])
    for hand in plain["hand"]:
        for trick in hand["tricks"]:
            assert ("winner" in trick) == (len(trick["cards"].split()) == seats)
        assert ("points" in hand) == (not hand.get("partial") and not hand.get("unfinished"))


@named(GOLDEN)
def test_the_same_follows_as_ever(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    expected = [line for line in text.splitlines() if line.startswith(MARK)]
    assert expected
    assert follows(record.load(path)) == expected


@named([*GOLDEN, *EXAMPLES])
def test_is_written_and_read_back(path: Path) -> None:
    found = record.load(path)
    text = record.dumps(found.game, found.title, found.about)
    again = record.loads(text)
    assert again.game.events == found.game.events
    assert again.game.ruleset == found.game.ruleset
    assert again.game.asked == found.game.asked
    assert (again.title, again.about) == (found.title, found.about)
    assert record.dumps(again.game, found.title, found.about) == text


def own(events: tuple[ev.Event, ...]) -> list[ev.Event]:
    """A hand without its totals, which it shares with the hands before it."""
    kept = [e for e in events if not isinstance(e, ev.MatchWon)]
    return [(e.taken, e.points) if isinstance(e, ev.HandScored) else e for e in kept]  # type: ignore[misc]


@named([*GOLDEN, *EXAMPLES])
def test_each_hand_fits_into_a_link(path: Path) -> None:
    found = record.load(path)
    for events in found.hands:
        code = record.encode(found.game, events[0].number)  # type: ignore[attr-defined]
        assert re.fullmatch(r"[A-Za-z0-9_-]+", code)
        assert len(code) < 2000
        again = record.decode(code)
        assert len(again.hands) == 1
        assert own(again.hands[0]) == own(events)
        assert again.game.ruleset == found.game.ruleset


@named([path for path in GOLDEN if path.name.startswith("option_")])
def test_holds_an_option_fast(path: Path) -> None:
    """With the option at its usual value the record is refused, or something else follows from it."""
    key = option_of(path)[0]
    text = path.read_text(encoding="utf-8")
    changed, count = re.subn(rf"^{key} = .*\n", "", text, flags=re.MULTILINE)
    assert count == 1
    differs(path, changed)


@named([path for path in GOLDEN if path.name.startswith("preset_")])
def test_holds_a_preset_fast(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert f'preset = "{path.stem.removeprefix("preset_")}"\n' in text
    differs(path, re.sub(r"^preset = .*\n", "", text, flags=re.MULTILINE))


def differs(path: Path, changed: str) -> None:
    found = record.load(path).game
    try:
        other = record.loads(changed).game
    except record.RecordError:
        return
    # a rule id alone may differ where an option only forbids: then a card is excused instead of free
    assert other.ruleset != found.ruleset
    assert other.events != found.events


# What a reading forbids, as changes of the record that holds it fast, and the rule that refuses
FORBIDDEN = [
    ("option_first_discard_ban__on", [("KC 2D 7H", "KC 2H 7H")], "follow.first_trick"),
    ("option_first_discard_ban__off", [('[options]\nfirst_discard_ban = "off"\n', "")], "follow.first_trick"),
    ("option_bm_breaks__off", [("KC 9C 6C 2C 7C TC 3C", "4H 9H 6H 2H 7H TH 3H"), ('"4H 9H 6H 2H 7H TH 3H", winner = "Al" },\n]', '"TC 3C KC 9C 6C 2C 7C" },\n]'), ('"4H 9H 6H 2H 7H TH 3H", winner = "Charlie"', '"4H 9H 6H 2H 7H TH 3H", winner = "Al"'), ('leader = "Charlie", cards = "TC', 'leader = "Al", cards = "TC')], "lead.hearts_unbroken"),
    ("reading_black_maria_forced", [('"QS 2S 9S 3S TS 4S 6S", winner = "Dave"', '"7H 2H 9H 3H TH 4H 6H", winner = "Al"'), ('leader = "Dave", cards = "7H 2H 9H 3H TH 4H 6H", winner = "Al" },\n]', 'leader = "Al", cards = "TS 4S 6S QS 2S 9S 3S" },\n]')], "lead.hearts_unbroken"),
    ("reading_black_maria_must_follow", [('QS 2S 7S 5S 6S 8S", winner = "Charlie"', '5D 2S 7S 5S 6S 8S"'), ('"Charlie", cards = "3D 8D 5D TD 2D 9D 4D JD"', '"Beth", cards = "JD QS 8D 5C TD 2D 9D 4D"')], "follow.suit"),
    ("reading_clubs_open_5", [("3C 9C KC", "TD 9C KC"), ("6D TD JD", "6D 3C JD")], "lead.low_club"),
    ("reading_first_trick_discards", [('"4C 9C QS 2D KC 7H 5C 6C 8C", winner = "Eve"', '"QS 9C 4C 2D KC 7H 5C 6C 8C"'), ('"Eve", cards = "3D 8D 6D TD 2D 9D 5H 2H JD", winner = "Dave"', '"Al", cards = "9D 5H 2H JD 3D 8D 6D TD 2D"')], "lead.opening_free"),
]  # fmt: skip


@pytest.mark.parametrize(("stem", "edits", "rule"), FORBIDDEN, ids=[stem for stem, _, _ in FORBIDDEN])
def test_refuses_what_the_reading_forbids(stem: str, edits: list[tuple[str, str]], rule: str) -> None:
    text = without_marks((FOLDER / f"{stem}.toml").read_text(encoding="utf-8"))
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    with pytest.raises(record.RecordError) as caught:
        record.loads(text)
    assert rule in [fault.rule for fault in caught.value.faults]


def option_of(path: Path) -> tuple[str, str]:
    key, value = path.stem.removeprefix("option_").split("__")[:2]
    return key, value


def missing_values() -> Iterator[tuple[str, str]]:
    usual = {(key, str(value)) for values in (PRINTED, *VARIANTS.values()) for key, value in values.items()}
    named = [path.stem.removeprefix("option_") for path in GOLDEN]
    for key, kind in CHOICES.items():
        for value in kind:
            if (key, str(value)) not in usual and not any(name.startswith(f"{key}__{value}") for name in named):
                yield key, str(value)


def test_every_option_value_has_a_record() -> None:
    assert list(missing_values()) == []


def test_every_preset_has_a_record() -> None:
    assert {path.stem.removeprefix("preset_") for path in GOLDEN if path.stem.startswith("preset_")} == {*PRESETS} - {
        "printed"
    }


def test_every_table_has_a_record() -> None:
    tables = {path.stem.removeprefix("table_") for path in GOLDEN if path.stem.startswith("table_")}
    sizes = {"cancellation": range(6, 12), "hearts": range(3, 8), "omnibus": range(3, 8)}
    assert tables == {f"{game}_{seats:02}" for game, seats_allowed in sizes.items() for seats in seats_allowed}


@named(EXAMPLES)
def test_an_example_is_said_in_plain_words(path: Path) -> None:
    found = record.load(path)
    assert re.fullmatch(r"\d\d_[a-z_]+\.toml", path.name)
    assert 0 < len(found.title) <= 40
    assert 0 < len(found.about) <= 260
    assert not any(rule.id in found.title + found.about for rule in RULES)


def test_there_are_enough_examples() -> None:
    numbers = [path.name[:2] for path in EXAMPLES]
    assert len(set(numbers)) == len(numbers) >= 10


if __name__ == "__main__":
    for golden in GOLDEN:
        kept = without_marks(golden.read_text(encoding="utf-8"))
        lines = follows(record.loads(kept, golden.name))
        golden.write_text(kept + "\n" + "\n".join(lines) + "\n", encoding="utf-8", newline="\n")
