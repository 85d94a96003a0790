from __future__ import annotations

import json
from itertools import combinations, product

import pytest

from cancel_hearts_nb.view.layout import SIZES, layout, links, places, size_for

SEATS = range(3, 12)
HANDS = [0, 1, 3, 4, 9, 13, 17]
VIEWERS = [None, 0, 1]


def apart(a, b, size_a, size_b, gap=0.0):
    """Two boxes, given by their centres, do not touch."""
    return (
        abs(a[0] - b[0]) >= (size_a[0] + size_b[0]) / 2 + gap or abs(a[1] - b[1]) >= (size_a[1] + size_b[1]) / 2 + gap
    )


def inside(spot, box, height):
    x, y = spot
    return (
        box[0] / 2 <= x + 0.11
        and x - 0.11 <= 1000 - box[0] / 2
        and box[1] / 2 <= y + 0.11
        and y + box[1] / 2 <= height + 0.11
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seats", SEATS)
def test_the_table_has_room_for_everyone(seats, size):
    spec = layout(seats, 13)["sizes"][size]
    chip, chips, trick = spec["chip"], spec["seats"], spec["trick"]
    card = (trick["w"], trick["h"])
    spots = trick.get("rows") or trick["at"]
    assert len(chips) == len(spots) == len(spec["pass"]["at"]) == seats
    assert all(inside(spot, chip, spec["h"]) for spot in chips)
    assert all(inside(spot, card, spec["h"]) for spot in spots)
    assert all(apart(a, b, chip, chip, 2) for a, b in combinations(chips, 2))
    assert all(apart(a, b, chip, card) for a, b in product(chips, spots))
    assert all(apart(a, b, card, card) for a, b in combinations(spots, 2))
    pile = spec["pile"]
    box = (pile["w"], pile["h"])
    assert all(apart((pile["x"], pile["y"]), spot, box, card) for spot in spots)
    assert all(apart((pile["x"], pile["y"]), spot, box, chip) for spot in chips)
    passed = (spec["pass"]["w"], spec["pass"]["h"] + 2 * spec["pass"]["dy"])
    assert all(inside(spot, passed, spec["h"]) for spot in spec["pass"]["at"])
    assert all(apart(a, b, passed, passed) for a, b in combinations(spec["pass"]["at"], 2))
    for x, y, _turn in spec["way"]:
        assert inside((x, y), (1, 1), spec["h"])


@pytest.mark.parametrize("seats", range(3, 12))
@pytest.mark.parametrize(("size", "longest", "viewer"), list(product(SIZES, HANDS, VIEWERS)))
def test_every_hand_lies_inside_its_block_and_no_two_small_cards_overlap(seats, size, longest, viewer):
    spec = layout(seats, longest, viewer)["sizes"][size]["hands"]
    cards = [f"2{suit}" for suit in ("CDSH" * 5)[:longest]]  # every card changes the suit: the widest hand there is
    worst = [sorted(cards, key=lambda card: "CDSH".index(card[1])), ["2C"] * longest, [""] * longest]
    everyone = range(seats) if viewer is None else [viewer]
    for hand in worst:
        lying = [spot for seat in everyone for spot in places(spec, seat, hand)]
        assert len(lying) == longest * len(everyone)
        assert all(inside(spot, spec["card"], spec["h"]) for spot in lying)
        if viewer is None:
            assert all(apart(a, b, spec["card"], spec["card"]) for a, b in combinations(lying, 2))
    for some in range(longest):
        assert len(places(spec, everyone[-1], cards[:some])) == some


@pytest.mark.parametrize(("seats", "longest"), [(6, 17), (3, 17), (11, 9), (8, 13), (4, 13)])
def test_a_card_of_the_big_hand_can_be_hit_on_a_phone(seats, longest):
    spec = layout(seats, longest, 0)["sizes"]["s"]["hands"]
    assert spec["step"] * 320 / 1000 >= 24


@pytest.mark.parametrize(("seats", "longest"), [(6, 17), (3, 17), (11, 9), (8, 13), (4, 13)])
@pytest.mark.parametrize("size", SIZES)
def test_small_cards_stay_legible(seats, longest, size):
    least = {"s": 320, "m": 600, "l": 880}[size]
    w, h = (n * least / 1000 for n in layout(seats, longest)["sizes"][size]["hands"]["card"])
    assert w >= 22
    assert h >= 15


def test_the_viewer_sits_at_the_bottom_and_play_runs_clockwise():
    for seats, size, viewer in product(range(3, 12), SIZES, (None, 0, 2)):
        chips = layout(seats, 4, viewer)["sizes"][size]["seats"]
        lowest = max(y for _, y in chips)
        x, y = chips[viewer or 0]
        assert (x, y) == (500, lowest)
        middle = sum(y for _, y in chips) / seats
        turn = [
            (chips[(i + 1) % seats][0] - 500) * -(chips[i][1] - middle)
            - (chips[i][0] - 500) * -(chips[(i + 1) % seats][1] - middle)
            for i in range(seats)
        ]
        assert sum(turn) > 0  # clockwise, with y running down
        left = chips[((viewer or 0) + 1) % seats]
        assert left[0] < 500  # the left neighbour is on the left


def test_turning_the_table_moves_people_and_nothing_else():
    one, two = layout(7, 9, 0)["sizes"]["l"], layout(7, 9, 3)["sizes"]["l"]
    assert one["seats"] == two["seats"][3:] + two["seats"][:3]
    assert one["h"] == two["h"]
    assert one["way"] == two["way"]


@pytest.mark.parametrize("seats", range(3, 12))
def test_every_pair_of_seats_has_a_line_whose_knot_is_on_the_table(seats):
    table = layout(seats, 4)
    everyone = list(combinations(range(seats), 2))
    joined = links(table, [[pair] for pair in everyone])
    assert set(joined) == {f"{a}-{b}" for a, b in everyone}
    for sizes, size in product(joined.values(), ("m", "l")):
        path, x, y = sizes[size]
        assert path.startswith("M")
        assert inside((x, y), (20, 20), table["sizes"][size]["h"])


def test_knots_of_pairs_in_one_trick_keep_apart():
    for group in ([(0, 4), (2, 6)], [(0, 4), (1, 5), (2, 7)], [(0, 1), (2, 3), (4, 5)]):
        for size in ("m", "l"):
            knots = [tuple(line[size][1:]) for line in links(layout(8, 13), [group]).values()]
            assert all(abs(a[0] - b[0]) + abs(a[1] - b[1]) > 20 for a, b in combinations(knots, 2))


def test_layouts_are_plain_small_json_and_the_same_each_time():
    for seats, longest, viewer in product((4, 11), (3, 17), (None, 1)):
        text = json.dumps(layout(seats, longest, viewer), separators=(",", ":"))
        assert text == json.dumps(layout(seats, longest, viewer), separators=(",", ":"))
        assert len(text) < 8000


@pytest.mark.parametrize("wrong", [(2, 5), (12, 5), (4, -1), (4, 21), (4, 5, 4), (4, 5, -1)])
def test_what_is_no_table_is_refused(wrong):
    with pytest.raises(ValueError, match="is not"):
        layout(*wrong)


def test_sizes_meet_without_a_hole():
    assert [size_for(width) for width in (1, 599, 600, 879, 880, 5000)] == ["s", "s", "m", "m", "l", "l"]
