from __future__ import annotations

import json
import re
from itertools import product
from xml.etree import ElementTree

import pytest

from cancel_hearts_nb.view.faces import BOXES, RANKS, SUITS, face_svg, faces, shared_svg

CARDS = [rank + suit for rank, suit in product(RANKS, SUITS)]


@pytest.mark.parametrize("form", BOXES)
def test_every_card_has_a_well_formed_face_of_its_own(form):
    drawn = {card: face_svg(card, form) for card in CARDS}
    assert len(drawn) == 52
    assert len(set(drawn.values())) == 52
    for svg in drawn.values():
        assert len(list(ElementTree.fromstring(svg).iter())) >= 3


def test_shared_faces_refer_to_elements_that_are_there():
    for form in BOXES:
        wanted = set(re.findall(r'href="#(\w)"', "".join(face_svg(card, form, shared=True) for card in CARDS)))
        assert wanted <= set(re.findall(r'id="(\w)"', shared_svg(CARDS)))


def test_the_data_for_the_browser_is_plain_json_and_small():
    text = json.dumps(faces(), separators=(",", ":"))
    assert json.loads(text) == faces()
    assert len(text) < 20_000


def test_the_black_maria_is_the_one_dark_panel():
    dark = [card for card in CARDS if "#23262b" in face_svg(card, "full")]
    assert dark == ["QS"]


@pytest.mark.parametrize("card", ["", "1S", "QX"])
def test_unknown_cards_are_refused(card):
    with pytest.raises((KeyError, IndexError)):
        face_svg(card, "full")
