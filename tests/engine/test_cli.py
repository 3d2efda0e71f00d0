"""``python -m engine``, from the arguments to the exit status."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import runpy
import signal
import subprocess
import sys
import zipfile
from concurrent.futures import Future
from pathlib import Path

import pytest

from engine.cli import adjudicate, main, positions, records, terminal
from engine.cli.sources import Source
from engine.errors import Impossible
from engine.fair_log import FairLog
from engine.game import Termination
from engine.match import GameResult
from engine.side import BySide
from tests.engine.shared import OURS, RECORDS, each_source, long_run
from tests.engine.test_fair import A, B, ByParty, chains, changed, epoch_of, match_log, rolled

ROOT = Path(__file__).resolve().parents[2]

# Ann opens, is doubled, takes and redoubles; Bob drops, and a match to 2 is over.
MATCH = """\
; [Site "Club"]

 2 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                  Doubles => 2
  2)  Takes                       62: 24/18 13/11
  3)  Doubles => 4                Drops
      Wins 2 points and the match
"""
UNFINISHED = MATCH.replace("2 point match", "4 point match").replace(" and the match", "")
PLAYED = """\
 3 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 65: 24/13                    54: 13/8 13/9
  2) 62: 24/18 13/11              Doubles => 2
  3)  Drops
                                  Wins 1 point
"""
REJECTED = MATCH.replace("62: 24/18 13/11", "62: 24/18 13/12")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {"good.mat": MATCH, "noted.mat": UNFINISHED, "bad.mat": REJECTED}.items():
        Path(name).write_text(text)
    Path("noise.txt").write_text("nothing of the kind")
    return tmp_path


@pytest.fixture
def run(capsys):
    """Run a command; return its exit status, its answer and its complaints."""

    def run(*arguments):
        try:
            status = main([str(each) for each in arguments])
        except SystemExit as ended:
            status = ended.code
        out, err = capsys.readouterr()
        return status, out, err

    return run


@pytest.fixture
def standard_input(monkeypatch):
    def give(data):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return give


# -- adjudicate ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "status"),
    [
        (["good.mat"], 0),
        (["noted.mat"], 0),
        (["good.mat", "noted.mat"], 0),
        (["bad.mat"], 1),
        (["noise.txt"], 1),
        (["good.mat", "bad.mat"], 1),
        (["nowhere.mat"], 2),
        ([], 2),
        (["good.mat", "--length", "-1"], 2),
        (["good.mat", "--jobs", "many"], 2),
        (["good.mat", "--start", "chess"], 2),
    ],
)
def test_the_exit_status_says_whether_all_is_accepted(folder, run, names, status):
    assert run("adjudicate", *names)[0] == status


def test_a_verdict_for_people(folder, run):
    _, out, err = run("adjudicate", "good.mat", "bad.mat", "noise.txt")
    lines = out.splitlines()
    assert lines[0] == "good.mat: accepted, Ann 2, Bob 0, match to 2"
    assert lines[1].startswith("bad.mat: rejected, ")
    assert lines[2].startswith("  fault: line 8: Game 1, roll 2: with 6-2 Bob played 24/18 13/12")
    assert lines[2].endswith("[dice-mismatch]")
    assert lines[3].startswith("    legal and nearest to it: ")
    assert lines[-2] == "noise.txt: unreadable"
    assert err == "3 records: 1 accepted, 1 rejected, 1 unreadable\n"


def test_quiet_leaves_out_what_stands_and_diagrams_show_the_board(folder, run):
    _, out, _ = run("adjudicate", "--quiet", "--diagrams", ".")
    assert "good.mat" not in out
    assert "noted.mat" not in out
    assert "./bad.mat: rejected" in out
    assert "+13-14-15-16-17-18-+" in out


def test_a_line_a_file_for_programs(folder, run):
    status, out, err = run("adjudicate", "--jsonl", "good.mat", "bad.mat", "noise.txt")
    good, bad, noise = map(json.loads, out.splitlines())
    assert (status, err) == (1, "")
    assert good == {
        "file": "good.mat",
        "verdict": "accepted",
        "format": "mat",
        "length": 2,
        "players": ["Ann", "Bob"],
        "score": [2, 0],
        "winner": 0,
        "games": [
            {
                "winner": 0,
                "points": 2,
                "kind": "single",
                "how": "drop",
                "cube": 2,
                "crawford": False,
                "plies": 2,
            }
        ],
        "findings": [],
    }
    (finding,) = bad["findings"]
    assert bad["verdict"] == "rejected"
    assert {"code", "rule", "severity", "game", "ply", "line", "message"} <= finding.keys()
    assert (finding["code"], finding["rule"], finding["severity"]) == ("dice-mismatch", "R12", "fault")
    assert (finding["game"], finding["ply"], finding["line"]) == (1, 2, 8)
    assert (noise["verdict"], noise["findings"][0]["code"]) == ("unreadable", "unknown-format")


def test_each_match_of_a_file_has_its_line(folder, run):
    position = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10\n"
    Path("several.txt").write_text(position * 3)
    _, out, _ = run("adjudicate", "--jsonl", "several.txt")
    assert [json.loads(line)["file"] for line in out.splitlines()] == [
        "several.txt",
        "several.txt#2",
        "several.txt#3",
    ]


@pytest.mark.parametrize("jobs", [1, 2])
def test_folders_archives_and_standard_input(folder, run, standard_input, jobs):
    with zipfile.ZipFile("evening.zip", "w") as archive:
        archive.writestr("table 1/first.mat", MATCH)
        archive.writestr("second.mat", REJECTED)
    Path("packed.gz").write_bytes(gzip.compress(MATCH.encode()))
    standard_input(MATCH.encode())
    status, out, _ = run("adjudicate", "--jobs", jobs, "--jsonl", ".", "-", "good.mat")
    verdicts = {each["file"]: each["verdict"] for each in map(json.loads, out.splitlines())}
    assert status == 1
    assert list(verdicts.items()) == [
        ("./bad.mat", "rejected"),
        ("./evening.zip/table 1/first.mat", "accepted"),
        ("./evening.zip/second.mat", "rejected"),
        ("./good.mat", "accepted"),
        ("./noise.txt", "unreadable"),
        ("./noted.mat", "noted"),
        ("./packed.gz", "accepted"),
        ("-", "accepted"),
        ("good.mat", "accepted"),
    ]


def test_many_files_go_through_the_window_in_order(monkeypatch):
    class AtOnce:
        def __init__(self, jobs, initializer):
            initializer()

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def submit(self, work, *arguments):
            future = Future()
            future.set_result(work(*arguments))
            return future

    monkeypatch.setattr(adjudicate, "ProcessPoolExecutor", AtOnce)
    monkeypatch.setattr(adjudicate.signal, "signal", lambda *_: None)
    found = iter([Source(str(number), data=MATCH.encode()) for number in range(200)])
    answers = list(adjudicate._adjudicate_sources(adjudicate.JudgingOptions({}), found, jobs=2))
    assert [answer.text.split(":")[0] for (answer,) in answers] == list(map(str, range(200)))


@pytest.mark.parametrize(
    ("name", "options", "code"),
    [
        ("good.mat", ["--length", "3"], "wrong-length"),
        ("good.mat", ["--length", "0"], "wrong-length"),
        ("good.mat", ["--no-cube"], "no-cube"),
        ("good.mat", ["--start", "hypergammon"], "empty-source"),
        ("good.mat", ["--start", "0 -2" + " 0" * 22 + " 2 0"], "empty-source"),
        ("good.mat", ["--dead-cube", "warned"], "dead-cube"),
    ],
)
def test_rules_may_be_given(folder, run, name, options, code):
    _, out, _ = run("adjudicate", "--jsonl", *options, name)
    assert code in [finding["code"] for finding in json.loads(out)["findings"]]


def test_rules_that_change_nothing_are_no_matter(folder, run):
    run("convert", "good.mat", "--to", "json", "-o", "good.json")
    options = ["--length", "2", "--crawford", "--no-gammons", "--jacoby", "--start", "standard"]
    for name in ("good.mat", "good.json"):
        assert run("adjudicate", *options, name)[0] == 0


def test_what_the_engine_refuses_is_said_of_the_file(folder, run, monkeypatch):
    def refusing(data):
        raise Impossible("bad-position", "There is no such board.")

    monkeypatch.setattr(adjudicate, "judge", refusing)
    _, out, _ = run("adjudicate", "--jsonl", "good.mat")
    assert json.loads(out)["findings"][0]["code"] == "bad-position"


def test_a_fault_of_ours_stops_one_file_and_not_the_others(folder, run, monkeypatch):
    def broken(data):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(adjudicate, "judge", broken)
    status, out, _ = run("adjudicate", "--jsonl", "good.mat", "noted.mat")
    assert status == 1
    assert [json.loads(line)["findings"][0]["code"] for line in out.splitlines()] == ["internal-error"] * 2


def test_names_from_strangers_cannot_steer_the_terminal(folder, run):
    Path("rude.mat").write_text(MATCH.replace("Ann", "\x1b[2JAnn"))
    _, out, _ = run("adjudicate", "rude.mat")
    assert "\x1b" not in out
    assert out.startswith("rude.mat: ")


# -- the bar ------------------------------------------------------------------------------------------


class Screen(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_is_drawn_for_whoever_looks(folder, run, monkeypatch):
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    run("adjudicate", "--jsonl", "good.mat", "noted.mat", "good.mat")
    assert "[####################..........] 2 of 3" in screen.getvalue()
    assert screen.getvalue().endswith("\r\x1b[K")
    screen.truncate(0)
    run("adjudicate", "--jsonl", "good.mat")
    assert "of" not in screen.getvalue()


def test_an_archive_may_hold_more_than_was_known():
    assert terminal.format_bar(5, 2) == f"[{'#' * 30}] 5 of 5"


# -- convert, show, diff ------------------------------------------------------------------------------


def test_convert_writes_what_reads_the_same(folder, run):
    for name in ("sgf", "json", "mat"):
        assert run("convert", "good.mat", "--to", name, "-o", f"out.{name}")[0] == 0
        assert run("diff", "good.mat", f"out.{name}") == (0, "", "")
    status, out, _ = run("convert", "good.mat", "--to", "mat")
    assert (status, out.encode()) == (0, Path("out.mat").read_bytes())
    assert run("convert", "noted.mat", "--to", "gnubg-id")[0] == 0


def test_convert_refuses_what_is_rejected_unless_forced(folder, run):
    status, out, err = run("convert", "bad.mat", "--to", "sgf")
    assert (status, out) == (1, "")
    assert "with 6-2 Bob played" in err
    assert "--force" in err
    status, out, _ = run("convert", "bad.mat", "--to", "sgf", "--force")
    assert status == 0
    assert out.startswith("(;")


def test_a_record_may_come_from_standard_input(run, standard_input):
    standard_input(MATCH.encode())
    assert run("convert", "-", "--to", "mat")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "status", "word"),
    [
        (["convert", "noise.txt", "--to", "mat"], 1, "no record"),
        (["convert", "good.mat", "--to", "mat", "--match", "2"], 2, "holds 1 and not 2"),
        (["convert", "good.mat", "--to", "mat", "-o", "no/such/place.mat"], 2, "cannot be written"),
        (["convert", "good.mat", "--to", "xg"], 2, "invalid choice"),
        (["convert", ".", "--to", "mat"], 2, "is a folder"),
        (["show", "nowhere.mat"], 2, "no nowhere.mat"),
        (["show", "good.mat", "--game", "0"], 2, "no number"),
        (["diff", "good.mat", "noise.txt"], 2, "no record"),
        (["perft", "--depth", "9"], 2, "invalid choice"),
        (["verify-dice", "good.mat"], 1, "no JSON"),
        (["dance"], 2, "invalid choice"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(folder, run, arguments, status, word):
    ended, out, err = run(*arguments)
    assert (ended, out) == (status, "")
    assert word in err


def test_show_tells_the_match(folder, run):
    status, out, _ = run("show", "good.mat", "--no-boards")
    assert status == 0
    assert out.splitlines() == [
        "",
        "Game 1: Ann 0, Bob 0, match to 2",
        "",
        "Ann throws 3, Bob throws 1",
        "Ann plays 8/5 6/5",
        "Bob doubles to 2",
        "Ann takes",
        "Bob rolls 6-2",
        "Bob plays 24/18 13/11",
        "Ann doubles to 4",
        "Bob drops",
        "Ann wins 2 points",
    ]
    assert run("show", "good.mat")[1].count("+13-14-15-16-17-18-+") == 3
    assert run("show", "good.mat", "--game", "2")[1] == ""
    status, out, _ = run("show", "bad.mat")
    assert status == 1
    assert "fault: Game 1, roll 2" in out


def test_show_knows_every_kind_of_fact(folder, run):
    """A journal with facts that no score sheet can express."""
    facts = [
        {"fact": "opened", "white": 4, "black": 4},
        {"fact": "opened", "white": 6, "black": 4},
        {"fact": "played", "side": "white", "steps": [[24, 18], [13, 9]]},
        {"fact": "resign-offered", "side": "black", "level": 2},
        {"fact": "resign-declined", "side": "white"},
        {"fact": "ruled-game", "winner": "white", "points": 1, "reason": "a checker too many"},
        {"fact": "paused"},
        {"fact": "resumed"},
        {
            "fact": "ruled-position",
            "board": "white 6:2 off:13 black bar:1 1:14",
            "turn": "black",
            "cube": {"value": 1, "owner": None},
        },
        {"fact": "rolled", "side": "black", "dice": "66"},
        {"fact": "played", "side": "black"},
        {"fact": "voided-match", "reason": "a spilt drink"},
    ]
    record = {
        "format": "barpoint-record",
        "version": 1,
        "players": ["Ann", ""],
        "rules": {"length": 2},
        "tags": [],
        "actions": [{"v": 1} | fact for fact in facts],
    }
    Path("journal.json").write_text(json.dumps(record))
    _, out, _ = run("show", "journal.json")
    for sentence in (
        "Ann throws 4, Black throws 4, and again",
        "Black offers to lose a gammon",
        "Ann plays on",
        "Ruled game: winner white, points 1, reason a checker too many",
        "Ann wins 1 point",
        "Game 2: Ann 1, Black 0, match to 2, Crawford game",
        "Paused\n",
        "Black rolls 6-6\nBlack cannot move\n",
        "Voided match: reason a spilt drink",
    ):
        assert sentence in out, sentence


def test_a_game_may_have_no_winner():
    result = GameResult(None, 0, 1, Termination.VOID, 1, False, BySide(0, 0))
    assert records.describe_ending(result, BySide("Ann", "Bob")) == "The game does not count"


def test_diff_finds_where_two_records_part(folder, run):
    Path("other.mat").write_text(MATCH.replace("24/18 13/11", "24/16"))
    status, out, _ = run("diff", "good.mat", "other.mat")
    assert status == 1
    assert out.startswith("They part in game 1, roll 2.\n")
    assert out.endswith("good.mat: Bob plays 24/18 13/11\nother.mat: Bob plays 24/16\n")

    status, out, _ = run("diff", "good.mat", "noted.mat")
    assert (status, out.splitlines()[0]) == (1, "They are played under different rules.")

    Path("short.mat").write_text("\n".join(MATCH.splitlines()[:8]))
    status, out, _ = run("diff", "short.mat", "good.mat")
    assert status == 1
    assert "short.mat: ends here\ngood.mat: Ann doubles to 4\n" in out

    Path("later.mat").write_text(MATCH.replace("62:", "53:").replace("24/18 13/11", "8/3 6/3"))
    assert "roll 2" in run("diff", "good.mat", "later.mat")[1]


# -- plays and perft ----------------------------------------------------------------------------------


def test_plays_are_listed(run):
    status, out, _ = run("plays", "standard", "65", "--ids")
    assert status == 0
    assert out.splitlines()[0] == "white has 7 plays of 6-5"
    assert out.splitlines()[1].split() == ["1", "24/13", "4HPwAyDgc/ABMA"]
    _, out, _ = run("plays", "XGID=-b----E-C---eE---c-e----B-:0:0:-1:52:0:0:0:7:10", "--diagram")
    assert "+13-14-15-16-17-18-+" in out
    assert "white has " in out
    _, out, _ = run("plays", "0" + " 0" * 18 + " -2" * 6 + " 1", "66")
    assert out == "white has no play of 6-6\n"
    _, out, _ = run("plays", "0 1" + ", 0" * 24, "6-5")
    assert out == "white has 1 play of 6-5\n   1  1/off\n"


@pytest.mark.parametrize(
    "arguments",
    [[], ["standard"], ["standard", "71"], ["standard", "six"], ["nonsense", "65"], ["0 " * 26, "65"]],
)
def test_plays_of_what_cannot_be_are_refused(run, arguments):
    status, out, err = run("plays", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("python -m engine: ")


def test_plays_answers_lines(run, standard_input):
    start = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
    closed = [0] * 19 + [-2] * 6 + [1]
    questions = [
        json.dumps({"b": start, "d": [5, 6], "other": "keys are no matter"}),
        "",
        json.dumps({"b": closed, "d": [6, 6]}),
        "{",
        json.dumps({"b": start}),
        json.dumps({"b": start[:25], "d": [6, 5]}),
        json.dumps({"b": start, "d": [6, 7]}),
        json.dumps({"b": [1.5, *start[1:]], "d": [6, 5]}),
        json.dumps({"b": "x", "d": [6, 5]}),
        "[" * 30_000,
        json.dumps({"b": start, "d": [True, 5]}),
    ]
    standard_input("\n".join(questions).encode())
    status, out, err = run("plays", "--jsonl")
    first, second, *refused = map(json.loads, out.splitlines())
    assert status == 1
    assert (first["n"], len(first["r"])) == (2, 7)
    assert first["r"] == sorted(first["r"])
    assert second == {"n": 0, "r": ["-------------------bbbbbbA"]}
    assert [answer["error"]["code"] for answer in refused] == [
        "bad-question",
        "bad-question",
        "bad-position",
        "illegal-dice",
        *["bad-question"] * 4,
    ]
    assert err.startswith("line 4: A question looks like ")


def test_perft_counts(run):
    assert run("perft", "--depth", "1") == (0, "1 447\n", "")
    _, out, _ = run("perft", "hypergammon", "--by-roll")
    counts = dict(line.split() for line in out.splitlines())
    assert len(counts) == 21
    assert sum(map(int, counts.values())) == 38017


@each_source
def test_plays_agree_with_the_oracle_line_by_line(run, standard_input, source):
    data = source.plays.read_bytes()
    lines = (gzip.decompress(data) if source.plays.suffix == ".gz" else data).splitlines()[::5]
    standard_input(b"\n".join(lines))
    status, out, _ = run("plays", "--jsonl")
    assert status == 0
    answers = list(map(json.loads, out.splitlines()))
    assert answers == [{key: json.loads(line)[key] for key in ("n", "r")} for line in lines]


def test_every_sample_is_accepted(run):
    status, out, _ = run("adjudicate", "--jsonl", *sorted(OURS.played.glob("*.mat")))
    assert status == 0
    verdicts = [json.loads(line) for line in out.splitlines()]
    assert [each["verdict"] for each in verdicts] == ["accepted"] * 10


@long_run
@pytest.mark.slow
def test_every_match_of_an_archive_is_accepted(run):
    status, out, _ = run("adjudicate", "--jsonl", "--jobs", "2", RECORDS / "gnubg" / "gnubg-matches.tar.gz")
    assert status == 0
    with (RECORDS / "gnubg" / "matches.csv").open() as file:
        matches = sum(1 for _ in csv.DictReader(file))
    verdicts = [json.loads(line) for line in out.splitlines()]
    assert sum(each["file"].endswith(".mat") for each in verdicts) == matches
    assert {each["verdict"] for each in verdicts} == {"accepted"}


# -- verify-dice --------------------------------------------------------------------------------------


def write_log(log, name="dice.json"):
    Path(name).write_text(log.text())
    return name


def test_true_dice_hold(folder, run):
    log = match_log()
    status, out, _ = run("verify-dice", write_log(log))
    assert status == 0
    assert out.splitlines() == [
        "Match m1: ann and bob on club.example",
        "8 rolls: 6 strict, 2 sealed",
        f"Every roll holds. Digest {log.computed_digest().hex()}",
    ]
    status, out, _ = run("verify-dice", "--json", "dice.json")
    assert status == 0
    assert json.loads(out)["holds"]
    assert (
        run("verify-dice", write_log(FairLog("m", log.users, log.epochs[:0], ())))[1].splitlines()[1]
        == "0 rolls"
    )


def test_the_first_roll_that_fails_is_named(folder, run):
    status, out, _ = run("verify-dice", write_log(changed(match_log(), 3, dice=(6, 6))))
    assert status == 1
    assert out.splitlines()[-2:] == [
        "  roll 3: The shares make 5-4, not 6-6.",
        "The dice do not hold: The shares make 5-4, not 6-6.",
    ]
    write_log(match_log())
    Path("dice.json").write_text(Path("dice.json").read_text().replace("sealed", "strict", 1))
    status, out, _ = run("verify-dice", "dice.json")
    assert status == 1
    assert "  document: The document is not the one its digest names." in out


def test_weaker_rolls_and_early_chains_are_said(folder, run):
    first, second = chains(), chains(seeds=(12, 13, 11))
    epochs = (
        epoch_of(first, without=(A,), seeds=ByParty("four leaves", None, None)),
        epoch_of(second, first=2, reason="a new telephone"),
    )
    rolls = (
        rolled(epochs[0], first, 1, None, without=(A, B)),
        rolled(epochs[1], second, 2, None),
    )
    status, out, _ = run(
        "verify-dice", write_log(FairLog("m1", ByParty("ann", "bob", "club.example"), epochs, rolls))
    )
    assert status == 0
    assert "2 rolls: 1 strict, 1 weaker" in out
    assert "  roll 1: ann typed words instead of a secret share" in out
    assert "  roll 1: bob gave no share" in out
    assert "  note, roll 2: New chains were begun before the old ones were used up: a new telephone." in out


def test_the_dice_are_those_of_the_record(folder, run):
    """The vector's rolls 2 to 4 are 6-5 for A, 5-4 for B and 6-2 for A."""
    Path("played.mat").write_text(PLAYED)
    assert run("adjudicate", "played.mat")[0] == 0
    write_log(match_log(4))
    status, out, _ = run("verify-dice", "dice.json", "--record", "played.mat")
    assert (status, out.splitlines()[-1]) == (0, "played.mat was played with these dice.")
    write_log(match_log(5))
    status, out, _ = run("verify-dice", "dice.json", "--record", "played.mat")
    assert status == 1
    assert out.splitlines()[-1] == "Roll 4 that counts is missing in the record and black's 6-2 in the dice."
    Path("other.mat").write_text(PLAYED.replace("54: 13/8 13/9", "53: 13/8 13/10"))
    write_log(match_log(4))
    status, out, _ = run("verify-dice", "dice.json", "--record", "other.mat", "--json")
    assert status == 1
    assert (
        json.loads(out)["record"]
        == "Roll 2 that counts is black's 5-3 in the record and black's 5-4 in the dice."
    )


# -- the edges of a process ---------------------------------------------------------------------------


def test_every_command_has_help_with_examples(run):
    status, out, _ = run("--help")
    assert status == 0
    for command in ("adjudicate", "convert", "show", "plays", "perft", "verify-dice", "diff"):
        assert command in out
        status, text, _ = run(command, "--help")
        assert status == 0
        assert f"examples:\n  python -m engine {command}" in text
    assert run("--version")[1].startswith("barpoint engine ")


def test_an_interrupt_ends_quietly(run, monkeypatch):
    def interrupted(text):
        raise KeyboardInterrupt

    monkeypatch.setattr(positions, "read_position", interrupted)
    assert run("plays", "standard", "65") == (130, "", "")


class Gone(io.StringIO):
    """A pipe whose reader has left."""

    def __init__(self, path):
        super().__init__()
        self.file = path.open("w")

    def write(self, text):
        raise BrokenPipeError

    def fileno(self):
        return self.file.fileno()


def test_a_reader_that_leaves_ends_it_quietly(tmp_path, monkeypatch):
    gone = Gone(tmp_path / "pipe")
    monkeypatch.setattr(sys, "stdout", gone)
    assert main(["plays", "standard", "65"]) == 141
    assert os.path.sameopenfile(gone.fileno(), os.open(os.devnull, os.O_RDONLY))
    gone.file.close()


def start(*arguments, **options):
    return subprocess.Popen(
        [sys.executable, "-m", "engine", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **options,
    )


@pytest.mark.long
def test_a_real_process_is_interrupted():
    process = start("plays", "--jsonl")
    question = {"b": [0] * 24 + [1, 1], "d": [2, 1]}
    process.stdin.write(json.dumps(question).encode() + b"\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["n"] == 2
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert (process.returncode, err) == (130, b"")


def test_a_real_reader_leaves(tmp_path):
    question = json.dumps({"b": [0, -2, *[0] * 22, 1, 1], "d": [2, 1]}).encode() + b"\n"
    process = start("plays", "--jsonl")
    process.stdin.write(question)
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.close()
    process.stdin.write(question * 10)
    process.stdin.close()
    assert (process.wait(), process.stderr.read()) == (141, b"")
    process.stderr.close()


def test_names_in_any_script_reach_a_terminal_of_any_kind(tmp_path):
    (tmp_path / "match.mat").write_text(MATCH.replace("Ann", "Zoë Ł"))
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    process = start("adjudicate", str(tmp_path / "match.mat"), env=environment)
    out, err = process.communicate()
    assert (process.returncode, err) == (0, b"")
    assert rb"Zo\xeb \u0141 2, Bob 0" in out


def test_python_m_engine_is_the_same_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import engine.__main__  # does nothing yet

    monkeypatch.setattr("sys.argv", ["engine", "plays", "4HPwATDgc/ABMA", "31"])
    with pytest.raises(SystemExit) as left:
        runpy.run_path(str(engine.__main__.__file__), run_name="__main__")
    assert left.value.code == 0
    assert "8/5 6/5" in capsys.readouterr().out
