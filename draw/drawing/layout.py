"""Where everything stands in the picture of a bracket.

Each place has a band of its own, as high as those that feed it together and never lower than itself, and stands in
the middle of them. So nothing overlaps, whatever falls in from where, and no two lines cross.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

HEADING: Final = 40  # the bracket's name
TITLES: Final = 46  # the rounds' titles and lengths
BLOCKS: Final = 48  # from bracket to bracket
EDGE: Final = 8  # for shadows and dots on the rim


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large a box is, and how far it stands from the next."""

    width: int
    row: int
    between: int  # from box to box, in the direction of play
    apart: int  # from box to box, downwards

    @property
    def height(self) -> int:
        """A box has two rows."""
        return 2 * self.row

    def height_of(self, box: Box) -> int:
        """A bye takes one row."""
        return self.row if box.state == "bye" else self.height


ROOMY: Final = Sizes(208, 26, 36, 16)
# Sixty-four players stand in 1,300 pixels, and the final beside them.
DENSE: Final = Sizes(176, 18, 24, 4)


@dataclass(frozen=True, slots=True)
class BoxRow:
    """One row of a box: a player, or who may come."""

    name: str = ""
    number: int = 0  # of the entry; 0 where nobody is known
    href: str = ""
    score: str = ""
    is_winner: bool = False
    is_out: bool = False
    hint: str = ""  # "Okafor or Tanabe", while nobody is known


@dataclass(frozen=True, slots=True)
class Box:
    """A place as it is shown."""

    key: str
    a: BoxRow
    b: BoxRow
    state: str  # waiting, ready, live, decided, bye
    feeds: tuple[
        tuple[str, int], ...
    ] = ()  # the places of this bracket that lead here, and who came from there
    note: str = ""  # "T4", "w.o."
    href: str = ""
    title: str = ""  # what the place is called: "semi-final 1"
    winner_to: str = ""  # the place where the winner goes, "" where nobody goes on
    loser_to: str = ""
    # The same where it is in another picture: what that place is called there.
    winner_title: str = ""
    loser_title: str = ""
    is_title: bool = False  # whoever wins it has won the event
    mark: str = ""  # a class of its own: what becomes of it


@dataclass(frozen=True, slots=True)
class Column:
    """A round: its title, the length of its matches, and its places from top to bottom."""

    title: str
    length: str
    boxes: tuple[Box, ...]
    begins: str = ""  # when its first match may begin


@dataclass(frozen=True, slots=True)
class Block:
    """A bracket."""

    name: str
    title: str
    columns: tuple[Column, ...]
    # Stands under the last places of the block before, if there is room.
    is_small: bool = False


class Placed(NamedTuple):
    """A box and its upper left corner."""

    box: Box
    x: float
    y: float


class Line(NamedTuple):
    """The way from one box to the next, and who went it (0: nobody yet)."""

    x1: float
    y1: float
    x2: float
    y2: float
    number: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A bracket's name, or a round's with its length."""

    text: str
    x: float
    y: float
    small: str = ""
    begins: str = ""
    name: str = ""  # of the bracket, where it begins


@dataclass
class Picture:
    """Everything, with its place."""

    sizes: Sizes = ROOMY
    width: float = 0
    height: float = 0
    boxes: list[Placed] = field(default_factory=list["Placed"])
    lines: list[Line] = field(default_factory=list["Line"])
    headings: list[Heading] = field(default_factory=list["Heading"])


def measure_least_height(blocks: Sequence[Block], sizes: Sizes) -> float:
    """Return how high a picture of these blocks is at least: no two places of a round share a band."""
    columns = (column.boxes for block in blocks for column in block.columns)
    return max((sum(sizes.height_of(box) + sizes.apart for box in boxes) for boxes in columns), default=0)


def lay_out_blocks(blocks: Sequence[Block], sizes: Sizes = ROOMY) -> Picture:
    """Return the picture of all brackets, one below the other; a small one stands under the final before it."""
    picture = Picture(sizes)
    room: tuple[float, float, float] | None = (
        None  # x, upper and lower end of what is free under the last place
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
    """Add a block; return the free room under its last place, and where it ends."""
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
        key: Placed(
            box,
            x + bands.column_of[key] * (sizes.width + sizes.between),
            bands.middle[key] - bands.high[key] / 2,
        )
        for key, box in bands.boxes.items()
    }
    picture.boxes += placed.values()
    picture.lines += _connect(placed, bands)
    end = start - sizes.apart
    last = placed[bands.roots[-1]] if bands.roots else None
    free = (last.x, last.y + sizes.height + BLOCKS, end) if last else (x, end, end)
    return free, end


def _measure_height(block: Block, sizes: Sizes) -> float:
    bands = _Bands(block, sizes)
    heading = HEADING if block.title else 0
    return heading + TITLES + sum(bands.band[root] for root in bands.roots) - sizes.apart


def _connect(placed: Mapping[str, Placed], bands: _Bands) -> Iterator[Line]:
    wide, middle = bands.sizes.width, bands.middle
    for here in placed.values():
        for key, number in here.box.feeds:
            source = placed.get(key)
            if source is not None:
                yield Line(source.x + wide, middle[key], here.x, middle[here.box.key], number)


class _Bands:
    """How high the band of each place is, and where its middle."""

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
        """Return how high the band of a place is."""
        found = self.band.get(key)
        if found is None:
            together = sum([self.measure(source) for source in self.feeders[key]])
            found = self.band[key] = max(self.high[key] + self.sizes.apart, together)
        return found

    def place(self, key: str, top: float) -> None:
        """Give a place and those that lead to it their middles."""
        sources = self.feeders[key]
        if not sources:
            self.middle[key] = top + (self.band[key] - self.sizes.apart) / 2
            return
        inner = top + (self.band[key] - sum([self.band[source] for source in sources])) / 2
        for source in sources:
            self.place(source, inner)
            inner += self.band[source]
        self.middle[key] = sum([self.middle[source] for source in sources]) / len(sources)
