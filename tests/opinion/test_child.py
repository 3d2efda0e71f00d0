"""The engine's process: ended and reported if it hangs, dies or takes too much memory, and then restarted."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine import equity
from engine.board import STANDARD, Board
from engine.dice import ROLLS, Dice
from engine.plays import legal_plays
from engine.side import WHITE
from opinion.__main__ import main
from opinion.judging import engine_process, sage
from opinion.judging.oracle import NoOracle, OracleFailed
from opinion.judging.spots import Choice, Spot, Throw, to_numbers
from tests.engine.shared import SAMPLES

Script = Callable[[str], Path]

pytestmark = pytest.mark.pure
HERE = engine_process.explain_absence()
installed = pytest.mark.skipif(bool(HERE), reason=HERE or "bgsage is here")
FIVE_POINTS = SAMPLES / "records" / "five-points.mat"
BEGINNING = Spot(to_numbers(STANDARD, WHITE), away=(5, 5))

# A child that says who it is, then does to each question what a test wants.
ODD = """
import json, os, struct, sys, time, signal
def write(message):
    data = json.dumps(message).encode()
    sys.stdout.buffer.write(struct.pack(">I", len(data)) + data)
    sys.stdout.buffer.flush()
def read():
    head = sys.stdin.buffer.read(4)
    return json.loads(sys.stdin.buffer.read(struct.unpack(">I", head)[0])) if head else None
write({"name": "odd", "version": str(os.getpid())})
while (question := read()) is not None:
    BODY
"""


@pytest.fixture
def script(tmp_path: Path) -> Script:
    def written(body: str) -> Path:
        path = tmp_path / "odd.py"
        path.write_text(ODD.replace("BODY", body))
        return path

    return written


def is_gone(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.long
@pytest.mark.parametrize(
    ("body", "seconds", "told"),
    [
        ("time.sleep(600)", 0.5, "longer than"),
        ("os.kill(os.getpid(), signal.SIGKILL)", 60, "by signal 9"),
        ("sys.exit(3)", 60, "with status 3"),
        ("sys.stdout.buffer.write(b'no')", 0.5, "longer than"),
        ("write({'problem': 'MemoryError: too much'})", 60, "MemoryError"),
        ("sys.stdout.buffer.write(struct.pack('>I', 1 << 31)); sys.stdout.buffer.flush()", 60, "ended"),
    ],
    ids=["hangs", "killed", "exits", "half an answer", "refuses", "says too much"],
)
def test_an_engine_that_does_not_answer_is_ended_and_said(
    script: Script, body: str, seconds: float, told: str
) -> None:
    with engine_process.EngineProcess(script(body), seconds=seconds) as oracle:
        first = oracle.version
        with pytest.raises(OracleFailed, match=told):
            oracle.rolls([BEGINNING])
        if told != "MemoryError":
            assert is_gone(first)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Elsewhere memory is not bounded.")
def test_an_engine_that_eats_memory_is_ended_and_said(script: Script) -> None:
    """With the very bound that the engine gives itself."""
    body = f"""
    import importlib.util
    spec = importlib.util.spec_from_file_location("sage", {str(engine_process.SAGE)!r})
    sage = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sage)
    sage.bound_memory()
    eaten = bytearray(2 * sage.MEMORY)
    write({{"answer": [[0.0] * 21 for _ in question["of"]]}})"""
    with engine_process.EngineProcess(script(body.strip())) as oracle:
        first = oracle.version
        with pytest.raises(OracleFailed, match="with status 1"):
            oracle.rolls([BEGINNING])
        assert is_gone(first)


def test_the_next_question_has_a_new_process(script: Script, tmp_path: Path) -> None:
    died = tmp_path / "died"
    body = f"""
    if not os.path.exists({str(died)!r}):
        open({str(died)!r}, "w").close()
        sys.exit(1)
    write({{"answer": [[0.0] * 21 for _ in question["of"]]}})"""
    with engine_process.EngineProcess(script(body.strip())) as oracle:
        first = oracle.version
        with pytest.raises(OracleFailed):
            oracle.rolls([BEGINNING])
        assert oracle.rolls([BEGINNING]) == [(0.0,) * 21]
        assert oracle.version != first


def test_an_engine_that_does_not_start_is_none(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("raise SystemExit(1)")
    with pytest.raises(NoOracle, match="no analysis on this machine"):
        engine_process.EngineProcess(path)


def test_many_questions_go_in_batches(script: Script) -> None:
    body = 'write({"answer": [[float(len(question["of"]))] * 21 for _ in question["of"]]})'
    with engine_process.EngineProcess(script(body)) as oracle:
        sizes = [each[0] for each in oracle.rolls([BEGINNING] * (engine_process.BATCH + 2))]
    assert sizes == [float(engine_process.BATCH)] * engine_process.BATCH + [2.0] * 2


def test_without_the_wheel_the_command_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engine_process, "find_spec", lambda _name: None)
    assert main(["analyse", str(FIVE_POINTS), "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == engine_process.NOT_INSTALLED + "\n"
    assert "no analysis on this machine" in err


def test_without_avx2_nothing_is_tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old = tmp_path / "cpuinfo"
    old.write_text("flags\t\t: fpu sse4_2 avx\n")
    real = engine_process.Path
    monkeypatch.setattr(engine_process, "find_spec", lambda _name: object())
    monkeypatch.setattr(engine_process.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(engine_process, "Path", lambda name: old if name == "/proc/cpuinfo" else real(name))
    assert engine_process.explain_absence() == engine_process.NO_AVX2
    old.write_text("flags\t\t: fpu avx2 fma\n")
    assert engine_process.explain_absence() == ""


def test_the_engines_half_imports_nothing_of_ours() -> None:
    tree = ast.parse(Path(sage.__file__).read_text("utf-8"))
    names = {
        alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {(node.module or "").partition(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert names - set(sys.stdlib_module_names) == {"bgsage", "bgbot_cpp"}


# -- with the engine ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def oracle() -> Iterator[engine_process.EngineProcess]:
    with engine_process.EngineProcess() as found:
        yield found


@installed
def test_the_engine_has_the_versions_of_the_lock(oracle: engine_process.EngineProcess) -> None:
    lock = (Path(__file__).parents[2] / "requirements" / "opinion.lock").read_text("utf-8")
    assert f"{oracle.name}=={oracle.version}" in lock


@installed
def test_the_opening_moves_everybody_knows(oracle: engine_process.EngineProcess) -> None:
    best = {"31": "8/5 6/5", "42": "8/4 6/4", "61": "13/7 8/7", "53": "8/3 6/3", "65": "24/13"}
    asked = [Throw(BEGINNING, Dice.parse(dice)) for dice in best]
    for throw, plays in zip(asked, oracle.plays(asked), strict=True):
        legal = legal_plays(STANDARD, WHITE, throw.dice)
        assert {play.board for play in plays} == {to_numbers(play.board, WHITE) for play in legal}
        spelled = {to_numbers(play.board, WHITE): play.notation for play in legal}
        assert spelled[plays[0].board] == best[str(throw.dice)]
        assert abs(plays[0].equity) < 0.4


@installed
def test_every_roll_is_worth_what_its_best_play_is(oracle: engine_process.EngineProcess) -> None:
    (rolls,) = oracle.rolls([BEGINNING])
    firsts = oracle.plays([Throw(BEGINNING, roll) for roll in ROLLS])
    assert rolls == pytest.approx([plays[0].equity for plays in firsts], abs=1e-5)


@installed
def test_who_dances_is_worth_something(oracle: engine_process.EngineProcess) -> None:
    closed = Board.from_counts({25: 1, 6: 14}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 7: 3})
    spot = Spot(to_numbers(closed, WHITE), away=(5, 5))
    (plays,) = oracle.plays([Throw(spot, Dice(6, 5))])
    assert [play.board for play in plays] == [spot.board]
    (rolls,) = oracle.rolls([spot])
    assert len(set(rolls)) == 1
    assert -2.5 < rolls[0] < -0.5


@installed
def test_deeper_is_near_and_the_same_twice(oracle: engine_process.EngineProcess) -> None:
    throw = Throw(BEGINNING, Dice(3, 1))
    (plays,) = oracle.plays([throw])
    choice = Choice(throw, tuple(play.board for play in plays[:3]))
    again = oracle.weigh([choice], 2)
    assert oracle.weigh([choice], 2) == again
    assert [play.equity for play in again[0]] == pytest.approx([play.equity for play in plays[:3]], abs=0.1)


@pytest.mark.long
@installed
def test_a_cube_is_where_everybody_says(oracle: engine_process.EngineProcess) -> None:
    # A race of 100 to 112: doubled, taken. One of 30 to 100: not much to take.
    even = Board.from_counts({6: 5, 5: 5, 4: 5}, {6: 5, 5: 5, 4: 5})
    far = Board.from_counts({2: 2, 1: 3}, {12: 5, 11: 5, 10: 5})
    money = [Spot(to_numbers(even, WHITE)), Spot(to_numbers(far, WHITE), jacoby=False)]
    for level in (1, 2):
        close, passed = oracle.cubes(money, level)
        assert 0 < close.no_double < 1.2
        assert passed.take > 1.0
        assert passed.best >= 1.0


@installed
def test_the_engine_knows_our_table_of_chances(oracle: engine_process.EngineProcess) -> None:
    # A game won for certain with one point to go for both, and one that wins two points of five.
    won = Board.from_counts({1: 1}, {18: 1, 7: 14})
    (play,) = oracle.plays([Throw(Spot(to_numbers(won, WHITE), away=(1, 1)), Dice(2, 1))])[0][:1]
    assert play.equity == pytest.approx(1.0, abs=1e-6)
    gammon = oracle.plays([Throw(Spot(to_numbers(won, WHITE), away=(5, 5)), Dice(2, 1))])[0][0]
    win, lose = equity.compute_chance(4, 5), equity.compute_chance(5, 4)
    two_points = (2 * equity.compute_chance(3, 5) - (win + lose)) / (win - lose)
    assert gammon.equity == pytest.approx(two_points, abs=1e-3)


@installed
@pytest.mark.long
def test_the_command_prints_what_it_should() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "opinion", "analyse", str(FIVE_POINTS), "--level", "1", "--json"],
        capture_output=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert (found["engine"], found["level"]) == ("bgsage", 1)
    assert [set(side) for side in found["sides"]] == [{"pr", "counted", "error", "luck"}] * 2
    assert done.stderr == b""


@installed
@pytest.mark.parametrize("name", ["hypergammon.mat", "nothing.mat"])
def test_what_cannot_be_judged_is_said(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", str(SAMPLES / "records" / name)]) == 2
    assert capsys.readouterr().err
