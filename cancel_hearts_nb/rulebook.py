"""The printed pages as data: every rule in page order, in our own words, with the place in the code that decides it.

`facts` are the facts of the printed pages (C: Cancellation Hearts, H: Hearts) and the questions (Q) that a rule
settles. `text` says the rule; `reading` says, where the page is silent or unclear, how we read it and what other
tables play. `decided_by` is a dotted name in this package. What no page prints but a game needs has an id `play.*`.
"""

from __future__ import annotations

from dataclasses import dataclass

from .messages import N_, Problem


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: `id`, `facts` (such as "C21"), `games` it belongs to, the page's `heading`, a `title`, `text`, `reading`."""

    id: str
    facts: tuple[str, ...]
    games: tuple[str, ...]
    heading: str
    title: str
    text: str
    reading: str
    decided_by: str


class UnknownRule(Problem):
    """There is no rule of that id."""


CANCELLATION = ("cancellation",)
HEARTS = ("hearts", "omnibus")
ALL = (*CANCELLATION, *HEARTS)

PLAYERS = N_("Players and cards")
AIM = N_("Aim")
SET_UP = N_("Set-up")
PASSING = N_("Passing cards")
TRICKS = N_("Tricks")
BREAKING = N_("Breaking hearts")
CANCELLING = N_("Cancelling")
SCORING = N_("Scoring")
MATCH = N_("Winning")
MANNERS = N_("At the table")


def _rule(
    id: str, facts: str, games: tuple[str, ...], heading: str, decided_by: str, title: str, text: str, reading: str = ""
) -> Rule:
    return Rule(id, tuple(facts.split()), games, heading, title, text, reading, decided_by)


RULES: tuple[Rule, ...] = (
    _rule(
        "deal.players", "C1 H1 Q43", ALL, PLAYERS, "rules.deal.seats_allowed",
        N_("How many can play"),
        N_("Cancellation Hearts is for 6 to 11 players. Hearts and Omnibus Hearts are for 3 to 7 and are best with 4."),
        N_("With 6 or 7 players both games are possible; the players say which one they play."),
    ),
    _rule(
        "deal.packs", "C2 H1", ALL, PLAYERS, "rules.deal.pack_count",
        N_("One pack or two"),
        N_("Cancellation Hearts uses two packs of 52 cards shuffled together, so that every card is there twice: 104 cards. Hearts uses one pack."),
    ),
    _rule(
        "deal.removed", "H5 H6 H7 Q37", HEARTS, PLAYERS, "rules.deal.removed",
        N_("Cards taken out"),
        N_("In Hearts some low cards are taken out so that everybody gets equally many: with 3 players the 2♦; with 5 the 2♣ and 2♦; with 6 the 2♦, 3♦, 3♣ and 4♣; with 7 the 2♦, 3♦ and 3♣. With 4 players the pack stays whole."),
        N_("The printed words for 5, 6 and 7 players are garbled; this is the reading of them that makes the deal come out even. Some tables take out other low cards. All hearts and the Black Maria always stay."),
    ),
    _rule(
        "trick.rank", "C3 H1", ALL, PLAYERS, "rules.trick.strength",
        N_("Rank of the cards"),
        N_("In each suit the ace is highest, then king, queen, jack, 10 and so on down to 2."),
    ),
    _rule(
        "match.lowest", "C4 H2 Q27", ALL, AIM, "rules.match.lowest",
        N_("The lowest total wins"),
        N_("Points are bad. At the end of the match the player with the lowest total wins."),
        N_("When several players reach the target in the same hand, it does not matter who reached it first: the lowest total wins."),
    ),
    _rule(
        "deal.even", "C6 H3 H4", ALL, SET_UP, "rules.deal.hand_size",
        N_("The deal"),
        N_("Everybody gets the same number of cards, as many as possible."),
    ),
    _rule(
        "deal.kitty", "C7", CANCELLATION, SET_UP, "rules.deal.kitty_size",
        N_("The kitty"),
        N_("Cards that do not come out even are left over. They lie face down on the table and are called the kitty."),
    ),
    _rule(
        "deal.dealer", "Q38", ALL, SET_UP, "rules.deal.next_dealer",
        N_("The dealer"),
        N_("The first dealer is drawn by lot. After each hand the player on the dealer’s left deals. Play goes clockwise: each turn passes to the left."),
        N_("The printed page names a dealer but does not say who deals first or next; dealing in turn, to the left, is what tables do everywhere."),
    ),
    _rule(
        "pass.count", "C9 H8 Q35", ALL, PASSING, "rules.passing.count_refusal",
        N_("Three cards"),
        N_("After looking at the hand, each player chooses three cards and passes them face down to one other player."),
        N_("The printed page says three at every table size, even where hands are short. Some tables pass fewer when many play."),
    ),
    _rule(
        "pass.direction", "C11 H10 Q32 Q33", ALL, PASSING, "rules.passing.receiver",
        N_("Left, then right"),
        N_("In the first hand cards are passed to the left, in the second to the right, and so on in turn. Four-player Hearts has a longer cycle: left, right, across, and then one hand without a pass."),
        N_("Other tables add a pass across or a hand without a pass, and some do not pass at all in Cancellation Hearts."),
    ),
    _rule(
        "pass.none", "H9 Q34", ALL, PASSING, "rules.passing.direction",
        N_("A hand without a pass"),
        N_("In four-player Hearts every fourth hand is played without a pass."),
        N_("The printed page leaves the fourth entry of the cycle empty; English copies of that page say that nobody passes. In Cancellation Hearts it happens only at tables that have agreed on it."),
    ),
    _rule(
        "pass.blind", "C10 H8", ALL, PASSING, "rules.passing.exchange",
        N_("Pass before you look"),
        N_("Everybody must have passed before anybody looks at the cards received."),
    ),
    _rule(
        "pass.held", "", ALL, PASSING, "rules.passing.held_refusal",
        N_("Only cards you hold"),
        N_("You can pass only cards from the hand you were dealt, each card once; who holds both twins may pass both. What you receive cannot be passed on."),
    ),
    _rule(
        "lead.opening", "C12 Q39", ALL, TRICKS, "rules.lead.opening_leader",
        N_("Who leads first"),
        N_("In Cancellation Hearts the player on the dealer’s left leads the first trick of every hand."),
        N_("Where the printed page says “hand” here it means a trick. In Hearts this is only an option; there the lowest club is led first. At some tables of Cancellation Hearts the holder of a certain low club leads first."),
    ),
    _rule(
        "lead.low_club", "H11 H12 Q36", HEARTS, TRICKS, "rules.lead.keep_low_club",
        N_("The lowest club is led first"),
        N_("In Hearts the player who holds the 2♣ leads it to the first trick. With 5 players the 2♣ is out of the pack, so the 3♣ is led instead."),
        N_("The printed page says that the 2♣ is missing with 3 players; by its own list it is missing with 5."),
    ),
    _rule(
        "lead.opening_free", "C13 Q18", ALL, TRICKS, "rules.lead.keep_free_opening",
        N_("The first lead"),
        N_("In Cancellation Hearts the first lead of a hand may be any card except a heart or a Black Maria."),
        N_("“The Black Maria may be led at any time” is the general rule; for the first lead this special one comes before it."),
    ),
    _rule(
        "follow.suit", "C14 H13 Q19", ALL, TRICKS, "rules.follow.keep_suit",
        N_("Follow suit"),
        N_("Play goes clockwise, one card each. Whoever has a card of the suit led must play one."),
        N_("That holds for the queen of spades, the Black Maria, too: whoever has no other spade must play her when spades are led."),
    ),
    _rule(
        "follow.void", "C15 H13", ALL, TRICKS, "rules.follow.is_void",
        N_("Without the suit led"),
        N_("A player who has no card of the suit led may play any card. This is called a discard."),
    ),
    _rule(
        "follow.first_trick", "H13 Q11", ALL, TRICKS, "rules.follow.keep_first_discard",
        N_("Discards on the first trick"),
        N_("In Hearts a player without the suit led may not discard a heart or the Black Maria on the first trick. In Cancellation Hearts there is no such ban."),
        N_("Only the lead is restricted in Cancellation Hearts; some tables ban such discards there too."),
    ),
    _rule(
        "trick.highest", "C16 C25 H14", ALL, TRICKS, "rules.trick.highest",
        N_("Who wins the trick"),
        N_("The highest card of the suit led wins the trick. There are no trumps, that is, no suit that beats the others: a card of another suit never wins."),
    ),
    _rule(
        "trick.pile", "C17 H20 Q7 Q42", ALL, TRICKS, "events.redact",
        N_("Won cards"),
        N_("The winner of a trick keeps its cards face down. Everybody has seen the cards of a trick; nobody sees the kitty of Cancellation Hearts before the hand is scored."),
        N_("The printed pages do not say whether the taker may look at the kitty. Here nobody does, and its points count all the same."),
    ),
    _rule(
        "lead.winner", "C18 H14", ALL, TRICKS, "rules.lead.after_won",
        N_("The winner leads"),
        N_("The winner of a trick leads the next one."),
    ),
    _rule(
        "play.lead", "", ALL, TRICKS, "rules.legality.narrow",
        N_("A free lead"),
        N_("Where no rule says otherwise, the leader may lead any card."),
    ),
    _rule(
        "lead.hearts_unbroken", "C19 H15", ALL, BREAKING, "rules.lead.keep_unbroken",
        N_("No heart lead before hearts are broken"),
        N_("A heart may not be led until a heart or a Black Maria has been played. Until then hearts are not broken."),
    ),
    _rule(
        "lead.breaking", "C19 H15 Q16 Q17", ALL, BREAKING, "rules.lead.breaks_hearts",
        N_("What breaks hearts"),
        N_("The first heart or Black Maria that is played breaks hearts, however it is played; from then on hearts may be led."),
        N_("Cards that were cancelled, or that lie in a trick nobody won, were played, so they break hearts. The kitty and passed cards were not. Some tables say that only a heart breaks hearts."),
    ),
    _rule(
        "lead.black_maria", "C20 H15", ALL, BREAKING, "rules.lead.keep_unbroken",
        N_("The Black Maria may be led"),
        N_("The queen of spades is called Black Maria. Except as the first lead of a hand, she may be led at any time, whether hearts are broken or not."),
    ),
    _rule(
        "lead.heart_over_bm", "Q15", ALL, BREAKING, "rules.lead.heart_over_bm",
        N_("Only hearts and Black Maria"),
        N_("A leader who holds nothing but hearts and Black Marias while hearts are not broken must lead a Black Maria."),
        N_("That is the printed page taken at its word. Some tables let such a player lead a heart; there is an option for it."),
    ),
    _rule(
        "play.waived", "Q12 Q13 Q14", ALL, BREAKING, "rules.legality.narrow",
        N_("A rule that would leave you no card"),
        N_("If a rule would forbid every card you hold, that rule is dropped for this play, and the others still bind you."),
        N_("The printed pages give no exception and do not say what happens then, but somebody must play. So a hand of hearts alone may lead a heart, and a hand of hearts and Black Marias alone may discard one on the first trick. Some tables deal anew instead."),
    ),
    _rule(
        "trick.pairs_cancel", "C21 Q41", CANCELLATION, CANCELLING, "rules.trick.pairs",
        N_("A pair cancels"),
        N_("When two players play the same card to a trick, for example both 9♥, the two cards cancel each other: neither can win. With this one pair, the highest card of the suit led that is left wins."),
        N_("A player who holds both copies plays only one card to a trick, so nobody can cancel a card of their own."),
    ),
    _rule(
        "trick.dead", "C22 Q2 Q3 Q4", CANCELLATION, CANCELLING, "rules.trick.two_pairs",
        N_("Two pairs: nobody wins"),
        N_("If two or more pairs are played to one trick, nobody wins it: the trick is dead, and its cards are set aside. The pairs may be of any suit."),
        N_("The printed example does not show another card of the suit led beside the two pairs. We take its words as they stand: with two pairs nobody wins. Many tables play that such a card still wins."),
    ),
    _rule(
        "trick.none_left", "Q1", CANCELLATION, CANCELLING, "rules.trick.live",
        N_("No card of the suit led is left"),
        N_("If every card of the suit led is cancelled, no card can win: nobody wins the trick and its cards are set aside."),
        N_("The printed page does not say it outright, but only a card of the suit led can win."),
    ),
    _rule(
        "lead.after_dead", "Q5", CANCELLATION, CANCELLING, "rules.lead.after_dead",
        N_("The lead after a trick that nobody won"),
        N_("After a trick that nobody wins, the same player leads again."),
        N_("The printed page is silent here; this is what other rule pages say. An option gives the lead to the player on the leader’s left."),
    ),
    _rule(
        "trick.aside", "C23 Q8", CANCELLATION, CANCELLING, "rules.trick.aside_taker",
        N_("Cards set aside"),
        N_("The next player to win a trick also takes all cards that were set aside."),
        N_("Several such tricks in a row pile up, and one winner takes everything that waits."),
    ),
    _rule(
        "trick.kitty", "C8 Q6", CANCELLATION, CANCELLING, "rules.trick.aside_taker",
        N_("Who takes the kitty"),
        N_("The winner of the first trick takes the kitty, which makes the first trick dangerous."),
        N_("If nobody wins the first trick, the kitty waits with it and goes to the first player who wins a trick. Other tables give it to the last trick."),
    ),
    _rule(
        "trick.last_dead", "C24 Q9 Q44", CANCELLATION, CANCELLING, "rules.trick.last_dead_taker",
        N_("Nobody wins the last trick"),
        N_("If nobody wins the last trick of a hand, nobody collects its cards."),
        N_("Anything still waiting from earlier tricks that nobody won is lost with it. Elsewhere these cards go to the player who led the trick, or to the player who completed the highest pair of the suit led."),
    ),
    _rule(
        "score.hand", "C26 H16 Q20", ALL, SCORING, "rules.scoring.card_points",
        N_("Counting a hand"),
        N_("At the end of each hand every heart a player has won costs 1 point and every Black Maria 13."),
        N_("Cancelled cards still cost their taker: two cancelled Black Marias are 26 points."),
    ),
    _rule(
        "score.bonus", "H19 Q40", HEARTS, SCORING, "rules.scoring.card_points",
        N_("The bonus card"),
        N_("In Omnibus Hearts whoever takes the 10♦ scores 10 points less."),
        N_("The printed pages only name this game. In many places the bonus card is the J♦ instead; there is an option for it. A moon needs the bonus card too, unless the table agrees otherwise."),
    ),
    _rule(
        "score.moon", "C5 C27 H2 H17 Q10 Q21", ALL, SCORING, "rules.scoring.moon_shooter",
        N_("Shooting the moon"),
        N_("A player who wins every heart and every Black Maria, 26 and 2 with two packs, 13 and 1 with one, has shot the moon. In Omnibus Hearts the bonus card is needed as well."),
        N_("The page of Cancellation Hearts says “all 13 hearts” in one place, which is left over from the game with one pack. Where hearts or a Black Maria are lost with a last trick that nobody won, nobody can shoot the moon."),
    ),
    _rule(
        "score.moon_choice", "C27 H17 Q22 Q23 Q24 Q25", ALL, SCORING, "rules.scoring.entered",
        N_("What the moon does"),
        N_("Whoever shoots the moon scores nothing for the cards, and chooses: take 26 points off their own score, or give 26 points to every other player."),
        N_("The reward is 26 although 52 points are in play with two packs; at some tables it is 52. At many tables the others always get 26 points, without a choice."),
    ),
    _rule(
        "score.floor", "Q26", ALL, SCORING, "rules.scoring.new_totals",
        N_("Below zero"),
        N_("A total may fall below zero."),
        N_("The printed pages do not say; some tables stop at zero."),
    ),
    _rule(
        "score.sheet", "C30 H20", ALL, SCORING, "rules.scoring.new_totals",
        N_("The score sheet"),
        N_("The score sheet has a column for each player."),
    ),
    _rule(
        "match.target", "C28 H18 Q31", ALL, MATCH, "ruleset.default_target",
        N_("The target"),
        N_("Cancellation Hearts is often played to 150, Hearts and Omnibus Hearts to 100. Any target may be agreed beforehand, but it should be at least 100, or 50 in Hearts."),
    ),
    _rule(
        "match.end", "C29 H18 Q29 Q30 Q45", ALL, MATCH, "rules.match.reached",
        N_("The end of the match"),
        N_("When a player’s total is equal to the target or above it at the end of a hand, the match is over."),
        N_("A hand is always played to its last card and scored. At some tables the total must be above the target."),
    ),
    _rule(
        "match.tie", "Q28", ALL, MATCH, "rules.match.plays_on",
        N_("A tie"),
        N_("Players who share the lowest total share the win."),
        N_("The printed page does not say. Some tables play on until one player alone is lowest."),
    ),
    _rule(
        "play.turn", "", ALL, MANNERS, "game.Game.refusal",
        N_("Wait for your turn"),
        N_("One player acts at a time."),
    ),
    _rule(
        "play.moment", "", ALL, MANNERS, "game.Game.refusal",
        N_("At its moment"),
        N_("Cards are passed before the first trick and played in the tricks. Whoever has shot the moon chooses after the last trick."),
    ),
    _rule(
        "play.seat", "", ALL, MANNERS, "game.Game.refusal",
        N_("A seat at the table"),
        N_("Only the players at the table can act."),
    ),
    _rule(
        "play.held", "", ALL, MANNERS, "rules.legality.refusal",
        N_("A card you hold"),
        N_("You can play only a card that is in your hand."),
    ),
)  # fmt: skip

BY_ID = {rule.id: rule for rule in RULES}


def rule(id: str) -> Rule:
    """Return the rule with this id. Raises UnknownRule.

    >>> rule("trick.pairs_cancel").facts
    ('C21', 'Q41')
    """
    try:
        return BY_ID[id]
    except KeyError:
        raise UnknownRule(N_("There is no rule “%(id)s”."), id=str(id)[:60]) from None


def page(game: str) -> tuple[Rule, ...]:
    """Return the rules of `game` ("cancellation", "hearts" or "omnibus") in page order.

    >>> page("hearts")[0].id
    'deal.players'
    """
    return tuple(found for found in RULES if game in found.games)
