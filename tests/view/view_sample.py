"""Frames made by hand for the tests of the drawing side: a tiny dealer that follows suit and cancels pairs.

It stands in for the engine, so that these tests fail for the view's faults alone. It knows no passing beyond showing three
cards face down, no first-trick rules and no moon.
"""

from __future__ import annotations

import random
from typing import Any

from cancel_hearts_nb.view.labels import LABELS, PLURALS

NAMES = ["Al", "Beth", "Charlie", "Dave", "Eve", "Frank", "Grace", "Hugo", "Iris", "Jon", "Kate"]
RANKS, SUITS = "23456789TJQKA", "CDSH"
RANK_WORDS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]
SUIT_WORDS = {"C": "clubs", "D": "diamonds", "S": "spades", "H": "hearts"}
SIGNS = {"C": "♣", "D": "♦", "S": "♠", "H": "♥"}
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
CARD_NAMES = {c: f"{RANK_WORDS[RANKS.index(c[0])]} of {SUIT_WORDS[c[1]]}" for c in CARDS}
WORDS: dict[str, Any] = {
    "lang": "en",
    "dir": "ltr",
    "labels": LABELS,
    "plurals": {key: {"one": one, "other": other} for key, (one, other) in PLURALS.items()},
    "cards": CARD_NAMES,
    "short": {c: c[0].replace("T", "10") + SIGNS[c[1]] for c in CARDS},
}
RULEBOOK = [
    {
        "id": "deal.even",
        "heading": "The deal",
        "text": "Deal all cards evenly; what is left over is the kitty.",
        "reading": "",
        "section": "Deal",
    },
    {
        "id": "pass.direction",
        "heading": "Passing",
        "text": "Pass three cards, face down.",
        "reading": "",
        "section": "Deal",
    },
    {
        "id": "follow.suit",
        "heading": "Following suit",
        "section": "Play",
        "reading": "A player without the suit led may discard any card.",
        "text": "Each player in turn plays a card of the suit led, if possible; a player who holds none of that suit may play any card.",
    },
    {
        "id": "trick.pairs_cancel",
        "heading": "Cancellation",
        "text": "Two cards exactly alike in the same trick cancel each other; neither can win.",
        "reading": "The cards need not be of the suit led.",
        "section": "Play",
    },
    {
        "id": "trick.dead",
        "heading": "Two pairs in one trick",
        "section": "Play",
        "text": "If two pairs are played to one trick, nobody wins it and it is set aside. The player who led it leads again, and the winner of the "
        "next trick takes all the cards that were set aside.",
        "reading": "Many tables play this only when no card of the suit led is left.",
    },
    {
        "id": "trick.highest",
        "heading": "Winning a trick",
        "text": "The highest card of the suit led that is not cancelled wins.",
        "reading": "",
        "section": "Play",
    },
    {
        "id": "score.hand",
        "heading": "Scoring",
        "text": "Each heart counts one, the queen of spades thirteen.",
        "reading": "",
        "section": "Score",
    },
]


def points(card: str) -> int:
    return 13 if card == "QS" else int(card[1] == "H")


class Dealer:
    """Builds frames while it plays; `seen` decides which faces a viewer may know."""

    def __init__(
        self, seats: int, seed: int, viewer: int | None, names: list[str], tricks: int | None, passing: bool
    ) -> None:
        self.n, self.viewer, self.names, self.random = seats, viewer, names, random.Random(seed)
        self.frames: list[dict[str, Any]] = []
        self.captions: list[str] = []
        self.where: list[str] = []
        packs = 2 if seats >= 6 else 1
        pack = CARDS * packs
        self.random.shuffle(pack)
        size = len(pack) // seats if tricks is None else tricks
        self.keys = [f"k{i}" for i in range(len(pack))]
        self.face = dict(zip(self.keys, pack, strict=True))
        self.hands = [self.sort(self.keys[i * size : (i + 1) * size]) for i in range(seats)]
        self.kitty = self.keys[seats * size :] if tricks is None else []
        self.of = size if tricks is None else 0
        self.counts = {s: [size, 0, 0, 0] for s in range(seats)}
        self.play(passing)

    def sort(self, keys: list[str]) -> list[str]:
        return sorted(keys, key=lambda k: (SUITS.index(self.face[k][1]), RANKS.index(self.face[k][0]), k))

    def open(self, key: str, seat: int, zone: str) -> str:
        known = self.viewer is None or zone in "twg" or (zone in "hp" and seat == self.viewer)
        return self.face[key] if known else ""

    def lay(self, seat: int) -> list[list[Any]]:
        return [[k, self.open(k, seat, "h"), "h", seat, i, ""] for i, k in enumerate(self.hands[seat])]

    def frame(self, event: str, rule: str, caption: str, where: str, d: list[list[Any]], **s: Any) -> None:
        self.frames.append({"e": event, "r": rule, "d": d, "s": s})
        self.captions.append(caption)
        self.where.append(where)

    def play(self, passing: bool) -> None:
        n, name = self.n, self.names
        self.frame(
            "HandStarted",
            "deal.even",
            f"A new hand begins; {name[n - 1]} deals.",
            "Hand 1",
            [],
            hand=1,
            dealer=n - 1,
            trick=0,
            of=self.of,
            turn=-1,
            lead=-1,
            broken=False,
            won=-1,
            dead=False,
            aside=[0, 0, 0],
            n={s: [0, 0, 0, 0] for s in range(n)},
            **{"pass": "left" if self.of else ""},
        )
        self.frame(
            "Dealt",
            "deal.even",
            f"{name[n - 1]} deals {len(self.hands[0])} cards to each player.",
            "Hand 1 · the deal",
            [p for s in range(n) for p in self.lay(s)],
            n={str(s): list(c) for s, c in self.counts.items()},
        )
        aside: list[str] = list(self.kitty)
        if aside:
            self.frame(
                "KittySet",
                "deal.even",
                f"{len(aside)} cards are left over: they are the kitty.",
                "Hand 1 · the deal",
                [[k, self.open(k, -1, "a"), "a", -1, i, ""] for i, k in enumerate(aside)],
                aside=self.wait(aside, len(aside)),
            )
        if passing and self.of:
            chosen = [
                [self.hands[s].pop(self.random.randrange(len(self.hands[s]))) for _ in range(3)] for s in range(n)
            ]
            for s in range(n):
                to = (s + 1) % n
                self.frame(
                    "Passed",
                    "pass.direction",
                    f"{name[s]} passes three cards to {name[to]}.",
                    "Hand 1 · passing",
                    [[k, self.open(k, s, "p"), "p", to, i, ""] for i, k in enumerate(chosen[s])] + self.lay(s),
                    n={s: [len(self.hands[s]), 0, 0, 0]},
                )
            for s in range(n):
                self.hands[s] = self.sort(self.hands[s] + chosen[s - 1])
                self.frame(
                    "Received",
                    "pass.direction",
                    f"{name[s]} takes up three cards.",
                    "Hand 1 · passing",
                    self.lay(s),
                    n={s: [len(self.hands[s]), 0, 0, 0]},
                )
        leader, broken, hidden = 0, False, len(aside)
        for trick in range(1, len(self.hands[0]) + 1):
            gone: list[list[Any]] = []
            if trick > 1:
                gone = self.sweep
            self.frame(
                "LeadAssigned",
                "trick.highest",
                f"{name[leader]} leads to trick {trick}.",
                f"Hand 1 · trick {trick}",
                gone,
                trick=trick,
                turn=leader,
                lead=leader,
                won=-1,
                dead=False,
            )
            table: list[str] = []
            marks: dict[str, str] = {}
            pairs = 0
            for slot in range(n):
                seat = (leader + slot) % n
                led = self.face[table[0]][1] if table else ""
                legal = [k for k in self.hands[seat] if self.face[k][1] == led] or self.hands[seat]
                twin = [k for k in legal if any(self.face[k] == self.face[t] and "x" not in marks[t] for t in table)]
                key = self.random.choice(twin or legal)
                self.hands[seat].remove(key)
                card = self.face[key]
                table.append(key)
                marks[key] = "" if slot else "led"
                self.counts[seat][0] -= 1
                where = f"Hand 1 · trick {trick} · card {slot + 1}"
                verb = "plays" if slot else "leads"
                self.frame(
                    "Played",
                    "follow.suit",
                    f"{name[seat]} {verb} the {CARD_NAMES[card]}.",
                    where,
                    [[key, card, "t", seat, slot, marks[key]], *self.lay(seat)],
                    turn=(seat + 1) % n if slot < n - 1 else -1,
                    n={str(seat): list(self.counts[seat])},
                )
                if card[1] == "H" and not broken:
                    broken = True
                    self.frame("HeartsBroken", "follow.suit", "Hearts are broken.", where, [], broken=True)
                mate = next((t for t in table[:-1] if self.face[t] == card and "x" not in marks[t]), None)
                if mate:
                    pairs += 1
                    for k in (mate, key):
                        marks[k] = f"{marks[k]} x{pairs}".strip()
                    who = [(leader + table.index(k)) % n for k in (mate, key)]
                    self.frame(
                        "PairCancelled",
                        "trick.pairs_cancel",
                        f"The two cards {CARD_NAMES[card]} of {name[who[0]]} and {name[who[1]]} cancel each other: neither can win.",
                        where,
                        [[k, card, "t", s, table.index(k), marks[k]] for k, s in zip((mate, key), who, strict=True)],
                    )
            where = f"Hand 1 · trick {trick}"
            led = self.face[table[0]][1]
            left = [k for k in table if "x" not in marks[k] and self.face[k][1] == led]
            if pairs >= 2 or not left:
                self.frame(
                    "TrickDead",
                    "trick.dead",
                    f"{pairs} pairs were played, so nobody wins this trick. It will be set aside, and {name[leader]} "
                    "leads again.",
                    where,
                    [],
                    dead=True,
                    turn=-1,
                )
                start = len(aside)
                aside += table
                self.sweep = [[k, self.face[k], "a", -1, start + i, ""] for i, k in enumerate(table)]
                self.frames[-1]["s"]["aside"] = self.wait(aside, hidden)
            else:
                best = max(left, key=lambda k: RANKS.index(self.face[k][0]))
                winner = (leader + table.index(best)) % n
                count = self.counts[winner]
                count[1] += 1
                count[2] += sum(points(self.face[k]) for k in table)
                self.frame(
                    "TrickWon",
                    "trick.highest",
                    f"{name[winner]} takes the trick: the {CARD_NAMES[self.face[best]]} is the highest card of the "
                    "suit led that is left.",
                    where,
                    [[best, self.face[best], "t", winner, table.index(best), f"{marks[best]} win".strip()]],
                    won=winner,
                    turn=-1,
                    n={winner: list(count)},
                )
                self.sweep = [[k, self.face[k], "w", winner, i, ""] for i, k in enumerate(table)]
                if aside:
                    count[2] += sum(points(self.face[k]) for k in aside)
                    self.frame(
                        "AsideTaken",
                        "trick.dead",
                        f"{name[winner]} also takes the {len(aside)} cards that were set aside.",
                        where,
                        [[k, self.open(k, winner, "a"), "w", winner, 0, ""] for k in aside],
                        aside=[0, 0, 0],
                        n={winner: list(count)},
                    )
                    aside, hidden = [], 0
                leader = winner
        self.frame(
            "HandScored",
            "score.hand",
            "The hand is over: " + ", ".join(f"{name[s]} {self.counts[s][2]}" for s in range(n)) + ".",
            "Hand 1 · score",
            self.sweep,
            won=-1,
            dead=False,
            lead=-1,
            totals=[self.counts[s][2] for s in range(n)],
        )

    def wait(self, aside: list[str], hidden: int) -> list[int]:
        unseen = hidden if self.viewer is not None else 0
        return [len(aside), sum(points(self.face[k]) for k in aside[unseen:]), unseen]


def replay(
    seats: int,
    seed: int = 1,
    viewer: int | None = None,
    *,
    names: list[str] | None = None,
    tricks: int | None = None,
    passing: bool = False,
    title: str = "",
) -> dict[str, Any]:
    """A replay as `TableWidget.of` takes it (without layout and links); `tricks` makes a fragment."""
    names = names or NAMES[:seats]
    made = Dealer(seats, seed, viewer, names, tricks, passing)
    return {
        "title": title or f"{seats} seats, seed {seed}",
        "about": "A hand made up for the tests.",
        "seats": seats,
        "names": names,
        "viewer": viewer,
        "game": "Cancellation Hearts" if seats >= 6 else "Hearts",
        "start": 0,
        "frames": made.frames,
        "captions": made.captions,
        "where": made.where,
    }
