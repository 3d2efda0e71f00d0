"""The builder of a sheet's places: the main draw, then each side bracket, then the title match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from draw.brackets import notation, routing
from draw.brackets.notation import LETTERS, BadNotation, Drop, Notation, RoundSize
from draw.brackets.sheet import Shape, Sheet, SideBracket, build_notation
from draw.brackets.structure import FINAL, MAIN, Bracket, Feed, Node, Source, Structure
from draw.event import Key

TWO = 2


class _Builder:
    """A sheet under construction: its nodes by bracket, and how many players can come to each."""

    def __init__(self, size: int, byes: frozenset[int], sheet: Sheet) -> None:
        self.size, self.byes, self.sheet = size, byes, sheet
        self.nodes: list[Node] = []
        self.brackets: list[Bracket] = []
        self.node_of: dict[str, tuple[int, ...]] = {}
        self.slot_of: dict[str, int] = {}
        self.comers: list[int] = []
        self.router = routing.Router()
        self.compact = False

    def add(self, bracket: str, round_: int, number: int, slot: int, pair: tuple[Source, Source]) -> int:
        index = len(self.nodes)
        key = Key(f"{bracket}/{round_}.{number}")
        self.nodes.append(Node(key, bracket, round_, number, slot, *pair))
        self.comers.append(sum(self.has_player(source) for source in pair))
        self.router.add(index, [source for source in pair if self.has_player(source)])
        return index

    def has_player(self, source: Source) -> bool:
        """True if a player can come from this source, given the byes of the draw."""
        if source.feed is Feed.LINE:
            return source.index not in self.byes
        return self.comers[source.index] >= (TWO if source.feed is Feed.LOSER else 1)

    def add_bracket(
        self,
        name: str,
        rounds: Sequence[Sequence[int]],
        slots: Sequence[int],
        sizes: tuple[RoundSize, ...] = (),
        drops: tuple[tuple[Source, ...], ...] = (),
    ) -> None:
        after = sum(len(bracket.letters) for bracket in self.brackets)
        # Rounds beyond the alphabet have no letters, and no losers drop from them.
        names = tuple(LETTERS[after : after + len(rounds)])
        made = Bracket(name, tuple(tuple(row) for row in rounds), names, tuple(slots), sizes, drops)
        self.brackets.append(made)
        for letter, row, slot in zip(names, made.rounds, slots, strict=False):
            self.node_of[letter] = row
            self.slot_of[letter] = slot

    def add_main(self) -> None:
        rounds: list[list[int]] = []
        sources = [Source(Feed.LINE, line) for line in range(self.size)]
        while len(sources) > 1:
            number = len(rounds) + 1
            row = [
                self.add(MAIN, number, at + 1, number, (sources[2 * at], sources[2 * at + 1]))
                for at in range(len(sources) // 2)
            ]
            rounds.append(row)
            sources = [Source(Feed.WINNER, node) for node in row]
        self.add_bracket(MAIN, rounds, range(1, len(rounds) + 1))

    def add_side(self, side: SideBracket) -> Source | None:
        """Add a side bracket; return its winner if it plays for the title."""
        found = self.find_notation(side)
        if found is None or self.is_in_consolation(side):
            return None
        written, measured, real = found
        self.compact = self.compact or real
        drops = self.deal_drops(written, measured, real=real)
        main = self.brackets[0]
        arranged = routing.build_arranger(
            routing.RoutingInput(
                size=self.size,
                notation=str(written),
                is_full=not self.byes,
                is_from_main=not real
                and all(drop.letter in main.letters and not drop.first for drop in written.drops),
                routing=self.sheet.routing,
                rounds_of_main=main.rounds,
            ),
            self.router,
        )
        slots = notation.compute_slots(written, self.slot_of)
        rounds: list[list[int]] = []
        survivors: list[Source] = []
        for number, (fallen, slot) in enumerate(zip(drops, slots, strict=False), start=1):
            pairs = arranged(number, survivors, fallen)
            row = [self.add(side.name, number, at, slot, pair) for at, pair in enumerate(pairs, start=1)]
            rounds.append(row)
            survivors = [Source(Feed.WINNER, node) for node in row]
        self.add_bracket(side.name, rounds, slots, measured, drops)
        survivors.extend(source for fallen in drops[len(slots) :] for source in fallen)
        return survivors[0] if written.rejoins else None

    def is_in_consolation(self, side: SideBracket) -> bool:
        """True for a match for third place on four lines, where a consolation for the first round is that match."""
        has_consolation = any(one.shape == Shape.FIRST_ROUND for one in self.sheet.sides)
        return side.shape == Shape.THIRD_PLACE and has_consolation and len(self.brackets[0].rounds) == TWO

    def count(self, letter: str, *, real: bool) -> int:
        return sum(self.comers[node] == TWO or not real for node in self.node_of[letter])

    def find_notation(self, side: SideBracket) -> tuple[Notation, tuple[RoundSize, ...], bool] | None:
        """Return the notation, its sizes, and True if it comes out even only with the real number of losers (P21)."""
        problem: BadNotation | None = None
        for real in (False, True):
            losers = {letter: self.count(letter, real=real) for letter in self.node_of}
            main, *sides = ({letter: losers[letter] for letter in one.letters} for one in self.brackets)
            try:
                found = build_notation(side.shape, main, sides[-1] if sides else None, self.slot_of)
                return None if found is None else (found, notation.compute_sizes(found, losers), real)
            except BadNotation as caught:
                problem = problem or caught
        assert problem is not None  # noqa: S101 - both attempts failed
        raise problem

    def deal_drops(
        self, written: Notation, measured: Sequence[RoundSize], *, real: bool
    ) -> tuple[tuple[Source, ...], ...]:
        """Return the droppers before each round; the losers of a split letter are dealt from the top."""
        used: dict[str, int] = {}
        rows: list[list[tuple[Drop, int]]] = [list(size.drops) for size in measured]
        if written.last:
            rows.append([(drop, self.count(drop.letter, real=real)) for drop in written.last])
        dealt: list[tuple[Source, ...]] = []
        for row in rows:
            fallen: list[Source] = []
            for drop, count in row:
                feed = Feed.FIRST if drop.first else Feed.LOSER
                nodes = [node for node in self.node_of[drop.letter] if self.comers[node] == TWO or not real]
                start = used.get(drop.letter, 0)
                fallen.extend(Source(feed, node) for node in nodes[start : start + count])
                used[drop.letter] = start + count
            dealt.append(tuple(fallen))
        return tuple(dealt)

    def add_title(self, challenger: Source) -> None:
        winner = Source(Feed.WINNER, self.brackets[0].rounds[-1][0])
        slot = max(node.slot for node in self.nodes) + 1
        rounds = [[self.add(FINAL, 1, 1, slot, (winner, challenger))]]
        if self.sheet.recharge:
            again = Source(Feed.AGAIN, rounds[0][0])
            rounds.append([self.add(FINAL, 2, 1, slot + 1, (again, again))])
        self.add_bracket(FINAL, rounds, range(slot, slot + len(rounds)))


@lru_cache(maxsize=64)
def build_structure(size: int, byes: frozenset[int], sheet: Sheet) -> Structure:
    """Build the places of a sheet for a draw of *size* lines; *byes* are the empty lines, from 0."""
    builder = _Builder(size, byes, sheet)
    builder.add_main()
    challengers = [found for side in sheet.sides if (found := builder.add_side(side)) is not None]
    if len(challengers) > 1:
        raise BadNotation("only one side bracket can rejoin for the title")
    for challenger in challengers:
        builder.add_title(challenger)
    _require_single_drop(builder)
    return Structure(
        size, tuple(builder.nodes), tuple(builder.brackets), tuple(builder.comers), builder.compact
    )


def _require_single_drop(builder: _Builder) -> None:
    """Refuse a sheet in which one loser would have two places."""
    taken: set[int] = set()
    sources = [source for node in builder.nodes for source in (node.a, node.b)]
    firsts = any(source.feed is Feed.FIRST for source in sources)
    for source in sources:
        if source.feed not in (Feed.LOSER, Feed.FIRST):
            continue
        node = builder.nodes[source.index]
        # A first match can be lost in any round of the main draw.
        twice = firsts and source.feed is Feed.LOSER and node.bracket == MAIN
        if source.index in taken or twice:
            raise BadNotation(f"the loser of {node.key} would drop twice")
        taken.add(source.index)
