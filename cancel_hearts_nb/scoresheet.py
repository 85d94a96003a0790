"""What a score sheet must know of the rules, as plain data: so that a page without Python can add up what people play.

Nothing is decided here. Every number is found by asking the rules: what a card costs, whom a moon hits, how far the
passing goes round. The page in the browser adds columns and compares numbers, and holds no rule of its own.
Cards come in three kinds, always in this order: hearts, Black Marias, the bonus card.
"""

from __future__ import annotations

from typing import Any

from .cards import Card, Suit, parse
from .rules import deal, lead, match, passing, scoring, trick
from .rules.nouns import trick as trick_of
from .ruleset import BLACK_MARIA, CHOICES, MoonChoice, Omnibus, Ruleset, RulesetError, given_options, ruleset

_HEARTS = tuple(parse(rank + "H") for rank in "23456789TJQKA")
_FAR = 1000
_MOVES = (MoonChoice.SUBTRACT, MoonChoice.ADD_TO_OTHERS)


def sheet_rules(rules: Ruleset) -> dict[str, Any]:
    """Return what a score sheet must know of `rules`, as JSON-able values; no errors.

    "cards": how many of each kind a hand holds; "worth": the points of one card of each kind; "points": their sum;
    "lost": whether a dead last trick may leave cards that nobody takes; "hand_size", "kitty", "removed", "bonus_card":
    cards; "next_dealer": how many seats clockwise the deal moves; "lead": how many seats from the dealer the first
    leader sits, or None when the holder of "low_club" leads; "passes": for each hand of the cycle the direction and how
    many seats clockwise the cards go (None: not at all); "moon_needed": how many hearts and Black Marias together make
    a moon (None: all that players took), "moon_bonus": whether the bonus card is needed too, "moon_after": what a card
    of each kind is worth in a hand with a moon, "moon_moves": for each choice the points of the shooter and of every
    other player, "moon_choices": those that are open; "floor": the least total, or None; "target"; "play_on": whether a
    tie for the lowest total keeps the match going.

    >>> found = sheet_rules(ruleset("cancellation", 6))
    >>> found["cards"], found["worth"], found["points"], found["passes"], found["moon_moves"]["add_to_others"]
    ([26, 2, 0], [1, 13, 0], 52, [['left', 1], ['right', 5]], [0, 26])
    """
    bonus = rules.bonus_card
    kinds = (_HEARTS[:1], (BLACK_MARIA,), (bonus,) if bonus else ())
    floor = scoring.new_totals(rules, (0,), (-_FAR,))[0]
    return {
        "cards": _counted(rules.pack, bonus),
        "worth": [scoring.points_of(rules, kind) for kind in kinds],
        "points": scoring.points_of(rules, rules.pack),
        "lost": _may_be_lost(rules),
        "hand_size": rules.hand_size,
        "kitty": rules.kitty_size,
        "removed": [card.code for card in rules.removed],
        "bonus_card": bonus.code if bonus else "",
        "next_dealer": deal.next_dealer(0, rules.seats),
        "lead": lead.opening_leader(rules, 0, [()] * rules.seats),
        "low_club": lead.low_club(rules).code,
        "pass_count": rules.pass_count,
        "passes": _passes(rules),
        "moon_needed": _moon_needed(rules),
        "moon_bonus": bonus is not None and not _shoots(rules, [card for card in rules.pack if card is not bonus]),
        "moon_after": [_entered(rules, [(), kind], MoonChoice.SUBTRACT)[1] for kind in kinds],
        "moon_choices": [str(choice) for choice in scoring.moon_choices(rules)],
        "moon_moves": {str(choice): _entered(rules, [(), ()], choice)[:2] for choice in _MOVES},
        "floor": None if floor == -_FAR else floor,
        "target": rules.target,
        "play_on": match.plays_on(rules, [_FAR, *[0] * (rules.seats - 1)]),
    }


def _counted(cards: Any, bonus: Card | None) -> list[int]:
    some: list[Card] = list(cards)
    return [sum(card.suit is Suit.HEARTS for card in some), some.count(BLACK_MARIA), some.count(bonus) if bonus else 0]


def _may_be_lost(rules: Ruleset) -> bool:
    if rules.packs == 1:
        # without twins no trick is dead
        return False
    return trick.last_dead_taker(rules, trick_of(0, "KC KC 3C 3C", rules.seats)) is None


def _passes(rules: Ruleset) -> list[list[Any]]:
    many = 12
    ways = [passing.direction(rules, number) for number in range(1, many + 1)]
    length = next(n for n in range(1, many + 1) if all(ways[i] is ways[i % n] for i in range(many)))
    return [[str(ways[i]), passing.receiver(rules, i + 1, 0)] for i in range(length)]


def _moon_needed(rules: Ruleset) -> int | None:
    """The rule is asked with one heart taken and all else lost, which can only happen with two packs."""
    bonus = [rules.bonus_card] if rules.bonus_card else []
    if rules.packs == 2 and _shoots(rules, [_HEARTS[0], *bonus]):
        return None
    return sum(_counted(rules.pack, None))


def _shoots(rules: Ruleset, cards: list[Card]) -> bool:
    return scoring.moon_shooter(rules, [cards, *[()] * (rules.seats - 1)]) == 0


def _entered(rules: Ruleset, taken: list[Any], choice: MoonChoice) -> list[int]:
    return list(scoring.entered(rules, taken + [()] * (rules.seats - len(taken)), 0, choice))


def option_values(game: str, seats: int) -> dict[str, list[str]]:
    """Return the options that a score sheet of `game` for `seats` players must know, each with its values.

    The usual value comes first. Values that a score sheet cannot tell apart stand for each other: only the first is
    there. Raises RulesetError for a game or a number of players that there is not.

    >>> option_values("hearts", 5)["tie"], option_values("cancellation", 7)["last_dead"]
    (['shared', 'play_on'], ['nobody', 'trick_leader'])
    """
    return {name: [value for value, _ in values] for name, values in _changes(ruleset(game, seats)).items()}


def _changes(usual: Ruleset) -> dict[str, list[list[Any]]]:
    """For each option its values with what they change in `sheet_rules`; lists, since browsers sort keys like "0"."""
    before, found = sheet_rules(usual), {}
    for name, kind in CHOICES.items():
        first = getattr(usual, name)
        changes: list[list[Any]] = []
        for value in (first, *(value for value in kind if value is not first)):
            # with and without a bonus card are two games, Hearts and Omnibus Hearts
            if kind is Omnibus and (value is Omnibus.OFF or usual.omnibus is Omnibus.OFF):
                continue
            try:
                after = sheet_rules(ruleset(usual.name, usual.seats, **{**given_options(usual), name: value}))
            except RulesetError:
                continue
            change = {key: after[key] for key in after if after[key] != before[key]}
            if all(change != known for _, known in changes):
                changes.append([str(value), change])
        if len(changes) > 1:
            found[name] = changes
    return found


def catalogue() -> dict[str, dict[str, dict[str, Any]]]:
    """Return by game and number of players (as text) the "rules" of its score sheet and what its "options" change.

    "options" has for each option a list of pairs: a value, and the entries of "rules" that it replaces. The usual value
    comes first and replaces nothing. Options change different entries, so that any choice of them can be put together.

    >>> table = catalogue()["hearts"]["4"]
    >>> table["options"]["tie"], table["rules"]["points"]
    ([['shared', {}], ['play_on', {'play_on': True}]], 26)
    """
    return {
        game: {
            str(seats): {"rules": sheet_rules(ruleset(game, seats)), "options": _changes(ruleset(game, seats))}
            for seats in deal.seats_allowed(game)
        }
        for game in deal.GAMES
    }
