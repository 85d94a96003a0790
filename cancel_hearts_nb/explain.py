"""One sentence for everything that happens and everything that is refused, in any language.

Each sentence is whole: a catalog holds it from its first word to its full stop. Which sentence fits follows from the
event, its rule and the ruleset alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import events as ev
from .cards import Suit
from .i18n import Words, words
from .messages import N_, NN_
from .rulebook import Rule
from .rules import scoring
from .rules import trick as tricks
from .rules.nouns import Play, Refusal, Trick
from .ruleset import BLACK_MARIA, DeadLead, LastDead, MoonChoice, MoonScope, OmnibusSlam, Ruleset


class _Say:
    """What every sentence needs: the names, the rules and the language."""

    def __init__(self, names: Sequence[str], rules: Ruleset, w: Words) -> None:
        self.names = names
        self.rules = rules
        self.w = w

    def name(self, seat: int) -> str:
        return self.names[seat]

    def points(self, cards: Sequence[Any]) -> int:
        return scoring.points_of(self.rules, cards)


def event(event: Any, names: Sequence[str], rules: Ruleset, language: Words | None = None) -> str:
    """Return the sentence for `event`, redacted or not, at the table of `names` under `rules`; English by default.

    >>> from .cards import cards, parse
    >>> from .ruleset import ruleset
    >>> names = "Al Beth Charlie Dave Eve Fay".split()
    >>> event(ev.PairCancelled(parse("9H"), (1, 2)), names, ruleset("cancellation", 6))
    'The two 9♥ cancel each other: neither Beth nor Charlie can win the trick with this card.'
    """
    return _EVENTS[type(event)](_Say(names, rules, language or words()), event)


def _hand_started(s: _Say, e: ev.HandStarted) -> str:
    if e.middle is None:
        return s.w.text(N_("Hand %(number)d begins: %(dealer)s deals."), number=e.number, dealer=s.name(e.dealer))
    if e.middle.first_trick == 1:
        return s.w.count(
            NN_("Here is the first trick of a hand; the rest is not shown.", "Here are the first %(count)d tricks of a hand; the rest is not shown."),
            e.middle.tricks,
        )  # fmt: skip
    return s.w.count(
        NN_("Here is one trick from the middle of a hand; the rest is not shown.", "Here are %(count)d tricks from the middle of a hand; the rest is not shown."),
        e.middle.tricks,
    )  # fmt: skip


def _dealt(s: _Say, e: ev.Dealt) -> str:
    if len(e.hands[0]) != s.rules.hand_size:
        return s.w.text(N_("Only the cards that are played in these tricks are shown."))
    return s.w.count(
        NN_("Each of the %(seats)d players gets %(count)d card.", "Each of the %(seats)d players gets %(count)d cards."),
        len(e.hands[0]), seats=s.rules.seats,
    )  # fmt: skip


def _kitty_set(s: _Say, e: ev.KittySet) -> str:
    return s.w.count(
        NN_(
            "One card is left over and lies face down on the table as the kitty; the first player to win a trick will take it.",
            "%(count)d cards are left over and lie face down on the table as the kitty; the first player to win a trick will take them.",
        ),
        len(e.cards),
    )


def _pass_skipped(s: _Say, e: ev.PassSkipped) -> str:
    return s.w.text(N_("In this hand nobody passes cards."))


_PASSED = {
    "left": NN_("%(name)s passes a card face down to %(to)s, on the left.", "%(name)s passes %(count)d cards face down to %(to)s, on the left."),
    "right": NN_("%(name)s passes a card face down to %(to)s, on the right.", "%(name)s passes %(count)d cards face down to %(to)s, on the right."),
    "across": NN_("%(name)s passes a card face down to %(to)s, across the table.", "%(name)s passes %(count)d cards face down to %(to)s, across the table."),
}  # fmt: skip
_PASSED_OPEN = {
    "left": N_("%(name)s passes %(cards)s face down to %(to)s, on the left."),
    "right": N_("%(name)s passes %(cards)s face down to %(to)s, on the right."),
    "across": N_("%(name)s passes %(cards)s face down to %(to)s, across the table."),
}


def _passed(s: _Say, e: ev.Passed) -> str:
    step = (e.to - e.seat) % s.rules.seats
    way = "left" if step == 1 else "right" if step == s.rules.seats - 1 else "across"
    if None in e.cards:
        return s.w.count(_PASSED[way], len(e.cards), name=s.name(e.seat), to=s.name(e.to))
    return s.w.text(_PASSED_OPEN[way], name=s.name(e.seat), to=s.name(e.to), cards=s.w.cards(e.cards))  # type: ignore[arg-type]


def _received(s: _Say, e: ev.Received) -> str:
    if None in e.cards:
        return s.w.text(N_("All have passed, so %(name)s takes up the cards received."), name=s.name(e.seat))
    return s.w.text(
        N_("All have passed, so %(name)s takes up the cards received: %(cards)s."),
        name=s.name(e.seat), cards=s.w.cards(e.cards),  # type: ignore[arg-type]
    )  # fmt: skip


_LEADS = {
    "lead.opening": N_("%(name)s sits on the dealer’s left and leads the first trick."),
    "lead.low_club": N_("%(name)s holds the lowest club and leads the first trick with it."),
    "lead.winner": N_("%(name)s won the trick and leads the next one."),
    "play.lead": N_("%(name)s leads."),
}


def _lead_assigned(s: _Say, e: ev.LeadAssigned) -> str:
    if e.rule == "lead.after_dead":
        if s.rules.dead_lead is DeadLead.SAME_LEADER:
            return s.w.text(N_("Nobody won that trick, so %(name)s, who led it, leads again."), name=s.name(e.seat))
        return s.w.text(
            N_("Nobody won that trick, so %(name)s, on the left of the player who led it, leads now."),
            name=s.name(e.seat),
        )
    return s.w.text(_LEADS[e.rule], name=s.name(e.seat))


_PLAYS = {
    "lead.low_club": N_("%(name)s leads the %(card)s, the lowest club in the pack."),
    "lead.opening_free": N_(
        "%(name)s leads the %(card)s. The first lead may be anything but a heart or a Black Maria."
    ),
    "lead.black_maria": N_("%(name)s leads the Black Maria, the %(card)s. Hearts need not be broken for that."),
    "lead.breaking": N_("%(name)s leads the %(card)s. Hearts are broken, so a heart may be led."),
    "lead.heart_over_bm": N_(
        "%(name)s leads the %(card)s. With nothing but hearts and Black Marias, this table lets a player lead a heart."
    ),
    "play.lead": N_("%(name)s leads the %(card)s."),
    "play.waived": N_(
        "%(name)s plays the %(card)s. A rule would forbid every card in this hand, so that rule is dropped."
    ),
    "follow.suit": N_("%(name)s follows suit with the %(card)s."),
    "follow.first_trick": N_(
        "%(name)s has no card of the suit led and discards the %(card)s. On the first trick this cannot be a heart or a Black Maria."
    ),
    "follow.void": N_("%(name)s has no card of the suit led and discards the %(card)s; any card was allowed."),
}


def _played(s: _Say, e: ev.Played) -> str:
    return s.w.text(_PLAYS[e.rule], name=s.name(e.seat), card=e.card)


def _hearts_broken(s: _Say, e: ev.HeartsBroken) -> str:
    if e.card is BLACK_MARIA:
        return s.w.text(N_("The Black Maria has been played: hearts are broken, and from now on a heart may be led."))
    return s.w.text(N_("A heart has been played: hearts are broken, and from now on a heart may be led."))


def _pair_cancelled(s: _Say, e: ev.PairCancelled) -> str:
    first, second = e.seats
    return s.w.text(
        N_("The two %(card)s cancel each other: neither %(first)s nor %(second)s can win the trick with this card."),
        card=e.card, first=s.name(first), second=s.name(second),
    )  # fmt: skip


def _trick_won(s: _Say, e: ev.TrickWon) -> str:
    points = s.points(e.cards)
    if points == 0:
        return s.w.text(
            N_("The %(card)s is the highest card of the suit led that can win, so %(name)s takes the trick. It costs nothing."),
            card=e.card, name=s.name(e.seat),
        )  # fmt: skip
    if points < 0:
        return s.w.count(
            NN_(
                "The %(card)s is the highest card of the suit led that can win, so %(name)s takes the trick. It takes %(count)d point off.",
                "The %(card)s is the highest card of the suit led that can win, so %(name)s takes the trick. It takes %(count)d points off.",
            ),
            -points, card=e.card, name=s.name(e.seat),
        )  # fmt: skip
    return s.w.count(
        NN_(
            "The %(card)s is the highest card of the suit led that can win, so %(name)s takes the trick. It costs %(count)d point.",
            "The %(card)s is the highest card of the suit led that can win, so %(name)s takes the trick. It costs %(count)d points.",
        ),
        points, card=e.card, name=s.name(e.seat),
    )  # fmt: skip


def _trick_dead(s: _Say, e: ev.TrickDead) -> str:
    if e.rule == "trick.none_left":
        return s.w.text(
            N_(
                "Every card of the suit led is cancelled, and no other suit can win: nobody wins this trick. Its cards are set aside."
            )
        )
    seats = s.rules.seats
    trick = Trick(e.leader, tuple(Play((e.leader + i) % seats, card) for i, card in enumerate(e.cards)))
    count = len(tricks.pairs(s.rules, trick))
    alive = tricks.live(s.rules, trick)
    if not alive:
        if count == 2:
            return s.w.text(N_("Two pairs were played, so nobody wins this trick. Its cards are set aside."))
        return s.w.count(_PAIRS, count)
    best = tricks.highest(alive)
    if count == 2:
        return s.w.text(
            N_(
                "Two pairs were played, so nobody wins this trick. Its cards are set aside. Many tables play otherwise: there %(name)s would win with the %(card)s."
            ),
            name=s.name(best.seat), card=best.card,
        )  # fmt: skip
    return s.w.count(_PAIRS_BUT_LIVE, count, name=s.name(best.seat), card=best.card)


_PAIRS = NN_(
    "%(count)d pair was played, so nobody wins this trick. Its cards are set aside.",
    "%(count)d pairs were played, so nobody wins this trick. Its cards are set aside.",
)
_PAIRS_BUT_LIVE = NN_(
    "%(count)d pair was played, so nobody wins this trick. Its cards are set aside. Many tables play otherwise: there %(name)s would win with the %(card)s.",
    "%(count)d pairs were played, so nobody wins this trick. Its cards are set aside. Many tables play otherwise: there %(name)s would win with the %(card)s.",
)


_TAKEN = {
    "trick.kitty": NN_(
        "The kitty goes with it: %(name)s also takes the leftover card, unseen.",
        "The kitty goes with it: %(name)s also takes the %(count)d leftover cards, unseen.",
    ),
    "trick.aside": NN_(
        "%(name)s also takes the card that was set aside.",
        "%(name)s also takes the %(count)d cards that were set aside.",
    ),
    "kitty and aside": NN_(
        "%(name)s also takes the card that was set aside, the kitty among them.",
        "%(name)s also takes the %(count)d cards that were set aside, the kitty among them.",
    ),
}
# Where every card is known, what they cost is what one wants to know
_TAKEN_FREE = {
    "trick.kitty": N_("The kitty goes with it: %(name)s also takes the leftover cards, %(cards)s. They cost nothing."),
    "trick.aside": N_("%(name)s also takes all cards that were set aside. They cost nothing."),
    "kitty and aside": N_(
        "%(name)s also takes all cards that were set aside, the kitty (%(cards)s) among them. They cost nothing."
    ),
}
_TAKEN_AT_COST = {
    "trick.kitty": NN_(
        "The kitty goes with it: %(name)s also takes the leftover cards, %(cards)s. They cost %(count)d point.",
        "The kitty goes with it: %(name)s also takes the leftover cards, %(cards)s. They cost %(count)d points.",
    ),
    "trick.aside": NN_(
        "%(name)s also takes all cards that were set aside. They cost %(count)d point.",
        "%(name)s also takes all cards that were set aside. They cost %(count)d points.",
    ),
    "kitty and aside": NN_(
        "%(name)s also takes all cards that were set aside, the kitty (%(cards)s) among them. They cost %(count)d point.",
        "%(name)s also takes all cards that were set aside, the kitty (%(cards)s) among them. They cost %(count)d points.",
    ),
}
_LAST_TAKEN = {
    LastDead.TRICK_LEADER: NN_(
        "The last trick is dead. At this table its leader, %(name)s, takes the card that waits.",
        "The last trick is dead. At this table its leader, %(name)s, takes all %(count)d cards that wait.",
    ),
    LastDead.SECOND_OF_TOP_PAIR: NN_(
        "The last trick is dead. At this table %(name)s, who completed the highest pair of the suit led, takes the card that waits.",
        "The last trick is dead. At this table %(name)s, who completed the highest pair of the suit led, takes all %(count)d cards that wait.",
    ),
}
_HIGHEST_OF_ANY = NN_(
    "The last trick is dead, and no pair in it is of the suit led. At this table %(name)s, who completed the highest pair, takes the card that waits.",
    "The last trick is dead, and no pair in it is of the suit led. At this table %(name)s, who completed the highest pair, takes all %(count)d cards that wait.",
)


def _aside_taken(s: _Say, e: ev.AsideTaken) -> str:
    if e.rule == "trick.last_dead":
        forms = _LAST_TAKEN[s.rules.last_dead]
        if s.rules.last_dead is LastDead.SECOND_OF_TOP_PAIR and None not in e.cards[-s.rules.seats :]:
            # the cards of the last trick stand at the end of all that waited
            last: Any = e.cards[-s.rules.seats :]
            found = tricks.pairs(s.rules, Trick(0, tuple(Play(i, card) for i, card in enumerate(last))))
            if not any(pair.card.suit is last[0].suit for pair in found):
                forms = _HIGHEST_OF_ANY
        return s.w.count(forms, len(e.cards), name=s.name(e.seat))
    key = "kitty and aside" if e.rule == "trick.aside" and e.kitty else e.rule
    if None in e.cards:
        return s.w.count(_TAKEN[key], len(e.cards), name=s.name(e.seat))
    points = s.points(e.cards)
    if points == 0:
        return s.w.text(_TAKEN_FREE[key], name=s.name(e.seat), cards=e.cards[: e.kitty])
    return s.w.count(_TAKEN_AT_COST[key], points, name=s.name(e.seat), cards=e.cards[: e.kitty])


def _aside_lost(s: _Say, e: ev.AsideLost) -> str:
    return s.w.count(
        NN_(
            "That was the last trick, and nobody collects what lies on the table: %(count)d card is lost.",
            "That was the last trick, and nobody collects what lies on the table: %(count)d cards are lost.",
        ),
        len(e.cards),
    )


def _moon_shot(s: _Say, e: ev.MoonShot) -> str:
    name = s.name(e.seat)
    if s.rules.moon_scope is MoonScope.COLLECTED:
        return s.w.text(
            N_("%(name)s has taken every heart and every Black Maria that anybody took: that is shooting the moon."),
            name=name,
        )
    if s.rules.bonus_card is not None and s.rules.omnibus_slam is OmnibusSlam.NEEDS_BONUS:
        return s.w.text(
            N_("%(name)s has taken every heart, the Black Maria and the %(card)s: that is shooting the moon."),
            name=name, card=s.rules.bonus_card,
        )  # fmt: skip
    if s.rules.packs == 2:
        return s.w.text(
            N_("%(name)s has taken all 26 hearts and both Black Marias: that is shooting the moon."), name=name
        )
    return s.w.text(N_("%(name)s has taken all 13 hearts and the Black Maria: that is shooting the moon."), name=name)


def _moon_chosen(s: _Say, e: ev.MoonChosen) -> str:
    points = int(s.rules.moon_points)
    bonus = s.rules.bonus_card
    if bonus is not None and s.rules.omnibus_slam is OmnibusSlam.HEARTS_AND_QUEEN:
        if e.choice == MoonChoice.SUBTRACT:
            return s.w.text(
                N_(
                    "%(name)s scores nothing for hearts and the Black Maria and takes %(points)d points off their own score. The %(card)s still counts for whoever took it."
                ),
                name=s.name(e.seat), points=points, card=bonus,
            )  # fmt: skip
        return s.w.text(
            N_(
                "%(name)s scores nothing for hearts and the Black Maria, and every other player gets %(points)d points more. The %(card)s still counts for whoever took it."
            ),
            name=s.name(e.seat), points=points, card=bonus,
        )  # fmt: skip
    if e.choice == MoonChoice.SUBTRACT:
        return s.w.text(
            N_("%(name)s scores nothing and takes %(points)d points off their own score."),
            name=s.name(e.seat),
            points=points,
        )
    return s.w.text(
        N_("%(name)s scores nothing, and every other player gets %(points)d points more."),
        name=s.name(e.seat),
        points=points,
    )


def _hand_scored(s: _Say, e: ev.HandScored) -> str:
    entry = N_("%(name)s %(points)d")
    listed = [s.w.text(entry, name=s.name(seat), points=points) for seat, points in enumerate(e.points)]
    if e.rule == "score.floor":
        return s.w.text(
            N_("The hand is scored: %(list)s. At this table a total that would fall below zero is 0 instead."),
            list=s.w.join(listed),
        )
    return s.w.text(N_("The hand is scored: %(list)s."), list=s.w.join(listed))


def _match_won(s: _Say, e: ev.MatchWon) -> str:
    total = min(e.totals)
    if len(e.seats) == 1:
        return s.w.count(
            NN_(
                "The target is reached. %(name)s has the lowest total, %(count)d point, and wins the match.",
                "The target is reached. %(name)s has the lowest total, %(count)d points, and wins the match.",
            ),
            total, name=s.name(e.seats[0]),
        )  # fmt: skip
    return s.w.count(
        NN_(
            "The target is reached. These players share the lowest total, %(count)d point, and the win: %(names)s.",
            "The target is reached. These players share the lowest total, %(count)d points, and the win: %(names)s.",
        ),
        total, names=s.w.join(s.name(seat) for seat in e.seats),
    )  # fmt: skip


_EVENTS: dict[type, Callable[[_Say, Any], str]] = {
    ev.HandStarted: _hand_started, ev.Dealt: _dealt, ev.KittySet: _kitty_set, ev.PassSkipped: _pass_skipped,
    ev.Passed: _passed, ev.Received: _received, ev.LeadAssigned: _lead_assigned, ev.Played: _played,
    ev.HeartsBroken: _hearts_broken, ev.PairCancelled: _pair_cancelled, ev.TrickWon: _trick_won,
    ev.TrickDead: _trick_dead, ev.AsideTaken: _aside_taken, ev.AsideLost: _aside_lost, ev.MoonShot: _moon_shot,
    ev.MoonChosen: _moon_chosen, ev.HandScored: _hand_scored, ev.MatchWon: _match_won,
}  # fmt: skip


_WHY_PAIR = N_(
    "Every card is there twice, and of two equal cards neither is the higher one, so both drop out of the contest."
)
_WHY_PAIR_COSTS = N_(
    "Every card is there twice, and of two equal cards neither is the higher one, so both drop out of the contest. They stay in the trick and cost its taker points all the same."
)
_WHY_DEAD = N_(
    "One pair only takes its own two cards out of the contest. With a second pair, of whatever suit, the whole trick is spoilt, even for a higher card that stands alone."
)
_WHY_NONE_LEFT = N_(
    "Only a card of the suit led can win a trick, and here each of them has met its twin. However high a card of another suit is, it cannot step in."
)
_WHY_TAKEN = {
    "trick.kitty": N_(
        "The winner of the first trick takes the kitty with it. Nobody may look at it before the hand is scored, but what is in it counts."
    ),
    "trick.aside": N_(
        "The cards of a trick that nobody won wait for the next player who wins one, however many such tricks there are."
    ),
    "kitty and aside": N_(
        "Nobody won the first trick, so the kitty waited together with it. The first player to win a trick takes everything that waits, and what is in the kitty counts although nobody has seen it."
    ),
}
_WHY_LAST_TAKEN = {
    LastDead.TRICK_LEADER: N_(
        "No trick follows that somebody could win, so this table has agreed that the leader of a dead last trick takes all that waits."
    ),
    LastDead.SECOND_OF_TOP_PAIR: N_(
        "No trick follows that somebody could win, so this table has agreed that whoever completed the highest pair of the suit led takes all that waits (without such a pair, the highest one)."
    ),
}
_WHY_LOST = N_(
    "Cards set aside go to the next player who wins a trick, and after the last trick there is none. Lost hearts and Black Marias cost nobody anything, and without them nobody can shoot the moon."
)
_WHY_LOST_COLLECTED = N_(
    "Cards set aside go to the next player who wins a trick, and after the last trick there is none. Lost hearts and Black Marias cost nobody anything."
)
_WHY_BROKEN = N_(
    "Until now nobody could lead a heart unless nothing else was left. It does not matter how the card came into the trick: played is played."
)
_WHY_MOON = N_(
    "A hand full of hearts and Black Marias would be a disaster, so the rules reward whoever takes every single one: instead of paying for them, that player gains on all the others."
)
_WHY_WAIVED = N_(
    "A rule must never leave a player without a card to play. So the rule that forbids them all is dropped for this play, and the other rules still bind."
)


def why(event: Any, names: Sequence[str], rules: Ruleset, language: Words | None = None) -> str:
    """Return what there is to say of a special `event` beside its sentence, or "" where nothing is special.

    Special are pairs, dead tricks, cards set aside that are taken or lost, broken hearts, moons, and plays for which a
    rule was waived. English by default.

    >>> from .ruleset import ruleset
    >>> why(ev.AsideTaken(1, (None,), "trick.kitty", kitty=1), "Al Beth".split(), ruleset("cancellation", 6))[:52]
    'The winner of the first trick takes the kitty with i'
    >>> why(ev.LeadAssigned(0, "lead.winner"), ["Al"], ruleset("hearts", 4))
    ''
    """
    return (language or words()).text(_why(event, rules))


def _why(e: Any, rules: Ruleset) -> str:
    if isinstance(e, ev.PairCancelled):
        return _WHY_PAIR_COSTS if scoring.points_of(rules, [e.card]) > 0 else _WHY_PAIR
    if isinstance(e, ev.TrickDead):
        return _WHY_DEAD if e.rule == "trick.dead" else _WHY_NONE_LEFT
    if isinstance(e, ev.AsideTaken):
        if e.rule == "trick.last_dead":
            return _WHY_LAST_TAKEN[rules.last_dead]
        return _WHY_TAKEN["kitty and aside" if e.rule == "trick.aside" and e.kitty else e.rule]
    if isinstance(e, ev.AsideLost):
        return _WHY_LOST if rules.moon_scope is MoonScope.PACK else _WHY_LOST_COLLECTED
    if isinstance(e, ev.HeartsBroken):
        return _WHY_BROKEN
    if isinstance(e, ev.MoonShot):
        return _WHY_MOON
    return _WHY_WAIVED if isinstance(e, ev.Played) and e.rule == "play.waived" else ""


_SUIT_REFUSALS = {
    Suit.CLUBS: N_("Clubs were led and %(name)s has clubs, so the %(card)s may not be played. Legal: %(legal)s."),
    Suit.DIAMONDS: N_(
        "Diamonds were led and %(name)s has diamonds, so the %(card)s may not be played. Legal: %(legal)s."
    ),
    Suit.SPADES: N_("Spades were led and %(name)s has spades, so the %(card)s may not be played. Legal: %(legal)s."),
    Suit.HEARTS: N_("Hearts were led and %(name)s has hearts, so the %(card)s may not be played. Legal: %(legal)s."),
}
_CARD_REFUSALS = {
    "lead.low_club": N_(
        "The first lead must be the lowest club, so %(name)s may not lead the %(card)s. Legal: %(legal)s."
    ),
    "lead.opening_free": N_(
        "The first lead of a hand may not be a heart or a Black Maria, so %(name)s may not lead the %(card)s. Legal: %(legal)s."
    ),
    "lead.hearts_unbroken": N_("Hearts are not broken yet, so %(name)s may not lead the %(card)s. Legal: %(legal)s."),
    "follow.first_trick": N_(
        "On the first trick nobody may discard a heart or a Black Maria, so %(name)s may not play the %(card)s. Legal: %(legal)s."
    ),
}
_TURNS = {
    "pass": N_("It is not the turn of %(name)s: %(turn)s passes cards now."),
    "play": N_("It is not the turn of %(name)s: %(turn)s plays a card now."),
    "moon": N_("It is not the turn of %(name)s: %(turn)s shot the moon and chooses now."),
}
_MOMENTS = {
    "pass": N_("That cannot be done now: %(turn)s is asked to pass cards."),
    "play": N_("That cannot be done now: %(turn)s is asked to play a card."),
    "moon": N_("That cannot be done now: %(turn)s is asked to choose what the moon does."),
    "": N_("That cannot be done now: nothing more is to be played."),
}


def refusal(refusal: Refusal, names: Sequence[str], language: Words | None = None) -> str:
    """Return the sentence for `refusal` at the table of `names`: the rule, and what would be right; English by default.

    >>> from .cards import cards, parse
    >>> facts = {"seat": 1, "card": parse("QS"), "legal": cards("3C KC"), "suit": Suit.CLUBS}
    >>> refusal(Refusal("follow.suit", facts), ["Al", "Beth"])
    'Clubs were led and Beth has clubs, so the Q♠ may not be played. Legal: 3♣, K♣.'
    """
    w = language or words()
    rule, p = refusal.rule, refusal.params

    def name(seat: int | None) -> str:
        return (
            names[seat] if seat is not None and 0 <= seat < len(names) else w.text(N_("seat %(seat)s"), seat=str(seat))
        )

    if rule == "follow.suit":
        return w.text(
            _SUIT_REFUSALS[p["suit"]], name=name(p["seat"]), card=p["card"], legal=w.cards(dict.fromkeys(p["legal"]))
        )
    if rule in _CARD_REFUSALS:
        return w.text(
            _CARD_REFUSALS[rule], name=name(p["seat"]), card=p["card"], legal=w.cards(dict.fromkeys(p["legal"]))
        )
    if rule == "play.held":
        return w.text(N_("%(name)s does not hold the %(card)s."), name=name(p["seat"]), card=p["card"])
    if rule == "pass.count":
        return w.count(
            NN_("Exactly %(count)d card is passed; %(name)s passed %(given)d.", "Exactly %(count)d cards are passed; %(name)s passed %(given)d."),
            p["count"], name=name(p["seat"]), given=p["given"],
        )  # fmt: skip
    if rule == "pass.held":
        return w.text(
            N_("%(name)s was not dealt these cards, or not so often, and cannot pass them: %(cards)s."),
            name=name(p["seat"]), cards=w.join(getattr(card, "symbol", str(card)[:20]) for card in p["cards"]),
        )  # fmt: skip
    if rule == "play.turn":
        return w.text(_TURNS[p["asked"].kind], name=name(p["seat"]), turn=name(p["turn"]))
    if rule == "play.moment":
        asked = p["asked"]
        return w.text(_MOMENTS[asked.kind if asked else ""], turn=name(asked.seat if asked else None))
    if rule == "play.seat":
        return w.text(
            N_("There is no seat %(seat)s; the seats are 0 to %(last)d."), seat=str(p["seat"]), last=p["last"]
        )
    return w.text(N_("After a moon the choice is “subtract” or “add_to_others”, not “%(choice)s”."), choice=p["choice"])


_REASONS = {
    "random": N_("Any choice will do: this player chooses by chance."),
    "only": N_("Play the %(card)s: it is the only card you may play."),
    "pass": N_("Pass %(cards)s: high cards win tricks, and an empty suit lets you discard."),
    "lead_least": N_("Lead the %(card)s: every lead may win, and this one risks least."),
    "cancel": N_("Play the %(card)s: it cancels its twin, so neither of them can win."),
    "maria_under": N_("Play the %(card)s: a higher spade lies in the trick, so most likely somebody else gets her."),
    "maria_dead": N_(
        "Play the %(card)s: two pairs lie here, so nobody can win this trick, and the Black Maria waits for the next winner."
    ),
    "dead": N_("Play the %(card)s: two pairs lie here, so nobody can win this trick; part with a high card."),
    "low_least": N_(
        "Play the %(card)s: no higher card of its suit is out, so only a twin or two pairs can keep you from winning."
    ),
    "low_wins": N_("Play the %(card)s: no higher card of its suit is out, so it wins this trick."),
    "duck": N_("Play the %(card)s: it is your highest card that does not win this trick as it lies."),
    "must_take": N_("Play the %(card)s: you win this trick anyway, so part with a high card."),
    "dump": N_("Play the %(card)s: you cannot win this trick, so get rid of your worst card."),
    "free": N_("Play the %(card)s: this trick can cost nothing, so part with a high card."),
    "take_moon": N_(
        "Play the %(card)s: one player has taken every point so far, so take these yourself and no moon is shot."
    ),
    "stop_moon": N_("Play the %(card)s: one player has taken every point so far, so give that player no more."),
    "moon": N_("This choice serves your place in the match best."),
}
_COUNTED_REASONS = {
    "lead_low": NN_(
        "Lead the %(card)s: %(count)d higher card of its suit is still out, so somebody else may have to win.",
        "Lead the %(card)s: %(count)d higher cards of its suit are still out, so somebody else may have to win.",
    ),
    "low": NN_(
        "Play the %(card)s, your lowest: %(count)d higher card of its suit is still out and may be played after you.",
        "Play the %(card)s, your lowest: %(count)d higher cards of its suit are still out and may be played after you.",
    ),
    "low_spared": NN_(
        "Play the %(card)s, your lowest apart from the Black Maria: %(count)d higher card of its suit is still out and may be played after you.",
        "Play the %(card)s, your lowest apart from the Black Maria: %(count)d higher cards of its suit are still out and may be played after you.",
    ),
}
_SAMPLED_REASONS = {
    "sampled": NN_(
        "Play the %(card)s: played out in %(count)d way in which the unseen cards may lie, it leaves you best off, with %(points)s points for you and %(others)s on average for each other player.",
        "Play the %(card)s: played out in %(count)d ways in which the unseen cards may lie, it leaves you best off, with %(points)s points on average for you and %(others)s for each other player.",
    ),
    "sampled_pass": NN_(
        "Pass %(cards)s: played out in %(count)d way in which the unseen cards may lie, this leaves you best off, with %(points)s points for you and %(others)s on average for each other player.",
        "Pass %(cards)s: played out in %(count)d ways in which the unseen cards may lie, this leaves you best off, with %(points)s points on average for you and %(others)s for each other player.",
    ),
}
REASONS = (*_REASONS, *_COUNTED_REASONS, *_SAMPLED_REASONS)
_DECIMAL = N_("%(whole)s.%(tenths)s")


def decimal(value: float, language: Words | None = None) -> str:
    """Return `value` with one decimal, the way a language writes it.

    >>> decimal(4.25), decimal(-0.04)
    ('4.2', '0.0')
    """
    whole, _, tenths = f"{round(value, 1) + 0.0:.1f}".partition(".")
    return (language or words()).plain(_DECIMAL) % {"whole": whole, "tenths": tenths}


def expected(points: float, points_error: float, risk: float, risk_error: float, language: Words | None = None) -> str:
    """Return what a card is expected to bring: points and the risk (0 to 1) of a Black Maria, each with its standard error.

    >>> expected(4.21, 0.31, 0.117, 0.012)
    'expects 4.2 ± 0.3 points, Black Maria 11.7 ± 1.2 %'
    """
    w = language or words()
    values = {"points": points, "points_error": points_error, "risk": 100 * risk, "risk_error": 100 * risk_error}
    return w.plain(N_("expects %(points)s ± %(points_error)s points, Black Maria %(risk)s ± %(risk_error)s %%")) % {
        name: decimal(value, w) for name, value in values.items()
    }


def reason(key: str, params: Mapping[str, Any], language: Words | None = None) -> str:
    """Return the sentence for a player's reason: `key` is one of REASONS, `params` its facts; English by default.

    >>> from .cards import parse
    >>> reason("duck", {"card": parse("4C")})
    'Play the 4♣: it is your highest card that does not win this trick as it lies.'
    """
    w = language or words()
    shown: dict[str, Any] = {name: w.cards(value) if name == "cards" else value for name, value in params.items()}
    if key in _SAMPLED_REASONS:
        means = {name: decimal(params[name], w) for name in ("points", "others")}
        return w.count(_SAMPLED_REASONS[key], shown.pop("count"), **{**shown, **means})
    if key in _COUNTED_REASONS:
        return w.count(_COUNTED_REASONS[key], shown.pop("count"), **shown)
    return w.text(_REASONS[key], **shown)


REFUSAL_RULES = (
    "follow.suit", *_CARD_REFUSALS, "play.held", "pass.count", "pass.held", "play.turn", "play.moment", "play.seat",
    "score.moon_choice",
)  # fmt: skip


def setup(rules: Ruleset, language: Words | None = None) -> tuple[tuple[str, str], ...]:
    """Return the set-up facts of a table as pairs of rule id and sentence, in page order.

    >>> from .ruleset import ruleset
    >>> setup(ruleset("hearts", 4))[0]
    ('deal.players', '4 players play Hearts.')
    """
    w = language or words()
    facts = [
        ("deal.players", w.text(_GAME_PLAYERS[rules.name], seats=rules.seats)),
        (
            "deal.packs",
            w.text(N_("Two packs are shuffled together, so every card is there twice: 104 cards."))
            if rules.packs == 2
            else w.text(N_("One pack is used.")),
        ),
    ]
    if rules.removed:
        facts.append(
            ("deal.removed", w.text(N_("These cards are taken out: %(cards)s."), cards=w.cards(rules.removed)))
        )
    facts.append(("trick.rank", w.text(N_("In each suit the ace is highest and the 2 lowest."))))
    facts.append(("match.lowest", w.text(N_("Points are bad: the lowest total wins."))))
    facts.append(("trick.pile", w.text(N_("Won cards lie face down before their winner."))))
    if rules.bonus_card is not None:
        facts.append(
            ("score.bonus", w.text(N_("Whoever takes the %(card)s scores 10 points less."), card=rules.bonus_card))
        )
    facts.append(("score.sheet", w.text(N_("The score sheet has a column for each player."))))
    facts.append(("match.target", w.text(N_("The match is played to %(target)d points."), target=rules.target)))
    facts.append(("match.end", w.text(N_("It ends with the hand in which somebody reaches that target."))))
    return tuple(facts)


_GAME_PLAYERS = {
    "cancellation": N_("%(seats)d players play Cancellation Hearts."),
    "hearts": N_("%(seats)d players play Hearts."),
    "omnibus": N_("%(seats)d players play Omnibus Hearts."),
}


def rule_text(rule: Rule, language: Words | None = None) -> dict[str, str]:
    """Return the parts of `rule` in a language: "id", "heading", "title", "text" and "reading" ("" when there is none).

    >>> from .rulebook import rule
    >>> rule_text(rule("lead.winner"))["text"]
    'The winner of a trick leads the next one.'
    """
    w = language or words()
    return {
        "id": rule.id,
        "heading": w.text(rule.heading),
        "title": w.text(rule.title),
        "text": w.text(rule.text),
        "reading": w.text(rule.reading),
    }
