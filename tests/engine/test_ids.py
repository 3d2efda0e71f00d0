"""Position identifiers, on what GNU Backgammon 1.07 and others wrote for the same positions."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine import actions
from engine.board import HYPERGAMMON, STANDARD, Board
from engine.cube import Cube
from engine.dice import Dice
from engine.errors import Impossible, Unreadable
from engine.formats import fibs_board, ids, match_id, ogid, position_id, snowie, xgid
from engine.formats.limits import Limits
from engine.match import Match, apply
from engine.record import Record
from engine.rules import Rules
from engine.sheet import CubeClaim, PositionClaim, Turn
from engine.side import BLACK, WHITE, BySide
from engine.situation import Offer, Resignation, Situation, Stage

# XGID, Position ID and Match ID of the same position.
VECTORS = [
    ("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10", "4HPwATDgc/ABMA", "cInlAAAAAAAE"),
    ("-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10", "4HPwATDgc/ABMA", "cAkAAAAAAAAA"),
    ("-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:0", "4HPwATDgc/ABMA", "cAkAAAAAAAAE"),
    ("aB-B-BC-B---bB---b-dab--A-:1:-1:1:64:3:4:0:7:10", "WM9gAGhmZzAAAg", "QQnzAEAAGAAE"),
    ("-a-B--CBB--AeC---c-dbA-A--:1:1:1:00:3:4:0:7:10", "sOfgAyCM28gBEg", "UQngAEAAGAAE"),
    ("--CBBCC-----A-A--a-bdcbab-:0:0:1:00:4:0:0:7:10", "a/cmAABuuwMJAA", "cAngAAAAIAAE"),
    ("-bCCbCD-B-a-------abbbab--:2:-1:1:53:5:9:0:11:10", "1rYAgTHu3DMAAA", "QoluAZAAKAAE"),
    ("---B-BD-B--abD-a-----ebbbA:1:1:1:63:0:7:0:11:10", "2z4QCwDMnsEDQA", "UQlvAXAAAAAE"),
    ("-b----E-D---eD----bbbb-AA-:0:0:1:00:2:1:0:5:10", "2DbwATDg8+ABKA", "cAmgABAAEAAE"),
    ("-BBCBBB------------dcdBaa-:2:-1:1:21:0:0:0:1:10", "5d0DAMB22wAAAw", "QgklAAAAAAAE"),
    ("-ABCB-C------B-----bccbeAA:1:-1:1:41:5:3:0:7:10", "vt0NAADt5oABUA", "QQnmADAAKAAE"),
    ("--a-B-CaCAB-bB---bbd-Bba--:0:0:1:43:0:0:0:3:10", "Gm+DQRCYc40BBg", "cAluAAAAAAAE"),
    ("--EDB---------------bccbbA:3:1:1:00:2:8:0:11:10", "290AAMD3BgAAAQ", "UwlgAYAAEAAE"),
    ("--a-bBF-BAa---b--c-d-Cb--A:2:-1:1:52:6:1:0:13:10", "jOcYAhOwnwWAQw", "QomqARAAMAAE"),
    ("-a---BCBCA--b-b--dBcb--a-B:0:0:1:00:3:1:0:5:10", "YucxAyCw2wUwYA", "cAmgABAAGAAE"),
    ("--a---EBC---dC-a-d-e--A-A-:3:1:1:00:0:0:0:0:10", "4PPEAxDg28EBJA", "UwkAAAAAAAAE"),
    ("----aCD-B-A-aC--a--bbbbbbB:2:-1:1:00:0:0:0:1:10", "27YRAgRwz8QBYA", "QgkgAAAAAAAE"),
    ("-a---aE-C---dE-a-c-e----B-:0:0:1:21:12:11:1:13:10", "4HPiASHgc/ABMA", "8AmlAbAAYAAE"),
    ("------EBC-a-dD---d-db---A-:3:1:1:62:11:4:0:17:10", "sOfBEwDg28EDIA", "UwkrAkAAWAAE"),
]
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"


def random_board(rng: random.Random) -> Board:
    """Checkers anywhere, no point shared."""
    own = rng.sample(range(1, 25), rng.randint(1, 8))
    free = [25 - point for point in range(1, 25) if point not in own]
    sides = []
    for points in (own, rng.sample(free, rng.randint(1, 8))):
        counts = dict.fromkeys([0, 25, *points], 0)
        for _ in range(15):
            counts[rng.choice([*points, *points, rng.choice([0, 25])])] += 1
        sides.append(counts)
    if sides[0][0] == sides[1][0] == 15:
        return random_board(rng)
    return Board.from_counts(sides[0], sides[1])


def random_situation(rng: random.Random) -> Situation:
    length = rng.choice([0, 1, 3, 7, 25, 64])
    cube = Cube(1 << rng.randint(0, 10), rng.choice([None, WHITE, BLACK]))
    return Situation(
        board=random_board(rng),
        turn=rng.choice([WHITE, BLACK]),
        dice=rng.choice([None, Dice.from_numbers(rng.randint(1, 6), rng.randint(1, 6))]),
        cube=cube,
        length=length,
        score=BySide(rng.randrange(length or 90), rng.randrange(length or 90)),
        crawford=bool(length) and rng.random() < 0.2,
        jacoby=not length and rng.random() < 0.5,
        beavers=not length and rng.random() < 0.5,
    )


@pytest.mark.parametrize(("xg", "position", "match"), VECTORS)
def test_the_three_identifiers_of_one_position_agree_both_ways(xg, position, match):
    situation = xgid.decode(xg)
    assert xgid.encode(situation) == "XGID=" + xg
    assert position_id.encode(situation.board, situation.turn) == position
    assert match_id.encode(situation) == match
    # A Match ID speaks neither of beavers nor of the highest cube.
    assert ids.read(f"{position}:{match}") == replace(situation, beavers=False, highest=10)


def test_other_match_ids():
    blitz = match_id.decode("QYnoAGAAGAAE")
    assert blitz == Situation(turn=BLACK, dice=Dice(2, 1), cube=Cube(2, WHITE), length=7, score=BySide(6, 3))
    old, new = match_id.decode("cInpAAAAAAAA"), match_id.decode("cInpAAAAAAAE")
    assert old == new == Situation(turn=BLACK, dice=Dice(3, 2), length=7)


# As GNU Backgammon writes a double, a beaver and a raccoon in unlimited play (Jacoby).
@pytest.mark.parametrize(
    ("match", "offer", "actor"),
    [
        ("cBEAAAAAAAAA", Offer.DOUBLE, WHITE),
        ("QRkAAAAAAAAA", Offer.BEAVER, BLACK),
        ("QhEAAAAAAAAA", Offer.RACCOON, WHITE),
    ],
)
def test_offers_in_a_match_id(match, offer, actor):
    situation = Situation(turn=BLACK, jacoby=True, offer=offer)
    assert match_id.decode(match) == situation
    assert match_id.encode(situation) == match
    assert situation.actor is actor


def test_a_redouble_keeps_its_owner():
    situation = Situation(turn=WHITE, cube=Cube(2, WHITE), offer=Offer.DOUBLE, length=9)
    assert match_id.decode(match_id.encode(situation)) == situation
    beaver = replace(situation, offer=Offer.BEAVER, length=0)
    assert match_id.decode(match_id.encode(beaver)) == beaver


def test_a_resignation_in_a_match_id():
    situation = Situation(turn=WHITE, dice=Dice(6, 1), length=5, resignation=Resignation(WHITE, 2))
    assert situation.actor is BLACK
    assert match_id.decode(match_id.encode(situation)) == situation


@pytest.mark.parametrize(
    ("change", "value"),
    [("die", 7), ("other_die", 0), ("owner", 2), ("stage", 5), ("length", 65), ("white", 8)],
)
def test_match_ids_that_cannot_be(change, value):
    values = {"cube": 0, "owner": 3, "stage": 1, "die": 2, "other_die": 1, "length": 7, change: value}
    bits = place = 0
    for name, width in match_id.FIELDS.items():
        bits |= values.get(name, 0) << place
        place += width
    for text in (position_id.encode_bits(bits, 9), "////////////", "cAkAAAAAAAA!", "cAkAAAAAAAA"):
        with pytest.raises(Unreadable) as caught:
            match_id.decode(text)
        assert caught.value.code == "bad-identifier"


def test_a_crawford_game_needs_a_match():
    bits = sum(
        value << sum(list(match_id.FIELDS.values())[:index])
        for index, value in enumerate([0, 3, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    )
    with pytest.raises(Unreadable):
        match_id.decode(position_id.encode_bits(bits, 9))


def test_what_a_match_id_cannot_say_is_refused():
    with pytest.raises(Impossible, match="cube"):
        match_id.encode(Situation(cube=Cube(1 << 16, WHITE)))


@pytest.mark.parametrize(
    "text",
    [
        "4HPwATDgc/ABM",  # too short
        "4HPwATDgc/ABMAAA",  # too long
        "4HPwATDgc/ABMB",  # bits beyond the eightieth
        "AAAAAAAAAAAAAA",  # no checkers
        "/////////////w",  # too many of them
        "//8/AAAAAAAAAA",  # sixteen on a side
        "AAAAAAAAAAAAAQ",  # a checker after the last point
        "4HPwATDgc/ABé",
    ],
)
def test_position_ids_that_cannot_be(text):
    with pytest.raises(Unreadable):
        position_id.decode(text, WHITE)


@pytest.mark.parametrize(
    "text",
    [
        "XGID=nonsense",
        XGID.replace("-b--", "zb--"),
        XGID.replace(":31:", ":71:"),
        XGID.replace(":7:10", ":99:10"),
        XGID.replace(":0:0:0:7:", ":7:0:0:7:"),
        XGID.replace("-b----E", "-p----E"),
        XGID.replace(":0:0:1:31", ":99:0:1:31"),
    ],
)
def test_xgids_that_cannot_be(text):
    with pytest.raises(Unreadable):
        xgid.decode(text)


def test_xgids_of_offers_and_without_prefix_or_last_field():
    for letter, offer in (("D", Offer.DOUBLE), ("B", Offer.BEAVER), ("R", Offer.RACCOON)):
        text = XGID.replace(":31:", f":{letter}:")
        assert xgid.decode(text).offer is offer
        assert xgid.encode(xgid.decode(text)) == text
    assert xgid.decode(XGID[5:-3]) == xgid.decode(XGID)
    assert xgid.decode(XGID[:-2] + "0") == replace(xgid.decode(XGID), highest=0)


def test_ogids_of_the_wild():
    start = "11jjjjjhhhccccc:ooddddd88866666:N0N"
    assert ogid.decode(start) == Situation()
    opening = ogid.decode(f"{start}::W:IW:0:0:1:0")
    assert opening == Situation(length=1, stage=Stage.NONE)
    assert ogid.encode(opening) == "11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:1:0"
    to_play = ogid.decode("03cccchhhhjjjjj:16666888dddddoo:N0N:33:W:R:0:1:3:3")
    assert to_play.turn is BLACK
    assert to_play.dice == Dice(3, 3)
    assert to_play.board.bar(WHITE) == 1
    assert to_play.board.count(WHITE, 22) == 1
    doubled = ogid.decode("cccccgghhhjjjjj:112233666777dll:N0O::B:D:0:0:3:11")
    assert (doubled.turn, doubled.actor, doubled.offer) == (BLACK, WHITE, Offer.DOUBLE)
    assert ogid.encode(doubled) == "cccccgghhhjjjjj:112233666777dll:N0O::B:D:0:0:3:0"
    crawford = ogid.decode("99cchhiijjjkkmm:223334455666ddo:N0N:16:B:R:2:1:3C:13")
    assert (crawford.crawford, crawford.turn, crawford.score) == (True, WHITE, BySide(2, 1))
    off = ogid.decode("11jjjjjhhhccccq:ooddddd88866666:W1N::W:C")
    assert (off.board.off(WHITE), off.cube, off.turn) == (1, Cube(2, WHITE), BLACK)
    three = Situation(board=HYPERGAMMON, turn=BLACK)
    assert ogid.decode(ogid.encode(three)) == three


@pytest.mark.parametrize(
    "text",
    [
        "11jjjjj:66666:X0N",
        "1111:1111:N0N",
        "11jjjjjhhhccccc:ooddddd88866666:N0N::::::99",
        "11jjjjjhhhccccc:ooddddd88866666:N99N",
        "11jjjjjhhhccccc:ooddddd88866666:N0N::W::0:4:1",
    ],
)
def test_ogids_that_cannot_be(text):
    with pytest.raises(Unreadable):
        ogid.decode(text)


def test_an_ogid_knows_no_beavers():
    with pytest.raises(Impossible):
        ogid.encode(Situation(offer=Offer.BEAVER))


# Lines that stand in descriptions of the server's interface and in its users' programs.
OPENING = "0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"


def test_fibs_boards_of_the_wild():
    you = f"board:You:someplayer:3:0:1:{OPENING}:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
    situation = fibs_board.decode(you)
    assert situation == Situation(
        turn=BLACK,
        dice=Dice(6, 2),
        length=3,
        score=BySide(1, 0),
        players=BySide("someplayer", "You"),
    )
    assert fibs_board.decode(you, WHITE).players == BySide("You", "someplayer")
    other = fibs_board.decode(f"board:bot:pipcat:5:0:0:{OPENING}:1:0:0:5:1:1:1:1:0:-1:1:25:0:0:0:0:0:2:1:0:0")
    assert (other.turn, other.dice, other.board) == (WHITE, Dice(5, 1), STANDARD)
    hit = fibs_board.decode(
        "board:You:ain:7:4:4:-1:0:2:0:0:0:1:1:3:1:0:0:-3:1:0:-2:0:-3:2:-2:0:-2:-2:0:0:0:-1:3:3:0:0:1:1:1:0:-1:1"
        ":25:0:0:0:1:0:4:3:0:0"
    )
    # You are X here: counted negative, and upwards from the bar at 0.
    assert (hit.board.bar(BLACK), hit.board.count(BLACK, 13), hit.board.count(WHITE, 18)) == (1, 3, 2)
    assert (hit.turn, hit.dice) == (BLACK, Dice(3, 3))


def test_fibs_boards_say_what_they_said():
    for situation in (
        Situation(turn=BLACK, length=5, score=BySide(4, 2), crawford=True, players=BySide("a", "b")),
        Situation(turn=WHITE, length=5, score=BySide(4, 2), players=BySide("a", "b")),
        Situation(turn=WHITE, cube=Cube(4, WHITE), offer=Offer.DOUBLE, players=BySide("a", "b")),
        Situation(turn=BLACK, cube=Cube(2, BLACK), dice=Dice(4, 4), players=BySide("a", "b")),
        Situation(turn=BLACK, cube=Cube(2, WHITE), players=BySide("a", "b")),
    ):
        assert fibs_board.decode(fibs_board.encode(situation)) == situation
        if not situation.offer:
            assert fibs_board.decode(fibs_board.encode(situation, WHITE), WHITE) == situation
    assert fibs_board.encode(Situation()).startswith("board:black:white:9999:")


@pytest.mark.parametrize(
    "text",
    [
        "board:a:b:5",
        f"board:a:b:3:-1:1:{OPENING}:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
        f"board:a:b:x:0:1:{OPENING}:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
        f"board:a:b:-1:0:1:{OPENING}:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
        f"board:a:b:3:0:1:{OPENING}:1:6:7:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
        f"board:a:b:3:0:1:{OPENING}:1:6:2:0:0:3:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
    ],
)
def test_fibs_boards_that_cannot_be(text):
    with pytest.raises(Unreadable):
        fibs_board.decode(text)


def test_a_fibs_board_shows_a_double_to_whom_it_is_offered():
    with pytest.raises(Impossible):
        fibs_board.encode(Situation(turn=BLACK, offer=Offer.DOUBLE), BLACK)
    with pytest.raises(Impossible):
        fibs_board.encode(Situation(turn=BLACK, offer=Offer.BEAVER), BLACK)


def test_random_situations_survive_every_identifier():
    rng = random.Random(15)
    for _ in range(400):
        situation = random_situation(rng)
        plain = replace(situation, beavers=False)
        assert xgid.decode(xgid.encode(situation)) == situation
        assert ids.decode_gnubg(ids.encode_gnubg(situation)) == plain
        assert ogid.decode(ogid.encode(situation)) == replace(plain, jacoby=False)
        assert snowie.decode(snowie.encode(situation)) == plain


def test_reading_any_identifier():
    situation = xgid.decode(XGID)
    line = snowie.encode(situation)
    for text in (XGID, f"see {XGID}, please", line, ids.encode_gnubg(situation), ogid.encode(situation)):
        assert ids.read(text).dice == Dice(3, 1)
    gnubg = " GNU Backgammon  Position ID: sOfgAyCM28gBEg\n                 Match ID   : UQngAEAAGAAE\n +13-"
    assert ids.read(gnubg) == xgid.decode(VECTORS[4][0])
    assert ids.read("Position ID: 4HPwATDgc/ABMA") == ids.read("4HPwATDgc/ABMA") == Situation()
    assert ids.read(STANDARD.text()) == Situation()
    with pytest.raises(Unreadable):
        ids.read("Hello")
    with pytest.raises(Unreadable):
        ids.decode_gnubg("Hello")


def test_a_file_of_identifiers_is_a_sheet_each():
    double = XGID.replace(":31:", ":D:")
    raccoon = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:R:0:0:3:0:0"
    sheets = ids.XGID.parse(f"{XGID}\n\nOf interest: {double}\n{raccoon}\n".encode())
    rolled, doubled, turned = (sheet.games[0].claims for sheet in sheets)
    assert next(claim for claim in rolled if isinstance(claim, PositionClaim)).board == STANDARD
    assert [claim.dice for claim in rolled if isinstance(claim, Turn)] == [(3, 1)]
    assert [(claim.side, claim.word.value) for claim in doubled if isinstance(claim, CubeClaim)] == [
        (BLACK, "double")
    ]
    assert [(claim.side, claim.word.value) for claim in turned if isinstance(claim, CubeClaim)] == [
        (WHITE, "double"),
        (BLACK, "beaver"),
        (WHITE, "raccoon"),
    ]
    assert [sheet.games[0].at.line for sheet in sheets] == [1, 3, 4]
    assert (sheets[0].length, sheets[0].games[0].crawford, sheets[0].jacoby) == (7, False, None)
    assert (sheets[2].jacoby, sheets[2].beavers, sheets[2].cube) == (True, True, False)
    quiet = ids.GNUBG.parse(b"4HPwATDgc/ABMA")[0]
    assert len(quiet.games[0].claims) == 1
    with pytest.raises(Unreadable, match="position"):
        ids.XGID.parse(b"nothing")
    with pytest.raises(Unreadable, match="matches"):
        ids.XGID.parse(f"{XGID}\n{XGID}".encode(), Limits(matches=1))


def test_a_record_is_written_as_where_it_ends():
    record = Record(BySide("Ann", "Ben"), Rules(length=7), (actions.Opened(1, 3),))
    assert ids.XGID.write(record) == XGID.encode() + b"\n"
    assert ids.FIBS.parse(ids.FIBS.write(record))[0].names == BySide("Ann", "Ben")


def test_situations_of_a_match():
    match = Match.start(Rules(length=3))
    assert Situation.from_match(match).stage is Stage.NONE
    match = apply(match, actions.Opened(3, 1))
    assert Situation.from_match(match).dice == Dice(3, 1)
    resigning = apply(match, actions.ResignOffered(BLACK, 3))
    assert Situation.from_match(resigning).resignation == Resignation(BLACK, 3)
    over = apply(resigning, actions.ResignAccepted(WHITE))
    assert Situation.from_match(over).stage is Stage.RESIGNED
    away = Situation(Board.from_counts({}, {24: 15}), stage=Stage.OVER, length=3, score=BySide(3, 1))
    assert match_id.decode(match_id.encode(away)).stage is Stage.OVER
