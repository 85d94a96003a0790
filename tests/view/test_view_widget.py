from __future__ import annotations

import base64
import json
import re
from xml.etree import ElementTree

import pytest
from view_sample import RULEBOOK, WORDS, replay

from cancel_hearts_nb.view.faces import faces
from cancel_hearts_nb.view.scene import fold, pairs
from cancel_hearts_nb.view.svg import draw
from cancel_hearts_nb.view.table import TableWidget
from cancel_hearts_nb.view.text import position_html, position_text

EVIL = '</script><img src=x onerror="window.hacked=1">&"\''
SHAPES = [(seats, viewer) for seats in (3, 4, 6, 8, 11) for viewer in (None, 1)]


def busiest(shown):
    """The step with most cards to draw: a full trick with a pair, early in the hand."""
    return next(i for i, frame in enumerate(shown["frames"]) if frame["e"] in ("TrickWon", "TrickDead"))


@pytest.mark.parametrize(("seats", "viewer"), SHAPES)
def test_the_bundle_is_deterministic_small_and_holds_no_ids(seats, viewer):
    shown = replay(seats, 3, viewer)
    for step in (0, 1, busiest(shown), len(shown["frames"]) - 1):
        bundles = [TableWidget.of([shown], WORDS, RULEBOOK, step=step)._repr_mimebundle_() for _ in range(2)]
        one, two = ({kind: text for kind, text in data.items() if "widget-view" not in kind} for data, _ in bundles)
        assert one == two
        assert set(one) == {"text/plain", "text/html", "image/svg+xml"}
        view_entry = bundles[0][0]["application/vnd.jupyter.widget-view+json"]
        assert view_entry["model_id"] not in json.dumps(one)
        assert "0x" not in one["text/plain"]
        assert len(one["text/html"].encode()) <= 30_000


@pytest.mark.parametrize(("seats", "viewer"), SHAPES)
def test_the_picture_is_well_formed_and_holds_only_the_faces_it_uses(seats, viewer):
    shown = replay(seats, 3, viewer, passing=True)
    for step in range(0, len(shown["frames"]), 7):
        root = ElementTree.fromstring(draw(shown, step, WORDS))
        ids = {element.get("id") for element in root.iter() if element.get("id")}
        used = {element.get("href")[1:] for element in root.iter() if element.get("href")}
        assert used <= ids
        known = {card for card, *_ in fold(shown["frames"], step).cards.values() if card}
        assert {name[1:] for name in ids if re.fullmatch("[fst][2-9TJQKA][CDSH]", name)} <= known


def test_a_name_is_text_everywhere():
    names = [EVIL, "Beth", "Charlie", "Dave"]
    shown = replay(4, 1, names=names)
    html = TableWidget.of([shown], WORDS)._repr_mimebundle_()[0]["text/html"]
    assert "<script" not in html
    assert "onerror=" not in re.sub(r"&lt;.*?&gt;", "", html)
    picture = base64.b64decode(re.search(r"base64,([^\"]+)", html)[1]).decode()
    assert "<img" not in picture
    assert ElementTree.fromstring(picture) is not None


def test_the_text_says_the_whole_position_and_the_html_says_it_without_the_picture():
    shown = replay(8, 3)
    step = busiest(shown)
    text = position_text(shown, step, WORDS)
    scene = fold(shown["frames"], step)
    assert shown["captions"][step] in text
    for _key, card, *_ in scene.zone("t"):
        assert WORDS["short"][card] in text
    for name in shown["names"]:
        assert f"\n{name}: " in text
    html = re.sub(r"<img[^>]*>", "", position_html(shown, step, WORDS, draw(shown, step, WORDS)))
    plain = re.sub(r"<[^>]+>", " ", html)
    for line in text.splitlines():
        for word in line.replace("(", " ").replace(")", " ").replace(",", " ").split():
            assert word.strip(":") in plain


def test_a_viewer_is_told_no_card_of_others():
    shown = replay(6, 2, viewer=0)
    for step in range(len(shown["frames"])):
        known = {card for card, *_ in fold(shown["frames"], step).cards.values() if card}
        text = position_text(shown, step, WORDS)
        said = {card for card in WORDS["short"] if re.search(rf"(?<![\d\w]){re.escape(WORDS['short'][card])}", text)}
        assert said <= known


def test_repr_is_the_position_and_changes_with_the_step():
    table = TableWidget.of([replay(4, 1), replay(6, 1)], WORDS)
    first = repr(table)
    table.step = 5
    assert repr(table) != first
    table.replay = 1
    assert "6 seats" in repr(table)
    table.replay = 99
    assert table.replay == 1
    table.step = 9999
    assert repr(table)
    assert repr(TableWidget()) == "TableWidget()"


def test_replays_of_one_shape_share_a_layout_and_every_pair_has_a_line():
    made = [replay(8, seed) for seed in (1, 2)] + [replay(8, 1, viewer=2)]
    table = TableWidget.of(made, WORDS)
    assert [one["layout"] for one in table.replays] == [0, 0, 1]
    for one in table.replays:
        for step in range(len(one["frames"])):
            for a, b in pairs(fold(one["frames"], step)):
                assert f"{a}-{b}" in one["links"]


@pytest.mark.parametrize("fault", ["captions", "where", "names"])
def test_a_replay_that_does_not_fit_itself_is_refused(fault):
    shown = replay(4, 1)
    shown[fault] = shown[fault][:-1]
    with pytest.raises(ValueError, match=fault):
        TableWidget.of([shown], WORDS)


def test_the_module_is_one_file_without_words_or_addresses_and_all_assets_are_small():
    script, style = str(TableWidget._module), str(TableWidget._css)
    assert not re.search(r"^\s*import\b", script, re.M)
    assert "innerHTML" not in script
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", script + style)
    # unpacked; what is sent is in test_view_assets.py
    assert len(script) + len(style) + len(json.dumps(faces(), separators=(",", ":"))) < 100_000


def test_every_label_that_the_script_asks_for_exists():
    from cancel_hearts_nb.view.labels import LABELS, PLURALS

    script = str(TableWidget._module)
    asked = set(re.findall(r"\b[LF]\('(\w+)'", script)) - {"pass_", "key_", "deck_"}
    asked |= {name for pair in re.findall(r"\bL\([^()]*\? '(\w+)' : '(\w+)'\)", script) for name in pair}
    asked |= {"key_" + key for key in "htpc"} | {"deck_" + deck for deck in ("two", "four", "safe")}
    asked |= set(re.findall(r"\bbutton\('(\w+)'", script))
    assert asked <= set(LABELS)
    assert set(re.findall(r"\bP\('(\w+)'", script)) <= set(PLURALS)
    for way in ("left", "right", "across", "none"):
        assert f"pass_{way}" in LABELS
