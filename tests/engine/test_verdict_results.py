"""The cube, results and scores of a sheet: contradictions, and how the referee resolves them."""

from __future__ import annotations

import pytest

from engine.board import Board
from engine.cube import Cube
from engine.rules import DeadCube, Rules
from engine.sheet import (
    CubeClaim,
    CubeWord,
    GameSheet,
    Hop,
    PositionClaim,
    ResignClaim,
    Sheet,
    Turn,
    TurnKind,
    WinClaim,
)
from engine.side import BLACK, WHITE, BySide
from engine.verdict import adjudicate
from tests.engine.mat_sheets import read

HEAD = " {} point match\n\n Game 1\n Ann : {}                        Ben : {}\n"
FIRST = "  1) 31: 8/5 6/5                 "
PLAYED = FIRST + "64: 24/14"
TAGS = '; [Site "{}"]\n'


def head(length=5, white=0, black=0, site=""):
    plain = HEAD.format(length, white, black)
    return TAGS.format(site) + plain[1:] if site else plain


FIVE = head()


def judged(*rows, head=FIVE, rules=None):
    verdict = adjudicate(read(*rows, head=head), rules)
    match = verdict.record.replay()
    assert (match.score, match.winner) == (verdict.score, verdict.winner)
    return verdict


def list_codes(*rows, head=FIVE, rules=None):
    """The codes found, but for the match that mostly is not finished here."""
    return codes(judged(*rows, head=head, rules=rules))


def codes(verdict):
    return [each.code for each in verdict.findings if each.code != "match-unfinished"]


def wins(side, points, more=""):
    return f"{' ' * (6 if side is WHITE else 34)}Wins {points} points{more}"


def game(number, white, black, *rows):
    return ["", f" Game {number}", f" Ann : {white}                        Ben : {black}", *rows]


OPENED = read(PLAYED).games[0].claims
DOUBLE, TAKE, DROP = (CubeClaim(None, word) for word in (CubeWord.DOUBLE, CubeWord.TAKE, CubeWord.DROP))


def sheet_of(*claims, length=5, **said):
    return Sheet("test", BySide("Ann", "Ben"), length, (GameSheet(claims, BySide(0, 0)),), **said)


# -------------------------------------------------------------------- the cube


@pytest.mark.parametrize(
    ("rows", "codes", "points"),
    [
        (["  2)  Doubles => 2                Takes", wins(WHITE, 2)], [], 2),
        (["  2)  Doubles => 4                Takes", wins(WHITE, 2)], ["wrong-cube-value"], 2),
        (["  2)  Doubles => 2                Drops", wins(WHITE, 1)], [], 1),
        (["  2)  Doubles => 2                Drops", wins(WHITE, 2)], ["wrong-points"], 1),
        (["  2)  Doubles => 2                Drops", wins(BLACK, 1)], ["wrong-winner"], 1),
        (["  2)  Doubles => 2               64: 14/4", wins(WHITE, 2)], ["double-unanswered"], 2),
        (["  2)  Doubles => 2", "  3) 64: 24/14", wins(WHITE, 2)], ["double-unanswered"], 2),
        (["  2)  Doubles => 2", wins(WHITE, 1)], ["drop-omitted"], 1),
        (["  2)  Doubles => 2", wins(WHITE, 2)], [], 2),
        (["  2)  Doubles => 2", wins(BLACK, 1)], [], 1),
        (["  2)  Takes", wins(WHITE, 2)], ["take-without-double"], 2),
        (["  2)                             Takes", wins(WHITE, 2)], ["take-without-double"], 2),
        (["  2)  Drops", wins(BLACK, 1)], ["drop-without-double"], 1),
        (["  2)                              Doubles => 2", "  3)  Takes", wins(WHITE, 2)], ["double-out-of-turn"], 2),
        (["  2)  Doubles => 2", "  3)  Takes                      52: 13/6", wins(WHITE, 2)], ["take-without-double", "out-of-turn"], 2),
        (["  2)  Doubles => 2", "  3)  Drops", wins(WHITE, 1)], ["drop-without-double"], 1),
        (["  2)  Doubles => 2", "  3)  Doubles => 2                Takes", wins(WHITE, 2)], ["double-out-of-turn"], 2),
        (["  2)  Beavers => 4                Takes", wins(WHITE, 2)], ["beaver-without-double", "take-without-double"], 2),
        (["  2)  Doubles => 2                Beavers => 4", wins(WHITE, 2)], ["no-beavers"], 2),
    ],
)  # fmt: skip
def test_a_word_of_the_cube(rows, codes, points):
    verdict = judged(PLAYED, *rows)
    assert [each.code for each in verdict.findings if each.code != "match-unfinished"] == codes
    assert verdict.games[0].points == points


def test_the_cube_belongs_to_the_one_who_took():
    rows = [PLAYED, "  2)  Doubles => 2                Takes", "  3) 52: 13/6                    41: 13/8"]
    again = "  4)  Doubles => 4                Takes"
    assert list_codes(*rows, again, wins(WHITE, 4)) == ["double-by-nonowner"]


def test_a_double_before_the_first_roll():
    assert list_codes("  1)  Doubles => 2                Takes", "  2) 31: 8/5 6/5", wins(WHITE, 1)) == [
        "double-out-of-turn"
    ]
    assert codes(adjudicate(sheet_of(DOUBLE, TAKE, *OPENED, WinClaim(WHITE, 1)))) == [
        "double-out-of-turn",
        "take-without-double",
    ]
    assert codes(adjudicate(sheet_of(DROP, *OPENED, WinClaim(WHITE, 1)))) == ["drop-without-double"]


def test_the_crawford_game_has_no_cube():
    rows = ["  2)  Doubles => 2                Takes", wins(WHITE, 1)]
    more = [*game(2, 4, 1, PLAYED, *rows)]
    won = [PLAYED, "  2)  Doubles => 2                Takes", wins(WHITE, 4)]
    assert list_codes(*won, *more, head=head(5)) == ["score-jump", "double-in-crawford"]
    dropped = game(2, 4, 0, PLAYED, "  2)  Doubles => 2                Drops", wins(WHITE, 1))
    verdict = judged(*won, *dropped)
    assert [each.code for each in verdict.findings] == ["double-in-crawford"]
    assert (verdict.winner, verdict.games[1].how, verdict.games[1].crawford) == (WHITE, "report", True)
    beavered = game(2, 4, 0, PLAYED, "  2)  Doubles => 2                Beavers => 4", wins(WHITE, 1))
    assert list_codes(*won, *beavered) == ["double-in-crawford"]


def test_one_point_has_no_cube():
    assert list_codes(PLAYED, "  2)                             Takes", wins(WHITE, 1), head=head(1)) == [
        "take-without-double"
    ]
    assert list_codes(PLAYED, "  2)  Doubles => 2                Takes", wins(WHITE, 1), head=head(1)) == [
        "no-cube"
    ]


def test_a_dead_cube():
    rows = [
        PLAYED,
        "  2)  Doubles => 2                Takes",
        "  3) 52: 13/6                     Doubles => 4",
    ]
    rows += ["  4)  Takes", wins(BLACK, 4)]
    assert list_codes(*rows, head=head(2)) == []
    assert list_codes(*rows, head=head(2), rules=Rules(length=2, dead_cube=DeadCube.WARNED)) == ["dead-cube"]
    refused = list_codes(*rows, head=head(2), rules=Rules(length=2, dead_cube=DeadCube.REFUSED))
    assert refused == ["dead-double"]


def test_words_that_name_nobody_are_said_by_whoever_may():
    verdict = adjudicate(sheet_of(*OPENED, DOUBLE, TAKE, WinClaim(WHITE, 2)))
    assert (codes(verdict), verdict.games[0].cube) == ([], 2)
    assert codes(adjudicate(sheet_of(*OPENED, DOUBLE, DROP, WinClaim(WHITE, 1)))) == []
    verdict = adjudicate(sheet_of(*OPENED, TAKE, DROP, WinClaim(WHITE, 1)))
    assert verdict.findings[0].message == "Game 1, roll 3: Somebody took, but there was no double. R47."
    assert codes(verdict) == ["take-without-double", "drop-without-double"]


def test_beavers_and_automatic_doubles_in_unlimited_play():
    automatic = CubeClaim(None, CubeWord.AUTOMATIC, 2)
    beaver, raccoon = CubeClaim(None, CubeWord.BEAVER), CubeClaim(None, CubeWord.RACCOON)
    rolled = Turn(WHITE, (2, 1), TurnKind.PLAY, (Hop((13, 11)), Hop((6, 5))))
    claims = (automatic, *OPENED, DOUBLE, beaver, rolled, WinClaim(WHITE, 8))
    verdict = adjudicate(sheet_of(*claims, length=0))
    assert (codes(verdict), verdict.games[0].cube) == ([], 8)
    verdict = adjudicate(sheet_of(*OPENED, DOUBLE, beaver, raccoon, TAKE, WinClaim(WHITE, 8), length=0))
    assert (codes(verdict), verdict.games[0].cube) == ([], 8)
    assert codes(adjudicate(sheet_of(automatic, *OPENED, WinClaim(WHITE, 1)))) == ["automatic-double"]
    assert codes(adjudicate(sheet_of(*OPENED, automatic, WinClaim(WHITE, 1), length=0))) == [
        "automatic-double"
    ]


# ------------------------------------------------------------------ the result


@pytest.mark.parametrize(
    ("points", "site", "codes", "won"),
    [
        (1, "", [], 1),
        (3, "", [], 3),
        (4, "", ["wrong-points"], 3),
        (5, "", ["resign-odd-value"], 5),  # all that was needed: the whole match
        (7, "", ["wrong-points"], 3),
        (5, "BackgammonGalaxy", ["resign-odd-value"], 5),
        (100, "Backgammon Studio", ["resign-odd-value"], 5),
        (0, "", ["wrong-points"], 1),
    ],
)
def test_points_of_a_resignation(points, site, codes, won):
    # Without a site the layout is gnubg's, which writes what is true.
    top = head(5, site=site) if site else TAGS.format("") + head(5)
    verdict = judged(FIRST + "64: 24/18 18/14 ", "  2) 21: 13/11 6/5", wins(WHITE, points), head=top)
    assert [each.code for each in verdict.findings if each.code != "match-unfinished"] == codes
    assert verdict.games[0].points == won


def test_less_than_nothing_is_won():
    """No text says so, but a binary file may."""
    verdict = adjudicate(sheet_of(*OPENED, WinClaim(WHITE, -9)))
    assert (codes(verdict), verdict.games[0].points) == (["wrong-points"], 1)
    lost = Turn(WHITE, (6, 4), TurnKind.UNKNOWN), Turn(BLACK, (6, 4))
    verdict = adjudicate(sheet_of(*OPENED, *lost, WinClaim(WHITE, -9)))
    assert (codes(verdict), verdict.games[0].points) == (["unknown-play"], 1)


def test_a_resignation_with_the_cube_turned():
    rows = [PLAYED, "  2)  Doubles => 2                Takes", "  3) 52: 13/6"]
    galaxy = head(5, site="BackgammonGalaxy")
    assert list_codes(*rows, wins(WHITE, 3, " and the match"), head=galaxy) == ["resign-odd-value"]
    assert list_codes(*rows, wins(WHITE, 5, " and the match"), head=galaxy) == ["resign-odd-value"]
    assert list_codes(*rows, wins(WHITE, 1004), head=head(9, site="Backgammon Studio")) == [
        "resign-odd-value"
    ]
    assert list_codes(*rows, wins(WHITE, 1004), head=head(5, site="Backgammon Studio")) == ["absurd-points"]


@pytest.mark.parametrize(
    ("site", "score", "points", "codes", "won"),
    [
        ("OpenGammon", (4, 2), 1, ["resign-odd-value"], 2),
        ("Foxamon", (4, 2), 1, ["resign-odd-value"], 2),
        ("HedgeHog", (2, 1), 3, ["resign-odd-value"], 4),
        ("OpenGammon", (0, 2), 3, ["wrong-points"], 4),
        ("GammonView", (4, 2), 1, ["wrong-points"], 2),
    ],
)
def test_a_resignation_worth_the_points_needed(site, score, points, codes, won):
    rows = ["  1) 31: 8/5 6/5                  Doubles => 2", "  2)  Takes                      64: 24/14"]
    top = head(5, *score, site=site)
    verdict = judged(*rows, wins(WHITE, points), head=top)
    known = {"starts-mid-match", "match-unfinished"}
    assert [each.code for each in verdict.findings if each.code not in known] == codes
    assert verdict.games[0].points == won


def test_the_whole_match_is_given_up():
    verdict = judged(PLAYED, wins(WHITE, 1, " and the match"))
    assert (verdict.word, verdict.winner, verdict.games[0].how) == ("accepted", WHITE, "concession")
    verdict = judged(wins(WHITE, 5, " and the match"))
    assert (verdict.winner, verdict.games[0].how) == (WHITE, "report")
    assert codes(verdict) == ["unplayed-game", "resign-odd-value"]


def test_to_resign_instead_of_an_answer_is_to_drop():
    verdict = judged(PLAYED, "  2)  Doubles => 2                Resigns")
    assert (codes(verdict), verdict.games[0].how, verdict.games[0].points) == ([], "drop", 1)


def test_a_match_given_up_before_it_began():
    verdict = judged(wins(WHITE, 3, " and the match"), head=head(3))
    assert (codes(verdict), verdict.games[0].how, verdict.winner) == (["unplayed-game"], "resign", WHITE)
    verdict = adjudicate(sheet_of(ResignClaim(BLACK, match=True), length=3))
    assert (codes(verdict), verdict.games[0].kind, verdict.winner) == ([], 3, WHITE)


def test_a_result_in_the_middle_of_a_match_is_held_against_the_next_score():
    more = game(2, 2, 0, PLAYED, wins(WHITE, 1))
    assert list_codes(PLAYED, wins(WHITE, 2), *more) == []
    assert list_codes(PLAYED, wins(WHITE, 7), *more) == ["wrong-points"]
    assert list_codes(PLAYED, *more) == ["result-omitted"]
    assert list_codes(PLAYED, *game(2, 0, 2, PLAYED, wins(WHITE, 1))) == ["result-omitted"]
    assert list_codes(PLAYED, "  2)  Doubles => 2", *game(2, 1, 0, PLAYED, wins(WHITE, 1))) == [
        "result-omitted",
        "drop-omitted",
    ]
    assert list_codes(PLAYED, *game(2, 2, 1, PLAYED, wins(WHITE, 1))) == ["unfinished-game"]
    assert list_codes(PLAYED, *game(2, 0, 0, PLAYED, wins(WHITE, 1))) == ["unfinished-game"]
    assert list_codes(PLAYED, " Game 2", PLAYED, wins(WHITE, 1)) == ["unfinished-game"]


def test_a_game_that_was_lost_sight_of_takes_the_next_score():
    lost = FIRST + "64: 5/1 7/1"
    verdict = judged(lost, *game(2, 0, 2, PLAYED, wins(WHITE, 1)))
    assert (codes(verdict), verdict.games[0].points) == (["empty-source"], 2)
    verdict = judged(lost)
    assert (codes(verdict), verdict.games[0].how) == (["empty-source"], "unfinished")
    verdict = judged(lost, "  2)  Doubles => 2", "  3) 65: 24/13", wins(WHITE, 1), wins(WHITE, 2))
    assert (codes(verdict), verdict.games[0].plies) == (["empty-source", "two-results"], 3)
    assert judged(lost, "      Wins").games[0].points == 1


def test_two_results():
    assert list_codes(PLAYED, wins(WHITE, 1), wins(WHITE, 1)) == []
    assert list_codes(PLAYED, wins(WHITE, 1), wins(WHITE, 2)) == ["two-results"]
    assert list_codes(PLAYED, wins(WHITE, 1), wins(BLACK, 1)) == ["two-results"]


@pytest.mark.parametrize("more", ["", " and the match"])
def test_a_match_that_was_resigned_is_over_whatever_the_points(more):
    verdict = judged(PLAYED, "  2)  Resigned Match", wins(BLACK, 2, more))
    assert (verdict.findings, verdict.winner, tuple(verdict.score)) == ((), BLACK, (0, 5))
    # Another game shows that only this one was.
    verdict = judged(PLAYED, "  2)  Resigned Match", wins(BLACK, 2), *game(2, 0, 2, PLAYED, wins(BLACK, 1)))
    assert (codes(verdict), verdict.winner, tuple(verdict.score)) == ([], None, (0, 3))


def test_resignations_that_say_who():
    assert list_codes(PLAYED, " " * 33 + "Resigns", wins(WHITE, 1)) == []
    assert list_codes(PLAYED, " " * 33 + "Resigns", wins(BLACK, 1)) == ["resigner-unclear"]
    verdict = judged(PLAYED, " " * 33 + "Resign gammon")
    assert (codes(verdict), verdict.games[0].winner, verdict.games[0].points) == ([], WHITE, 2)
    white_quits = ResignClaim(WHITE, match=True)
    assert adjudicate(sheet_of(*OPENED, white_quits)).winner is BLACK
    assert adjudicate(sheet_of(*OPENED, white_quits, length=0)).games[0].points == 1
    # A resignation after the end of a game is ignored.
    verdict = adjudicate(sheet_of(*OPENED, WinClaim(WHITE, 1), ResignClaim(WHITE)))
    assert codes(verdict) == []


def test_a_level_that_is_written():
    verdict = adjudicate(sheet_of(*OPENED, WinClaim(WHITE, None, level=2)))
    assert verdict.games[0].points == 2
    few = Rules(length=5, gammons=False, backgammons=False)
    assert adjudicate(sheet_of(*OPENED, WinClaim(WHITE, None, level=2)), few).games[0].points == 1


def test_jacoby_and_a_resigned_gammon():
    verdict = adjudicate(sheet_of(*OPENED, WinClaim(WHITE, 2), length=0, jacoby=True))
    assert (codes(verdict), verdict.games[0].points) == (["wrong-points"], 1)


GAMMON = (
    PositionClaim(Board.from_counts({1: 1}, {23: 1, 6: 14}), WHITE, Cube(2, WHITE)),
    Turn(WHITE, (6, 5), TurnKind.PLAY, (Hop((1, 0)),)),
)


@pytest.mark.parametrize(
    ("dialect", "points", "code"),
    [
        ("galaxy", 6, None),
        ("galaxy", 5, "length-as-points"),
        ("galaxy", 4, "wrong-points"),
        ("foxamon", 4, "capped-points"),
        ("plain", 4, "capped-points"),
        ("plain", 5, "length-as-points"),
        ("gnubg", 4, "wrong-points"),
        ("unheard-of", 4, "wrong-points"),
    ],
)
def test_points_of_a_last_game_that_was_borne_off(dialect, points, code):
    games = (GameSheet((*GAMMON, WinClaim(WHITE, points)), BySide(1, 0)),)
    verdict = adjudicate(Sheet("mat", BySide("Ann", "Ben"), 5, games, dialect=dialect))
    expected = ["starts-mid-match", "set-position", *([code] if code else [])]
    assert [each.code for each in verdict.findings] == expected
    assert tuple(verdict.score) == (7, 0)


def test_points_are_true_where_the_match_goes_on():
    games = (
        GameSheet((*GAMMON, WinClaim(WHITE, 5)), BySide(0, 0)),
        GameSheet((*OPENED, WinClaim(WHITE, 1)), BySide(6, 0)),
    )
    verdict = adjudicate(Sheet("mat", BySide("Ann", "Ben"), 9, games, dialect="plain"))
    assert codes(verdict) == ["set-position", "wrong-points"]


def test_money_that_calls_itself_a_match():
    """Q-21: a single game to 2, 4, 8 or 16 on one site, and no more than that can be lost."""
    money = head(8, site="BackgammonGalaxy")
    verdict = judged(PLAYED, wins(WHITE, 1), head=money)
    assert (verdict.word, verdict.length, verdict.winner, verdict.rules.length) == ("accepted", 8, None, 0)
    games = (GameSheet((*GAMMON, WinClaim(WHITE, 4)), BySide(0, 0)),)
    verdict = adjudicate(Sheet("mat", BySide("Ann", "Ben"), 4, games, dialect="galaxy"))
    assert codes(verdict) == ["set-position"]
    turned = PositionClaim(Board.from_counts({6: 15}, {6: 15}), WHITE, Cube(8, WHITE))
    games = (GameSheet((turned, WinClaim(WHITE, 4)), BySide(0, 0)),)
    verdict = adjudicate(Sheet("mat", BySide("Ann", "Ben"), 4, games, dialect="galaxy"))
    assert (codes(verdict), verdict.games[0].points) == (["set-position"], 8)
    # Under the rules of a real match it is one.
    rows = [PLAYED, wins(WHITE, 1)]
    assert [each.code for each in judged(*rows, head=money, rules=Rules(length=8)).findings] == [
        "match-unfinished"
    ]


# ------------------------------------------------------------------- the score


def test_scores_that_do_not_add_up():
    verdict = judged(PLAYED, wins(WHITE, 1), *game(2, 0, 1, PLAYED, wins(WHITE, 1)))
    (jump, _) = verdict.findings
    assert (jump.code, jump.message) == (
        "score-jump",
        "Game 2: the record begins at 0-1, but the score was 1-0. R55.",
    )
    assert tuple(verdict.score) == (1, 1)


def test_games_after_the_match():
    over = [PLAYED, wins(WHITE, 3)]
    after = game(2, 3, 0, PLAYED, wins(WHITE, 1))
    verdict = judged(*over, *after, head=head(3))
    assert (codes(verdict), len(verdict.games)) == (["score-past-length"], 1)
    # The sheet goes on as if it had not been won.
    denied = game(2, 1, 0, PLAYED, wins(WHITE, 2))
    verdict = judged(*over, *denied, head=head(3))
    assert (codes(verdict), len(verdict.games), verdict.winner) == (["score-jump"], 2, WHITE)


def test_scores_that_cannot_be():
    assert list_codes(PLAYED, wins(WHITE, 1), head=head(3, 3, 0)) == ["bad-score"]
    assert list_codes(PLAYED, *game(2, 9, 9, PLAYED, wins(WHITE, 1)), head=head(3)) == [
        "unfinished-game",
        "bad-score",
    ]


@pytest.mark.parametrize(
    ("said", "doubles", "findings"),
    [
        (None, True, ["starts-mid-match"]),
        (None, False, ["starts-mid-match"]),
        (False, True, ["starts-mid-match"]),
        (True, True, ["starts-mid-match", "double-in-crawford"]),
    ],
)
def test_a_record_that_begins_in_mid_match(said, doubles, findings):
    """Only the sheet shows if the Crawford game has been played (Q-31)."""
    cube = (DOUBLE, TAKE) if doubles else ()
    games = (GameSheet((*OPENED, *cube, WinClaim(BLACK, 1)), BySide(4, 3), crawford=said),)
    verdict = adjudicate(Sheet("sgf", BySide("Ann", "Ben"), 5, games))
    points = verdict.games[0].points
    assert codes(verdict)[: len(findings)] == findings
    assert verdict.games[0].crawford is (said is True or not doubles)
    assert points in (1, 2)


@pytest.mark.parametrize("said", [None, False])
def test_a_double_before_anybody_is_one_short_says_nothing_of_the_crawford_game(said):
    """A record that goes on at 0-3 may well show a double: the Crawford game is still to come."""
    games = (
        GameSheet((*OPENED, DOUBLE, DROP, WinClaim(WHITE, 1)), BySide(0, 3), crawford=said),
        GameSheet((*OPENED, WinClaim(BLACK, 1)), BySide(1, 3)),
        GameSheet((*OPENED, WinClaim(WHITE, 1)), BySide(1, 4)),
    )
    verdict = adjudicate(Sheet("sgf", BySide("Ann", "Ben"), 5, games))
    assert [game.crawford for game in verdict.games] == [False, False, True]


def test_a_sheet_that_is_wrong_about_the_crawford_game():
    games = (GameSheet((*OPENED, WinClaim(WHITE, 1)), BySide(0, 0), crawford=True),)
    verdict = adjudicate(Sheet("sgf", BySide("Ann", "Ben"), 5, games))
    assert codes(verdict) == ["crawford-mismatch"]


# ----------------------------------------------------------- what is agreed on


def test_lengths_and_variants():
    assert codes(adjudicate(sheet_of(*OPENED, WinClaim(WHITE, 1), length=None))) == ["no-length"]
    assert codes(adjudicate(sheet_of(*OPENED, WinClaim(WHITE, 1), length=None), Rules(length=5))) == []
    for length in (-5, 65, 10**9):
        assert codes(adjudicate(sheet_of(*OPENED, WinClaim(WHITE, 1), length=length))) == ["bad-length"]
    long_race = sheet_of(*OPENED, WinClaim(WHITE, 1), length=1, variant="Acey-deucey")
    assert codes(adjudicate(long_race)) == ["unknown-variant"]
    nack = sheet_of(
        Turn(WHITE, (2, 1), TurnKind.PLAY, (Hop((23, 20)),)), WinClaim(WHITE, 1), variant="NackGammon"
    )
    assert codes(adjudicate(nack)) == []
    assert codes(adjudicate(nack, Rules(length=5)))[0] == "wrong-variant"
    hyper = sheet_of(
        Turn(WHITE, (2, 1), TurnKind.PLAY, (Hop((24, 21)),)), length=5, variant="HyperGammon (3)"
    )
    assert adjudicate(hyper).findings[0].code == "unfinished-game"


def test_what_a_sheet_says_about_the_rules():
    rules = adjudicate(sheet_of(*OPENED, WinClaim(WHITE, 1), crawford=False, cube=False)).rules
    assert rules == Rules(length=5, crawford=False, cube=False)


def test_an_empty_game():
    verdict = adjudicate(sheet_of())
    assert [(each.code, each.ply, each.line) for each in verdict.findings] == [("unfinished-game", 0, None)]


def test_rows_after_the_result_of_a_game_whose_board_is_lost_are_not_those_of_the_next():
    rows = [
        PLAYED,
        "  2) 52: ????                    61: 13/7 8/7",
        wins(WHITE, 1),
        "  3) 31: 8/5 6/5                 42: 8/4 6/4",
        *game(2, 1, 0, "  1)                              Doubles => 2", "  2)  Drops"),
    ]
    verdict = judged(*rows)
    assert codes(verdict)[-2:] == ["play-after-end", "double-out-of-turn"]
