"""The reader of eXtreme Gammon's files, on files made here and on real ones."""

from __future__ import annotations

import struct
import tarfile
import zlib
from dataclasses import replace

import pytest

from engine import formats
from engine.board import HYPERGAMMON, NACKGAMMON, STANDARD
from engine.cube import Cube
from engine.errors import Unreadable
from engine.formats import xg
from engine.formats.limits import LIMITS
from engine.sheet import CubeClaim, CubeWord, Hop, PositionClaim, ResignClaim, Turn, TurnKind, WinClaim
from engine.side import BLACK, WHITE, BySide
from engine.verdict import adjudicate
from tests.engine import xg_files as files
from tests.engine.shared import OURS, RECORDS, long_run, table
from tests.engine.shared import files as shared_files

OPENING = [(12, 7), (23, 22)]
AFTER = files.played(files.START, OPENING)


def read(*records, **how):
    (sheet,) = xg.parse(files.xg(*records, **how))
    return sheet


def claims(*records, header=None, game=None):
    sheet = read(header or files.match_header(), game or files.game_header(), *records)
    assert sheet.remarks == ()
    return sheet.games[0].claims


def refused(data):
    with pytest.raises(Unreadable) as caught:
        xg.parse(data)
    assert caught.value.code in ("damaged-file", "no-game")
    assert str(caught.value).endswith(".")
    return str(caught.value)


def test_it_knows_its_files():
    assert xg.sniff(files.xg(files.match_header(), files.game_header()))
    assert not xg.sniff(b" 7 point match")


def test_a_match_is_read():
    sheet = read(
        files.match_header("Ada Ő", "Bo", 7, event="Cup", site="Nowhere", transcriber="Cy"),
        files.game_header((0, 2), 3),
        files.cube(1, -2),
        files.move((5, 1), OPENING),
        files.cube(-1, 0, before=AFTER),
        files.move((6, 4), [(23, 13)], -1, AFTER),
        files.game_footer((0, 3), -1, 1, 101),
        files.match_footer(),
        thumbnail=b"a picture",
    )
    assert (sheet.format, sheet.dialect) == ("xg", "xg-binary")
    assert (sheet.names, sheet.length, sheet.variant) == (BySide("Ada Ő", "Bo"), 7, "backgammon")
    assert (sheet.crawford, sheet.jacoby, sheet.beavers) == (True, None, None)
    assert dict(sheet.tags) == {
        "Event": "Cup",
        "Site": "Nowhere",
        "EventDate": "2023.03.15",
        "Transcriber": "Cy",
        "Player 1 Elo": "1600.00/7",
        "Player 2 Elo": "1500.50/8",
    }
    (game,) = sheet.games
    assert (game.score, game.crawford) == (BySide(0, 2), False)
    assert game.claims == (
        Turn(WHITE, (5, 1), TurnKind.PLAY, (Hop((13, 8)), Hop((24, 23))), text="51: 13/8 24/23"),
        Turn(BLACK, (6, 4), TurnKind.PLAY, (Hop((24, 14)),), text="64: 24/14"),
        ResignClaim(WHITE, 1, text="Resigns"),
        WinClaim(BLACK, 1, resigned=True, level=1, text="Wins 1 point"),
    )


def test_an_older_file_has_its_names_in_short_strings():
    sheet = read(
        files.match_header("Ånne", "Bo", version=20, event="Cup", rating=float("nan"), days=-1.0),
        files.game_header(doubled=3),
        files.game_footer(),
    )
    assert sheet.names == BySide("Ånne", "Bo")
    assert dict(sheet.tags) == {"Event": "Cup", "Player 2 Elo": "1500.50/8"}
    assert sheet.games[0].claims == (WinClaim(WHITE, 1, resigned=False, text="Wins 1 point"),)


def test_the_short_name_stands_in_for_a_missing_long_one_and_nothing_unprintable_is_kept():
    header = files.match_header("", "B\to", narrow="Ada")
    assert read(header, files.game_header()).names == BySide("Ada", "B o")


def test_money_play_has_its_own_rules():
    sheet = read(files.match_header(length=99999, rules=(1, 1, 1)), files.game_header(), files.game_footer())
    assert (sheet.length, sheet.crawford, sheet.jacoby, sheet.beavers) == (0, None, True, True)


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ((-1, -1, -1), "double"),
        ((1, -1, -1), "double take"),
        ((0, -1, -1), "double drop"),
        ((2, 0, -1), "double beaver drop"),
        ((2, 1, -1), "double beaver take"),
        ((2, -1, -1), "double beaver"),
        ((2, 2, 0), "double beaver raccoon drop"),
        ((2, 2, 1), "double beaver raccoon take"),
        ((2, 2, 2), "double beaver raccoon"),
    ],
)
def test_the_cube_is_talked_about(answers, words):
    talk = claims(files.cube(-1, 1, *answers, cube=-1))
    assert [claim.word.value for claim in talk] == words.split()
    assert [claim.side for claim in talk] == [BLACK, WHITE, BLACK, WHITE][: len(talk)]
    values = [claim.value for claim in talk if claim.value]
    assert values == [4, 8, 16][: len(values)]


def test_equal_opening_dice_turn_the_cube_and_it_counts_on_from_there():
    talk = claims(files.cube(1, 1, 0), game=files.game_header(doubled=2))
    assert talk[:3] == (
        CubeClaim(None, CubeWord.AUTOMATIC, 2, text="Automatic double => 2"),
        CubeClaim(None, CubeWord.AUTOMATIC, 4, text="Automatic double => 4"),
        CubeClaim(WHITE, CubeWord.DOUBLE, 8, text="Doubles => 8"),
    )


@pytest.mark.parametrize(
    ("termination", "ending"),
    [
        (0, (False, None, False, "")),
        (2, (False, 2, False, "")),
        (50, (False, None, False, "")),
        (100, (True, None, False, "Resigns")),
        (103, (True, 3, False, "Resigns")),
        (104, (True, None, True, "Resigns the match")),
        (1001, (True, None, False, "Settles")),
    ],
)
def test_the_footer_says_how_a_game_ended(termination, ending):
    *before, last = claims(files.game_footer((2, 0), 1, 2, termination))
    resigned, level, match, word = ending
    assert last == WinClaim(WHITE, 2, match, resigned, level, text="Wins 2 points")
    assert before == ([ResignClaim(BLACK, level, match, text=word)] if resigned else [])


def test_nothing_to_play_is_a_dance_and_nothing_played_is_unknown():
    shut = (-1, 2, 2, 2, 2, 2, 2, *[0] * 12, -13, 0, 0, 0, 0, 2, 1)
    _, dance, unknown = claims(
        files.move((6, 5), [], -1, shut),
        files.move((4, 3), [(0, 0)] * 4, 1, shut, after=files.NOTHING),
    )
    assert (dance.side, dance.kind, dance.text) == (BLACK, TurnKind.DANCE, "65: Cannot Move")
    assert (unknown.dice, unknown.kind, unknown.text) == ((4, 3), TurnKind.UNKNOWN, "43: ????")
    (_, undecided) = claims(files.move((4, 3), [], 1, shut, after=files.NOTHING))
    assert undecided.kind is TurnKind.UNKNOWN


def test_bearing_off_and_the_bar():
    home = (0, 3, 0, 0, 0, 0, 2, *[0] * 12, -2, 0, 0, 0, 0, 0, 0)
    placing, off = claims(files.move((6, 6), [(5, -1), (5, -6), (0, -4)], 1, home))
    assert placing.board.off(WHITE) == 10
    assert [hop.points for hop in off.hops] == [(6, 0), (6, 0), (1, 0)]
    entering = (*files.START[:24], 1, 1)
    (_, entered) = claims(files.move((6, 5), [(24, 19), (12, 6)], 1, entering))
    assert entered.text == "65: bar/20 13/7"


def test_a_hit_is_seen_in_the_boards():
    blot = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -4, -1, 0, 0, 0, 2, 0)
    assert len(claims(files.move((3, 1), [(23, 19)], 1, blot))) == 2


@pytest.mark.parametrize("variation", [0, 1, 2])
def test_a_game_from_its_variant_s_start_needs_no_position(variation):
    start = (STANDARD, NACKGAMMON, HYPERGAMMON)[variation]
    sheet = read(
        files.match_header(variation=variation),
        files.game_header(),
        files.cube(before=start.numbers(WHITE)),
    )
    assert sheet.variant == ("backgammon", "nackgammon", "hypergammon")[variation]
    assert sheet.games[0].claims == ()


def test_an_unknown_variant_is_the_position_it_starts_from():
    start = tuple([0, -2] + [0] * 22 + [15, 0])
    (placing,) = claims(files.cube(before=start), header=files.match_header(variation=3))
    assert (placing.board.count(WHITE, 24), placing.turn, placing.cube) == (15, WHITE, Cube())


def test_a_position_is_a_game_of_one_claim():
    before = tuple([0, 2, 2, 2] + [0] * 18 + [-2, -3, -7, 0])
    sheet = read(files.match_header(), files.game_header(), files.cube(-1, -1, cube=-2, before=before))
    assert sheet.dialect == "xgp-position"
    (placing,) = sheet.games[0].claims
    assert (placing.turn, placing.cube, placing.board.pips(BLACK)) == (BLACK, Cube(4, BLACK), 19)


def test_a_position_of_a_finished_game_is_a_match():
    before = tuple([0, 2, 2, 2] + [0] * 18 + [-2, -3, -7, 0])
    sheet = read(files.match_header(), files.game_header(), files.cube(before=before), files.game_footer())
    assert sheet.dialect == "xg-binary"


def test_boards_that_contradict_the_plays_are_remarked_on():
    elsewhere = files.played(AFTER, [(5, 2)], 1)
    sheet = read(
        files.match_header(),
        files.game_header(),
        files.move((5, 1), OPENING, after=(*AFTER[:-2], 2, 0)),
        files.move((3, 1), [(5, 2)], 1, elsewhere),
    )
    assert [(remark.code, remark.game) for remark in sheet.remarks] == [("position-mismatch", 0)] * 2
    assert not any(isinstance(claim, PositionClaim) for claim in sheet.games[0].claims)


def test_an_edited_position_is_set():
    other = files.played(AFTER, [(5, 2)], 1)
    game = claims(files.move((5, 1), OPENING), files.move((3, 1), [(5, 2)], -1, other, edited=1))
    assert [type(claim) for claim in game] == [Turn, PositionClaim, Turn]
    game = claims(files.move((5, 1), OPENING), files.cube(-1, before=other, edited=1, cube=1))
    assert game[1].cube == Cube(2, WHITE)


def test_a_record_of_an_unknown_kind_is_left_out():
    assert claims(files.record(6), files.record(99), files.game_footer()) == claims(files.game_footer())


def test_files_that_are_not_packed_read_the_same():
    records = files.match_header(), files.game_header(), files.game_footer()
    assert read(*records) == read(*records, stored=True) == read(*records, packed_index=False)


def test_a_wrong_checksum_over_all_is_a_remark():
    (remark,) = read(files.match_header(), files.game_header(), checksum=1).remarks
    assert remark.code == "wrong-checksum"


@pytest.mark.parametrize(
    "records",
    [
        [files.game_header(), files.match_header()],
        [files.match_header(), files.match_header()],
        [files.match_header(), files.cube()],
        [files.match_header()],
        [files.match_footer()],
        [files.match_header(), files.game_header(), files.game_footer(), files.game_footer()],
        [files.match_header(), files.game_header(), files.cube(player=2)],
        [files.match_header(), files.game_header(), files.cube(cube=99)],
        [files.match_header(), files.game_header(), files.cube(before=(1,) * 26)],
        [files.match_header(), files.game_header(), files.move((1, 1), [(25, 3)], after=AFTER)],
        [files.match_header(), files.game_header(), files.move((1, 1), [(3, 25)], after=AFTER)],
        [files.match_header(), files.game_header(doubled=-1)],
        [files.match_header(), files.game_header(), files.game_footer(points=-1)],
        [files.match_header(), files.game_header(doubled=21)],
        [files.match_header(), files.game_header(), b"half a record"],
    ],
)
def test_records_that_cannot_be_are_refused(records):
    refused(files.xg(*records))


CONTENT = files.match_header() + files.game_header()
PACKED = zlib.compress(CONTENT, 1)
SIZE = len(CONTENT)


def spoiled(raw=PACKED, size=SIZE, checksum=None, start=0, index=None):
    """A file of one stream whose index says something else of it than is true."""
    checksum = zlib.crc32(CONTENT) if checksum is None else checksum
    entry = struct.pack(
        "<256s256s3iIBB2x", files.short("temp.xg"), b"", size, len(raw), start, checksum, 0, 0
    )
    entry = entry if index is None else index
    trailer = struct.pack("<I5i12x", 0, 1, 1, len(entry), len(raw), 0)
    return b"RGMH".ljust(8232, b"\0") + raw + entry + trailer


def test_a_container_that_cannot_be_is_refused():
    good = files.xg(CONTENT)
    assert "too short" in refused(good[:4000])
    assert "table of contents" in refused(good[:-36] + b"\xff" * 36)
    assert "table of contents" in refused(good[:-100] + bytes(64) + good[-36:])
    assert "not in it" in refused(files.container({"other": b"x"}))
    assert xg.parse(spoiled())
    assert "cannot be unpacked" in refused(spoiled(b"no zlib"))
    assert "size" in refused(spoiled(size=2560))
    assert "size" in refused(spoiled(size=9000))
    assert "checksum" in refused(spoiled(checksum=5))
    assert "not there" in refused(spoiled(start=8))
    assert "size" in refused(spoiled(index=b"short"))


def test_limits_are_kept():
    move = files.move((6, 6), [], after=files.START)
    data = files.xg(files.match_header(), files.game_header(), move, move, files.game_header(), move)
    for limits in (
        replace(LIMITS, bytes=100),
        replace(LIMITS, unpacked=1000),
        replace(LIMITS, games=1),
        replace(LIMITS, plies=1),
        replace(LIMITS, claims=2),
    ):
        with pytest.raises(Unreadable) as caught:
            xg.parse(data, limits)
        assert caught.value.code == "too-much"
    xg.parse(data)


@pytest.fixture(scope="module")
def real():
    """The real files: what they are called, and what is in them."""
    with tarfile.open(RECORDS / "real" / "records.tar.gz") as archive:
        members = [member for member in archive if member.name.endswith((".xg", ".xgp", "data/test.mat"))]
        return {member.name.rpartition("/")[2]: archive.extractfile(member).read() for member in members}


def test_our_samples_are_read():
    expected = {row["file"]: row for row in table(OURS.collected, "manifest.csv") if row["format"] == "xg"}
    assert len(expected) == 3
    for name, data in shared_files(OURS.collected):
        if name in expected:
            (sheet,) = xg.parse(data)
            # Every board in them is where the plays lead.
            assert sheet.remarks == ()
            assert (str(sheet.length), str(len(sheet.games))) == (
                expected[name]["length"],
                expected[name]["games"],
            )


@long_run
def test_real_files_are_read(real):
    sheets = {}
    for name, data in real.items():
        if xg.sniff(data) and name != "demo.xg":
            (sheets[name],) = xg.parse(data)
    # Every board in them is where the plays lead.
    assert all(sheet.remarks == () for sheet in sheets.values())
    assert sorted((sheet.dialect, sheet.length, len(sheet.games)) for sheet in sheets.values()) == [
        ("xg-binary", 7, 4),
        ("xg-binary", 7, 4),
        ("xg-binary", 7, 7),
        ("xg-binary", 7, 7),
        ("xg-binary", 7, 8),
        ("xg-binary", 9, 8),
        ("xgp-position", 0, 1),
        ("xgp-position", 5, 1),
    ]
    assert "damaged" in refused(real["demo.xg"])


@long_run
def test_real_matches_are_adjudicated(real):
    verdicts = [
        adjudicate(sheet)
        for name, data in real.items()
        if xg.sniff(data) and name != "demo.xg"
        for sheet in xg.parse(data)
        if sheet.dialect == "xg-binary"
    ]
    # As the last records of the files have it; a match that was given up ends at its length.
    scores = sorted(tuple(verdict.score) for verdict in verdicts)
    assert scores == [(1, 7), (1, 7), (2, 8), (4, 10), (7, 4), (7, 6)]
    # Nothing is wrong with them but one play that the program itself marked as impossible.
    assert [
        (finding.code, finding.game, finding.played) for verdict in verdicts for finding in verdict.findings
    ] == [("dice-mismatch", 7, "14/11 8/5")]


@long_run
def test_a_match_is_the_same_in_every_format_its_program_writes(real):
    (sheet,) = xg.parse(real["test.xg"])
    (told,) = formats.read(real["test.mat"])
    assert adjudicate(sheet).record.digest() == adjudicate(told).record.digest()
