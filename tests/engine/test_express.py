"""The fast path says yes only where the referee does, and says the same."""

from __future__ import annotations

import random
import tarfile
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from engine import formats
from engine import verdict as verdict_module
from engine.board import Board
from engine.express import CleanSheet, cells, facts, game, reader
from engine.express.game import PlainGame, RefereeRequired
from engine.game import KINDS
from engine.record import Record
from engine.sheet import Sheet
from engine.statistics import compute_statistics
from engine.strokes import widen_position
from engine.verdict import adjudicate
from tests.engine import selfplay
from tests.engine.shared import OURS, RECORDS, files, long_run

# The samples without a word that only the referee understands.
PLAIN = {
    f"{name}.mat" for name in ("one-point", "three-points", "five-points", "seven-points", "nine-points")
}
LENGTHS = (1, 3, 3, 5, 7, 9, 5, 5)

HEAD = " 3 point match\n\n Game 1\n Ada : 0                        Bo : 0\n"
CLEAN = (
    HEAD
    + "  1) 31: 8/5 6/5                 64: 24/18 13/9\n"
    + "  2)  Doubles => 2                Drops\n"
    + "      Wins 1 point\n"
    + "\n Game 2\n Ada : 1                        Bo : 0\n"
    + "  1)                             21: 13/11 6/5\n"
    + "  2) 65: 24/13                   \n".replace("24/13", "24/18 18/13")
    + "                                  Wins 1 point\n"
    + "\n Game 3\n Ada : 1                        Bo : 1\n"
    + "  1)                             52: 13/8 13/11\n"
    + "  2)  Doubles => 2                Takes\n"
    + "  3) 41: 24/23 13/9              44: \n"
    + "      Wins 2 points\n"
)


@cache
def matches() -> list[bytes]:
    """Whole random matches as files, built on the first call."""
    return [formats.write(selfplay.match(seed, length), "mat") for seed, length in enumerate(LENGTHS)]


def serialize_clean(clean: CleanSheet) -> dict[str, Any]:
    """The result of the express reader in the form of a verdict."""
    return {
        "length": clean.length,
        "players": list(clean.players),
        "score": list(clean.score),
        "winner": clean.winner,
        "games": [
            {
                "winner": game.winner,
                "points": game.points,
                "kind": KINDS[game.kind - 1],
                "how": game.how,
                "cube": game.cube,
                "crawford": game.crawford,
                "plies": game.plies,
            }
            for game in clean.games
        ],
    }


def agree(data: bytes) -> bool:
    """Does the referee say the same of a record that the fast path has passed?"""
    clean = reader.read_clean_sheet(data)
    if clean is None:
        return True
    (source,) = formats.read(data)
    assert isinstance(source, Sheet | Record)
    verdict = adjudicate(source).to_json()
    said = serialize_clean(clean)
    return verdict["verdict"] == "accepted" and {key: verdict[key] for key in said} == said


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(LENGTHS)))
def test_matches_of_our_own_pass_and_the_referee_agrees(number: int) -> None:
    data = matches()[number]
    assert reader.read_clean_sheet(data) is not None
    assert agree(data)


def test_a_sheet_is_read_as_it_stands() -> None:
    clean = reader.read_clean_sheet(CLEAN.encode())
    assert (clean.score, clean.winner, [game.how for game in clean.games]) == (
        (3, 1),
        0,
        ["drop", "resign", "resign"],
    )
    assert [(game.cube, game.points, game.crawford, game.plies) for game in clean.games] == [
        (1, 1, False, 2),
        (1, 1, False, 2),
        (2, 2, False, 3),
    ]
    assert agree(CLEAN.encode())


DOUBTFUL = {
    "a match that was not played to its end": (CLEAN[CLEAN.index("\n Game 3") :], ""),
    "no length": (" 3 point match", " a match"),
    "length nought": (" 3 point match", " 0 point match"),
    "a rule in a tag": (" 3 point", '; [Jacoby "On"]\n 3 point'),
    "free words": (" 3 point", "; played in the rain\n 3 point"),
    "other names in the tags": (" 3 point", '; [Player 1 "Cleo"]\n 3 point'),
    "a game left out": (" Game 2", " Game 3"),
    "a wrong score": (" Ada : 1                        Bo : 1", " Ada : 2                        Bo : 1"),
    "names that change": (" Ada : 1                        Bo : 1", " Eva : 1                        Bo : 1"),
    "a name with a rating": (" Ada : 0 ", " Ada,1700 : 0 "),
    "no score line": (" Ada : 0                        Bo : 0\n", "\n"),
    "an opening double": ("31: 8/5 6/5 ", "11: 8/7 6/5 "),
    "no opening roll": ("52: 13/8 13/11", "we played"),
    "an empty point": ("64: 24/18 13/9", "64: 23/17 13/9"),
    "a die that was not rolled": ("64: 24/18 13/9", "64: 24/19 13/9"),
    "one die unplayed": ("64: 24/18 13/9", "64: 24/18"),
    "three dice played": ("64: 24/18 13/9", "64: 24/18 13/9 6/5"),
    "a blocked point": ("64: 24/18 13/9", "54: 24/19 13/9"),
    "a mark without a hit": ("64: 24/18 13/9", "64: 24/18* 13/9"),
    "bearing off too early": ("64: 24/18 13/9", "66: 6/0 6/0 6/0 6/0"),
    "double dice with one die wrong": ("64: 24/18 13/9", "44: 13/9 13/9 6/2 6/1"),
    "words": ("64: 24/18 13/9", "64: bar/18 13/9"),
    "a take out of nowhere": ("64: 24/18 13/9", " Takes"),
    "a wrong cube": ("Doubles => 2                Drops", "Doubles => 4                Drops"),
    "a resigner who wins": ("      Wins 2 points\n", "                                  Wins 2 points\n"),
    "a double without an answer": (
        "Doubles => 2                Drops",
        "Doubles => 2                64: 24/18",
    ),
    "an answer that is none": ("Doubles => 2                Drops", "Doubles => 2                no"),
    "a drop won by the other": (
        "      Wins 1 point\n\n Game 2",
        "                                  Wins 1 point\n\n Game 2",
    ),
    "a drop worth two": ("Drops\n      Wins 1 point", "Drops\n      Wins 2 points"),
    "a resignation of half a cube": (
        "44: \n      Wins 2 points",
        "44: \n      Wins 3 points",
    ),
    "a resignation worth too much": (
        "44: \n      Wins 2 points",
        "44: \n      Wins 8 points",
    ),
    "the match, not won yet": (
        "      Wins 1 point\n\n Game 2",
        "      Wins 1 point and the match\n\n Game 2",
    ),
    "no result": ("      Wins 2 points\n", ""),
    "two results": ("      Wins 2 points\n", "      Wins 2 points\n      Wins 2 points\n"),
    "play after the result": (
        "44: \n",
        "44: \n  4)  Wins 2 points              21: 6/5 6/4\n",
    ),
    "a row that is none": ("  3) 41: 24/23", "3) 41: 24/23"),
    "a game after the match": (
        "      Wins 2 points\n",
        "      Wins 2 points\n\n Game 4\n Ada : 3                        Bo : 1\n",
    ),
}


@pytest.mark.parametrize("why", DOUBTFUL)
def test_at_any_doubt_the_referee_is_asked(why: str) -> None:
    old, new = DOUBTFUL[why]
    assert old in CLEAN
    assert reader.read_clean_sheet(CLEAN.replace(old, new, 1).encode()) is None


def test_a_single_play_may_have_been_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "results", lambda *_: (1, [0]))
    assert reader.read_clean_sheet(CLEAN.encode()) is None


@pytest.mark.parametrize(("held", "passes"), [({6: 15}, False), ({1: 2, 6: 13}, True)])
def test_of_two_on_the_bar_one_stays_only_before_a_closed_point(held: dict[int, int], passes: bool) -> None:
    played = [cells.COLUMNS[0]["31: 25/22"], cells.COLUMNS[1]["Wins 1 point"]]
    game = PlainGame(played, (1, 1), crawford=False, marked=False)
    game.board = widen_position(Board.from_counts({25: 2, 6: 13}, held).position)[0]
    if passes:
        assert game.played().winner == 1
    else:
        with pytest.raises(RefereeRequired):
            game.played()


def test_a_sheet_may_stop_after_any_play() -> None:
    start = CLEAN.index("  3) 41: ")
    assert (
        reader.read_clean_sheet((CLEAN[:start] + "  3) 41: 24/23 13/9              21: 6/5 6/4\n").encode())
        is None
    )


def test_bytes_that_are_no_text_are_for_the_referee() -> None:
    assert reader.read_clean_sheet(b"\xff\xfe" + CLEAN.encode()) is None
    assert reader.read_clean_sheet(b"") is None


@pytest.mark.parametrize(
    "text",
    [
        CLEAN + "\n" * reader.LONGEST,
        CLEAN.replace(" Game 1", " Game " + "1" * 5000),
        CLEAN.replace("64: 24/18", "64:\r24/18"),
        CLEAN.replace("64: 24/18", "64:\t24/18"),
        CLEAN.replace("64: 24/18", "64:\u00a024/18"),
        CLEAN.replace("Bo :", "\u2028Bo :"),
        CLEAN.replace("Bo :", "\x00Bo :"),
        CLEAN.replace(" Ada : 0                        Bo : 0", " a : 1  b" * 20_000),
    ],
    ids=["long", "no number", "return", "tab", "no blank", "line in a name", "null", "wide"],
)
def test_what_no_sheet_holds_is_for_the_referee(text: str) -> None:
    assert reader.read_clean_sheet(text.encode()) is None


def test_a_single_game_of_four_points_may_be_unlimited_play() -> None:
    game = CLEAN.split("\n Game 2")[0].replace(" 3 point", " 1 point").replace("=> 2", "=> 2")
    assert (
        reader.read_clean_sheet(game.replace("  2)  Doubles => 2                Drops\n", "").encode())
        is not None
    )
    assert reader.read_clean_sheet(game.replace(" 1 point match", " 4 point match").encode()) is None


@pytest.mark.parametrize("number", range(len(LENGTHS)))
def test_hits_are_marked_everywhere_or_nowhere(number: int) -> None:
    data = matches()[number]
    assert b"*" in data
    bare = data.replace(b"*", b" ")
    assert reader.read_clean_sheet(bare) == reader.read_clean_sheet(data)
    assert agree(bare)
    assert reader.read_clean_sheet(data.replace(b"*", b" ", 1)) is None or data.count(b"*") == 1


def test_lines_may_end_as_on_windows() -> None:
    data = CLEAN.replace("\n", "\r\n").encode()
    assert reader.read_clean_sheet(data) == reader.read_clean_sheet(CLEAN.encode()) is not None
    assert agree(data)
    assert reader.read_clean_sheet(data.replace(b"\r\n", b"\r", 1)) is None


def mutated(text: str, rng: random.Random) -> str:
    """A small slip of the pen."""
    place = rng.randrange(len(text))
    match rng.randrange(4):
        case 0:
            return text[:place] + text[place + 1 :]
        case 1:
            return text[:place] + rng.choice("0123456789/*: \n") + text[place:]
        case 2:
            return text[:place] + rng.choice("123456") + text[place + 1 :]
        case _:
            other = rng.randrange(len(text))
            low, high = sorted((place, other))
            return (
                text[:low]
                + text[high : high + 1]
                + text[low + 1 : high]
                + text[low : low + 1]
                + text[high + 1 :]
            )


def slips(count: int, seed: int) -> Iterator[bytes]:
    """Random matches with one slip each, some with marked hits."""
    rng = random.Random(seed)
    for _ in range(count):
        text = rng.choice(matches()).decode()
        yield mutated(text if rng.random() < 0.7 else text.replace("*", " "), rng).encode()


def test_slips_of_the_pen_never_pass_where_the_referee_objects() -> None:
    assert all(agree(data) for data in slips(300, seed=1))


@pytest.mark.slow
def test_many_slips_of_the_pen() -> None:
    assert all(agree(data) for data in slips(6_000, seed=2))


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    cells.clear_caches()
    assert reader.read_clean_sheet(matches()[0]) is not None
    kept = sum(map(len, cells.COLUMNS))
    monkeypatch.setattr(cells, "LIMIT", kept - 1)
    assert reader.read_clean_sheet(CLEAN.encode()) is not None
    assert 0 < sum(map(len, cells.COLUMNS)) < kept


def test_our_matches_pass_and_the_referee_agrees_on_every_sample() -> None:
    sheets = [
        (name, data)
        for place in (OURS.played, OURS.faults)
        for name, data in files(place)
        if name.endswith(".mat")
    ]
    assert {name for name, data in sheets if reader.read_clean_sheet(data) is not None} == PLAIN
    assert all(agree(data) for _, data in sheets)


@long_run
def test_gnubgs_matches_pass() -> None:
    seen = 0
    for data in members("gnubg/gnubg-matches.tar.gz"):
        clean = reader.read_clean_sheet(data)
        seen += clean is not None
    assert seen >= 384


@long_run
@pytest.mark.slow
@pytest.mark.parametrize(
    "archive", ["gnubg/gnubg-matches.tar.gz", "real/records.tar.gz", "real/reexported.tar.gz"]
)
def test_the_referee_agrees_on_every_shared_record(archive: str) -> None:
    assert all(agree(data) for data in members(archive))


def members(archive: str) -> Iterator[bytes]:
    with tarfile.open(RECORDS / archive) as files:
        for member in files:
            content = files.extractfile(member)
            if content is not None:
                yield content.read()


def is_told_as_the_referee_does(data: bytes) -> bool:
    """Are the facts and the figures of a clean sheet the same as the referee's?"""
    clean = reader.read_clean_sheet(data)
    assert clean is not None
    (source,) = formats.read(data)
    verdict = adjudicate(source)
    assert verdict.rules is not None
    told_so = facts.compute_facts(data, clean, verdict.rules)
    return told_so == (verdict.record, compute_statistics(verdict.record))


@pytest.mark.parametrize("number", range(len(LENGTHS)))
def test_facts_and_figures_are_the_referees(number: int) -> None:
    data = matches()[number]
    assert is_told_as_the_referee_does(data)
    # Without the marks of hits, and as lines end on Windows.
    assert is_told_as_the_referee_does(data.replace(b"*", b" "))
    assert is_told_as_the_referee_does(data.replace(b"\n", b"\r\n"))


def test_a_roll_before_a_resignation_and_either_order_of_the_dice_are_told() -> None:
    assert is_told_as_the_referee_does(CLEAN.encode())
    assert is_told_as_the_referee_does(CLEAN.replace("65: 24/18 18/13", "62: 24/22 22/16").encode())


@pytest.mark.needs("express", "whoever goes without it asks the referee")
def test_a_verdict_tells_them_without_the_referee(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdict_module, "_judge_by_referee", None)
    (verdict,) = verdict_module.judge(matches()[3])
    assert verdict.statistics == compute_statistics(verdict.record)


@long_run
@pytest.mark.slow
@pytest.mark.parametrize(
    "archive", ["gnubg/gnubg-matches.tar.gz", "real/records.tar.gz", "real/reexported.tar.gz"]
)
def test_the_referee_tells_the_same_of_every_shared_record(archive: str) -> None:
    clean = [data for data in members(archive) if reader.read_clean_sheet(data) is not None]
    assert len(clean) > 60
    assert all(is_told_as_the_referee_does(data) for data in clean)
