"""One new round of a Swiss: the input of the pairing, its result, and the reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from draw import ordering
from draw.event import WIN, Bye, Entrant, EntrantId, Field, Key, Pairing, Points, Reason
from draw.history import History
from draw.matchmaking import PairedRound, make_round
from draw.options import Choice, Decimal, Flag, OptionHeading, WholeNumber, gettext_noop, index_options
from draw.random_stream import RandomStream
from draw.wishes import ByeTo, Method, Pair, Player, Wishes

METHOD: Final = Choice(
    "method",
    Method.SLIDE.value,
    gettext_noop("How equal scores are paired"),
    choices={
        Method.SLIDE.value: gettext_noop("Top half against bottom half: 1–5, 2–6 of eight"),  # noqa: RUF001
        Method.FOLD.value: gettext_noop("First against last: 1–8, 2–7 of eight"),  # noqa: RUF001
        Method.MONRAD.value: gettext_noop("Neighbours: 1–2, 3–4"),  # noqa: RUF001
        Method.RANDOM.value: gettext_noop("By lot"),
    },
    heading=OptionHeading.PAIRING,
)
BYE: Final = Choice(
    "bye",
    None,
    gettext_noop("The bye goes to"),
    gettext_noop("If the number of players is odd."),
    choices={
        ByeTo.LOWEST.value: gettext_noop("The lowest score"),
        ByeTo.HIGHEST.value: gettext_noop("The highest score"),
        ByeTo.RANDOM.value: gettext_noop("A player drawn by lot"),
    },
    heading=OptionHeading.BYES,
)
BYE_CAP: Final = WholeNumber(
    "bye_cap",
    1,
    gettext_noop("Byes for one player"),
    gettext_noop("No player gets more byes than this while another player can take one."),
    least=1,
    most=9,
    heading=OptionHeading.BYES,
)
GIFTS_BAR_BYE: Final = Flag(
    "gifts_bar_bye", True, gettext_noop("Count a win without play as a bye"), heading=OptionHeading.BYES
)
STRENGTHS: Final = {
    "off": gettext_noop("They may meet"),
    "soft": gettext_noop("Kept apart if possible"),
    "hard": gettext_noop("They never meet"),
}
CLUBS: Final = Choice(
    "clubs", "soft", gettext_noop("Players of one club"), choices=STRENGTHS, heading=OptionHeading.APART
)
FAMILIES: Final = Choice(
    "families", "hard", gettext_noop("Players of one family"), choices=STRENGTHS, heading=OptionHeading.APART
)
APART_ROUNDS: Final = WholeNumber(
    "apart_rounds",
    0,
    gettext_noop("Keep them apart for this many rounds"),
    gettext_noop("Clubs and families. Leave empty for all rounds."),
    heading=OptionHeading.APART,
)
APART_FIRST: Final = Flag(
    "apart_first",
    False,
    gettext_noop("Keeping them apart takes priority over equal scores"),
    heading=OptionHeading.APART,
)
OPTIONS: Final = index_options(
    *(METHOD, ordering.ORDER, BYE, BYE_CAP, GIFTS_BAR_BYE),
    *(CLUBS, FAMILIES, APART_ROUNDS, APART_FIRST),
)
# Not in OPTIONS: each format adds them in its own place.
BYE_POINTS: Final = Decimal(
    "bye_points",
    WIN,
    gettext_noop("Points for a bye"),
    gettext_noop("Such as 1, 0.5 or 1/2."),
    heading=OptionHeading.BYES,
)
FORFEITS_COUNT: Final = Flag(
    "forfeits_count_as_met",
    False,
    gettext_noop("A forfeited match counts as a meeting"),
    heading=OptionHeading.PAIRING,
)
SENTENCES: Final = {
    "level": "{a} and {b} meet with {score} each ({method} in a group of {group}).",
    "across": "{a} ({score}) meets {b} ({other_score}), because not everybody could be paired within their group.",
    "again": "{a} and {b} have met before (times so far: {times}, last in round {last}): no round without a rematch is left.",
    "apart": "{a} and {b} were to be kept apart if possible, but then other pairings would have been worse.",
    "bye": "{entrant} sits out and gets {points}, because the number of players is odd. Byes before: {byes}; score so far: {score}.",
    "bye-asked": "{entrant} asked to sit out and gets {points}.",
    "bye-stranded": "{entrant} sits out and gets {points}, because nobody is left they may meet. Byes before: {byes}; score so far: {score}.",
}


BYE_CODES: Final = ("bye", "bye-stranded")


def explain_asked_byes(byes: Sequence[Bye]) -> Iterator[Reason]:
    for bye in byes:
        yield Reason("bye-asked", bye.entrant, (("entrant", bye.entrant), ("points", bye.points)))


@dataclass(frozen=True)
class NewRound:
    number: int
    ranked: tuple[Entrant, ...]  # the players to pair, by score, then by number
    score: Mapping[EntrantId, Points]  # including acceleration
    players: tuple[Player, ...]
    wishes: Wishes
    made: PairedRound
    keys: tuple[str, int]  # prefix of the keys, and the number before that of the first table

    @classmethod
    def pair(
        cls,
        history: History,
        score: Mapping[EntrantId, Points],
        rng: RandomStream,
        *,
        bye_to: ByeTo = ByeTo.LOWEST,
        waiting: Mapping[EntrantId, int] | None = None,
        patience: int | None = None,
        must_play: bool = False,
    ) -> NewRound:
        """Pair all players who have a score and can play in the next round.

        *waiting* counts how long each has waited, if a bye is just a wait. With *must_play*, exclusions are ignored if they
        would leave no match at all, because the event could not end otherwise (P63).
        """
        field, number = history.field, history.next_number
        playing = {one.id for one in history.list_playing(number) if one.id in score}
        byes = waiting if waiting is not None else _count_byes(history)
        # One lot for each entrant, present or not: an absence does not change the lots of others.
        stream = rng.child(f"round {number}")
        lots = {one.id: stream.word() for one in field.entrants}
        level = ordering.scale_scores(score)
        order = [one for one in ordering.number_entrants(field, rng) if one.id in playing]
        ranked = tuple(sorted(order, key=lambda one: -score[one.id]))
        circles = _map_circles(field, number)
        players = tuple(
            Player(
                level[one.id],
                byes[one.id],
                history.sat_out[one.id],
                _get_last_floats(history.floats[one.id]),
                lots[one.id],
                *circles[one.id],
            )
            for one in ranked
        )
        wishes = Wishes(
            Method(METHOD.get(field.options)),
            ByeTo(BYE.get(field.options, bye_to.value)),
            BYE_CAP.get(field.options),
            dict(_list_meetings(history, ranked)),
            APART_FIRST.get(field.options),
            patience,
        )
        made = make_round(players, wishes)
        if must_play and made.stranded and not made.pairs:
            players = tuple(replace(one, hard=frozenset(), soft=one.hard | one.soft) for one in players)
            made = make_round(players, wishes)
        return cls(number, ranked, score, players, wishes, made, (f"r{number}.", 0))

    def only(self, most: int | None) -> NewRound:
        """Limit the round to the last *most* matches, without byes."""
        if most is None or most >= len(self.made.pairs):
            return self
        return replace(self, made=PairedRound(self.made.pairs[len(self.made.pairs) - most :]))

    def pairings(self) -> tuple[Pairing, ...]:
        """Build the pairings, the highest scores at the first table."""
        prefix, before = self.keys
        return tuple(
            Pairing(Key(f"{prefix}{before + table}"), self.ranked[a].id, self.ranked[b].id)
            for table, (a, b) in enumerate(self.made.pairs, 1)
        )

    def byes(self, points: Points) -> tuple[Bye, ...]:
        """Build the byes that were not requested."""
        return tuple(Bye(self.ranked[rank].id, points) for rank in (*self.made.byes, *self.made.stranded))

    def why(self, points: Points) -> Iterator[Reason]:
        sizes: dict[Points, int] = {}
        for one in self.ranked:
            sizes[self.score[one.id]] = sizes.get(self.score[one.id], 0) + 1
        for pairing, pair in zip(self.pairings(), self.made.pairs, strict=True):
            names = (("a", pairing.a), ("b", pairing.b))
            score, other = self.score[pairing.a], self.score[pairing.b]
            if score == other:
                group = (("group", sizes[score]), ("method", self.wishes.method.value))
                yield Reason("level", pairing.key, (*names, ("score", score), *group))
            else:
                yield Reason("across", pairing.key, (*names, ("score", score), ("other_score", other)))
            if pair in self.wishes.met:
                times, last = self.wishes.met[pair]
                yield Reason("again", pairing.key, (*names, ("times", times), ("last", last)))
            if not self.players[pair[0]].soft.isdisjoint(self.players[pair[1]].soft):
                yield Reason("apart", pairing.key, names)
        for bye, rank in zip(self.byes(points), (*self.made.byes, *self.made.stranded), strict=True):
            figures = (("byes", self.players[rank].byes), ("score", self.score[bye.entrant]))
            code = BYE_CODES[rank in self.made.stranded]
            yield Reason(code, bye.entrant, (("entrant", bye.entrant), ("points", points), *figures))


def _count_byes(history: History) -> dict[EntrantId, int]:
    """Count byes, including wins without play, unless the event says otherwise (P55)."""
    if not GIFTS_BAR_BYE.get(history.field.options):
        return history.byes
    return {one: byes + history.gifts[one] for one, byes in history.byes.items()}


def _get_last_floats(floats: list[int]) -> tuple[int, int]:
    return (floats[-1] if floats else 0, floats[-2] if len(floats) > 1 else 0)


def _list_meetings(history: History, ranked: tuple[Entrant, ...]) -> Iterator[tuple[Pair, tuple[int, int]]]:
    rank = {one.id: place for place, one in enumerate(ranked)}
    for one, others in history.met.items():
        for other, met in others.items():
            if one in rank and other in rank and rank[one] < rank[other]:
                yield (rank[one], rank[other]), met


def _map_circles(field: Field, number: int) -> dict[EntrantId, tuple[frozenset[int], frozenset[int]]]:
    """Map each entrant to the numbers of the hard and of the soft circles that apply in this round (P63)."""
    hard: dict[EntrantId, set[int]] = {}
    soft: dict[EntrantId, set[int]] = {}
    for circle, (members, is_hard) in enumerate(_list_circles(field, number)):
        for one in members:
            (hard if is_hard else soft).setdefault(one, set()).add(circle)
    return {
        one.id: (frozenset(hard.get(one.id, ())), frozenset(soft.get(one.id, ()))) for one in field.entrants
    }


def _list_circles(field: Field, number: int) -> Iterator[tuple[frozenset[EntrantId], bool]]:
    last = APART_ROUNDS.get(field.options)
    # Clubs and families are kept apart for the announced rounds; the director's exclusions always hold.
    if not last or number <= last:
        yield from _group_by_name(CLUBS.get(field.options), {one.id: one.club for one in field.entrants})
        yield from _group_by_name(FAMILIES.get(field.options), {one.id: one.family for one in field.entrants})
    for apart in field.apart:
        yield apart.members, apart.hard


def _group_by_name(
    strength: str, names: Mapping[EntrantId, str]
) -> Iterator[tuple[frozenset[EntrantId], bool]]:
    if strength == "off":
        return
    called: dict[str, list[EntrantId]] = {}
    for one, name in names.items():
        if name:
            called.setdefault(name, []).append(one)
    for members in called.values():
        yield frozenset(members), strength == "hard"
