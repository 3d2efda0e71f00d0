"""SGF GM[6]: the tree, the claims of a game, the matches of a file, and writing it all again."""

from __future__ import annotations

import pytest

from engine import actions
from engine.board import HYPERGAMMON, NACKGAMMON, Board, Step
from engine.cube import Cube
from engine.dice import Dice
from engine.errors import Unreadable
from engine.formats import sgf, sgf_writer
from engine.formats.limits import LIMITS, Limits
from engine.formats.sgf_game import format_point, parse_point
from engine.formats.sgf_tree import escape_value, read_trees, unescape_value
from engine.record import Record
from engine.rules import Rules
from engine.sheet import CubeClaim, CubeWord, Hop, PositionClaim, Turn, TurnKind, WinClaim
from engine.side import BLACK, WHITE, BySide
from tests.engine.shared import OURS, Source, each_source, files

ROOT = "FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Ben]"


def sheet(*nodes, root=ROOT):
    (read,) = sgf.parse(f"(;{root}{''.join(';' + node for node in nodes)})".encode())
    return read


def claims(*nodes, root=ROOT):
    read = sheet(*nodes, root=root)
    assert read.remarks == ()
    return read.games[0].claims


def remarks(*nodes, root=ROOT):
    return [each.code for each in sheet(*nodes, root=root).remarks]


# The tree.


def trees(text, limits=LIMITS):
    return [(tree.whole, [node.values for node in tree.nodes]) for tree in read_trees(text, limits)]


def test_a_tree_is_its_main_line():
    text = "a letter (;A[1];B[2](;C[3](;D[4])(;E[5]))(;F[6](;G[7])))) and (;H[8][9]I[10])"
    assert trees(text) == [
        (True, [{"A": ["1"]}, {"B": ["2"]}, {"C": ["3"]}, {"D": ["4"]}]),
        (True, [{"H": ["8", "9"], "I": ["10"]}]),
    ]


def test_values_may_hold_anything():
    (tree,) = read_trees(r"(;C[(;\]\\ a\:b];N[])", LIMITS)
    assert tree.nodes[0].text("C") == r"(;]\ a:b"
    assert (tree.nodes[1].text("N"), tree.nodes[1].text("none")) == ("", "")
    assert unescape_value("a\\\nb\\\r\nc") == "abc"
    assert unescape_value(escape_value("[a]\\]")) == "[a]\\]"


def test_names_spelt_out_and_values_of_nobody():
    assert trees("(;White[a]Name[b]x[c];[d])([e];B[f])") == [
        (True, [{"W": ["a"], "N": ["b"]}, {}]),
        (True, [{"B": ["f"]}]),
    ]


def test_a_text_that_ends_too_early():
    assert trees("(;A[1];B[2") == [(False, [{"A": ["1"]}, {}])]
    assert trees("(;A[1](;B[2]") == [(False, [{"A": ["1"]}, {"B": ["2"]}])]
    assert trees("((((") == trees("") == trees("))") == trees("(())") == []


def test_places_are_lines_and_columns():
    (tree,) = read_trees("x\n (;A[1\n];B[2]\n;C[3])", LIMITS)
    assert [tuple(node.at) for node in tree.nodes] == [(2, 3), (3, 2), (4, 1)]


def test_depth_costs_nothing_and_length_is_bounded():
    assert trees("(;A[1]" + "(" * 50_000 + ")" * 50_001) == [(True, [{"A": ["1"]}])]
    with pytest.raises(Unreadable):
        trees("(" + ";" * 10, Limits(plies=9))


# The claims of a game.


def test_letters_count_one_way_for_both():
    assert [parse_point(letter, WHITE) for letter in "axyz"] == [1, 24, 25, 0]
    assert [parse_point(letter, BLACK) for letter in "axyz"] == [24, 1, 25, 0]
    for side in (WHITE, BLACK):
        assert [parse_point(format_point(point, side), side) for point in range(26)] == list(range(26))


def test_plays_as_gnu_backgammon_writes_them():
    read = claims("B[51ablq]", "W[55yttoojje]", "B[66]", "W[21xwmk]")
    assert read[0] == Turn(
        BLACK,
        (5, 1),
        TurnKind.PLAY,
        (Hop((24, 23)), Hop((13, 8))),
        at=(1, len(ROOT) + 3),
        text="51: 24/23 13/8",
    )
    assert [claim.text for claim in read] == [
        "51: 24/23 13/8",
        "55: bar/20 20/15 15/10 10/5",
        "66: Cannot Move",
        "21: 24/23 13/11",
    ]
    assert claims("W[66fzezdzcz]")[0].hops == (Hop((6, 0)), Hop((5, 0)), Hop((4, 0)), Hop((3, 0)))


def test_the_words_of_the_cube():
    read = claims("B[double]", "W[double]", "B[Double]", "W[double]", "B[take]", "W[double]", "B[drop]")
    assert [(claim.side, claim.word) for claim in read] == [
        (BLACK, CubeWord.DOUBLE),
        (WHITE, CubeWord.BEAVER),
        (BLACK, CubeWord.RACCOON),
        (WHITE, CubeWord.RACCOON),
        (BLACK, CubeWord.TAKE),
        (WHITE, CubeWord.DOUBLE),
        (BLACK, CubeWord.DROP),
    ]
    assert claims("B[double]", "B[double]")[1].word is CubeWord.DOUBLE


def test_automatic_doubles_stand_in_the_root():
    read = claims("W[31hefe]", root=ROOT + "CV[4]")
    assert read[:2] == (
        CubeClaim(None, CubeWord.AUTOMATIC, 2, (1, 2), "Automatic double => 2"),
        CubeClaim(None, CubeWord.AUTOMATIC, 4, (1, 2), "Automatic double => 4"),
    )
    assert len(claims(root=ROOT + "CV[9999999]")) == 20
    assert claims(root=ROOT + "CV[x]CP[c]PL[B]") == ()


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("W+2R", (WHITE, 2, True)),
        ("b+16", (BLACK, 16, False)),
        ("W+R", (WHITE, None, True)),
        ("B+", (BLACK, None, False)),
        ("Void", None),
        ("0", None),
    ],
)
def test_results(text, result):
    read = claims(root=ROOT + f"RE[{text}]")
    if result is None:
        assert read == ()
    else:
        (winning,) = read
        assert isinstance(winning, WinClaim)
        assert (winning.side, winning.points, winning.resigned) == result
        assert winning.match is (text in ("b+16", "W+R"))


def test_a_roll_before_a_resignation():
    (roll,) = claims("W[31hefe]", "PL[B]DI[62]")[1:]
    assert roll == Turn(BLACK, (6, 2), TurnKind.UNKNOWN, at=(1, len(ROOT) + 13), text="62: ????")
    # Without a player it is the other one's turn.
    assert claims("W[31hefe]", "DI[62]")[1].side is BLACK
    assert claims("DI[x]")[1:] == claims("DI[62]")[1:] == ()


def test_an_illegal_play_imported_from_a_score_sheet():
    placed = "PL[W]AE[a:y]AW[a][a][b]AB[x][x][y]"
    read = claims("W[31hefe]", "B[42lhsq]", "PL[W]DI[11]", placed, "B[double]", "W[drop]")
    assert read[2] == Turn(WHITE, (1, 1), TurnKind.UNKNOWN, at=read[2].at, text="11: ????")
    board = Board.from_counts({1: 2, 2: 1}, {1: 2, 25: 1})
    assert read[3] == PositionClaim(board, BLACK, None, declared_illegal=True, at=read[2].at)
    # At the end of a game the file does not name the next player, but it is not the one who moved.
    assert claims("W[31hefe]", "B[42lhsq]", "PL[W]DI[11]", placed)[3].turn is BLACK


POSITION = (
    "PL[B]DI[31]",
    "CP[b]",
    "CV[4]",
    "PL[B]AE[a:y]AW[c][c][d][d][e][e][f][f][f][g][g][h][h][m]AB[v][v][u][u][t][t][s][s][s][q][q][k][j]",
)


def test_a_position_set_up():
    board = Board.from_numbers(
        [0, 0, 0, 2, 2, 2, 3, 0, 2, 0, 0, 0, -1, 0, 1, 1, 0, -2, -2, -3, -2, -2, -2, 0, 0, 0], BLACK
    )
    placing, turn = claims(*POSITION, "B[31]")
    assert placing == PositionClaim(board, BLACK, Cube(4, BLACK), at=placing.at)
    # GNU Backgammon writes the roll again as a play of nothing; it is still to be played.
    assert (turn.kind, turn.dice) == (TurnKind.NOTHING, (3, 1))
    placing, turn = claims(*POSITION, "B[13jhkj]")
    assert (turn.kind, turn.dice) == (TurnKind.PLAY, (1, 3))
    assert [type(claim) for claim in claims(*POSITION)] == [PositionClaim, Turn]
    root = ROOT + "PL[B]CO[c]CV[2]AE[a:y]AW[a]AB[w:x]"
    assert claims(root=root) == (
        PositionClaim(Board.from_counts({1: 1}, {1: 1, 2: 1}), BLACK, Cube(2), at=(1, 2)),
    )


def test_points_are_added_and_emptied():
    (placing,) = claims("PL[W]AE[a]AW[b][b]AB[y]AE[m:m]", "AW[c]")
    assert placing.board.points(BLACK)[24:] == (0, 1)
    assert (placing.board.count(WHITE, 2), placing.board.count(WHITE, 3), placing.board.count(WHITE, 13)) == (
        2,
        1,
        0,
    )
    # A set-up in the middle of a game changes the position after the plays since the last set-up.
    read = claims("PL[W]AE[x]", "W[31hefe]", "B[double]", "W[take]", "CP[w]CV[2]", "B[42lhsq]")
    assert (read[4].cube, read[4].turn) == (Cube(2, WHITE), BLACK)
    assert read[4].board.count(WHITE, 24) == 0
    assert read[4].board.count(WHITE, 5) == 2


def test_what_cannot_be_read_or_be_is_remarked_upon():
    assert remarks("W[7]", "B[pass]", "W[51A]") == ["unread-line"] * 3
    assert remarks("AW[a:x]") == ["bad-position"]
    assert remarks("AE[a:y]AW" + "[a:x]" * 20_000) == ["bad-position"]
    assert remarks("CV[3]") == ["bad-position"]
    assert remarks("W[31aaaa]", "CV[2]") == ["bad-position"]
    assert remarks("W[31aaaa]", "AE[a]") == ["bad-position"]
    assert remarks("AE[ab]AW[]") == []
    (read,) = sgf.parse(f"(;{ROOT};W[31hefe]".encode())
    assert [(each.code, each.game) for each in read.remarks] == [("unread-line", 0)]
    # Dice are claims: they may show what no dice show.
    assert claims("W[79]")[0].dice == (7, 9)


# The matches of a file.


def test_what_a_root_says():
    read = sheet(
        root=ROOT
        + "DT[2023-09-05]PC[Club \\] room]EV[Cup]RO[2]AN[Cy]WR[1800]BR[1700]GC[ ]XX[y]GS[M:1]RU[NoCube:Crawford:Nackgammon]"
    )
    assert (read.format, read.dialect, read.length, read.names) == (
        "sgf",
        "GNU Backgammon",
        5,
        BySide("Ann", "Ben"),
    )
    assert dict(read.tags) == {
        "EventDate": "2023.09.05",
        "Site": "Club ] room",
        "Event": "Cup",
        "Round": "2",
        "Transcriber": "Cy",
        "Player 1 Elo": "1800",
        "Player 2 Elo": "1700",
        "Comment": " ",
        "XX": "y",
    }
    assert (read.crawford, read.jacoby, read.cube, read.variant) == (True, None, False, "Nackgammon")
    assert (read.games[0].score, read.games[0].crawford) == (BySide(0, 0), False)


def test_long_texts_are_cut():
    read = sheet(root=f"GM[6]PW[{'a ' * 9_000}]EV[{'b' * 9_000}]{'X' * 9_000}[c]")
    assert (len(read.names.white), len(read.tags[0][1]), len(read.tags)) == (200, 1_000, 1)


def test_the_rules_where_they_are_not_said():
    assert sheet().crawford is False  # GNU Backgammon would have said so
    assert sheet(root="GM[6]MI[length:5]").crawford is None
    assert sheet(root="GM[6]MI[length:1]RU[]").crawford is None
    money = sheet(root="GM[6]RU[Jacoby]PW[]")
    assert (money.length, money.jacoby, money.crawford, money.names) == (0, True, None, BySide("", ""))
    assert sheet("W[31]", root=ROOT + "RU[Hypergammon3]").variant == "Hypergammon3"


def game(index, score=(0, 0), length=5, white="Ann", more=""):
    mi = f"MI[length:{length}][game:{index}][ws:{score[0]}][bs:{score[1]}]" if index is not None else ""
    return f"(;GM[6]{mi}PW[{white}]PB[Ben]{more})"


def matches(*games):
    return [len(read.games) for read in sgf.parse("\n".join(games).encode())]


def test_games_are_put_together_to_matches():
    assert matches(game(0), game(1, (2, 0)), game(3, (2, 2))) == [3]
    assert matches(game(1), game(2, (2, 0))) == [2]
    assert matches(game(1, (1, 0)), game(2, (2, 0))) == [2]
    assert matches(game(0), game(1), game(0)) == [2, 1]
    assert matches(game(0), game(0)) == [1, 1], "both were decided in one game"
    assert matches(game(0, length=0), game(0, length=0)) == [2], "in unlimited play it is the next game"
    assert matches(game(0), game(0, length=7), game(0, white="Cy", length=7)) == [1, 1, 1]
    assert matches("(;GM[6]PW[Ann])(;GM[6])") == [2]
    read = sgf.parse((game(0) + game(1, more="CV[3]") + game(2, more=";W[x]")).encode())[0]
    assert [each.game for each in read.remarks] == [2]


def test_other_games_and_no_game():
    with pytest.raises(Unreadable) as caught:
        sgf.parse(b"(;FF[4]GM[1]SZ[19];B[pd])")
    assert caught.value.code == "other-game"
    with pytest.raises(Unreadable) as caught:
        sgf.parse(b"(GM[6])")
    assert caught.value.code == "no-game"
    assert sgf.sniff(b"\xef\xbb\xbf( ;FF[4]GM[1])")
    assert not sgf.sniff(b"(;)")
    assert not sgf.sniff(b" Game 1\n (;FF[ : 0      Bo : 0\n")
    assert not sgf.sniff(b"; [Event]\n(;GM[6])")


@pytest.mark.parametrize("limit", [{"games": 2}, {"matches": 1}, {"claims": 2}, {"plies": 1}, {"bytes": 99}])
def test_limits(limit):
    text = game(0, more=";W[31];B[31]") + game(1, more=";W[31]") + game(0)
    with pytest.raises(Unreadable) as caught:
        sgf.parse(text.encode(), Limits(**limit))
    assert caught.value.code == "too-much"


def test_latin_files():
    (read,) = sgf.parse("(;GM[6]PW[Bjørn])".encode("cp1252"))
    assert read.names.white == "Bjørn"


# Writing.

OPENING = (
    actions.Opened(3, 3),
    actions.Opened(1, 5),
    actions.Played(BLACK, (Step(24, 23), Step(13, 8))),
)


def written(*facts, rules=None, tags=()):
    return sgf_writer.write(Record(BySide("A ]", "B"), rules or Rules(length=3), facts, tags)).decode()


def test_a_game_is_written_as_gnu_backgammon_writes_it():
    text = written(
        *OPENING,
        actions.Doubled(WHITE),
        actions.Took(BLACK),
        actions.Rolled(WHITE, Dice(2, 1)),
        actions.ResignOffered(WHITE, 2),
        actions.ResignAccepted(BLACK),
        tags=(("EventDate", "2023.09.05"), ("Site", "Club"), ("Variation", "x"), ("XX", "y")),
    )
    assert text.partition("MI")[2] == (
        "[length:3][game:0][ws:0][bs:0]PW[A \\]]PB[B]DT[2023-09-05]PC[Club]XX[y]RU[Crawford]RE[B+4R]\n"
        ";B[51ablq]\n;W[double]\n;B[take]\n;PL[W]DI[21])\n"
    )


@pytest.mark.parametrize(
    ("named", "ratings"),
    [
        ({}, "WR[1800]BR[1700]"),
        ({"Player 1": "a ]", "Player 2": "b"}, "WR[1800]BR[1700]"),
        ({"Player 2": "B"}, "WR[1800]BR[1700]"),
        ({"Player 1": "b", "Player 2": "a ]"}, "BR[1800]WR[1700]"),
        ({"Player 2": "A ]"}, "BR[1800]WR[1700]"),
        ({"Player 1": "Cy", "Player 2": "Dan"}, ""),
    ],
)
def test_ratings_go_to_the_player_that_the_tags_name(named, ratings):
    tags = {**named, "Player 1 Elo": "1800", "Player 2 Elo": "1700"}
    assert f"PB[B]{ratings}RU[" in written(*OPENING, tags=tuple(tags.items()))


def test_the_second_game_and_its_rules():
    text = written(*OPENING, actions.Doubled(WHITE), actions.Dropped(BLACK), actions.Opened(2, 1))
    assert "RE[W+1]\n" in text
    assert "MI[length:3][game:1][ws:1][bs:0]" in text
    text = written(actions.RuledScore(BySide(2, 0)), actions.Opened(2, 1))
    assert "[ws:2][bs:0]PW[A \\]]PB[B]RU[Crawford:CrawfordGame]\n;PL[W]DI[21])" in text
    text = written(
        actions.Opened(1, 1),
        actions.Opened(2, 1),
        rules=Rules(length=0, crawford=False, cube=False, jacoby=True, automatic_doubles=1, start=NACKGAMMON),
    )
    assert "RU[NoCube:Jacoby:Nackgammon]CV[2]C[Agreed as well. " in text


def test_beavers_positions_and_games_declared_void():
    money = Rules.unlimited(beavers=True, start=HYPERGAMMON)
    text = written(actions.Opened(1, 2), actions.VoidedGame(), actions.Opened(2, 1), rules=money)
    assert text.endswith(
        'RU[Jacoby:Hypergammon3]C[Agreed as well. {"v": 1, "rules": {"beavers": true}}]\n;PL[W]DI[21])\n'
    )
    board = Board.from_counts({25: 1, 1: 1}, {22: 2})
    placed = actions.RuledPosition(board, BLACK, Cube(2, WHITE))
    text = written(actions.Opened(1, 2), placed, rules=Rules.unlimited())
    assert text.endswith("\n;PL[B]DI[21]\n;CP[w]\n;CV[2]\n;PL[B]AE[a:y]AW[a][y]AB[c][c])\n")
    rolled = actions.RuledPosition(board, BLACK, Cube(), Dice(6, 6))
    assert "\n;CP[c]\n;CV[1]\n;PL[B]AE[a:y]AW[a][y]AB[c][c]\n;C[The position was set, B to play 6-6. {" in (
        written(rolled)
    )
    empty = actions.RuledPosition(Board.from_counts({1: 1}, {}), WHITE, Cube())
    assert written(empty).endswith("AE[a:y]AW[a])\n")
    text = written(
        *OPENING,
        actions.Doubled(WHITE),
        actions.Beavered(BLACK),
        actions.Took(WHITE),
        rules=Rules.unlimited(beavers=True),
    )
    assert text.endswith("\n;W[double]\n;B[double]\n;W[take])\n")
    assert "RE[B+3R]" in written(actions.Conceded(WHITE)).partition("MI")[2]
    assert "RE[B+3R]" in written(*OPENING, actions.Conceded(WHITE))


@each_source
def test_every_file_of_a_program_is_read(source: Source):
    read = 0
    for name, data in files(source.played):
        if name.endswith(".sgf") and (source is OURS or hash_of(name) % 6 == 0):
            (match,) = sgf.parse(data)
            assert sgf.sniff(data)
            assert match.remarks == ()
            assert all(isinstance(game.claims[-1], WinClaim) for game in match.games)
            read += 1
    assert read == 10 if source is OURS else read > 50


def hash_of(name):
    return sum(name.encode())
