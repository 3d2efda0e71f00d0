"""Positions of everything in the picture of a bracket.

Each place has a separate band, as high as the places that feed it together and never lower than itself, and is
centred in it. So nothing overlaps, and no two lines cross.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

HEADING: Final = 40  # height of the bracket's name
TITLES: Final = 46  # height of round titles and match lengths
BLOCKS: Final = 48  # gap between brackets
EDGE: Final = 8  # margin for shadows and dots


@dataclass(frozen=True, slots=True)
class Sizes:
    """The size of a box and the gaps around it, in pixels."""

    width: int
    row: int
    between: int  # from box to box, in the direction of play
    apart: int  # from box to box, downwards

    @property
    def height(self) -> int:
        return 2 * self.row

    def height_of(self, box: Box) -> int:
        """Return the height of a box: one row for a bye."""
        return self.row if box.state == "bye" else self.height


ROOMY: Final = Sizes(208, 26, 36, 16)
# Fits 64 players and the final beside them in 1,300 pixels.
DENSE: Final = Sizes(176, 18, 24, 4)


@dataclass(frozen=True, slots=True)
class BoxRow:
    """One row of a box: a player, or a hint at possible players."""

    name: str = ""
    number: int = 0  # of the entry; 0 if unknown
    href: str = ""
    score: str = ""
    is_winner: bool = False
    is_out: bool = False
    hint: str = ""  # the possible players while undecided, "Okafor or Tanabe"


@dataclass(frozen=True, slots=True)
class Box:
    key: str
    a: BoxRow
    b: BoxRow
    state: str  # waiting, ready, live, decided, bye
    feeds: tuple[
        tuple[str, int], ...
    ] = ()  # the places of this bracket that lead here, and the entry that came from each
    note: str = ""  # "T4", "w.o."
    href: str = ""
    title: str = ""  # the name of the place, "semi-final 1"
    winner_to: str = ""  # the winner's next place, "" if there is none
    loser_to: str = ""
    # Titles of next places that are in another picture.
    winner_title: str = ""
    loser_title: str = ""
    is_title: bool = False  # its winner wins the event
    mark: str = ""  # CSS class for its change in a preview


@dataclass(frozen=True, slots=True)
class Column:
    """A round: its title, the length of its matches, and its places from top to bottom."""

    title: str
    length: str
    boxes: tuple[Box, ...]
    begins: str = ""  # when its first match may begin


@dataclass(frozen=True, slots=True)
class Block:
    name: str
    title: str
    columns: tuple[Column, ...]
    # Placed under the last places of the block before, if there is room.
    is_small: bool = False


class PlacedBox(NamedTuple):
    box: Box
    x: float
    y: float


class Line(NamedTuple):
    """A line from one box to the next, and the player who advanced along it (0: none yet)."""

    x1: float
    y1: float
    x2: float
    y2: float
    number: int


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of a bracket, or of a round with its match length."""

    text: str
    x: float
    y: float
    small: str = ""
    begins: str = ""
    name: str = ""  # of the bracket, where it begins


@dataclass
class Picture:
    sizes: Sizes = ROOMY
    width: float = 0
    height: float = 0
    boxes: list[PlacedBox] = field(default_factory=list["PlacedBox"])
    lines: list[Line] = field(default_factory=list["Line"])
    headings: list[Heading] = field(default_factory=list["Heading"])


def measure_least_height(blocks: Sequence[Block], sizes: Sizes) -> float:
    """Compute the minimum height of a picture of these blocks: places of a round never share a band."""
    columns = (column.boxes for block in blocks for column in block.columns)
    return max((sum(sizes.height_of(box) + sizes.apart for box in boxes) for boxes in columns), default=0)


def lay_out_blocks(blocks: Sequence[Block], sizes: Sizes = ROOMY) -> Picture:
    """Lay out all brackets, one below the other; a small one goes under the final before it."""
    picture = Picture(sizes)
    room: tuple[float, float, float] | None = (
        None  # x, upper and lower end of the free room under the last place
    )
    top = 0.0
    for block in blocks:
        if block.is_small and room is not None:
            x, upper, lower = room
            needed = _measure_height(block, sizes)
            if lower - upper >= needed and len(block.columns) == 1:
                _add_block(picture, block, x, upper)
                room = None
                continue
        room, top = _add_block(picture, block, EDGE, top)
        top += BLOCKS
    picture.height = max(0.0, top - BLOCKS) + EDGE
    picture.width += EDGE
    return picture


def _add_block(
    picture: Picture, block: Block, x: float, y: float
) -> tuple[tuple[float, float, float], float]:
    """Add a block; return the free room under its last place, and its lower end."""
    sizes = picture.sizes
    start = y
    if block.title:
        picture.headings.append(Heading(block.title, x, y + 22, name=block.name))
        start += HEADING
    for at, column in enumerate(block.columns):
        left = x + at * (sizes.width + sizes.between)
        picture.headings.append(
            Heading(column.title, left, start + 16, small=column.length, begins=column.begins)
        )
        picture.width = max(picture.width, left + sizes.width)
    start += TITLES
    bands = _Bands(block, sizes)
    for root in bands.roots:
        bands.place(root, start)
        start += bands.band[root]
    placed = {
        key: PlacedBox(
            box,
            x + bands.column_of[key] * (sizes.width + sizes.between),
            bands.middle[key] - bands.high[key] / 2,
        )
        for key, box in bands.boxes.items()
    }
    picture.boxes += placed.values()
    picture.lines += _connect_boxes(placed, bands)
    end = start - sizes.apart
    last = placed[bands.roots[-1]] if bands.roots else None
    free = (last.x, last.y + sizes.height + BLOCKS, end) if last else (x, end, end)
    return free, end


def _measure_height(block: Block, sizes: Sizes) -> float:
    bands = _Bands(block, sizes)
    heading = HEADING if block.title else 0
    return heading + TITLES + sum(bands.band[root] for root in bands.roots) - sizes.apart


def _connect_boxes(placed: Mapping[str, PlacedBox], bands: _Bands) -> Iterator[Line]:
    wide, middle = bands.sizes.width, bands.middle
    for here in placed.values():
        for key, number in here.box.feeds:
            source = placed.get(key)
            if source is not None:
                yield Line(source.x + wide, middle[key], here.x, middle[here.box.key], number)


class _Bands:
    """The height and the middle of each place's band."""

    def __init__(self, block: Block, sizes: Sizes) -> None:
        self.sizes = sizes
        self.boxes = {box.key: box for column in block.columns for box in column.boxes}
        self.column_of = {box.key: at for at, column in enumerate(block.columns) for box in column.boxes}
        self.high = {key: sizes.height_of(box) for key, box in self.boxes.items()}
        self.feeders = {
            key: list(dict.fromkeys(source for source, _ in box.feeds if source in self.boxes))
            for key, box in self.boxes.items()
        }
        fed = {source for sources in self.feeders.values() for source in sources}
        self.roots = [key for key in self.boxes if key not in fed]
        self.band: dict[str, float] = {}
        self.middle: dict[str, float] = {}
        for column in block.columns:
            for box in column.boxes:
                self.measure(box.key)

    def measure(self, key: str) -> float:
        found = self.band.get(key)
        if found is None:
            together = sum([self.measure(source) for source in self.feeders[key]])
            found = self.band[key] = max(self.high[key] + self.sizes.apart, together)
        return found

    def place(self, key: str, top: float) -> None:
        sources = self.feeders[key]
        if not sources:
            self.middle[key] = top + (self.band[key] - self.sizes.apart) / 2
            return
        inner = top + (self.band[key] - sum([self.band[source] for source in sources])) / 2
        for source in sources:
            self.place(source, inner)
            inner += self.band[source]
        self.middle[key] = sum([self.middle[source] for source in sources]) / len(sources)
