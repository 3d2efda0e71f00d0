"""A sheet under construction, shared by the readers of the rarer formats.

In all formats the text of a claim is that of a ``.mat`` cell in the mover's own numbering, so that findings
about any file look the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from engine.board import BAR, OFF, format_point
from engine.errors import Unreadable
from engine.formats.decoding import decode
from engine.formats.limits import Limits
from engine.formats.notation import parse_play
from engine.sheet import (
    NOWHERE,
    Claim,
    CubeClaim,
    CubeWord,
    GameSheet,
    Hop,
    Place,
    Remark,
    Sheet,
    Turn,
    TurnKind,
)
from engine.side import BySide, Side

# Further remarks about a file are dropped.
MOST_REMARKS: Final = 200
LONGEST_QUOTE: Final = 60
LONGEST_NAME: Final = 200
LONGEST_TAG: Final = 1_000

SAYINGS: Final = {TurnKind.NOTHING: "", TurnKind.DANCE: "Cannot Move", TurnKind.UNKNOWN: "????"}
CUBE_WORDS: Final = {
    CubeWord.DOUBLE: "Doubles",
    CubeWord.TAKE: "Takes",
    CubeWord.DROP: "Drops",
    CubeWord.BEAVER: "Beavers",
    CubeWord.RACCOON: "Raccoons",
    CubeWord.AUTOMATIC: "Automatic double",
}
# What a double in answer to the other side's cube action means; GNU Backgammon writes every turn as a double.
TURNED_AGAIN: Final = {
    CubeWord.DOUBLE: CubeWord.BEAVER,
    CubeWord.BEAVER: CubeWord.RACCOON,
    CubeWord.RACCOON: CubeWord.RACCOON,
}


class Draft:
    """A sheet under construction: games one after the other, within the limits."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.games: list[GameSheet] = []
        self.remarks: list[Remark] = []
        # True while a game is open; its claims, and the data of its heading.
        self.is_open = False
        self.game_claims: list[Claim] = []
        self.heading: dict[str, Any] = {}
        self.claims = 0

    def begin(
        self,
        score: BySide[int] | None = None,
        crawford: bool | None = None,
        at: Place = NOWHERE,
    ) -> None:
        """Begin a game, and end the previous one if it is still open."""
        self.end()
        self.limits.check("games", len(self.games) + 1, line=at.line)
        self.is_open = True
        self.heading = {"score": score, "crawford": crawford, "at": at}

    def add(self, *claims: Claim) -> None:
        """Add claims to the current game; raises Unreadable outside of a game."""
        if not self.is_open:
            raise Unreadable("no-game", "A play stands outside every game.")
        self.game_claims += claims
        self.claims += len(claims)
        self.limits.check("plies", len(self.game_claims))
        self.limits.check("claims", self.claims)

    def play(
        self,
        side: Side,
        dice: tuple[int, int] | None,
        text: str,
        at: Place,
        *,
        is_dance: bool = False,
        turn_round: bool = False,
    ) -> None:
        """Add a roll and its play as spelled in the file; a play that cannot be read gets a remark.

        With *turn_round*, the play is in the opponent's numbering.
        """
        if is_dance:
            self.add(build_turn(side, dice, kind=TurnKind.DANCE, at=at))
            return
        hops = read_hops(text)
        if hops is None:
            self.remark("corrupt-row", f'This is no play: "{shorten_line(text)}".', at)
            self.add(build_turn(side, dice, kind=TurnKind.UNKNOWN, at=at))
        else:
            self.add(build_turn(side, dice, tuple(map(mirror_hop, hops)) if turn_round else hops, at=at))

    def last(self) -> Claim | None:
        return self.game_claims[-1] if self.game_claims else None

    def take_back(self) -> None:
        self.game_claims.pop()

    def end(self) -> None:
        if self.is_open:
            self.games.append(GameSheet(tuple(self.game_claims), **self.heading))
            self.is_open, self.game_claims = False, []

    def remark(self, code: str, message: str, at: Place = NOWHERE) -> None:
        if len(self.remarks) < MOST_REMARKS:
            game = len(self.games) if self.is_open else None
            self.remarks.append(Remark(code, message, at, game))

    def unread(self, text: str, at: Place) -> None:
        """Add a remark about a line that is not understood."""
        self.remark("unread-line", f'This line says nothing that is known: "{shorten_line(text)}".', at)

    def sheet(
        self,
        format: str,
        names: BySide[str],
        length: int | None,
        *,
        tags: Iterable[tuple[str, str]] = (),
        **facts: Any,
    ) -> Sheet:
        """Return the finished sheet; raises Unreadable without a game."""
        self.end()
        if not self.games:
            raise Unreadable("no-game", "There is no game in this file.")
        return Sheet(
            format,
            names.map(lambda name: name[:LONGEST_NAME]),
            length,
            tuple(self.games),
            tags=tuple((key, value[:LONGEST_TAG]) for key, value in tags),
            remarks=tuple(self.remarks),
            **facts,
        )


def read_lines(data: bytes, limits: Limits) -> list[str]:
    found = decode(data, limits).split("\n")
    for number, line in enumerate(found, 1):
        limits.check("columns", len(line), line=number)
    return found


def read_hops(text: str) -> tuple[Hop, ...] | None:
    """Parse the words of a play; None if they are something else.

    >>> read_hops("bar-22, 6/off")
    (Hop(points=(25, 22), starred=(), times=1), Hop(points=(6, 0), starred=(), times=1))
    """
    try:
        return parse_play(text.replace("-", "/").replace(",", " "))
    except Unreadable:
        return None


def shorten_line(text: str) -> str:
    """Shorten a line for a message and normalise its blanks.

    >>> shorten_line("  Ada  likes this. ")
    'Ada likes this.'
    """
    text = " ".join(text.split())
    return f"{text[:LONGEST_QUOTE]}…" if len(text) > LONGEST_QUOTE else text


def build_turn(
    side: Side,
    dice: tuple[int, int] | None,
    hops: Sequence[Hop] = (),
    kind: TurnKind | None = None,
    at: Place = NOWHERE,
) -> Turn:
    """Build a roll and its play, with generated text.

    >>> from engine.side import Side
    >>> build_turn(Side.WHITE, (6, 5), [Hop((24, 18)), Hop((25, 20))]).text
    '65: 24/18 bar/20'
    """
    kind = kind or (TurnKind.PLAY if hops else TurnKind.NOTHING)
    words = SAYINGS.get(kind) or " ".join(map(format_hop, hops))
    roll = f"{dice[0]}{dice[1]}:" if dice else "00:"
    return Turn(side, dice, kind, tuple(hops), at, f"{roll} {words}".rstrip())


def build_cube_claim(
    side: Side | None, word: CubeWord, value: int | None = None, at: Place = NOWHERE
) -> CubeClaim:
    """Build a cube action with generated text.

    >>> build_cube_claim(None, CubeWord.AUTOMATIC, 2).text
    'Automatic double => 2'
    """
    text = CUBE_WORDS[word] if value is None else f"{CUBE_WORDS[word]} => {value}"
    return CubeClaim(side, word, value, at, text)


def mirror_hop(hop: Hop) -> Hop:
    """Convert a hop from the opponent's numbering; bar and off are the same for both sides.

    >>> mirror_hop(Hop((12, 14))), mirror_hop(Hop((25, 5)))
    (Hop(points=(13, 11), starred=(), times=1), Hop(points=(25, 20), starred=(), times=1))
    """
    return Hop(tuple(map(_mirror_point, hop.points)), tuple(map(_mirror_point, hop.starred)), hop.times)


def _mirror_point(point: int) -> int:
    return BAR - point if OFF < point < BAR else point


def format_hop(hop: Hop) -> str:
    points = "/".join(format_point(point) + "*" * (point in hop.starred) for point in hop.points)
    return points if hop.times == 1 else f"{points}({hop.times})"
