"""A reader of eXtreme Gammon's binary files: ``.xg``, a match, and ``.xgp``, one position of it.

`engine.formats.xg_archive` unpacks the file, `engine.formats.xg_records` parses its records, and this module
converts them to a score sheet. Player 1 is the left column. The boards before and after every play are claims
like the plays; if they contradict each other, there is a remark and the plays are used.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.board import BAR, HYPERGAMMON, NACKGAMMON, OFF, STANDARD, Board
from engine.cube import Cube
from engine.errors import Impossible
from engine.formats import draft
from engine.formats.comments import format_points
from engine.formats.limits import LIMITS, Limits
from engine.formats.xg_archive import MAGIC, build_damage_error, open_archive
from engine.formats.xg_records import (
    MATCH_RESIGNED,
    RESIGNED,
    SETTLED,
    CubeRecord,
    GameFooter,
    GameHeader,
    MatchHeader,
    MoveRecord,
    Numbers,
    XgRecord,
    read_records,
)
from engine.sheet import (
    Claim,
    CubeWord,
    Hop,
    PositionClaim,
    ResignClaim,
    Sheet,
    Turn,
    TurnKind,
    WinClaim,
)
from engine.side import Side

RECORDS: Final = "temp.xg"
STARTS: Final[dict[int, tuple[str, Board | None]]] = {
    0: ("backgammon", STANDARD),
    1: ("nackgammon", NACKGAMMON),
    2: ("hypergammon", HYPERGAMMON),
    3: ("longgammon", None),
}
UNKNOWN: Final = ("unknown", None)
# The moves of a roll after which the side resigned.
NO_MOVES: Final = (0,) * 8
NO_BOARD: Final = (0,) * 26


def sniff(data: bytes) -> bool:
    return data.startswith(MAGIC)


def parse(data: bytes, limits: Limits = LIMITS) -> tuple[Sheet, ...]:
    limits.check("bytes", len(data))
    streams, is_whole = open_archive(data)
    stream = streams.get(RECORDS)
    if stream is None:
        raise build_damage_error("the match is not in it")
    reader = _Reader(limits)
    for record in read_records(stream.pieces(limits)):
        reader.take(record)
    if not is_whole:
        reader.draft.end()
        reader.draft.remark(
            "wrong-checksum", "The checksum over the whole file is wrong; the match itself is whole."
        )
    return (reader.sheet(),)


class _Reader:
    """One pass over the records; tracks the board that the plays lead to."""

    def __init__(self, limits: Limits) -> None:
        self.draft = draft.Draft(limits)
        self.header: MatchHeader | None = None
        # How many times equal dice have turned the cube in the current game.
        self.doubled = 0
        # White's view; None if only the first record of a game shows it.
        self.board: Numbers | None = None
        self.checkers = STANDARD.checkers
        self.has_begun = False

    def take(self, record: XgRecord) -> None:
        match record:
            case MatchHeader():
                if self.header is not None:
                    raise build_damage_error("it holds two matches")
                self.header = record
            case GameHeader():
                self._begin_game(record)
            case CubeRecord():
                self._add_set_up(record)
                self.draft.add(*_build_cube_claims(record, self.doubled))
            case MoveRecord():
                self._add_set_up(record)
                self._add_play(record)
            case _:
                self.draft.add(*_build_ending_claims(record))
                self.draft.end()

    def sheet(self) -> Sheet:
        header = self.header
        if header is None:
            raise build_damage_error("there is no match in it")
        is_money = header.length == 0
        sheet = self.draft.sheet(
            "xg",
            header.names,
            header.length,
            dialect="xg-binary",
            tags=header.tags,
            crawford=None if is_money else header.crawford,
            jacoby=header.jacoby if is_money else None,
            beavers=header.beavers if is_money else None,
            variant=STARTS.get(header.variation, UNKNOWN)[0],
        )
        return replace(sheet, dialect="xgp-position") if _is_position(sheet) else sheet

    def _begin_game(self, record: GameHeader) -> None:
        if self.header is None:
            raise build_damage_error("a game comes before the players")
        self.draft.begin(record.score, record.crawford)
        self.doubled = record.doubled
        self.draft.add(
            *(draft.build_cube_claim(None, CubeWord.AUTOMATIC, 2 << times) for times in range(self.doubled))
        )
        _, start = STARTS.get(self.header.variation, UNKNOWN)
        self.board = tuple(start.numbers(Side.WHITE)) if start else None
        self.checkers = (start or STANDARD).checkers
        self.has_begun = False

    def _add_set_up(self, record: CubeRecord | MoveRecord) -> None:
        """Add a set-up if a game begins with a special position or the writer edited the board."""
        shown, expected, has_begun = record.before, self.board, self.has_begun
        self.board, self.has_begun = shown, True
        if shown == expected:
            return
        if has_begun and not record.edited:
            sentence = "The file shows another board than the plays before lead to."
            self.draft.remark("position-mismatch", sentence)
        else:
            self.draft.add(self._build_position_claim(record))

    def _build_position_claim(self, record: CubeRecord | MoveRecord) -> PositionClaim:
        try:
            board = Board.from_numbers(record.before, Side.WHITE, self.checkers)
        except Impossible as error:
            raise build_damage_error(f"a position in it cannot be ({error})") from None
        owner = None if not record.cube else Side.WHITE if record.cube > 0 else Side.BLACK
        return PositionClaim(board, record.side, Cube(_compute_cube_value(record.cube, self.doubled), owner))

    def _add_play(self, record: MoveRecord) -> None:
        played = _build_turn(record)
        self.draft.add(played)
        if played.kind is TurnKind.UNKNOWN:
            return
        if not _leads_to(_convert_view(record.before, record.side), record.moves, record.after):
            sentence = f"The board the file shows after {played.text!r} is not what this play leads to."
            self.draft.remark("position-mismatch", sentence)
        self.board = _convert_view(record.after, record.side)


def _is_position(sheet: Sheet) -> bool:
    """True if *sheet* is one set-up position with at most one roll."""
    claims = sheet.games[0].claims
    turns = sum(isinstance(claim, Turn) for claim in claims)
    return (
        len(sheet.games) == 1
        and turns <= 1
        and isinstance(next(iter(claims), None), PositionClaim)
        and not isinstance(claims[-1], WinClaim)
    )


def _convert_view(numbers: Numbers, side: Side) -> Numbers:
    """Convert between White's view of a board and *side*'s view."""
    return numbers if side is Side.WHITE else tuple(-number for number in reversed(numbers))


def _compute_cube_value(cube: int, doubled: int) -> int:
    return 1 << min(abs(cube) + doubled, 20)


def _build_cube_claims(record: CubeRecord, doubled: int) -> list[Claim]:
    if record.double != 1:
        return []
    sides = (record.side, record.side.other) * 2
    value = 2 * _compute_cube_value(record.cube, doubled)
    talk: list[Claim] = [draft.build_cube_claim(record.side, CubeWord.DOUBLE, value)]
    for answer, again in ((record.take, CubeWord.BEAVER), (record.beaver, CubeWord.RACCOON)):
        if answer != 2:
            break
        value *= 2
        talk.append(draft.build_cube_claim(sides[len(talk)], again, value))
    last = (record.take, record.beaver, record.raccoon)[len(talk) - 1]
    if last in (0, 1):
        talk.append(draft.build_cube_claim(sides[len(talk)], CubeWord.TAKE if last else CubeWord.DROP))
    return talk


def _build_turn(record: MoveRecord) -> Turn:
    hops = _read_hops(record.moves)
    if record.after == NO_BOARD and (not hops or record.moves == NO_MOVES):
        return draft.build_turn(record.side, record.dice, kind=TurnKind.UNKNOWN)
    return draft.build_turn(record.side, record.dice, hops, None if hops else TurnKind.DANCE)


def _read_hops(moves: Numbers) -> list[Hop]:
    """Return the hops up to the first empty pair; in *moves*, points are counted from 0 and 24 is the bar."""
    hops: list[Hop] = []
    for source, target in zip(moves[::2], moves[1::2], strict=True):
        if source < 0:
            break
        hops.append(Hop((source + 1, max(target + 1, OFF))))
    return hops


def _leads_to(before: Numbers, moves: Numbers, after: Numbers) -> bool:
    """True if *moves* lead from one board to the other, in the mover's view; a blot that is gone was hit."""
    mine = [max(number, 0) for number in before]
    for hop in _read_hops(moves):
        source, target = hop.points
        mine[source] -= 1
        if target:
            mine[target] += 1
    hits = [point for point in range(1, BAR) if before[point] == -1 and after[point] >= 0]
    theirs = [0 if point in hits else min(number, 0) for point, number in enumerate(before)]
    theirs[OFF] -= len(hits)
    return mine == [max(n, 0) for n in after] and theirs == [min(n, 0) for n in after]


def _build_ending_claims(footer: GameFooter) -> list[Claim]:
    loser, how = footer.winner.other, footer.termination
    points = f"Wins {format_points(footer.points)}"
    match = how == MATCH_RESIGNED
    level = how % RESIGNED if how % RESIGNED in (1, 2, 3) and how < SETTLED else None
    if how < RESIGNED:
        return [WinClaim(footer.winner, footer.points, resigned=False, level=level, text=points)]
    word = "Settles" if how >= SETTLED else "Resigns the match" if match else "Resigns"
    return [
        ResignClaim(loser, level, match, text=word),
        WinClaim(footer.winner, footer.points, match, resigned=True, level=level, text=points),
    ]
