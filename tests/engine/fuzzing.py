"""Spoils match records: seeds in every format, and the many ways in which a file goes wrong."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property

from engine import formats
from engine.errors import Impossible
from engine.formats.ids import Identifier
from engine.record import Record
from tests.engine import selfplay, xg_files

MAT = """; [Player 1 "Ada"]
; [Player 2 "Bo"]
; [Variation "Backgammon"]
; [Crawford "On"]
 3 point match

 Game 1
 Ada : 0                          Bo : 0
  1)                             51: 24/23 13/8
  2) 21: 13/11 24/23             22: 6/4 6/4 13/11 13/11
  3)  Doubles => 2                Takes
  4) 55: 6/1* 6/1* 23/18 18/13   44: 25/21 11/7 11/7 8/4
  5) 64: ????
                                  Wins 2 points

 Game 2
 Ada : 0                          Bo : 2
  1) 31: 8/5 6/5                 64: 24/14
  2) 62: 24/18 13/11             Resigns
      Wins 1 point

 Game 3
 Ada : 1                          Bo : 2
  1) 64: 24/14                    Doubles => 2
  2)  Drops                       Wins 1 point and the match
"""
STUDIO = """0 point match

Game 1
Ada,1699 : 0                              Bo & Cy (XX) : 0
  1) 64: 24/18 18/14                     33: 8/5*(2) 6/3(2)
  2) 62: bar/23 Cannot Move              Doubles => 2
  3) Takes                                11: bar/24(2)
  4) 52: Illegal play (7;0;1;0;0;Ada;Bo;0;3;4;2;-1;-1;2;0;2;0;2;3;0;2;0;0;0;-2;2;0;0;0;-2;0;-4;-1;-2;0;0;1;0;6;4;)
; Set Pos=-b----E-C---eE---c-e----B-/0
  5) 22: 13/5                      Beavers => 4
                                    Resigns
      Losses 4 points               Wins 1004 points
"""
SGF = """(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07]MI[length:3][game:0][ws:0][bs:0]PW[Ada]PB[Bo]RU[Crawford]RE[W+1]
;B[51ablq];W[21xwmk];B[22lnlnsusu]C[a \\] comment];W[double];B[drop])
(;FF[4]GM[6]MI[length:3][game:1][ws:1][bs:0]PW[Ada]PB[Bo]
;AW[x][y]AB[a][f]AE[g]CV[2]CP[w]PL[W];W[64xrxt];B[resign]
"""
OLDMOVES = """Score is 0-0 in a 5 point match.
ada is X - bo is O
X: (5 1) 24-23 13-8
O: (2 1) 12-14 1-2
X: (2 2) 6-4 6-4 13-11 13-11
O: doubles.
X: accepts.
O: (5 5) 19-24 19-24 2-7 7-12
X: (4 4) bar-21 11-7 11-7 8-4
O: wants to resign.
X: wins 2 points.

Score is 2-0 in a 5 point match.
bo is X - ada is O
X: (4 2) 8-4 6-4
O: (6 4) 1-11
X: doubles.
O: rejects.
X: wins 1 point.
"""
SGG = """Ada vs. Bo
Saturday March 15, 2003
ELO: 1600.5 200 1700.25 300
Jacoby: No
Crawford: Yes
Doubling Cube: Yes
Variant: Backgammon
Game 1.0-0/5
1\t\t51:\x20
1\t\t51: 24/23, 13/8
2\t21: 13/11, 24/23
2\t21: 13/11, 24/23
2\t\tdouble
3\taccept
3\t\t22: 6/4, 6/4, 13/11, 13/11
4\t55: 6/1*, 6/1, 23/18, 18/13
4\t\t66: O-O
5\t64: resign
Bo wins 2 points.
Game 2.0-2/5
1\t31: 8/5, 6/5
1\t\tdouble
2\tpass
Bo wins 1 point.
"""
TMG = """MatchID: 1234
Player1: 1 Ada 1600.00
Player2: 2 Bo 1600.00
Startdate: 2004-03-15 10:00:00
Crawford: 1
Length: 5
Variant: 1

Game 1: 0-0
 -1 1 51:\x20
 -1 4 24/23 13/8
 1 1 21:\x20
 1 4 13/11 24/23
 -2 5 Double to 2
 2 7 Take
 -3 1 22:\x20
 -3 4 6/4 6/4 13/11 13/11
 3 1 55:\x20
 3 4 6/1 6/1 23/18 18/13
 -4 1 66:\x20
 -4 4 0/0
 5 1 ?
 5 17 out of time
 -5 14 2 Bo wins 2 points
"""
GAM = " Ada                           Bo\n" + MAT.partition("Bo : 0\n")[2].partition("\n\n")[0] + "\n"
BGAMMON = """bgammon-replay 00000024
i 1702738670 Ada Bo 3 0 0 1 2 0
1 r 5-1 24/23 13/8
2 r 2-1 12/14 1/2
1 r 2-2 6/4 6/4 13/11 13/11
2 d 2 1
2 r 5-5 19/24 19/24 2/7 7/12
1 r 6-6
2 t
i 1702738671 Ada Bo 3 2 0 1 1 0
2 r 3-1 17/20 19/20
1 r 6-4 24/14
2 t
"""
IDS = (
    "XGID=aB-B-BC-B---bB---b-dab--A-:1:-1:1:64:3:4:0:7:10",
    "4HPwATDgc/ABMA:cInlAAAAAAAE",
    "7;0;0;0;1;Ada;Bo;0;3;4;2;-1;-1;2;0;2;0;2;3;0;2;0;0;0;-2;2;0;0;0;-2;0;-4;-1;-2;0;0;1;0;6;4;",
    "11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:1:0",
    "board:ada:bo:5:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:0:0:5:1:1:1:1:0:-1:1:25:0:0:0:0:0:2:1:0:0",
)
FOREIGN = (b'{"format":"BGF","version":"1.0"}\n', b"BGF version 1.2\n", b"BOARDID=1\n", b"\x7e\0\1\0")
# So large does a file become by saying things again.
LARGEST = 48_000
WORDS = (
    *(b"Doubles => 2", b"Takes", b"Drops", b"Wins 2 points", b"Cannot Move", b"????", b"Resigned Game", b"11: ", b"77: "),
    *(b"bar/off", b"25/0", b"6/off(4)", b"24/23*/22", b"(2)", b"*", b"\n Game 9\n", b" 0 point match\n", b";", b"(;", b"]", b"\\"),
    *(b"\xff\xfe", b"\0", b"\r", b"\t", b"\xc3", "\u202e".encode(), b"-1", b"999999999999", b"1e999", b"NaN", b"[[[[", b'"'),
)  # fmt: skip


def a_small_match(length: int, most: int = 130) -> Record:
    """Return the first of the random matches that ends soon."""
    matches = (selfplay.match(seed, length) for seed in itertools.count())
    return next(match for match in matches if len(match.actions) < most)


def in_every_format(match: Record) -> Iterator[bytes]:
    """Yield a match in each format that has words for it; positions alone are among `IDS`."""
    for each in reversed(formats.FORMATS.values()):
        if each.write is not None and not isinstance(getattr(each.write, "__self__", None), Identifier):
            with suppress(Impossible):
                yield each.write(match)


def xg_records() -> list[bytes]:
    """The records of a small XG file."""
    opening = [(12, 7), (23, 22)]
    after = xg_files.played(xg_files.START, opening)
    next_after = xg_files.seen(xg_files.played(after, [(23, 13)], -1))
    return [
        xg_files.match_header("Ada", "Bo", 5, event="Cup"),
        xg_files.game_header(),
        xg_files.cube(1, -2),
        xg_files.move((5, 1), opening),
        xg_files.cube(-1, 1, 1, before=after),
        xg_files.move((6, 4), [(23, 13)], -1, after),
        xg_files.move((2, 1), [(0, 0)] * 4, 1, next_after, after=xg_files.NOTHING, cube=1),
        xg_files.game_footer((0, 2), -1, 2, 101),
        xg_files.match_footer(),
    ]


def seeds() -> list[bytes]:
    """Return small files in every format that is known."""
    texts = [MAT, STUDIO, SGF, OLDMOVES, SGG, TMG, GAM, BGAMMON, *IDS]
    matches = [a_small_match(length) for length in (1, 3, 5)]
    written = [data for match in matches for data in in_every_format(match)]
    unmarked = [formats.write(match, "mat").replace(b"*", b" ") for match in matches]
    return [*(text.encode() for text in texts), *written, *unmarked, *FOREIGN, xg_files.xg(*xg_records())]


class Spoiler:
    """Makes one spoiled file after the other, the same ones for the same seed."""

    def __init__(self, seed: int, files: list[bytes]) -> None:
        self.rng = random.Random(seed)
        self.files = files
        # Of the smallest there is little to spoil.
        self.weights = [min(len(data), 400) for data in files]
        self.records = xg_records()
        self.ways: list[Callable[[bytearray], bytearray]] = [
            self.flip,
            self.flip,
            self.cut,
            self.repeat,
            self.splice,
            self.truncate,
            self.inflate,
            self.insert,
            self.insert,
            self.move_lines,
            self.move_lines,
            self.swap_words,
        ]
        self.rare: list[Callable[[], bytes]] = [
            self.long_line,
            self.deep,
            self.bomb,
            self.many,
            self.brackets,
            self.odd_encoding,
        ]

    def __iter__(self) -> Iterator[bytes]:
        while True:
            dice = self.rng.random()
            if dice < 0.004:
                yield self.rng.choice(self.rare)()
            elif dice < 0.08:
                yield self.spoiled_xg()
            else:
                yield self.spoiled(self.rng.choices(self.files, self.weights)[0])

    def spoiled(self, data: bytes) -> bytes:
        made = bytearray(data)
        for _ in range(self.rng.choice((1, 1, 1, 2, 3, 8))):
            made = self.rng.choice(self.ways)(made)
        return bytes(made)

    def spoiled_xg(self) -> bytes:
        """Spoil what is inside the box, so that its checksums are right."""
        rng = self.rng
        records = [bytearray(record) for record in self.records]
        for _ in range(rng.choice((1, 1, 2, 5))):
            record = records[rng.randrange(len(records))]
            at = rng.randrange(9, rng.choice((70, 110, 330, 2560)))
            record[at] = rng.choice((0, 1, 2, 3, 24, 127, 128, 255, rng.randrange(256)))
        if rng.random() < 0.3:
            rng.shuffle(records)
        if rng.random() < 0.2:
            records += rng.choices(records, k=rng.randrange(1, 9))
        if rng.random() < 0.1:
            records[-1] = records[-1][: rng.randrange(2560)]
        return xg_files.container({"temp.xg": b"".join(map(bytes, records))}, stored=rng.random() < 0.2)

    def somewhere(self, data: bytearray, most: int) -> slice:
        start = self.rng.randrange(len(data) + 1)
        return slice(start, start + self.rng.randrange(1, most))

    def flip(self, data: bytearray) -> bytearray:
        for _ in range(self.rng.choice((1, 2, 8))):
            if data:
                data[self.rng.randrange(len(data))] = self.rng.choice(
                    (self.rng.randrange(256), *b"0123456789/:*() \n")
                )
        return data

    def cut(self, data: bytearray) -> bytearray:
        del data[self.somewhere(data, 60)]
        return data

    def repeat(self, data: bytearray) -> bytearray:
        where = self.somewhere(data, 120)
        data[where.start : where.start] = data[where] * self.rng.choice((1, 1, 2, 9))
        return data

    def splice(self, data: bytearray) -> bytearray:
        other = self.rng.choice(self.files)
        at = self.rng.randrange(len(other) + 1)
        return data[: self.rng.randrange(len(data) + 1)] + other[at : at + 4000]

    def truncate(self, data: bytearray) -> bytearray:
        return data[: self.rng.randrange(len(data) + 1)]

    def inflate(self, data: bytearray) -> bytearray:
        """Make a number another one, a huge one, or none."""
        found = list(re.finditer(rb"\d+", data))
        if found:
            number = self.rng.choice(found)
            other = self.rng.choice(
                (b"0", b"-1", b"7", b"25", b"26", b"64", b"65", b"99999", b"9" * 30, b"1" * 5000, b"")
            )
            data[number.start() : number.end()] = other
        return data

    def insert(self, data: bytearray) -> bytearray:
        at = self.rng.randrange(len(data) + 1)
        data[at:at] = self.rng.choice(WORDS)
        return data

    def move_lines(self, data: bytearray) -> bytearray:
        lines = bytes(data).split(b"\n")
        one, other = self.rng.randrange(len(lines)), self.rng.randrange(len(lines))
        way = self.rng.randrange(3)
        if way == 0:
            lines[one], lines[other] = lines[other], lines[one]
        elif way == 1:
            lines.insert(one, lines[other])
        else:
            del lines[one]
        return bytearray(b"\n".join(lines))

    def swap_words(self, data: bytearray) -> bytearray:
        words = re.split(rb"(\s+)", bytes(data))
        one, other = self.rng.randrange(0, len(words), 2), self.rng.randrange(0, len(words), 2)
        words[one], words[other] = words[other], words[one]
        return bytearray(b"".join(words))

    def long_line(self) -> bytes:
        data = self.rng.choice(self.files)
        at = self.rng.randrange(len(data) + 1)
        chunk = self.rng.choice(
            (b" ", b"x", b"(", b":", b"55: ", b" Takes", b"6/5 ", b"\t", b"((", b" : 0", b"9", b"?", b")")
        )
        return data[:at] + chunk * self.rng.choice((300, 5_000, 19_000)) + data[at:]

    def deep(self) -> bytes:
        depth = self.rng.choice((50, 900, 20_000))
        node = self.rng.choice((b"(", b"(;", b"(;W[64xrxt]", b"(;FF[4]GM[6]"))
        return b"(;FF[4]GM[6]" + node * depth + b")" * self.rng.choice((0, depth))

    @cached_property
    def bombs(self) -> list[bytes]:
        """Files that grow a thousandfold when unpacked."""
        idle, cube, dance = (
            xg_files.record(6),
            xg_files.cube(),
            xg_files.move((6, 6), [], after=xg_files.START),
        )
        return [
            xg_files.bomb(idle, 12_000),
            xg_files.bomb(cube, 12_000),
            xg_files.bomb(dance, 12_000),
            xg_files.bomb(idle, 14_000),
            xg_files.bomb(idle, 12_000, size=5_000_000),
            xg_files.bomb(bytes(2560), 12_000),
        ]

    def bomb(self) -> bytes:
        """Pack much in little."""
        return self.rng.choice(self.bombs)

    def many(self) -> bytes:
        """Repeat a line, or a whole file, many times."""
        data = self.rng.choice(self.files)
        line = self.rng.choice(data.split(b"\n")) + b"\n"
        again = line if self.rng.random() < 0.7 else data
        return data + again * min(self.rng.choice((30, 300, 2_000)), LARGEST // len(again))

    def brackets(self) -> bytes:
        return b'{"format": "barpoint-record", "x": ' + self.rng.choice((b"[", b'{"a":')) * self.rng.choice(
            (100, 90_000)
        )

    def odd_encoding(self) -> bytes:
        text = self.rng.choice(self.files).decode("latin-1")
        return self.rng.choice(("", "\ufeff")).encode("utf-8") + text.encode(
            self.rng.choice(("utf-16", "utf-16-be", "utf-32", "utf-8"))
        )
