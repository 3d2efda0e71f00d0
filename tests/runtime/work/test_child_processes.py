"""Child processes that parse files: a few at a time, with limits, and refused when all places are taken."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from runtime.work import child_processes
from runtime.work.child_processes import AT_ONCE, ChildFailed, FileInProgress, Limits, OutOfLimits

pytestmark = pytest.mark.pure
LIMITS = Limits(memory=200 << 20, cpu_seconds=2)

SAYS_ALL = """
import json, os, resource, sys
kinds = ("AS", "CPU", "FSIZE", "CORE")
limits = {kind: resource.getrlimit(getattr(resource, f"RLIMIT_{kind}")) for kind in kinds}
said = {"limits": limits, "nice": os.nice(0), "environment": sorted(os.environ), "arguments": sys.argv[1:]}
print(json.dumps({**said, "data": sys.stdin.read()}))
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return tmp_path / "script.py"


def test_a_child_has_its_limits_and_no_secret(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "for nobody")
    script.write_text(SAYS_ALL)
    said = json.loads(child_processes.run(script, "a", "b", data=b"bytes", limits=LIMITS))
    assert said["limits"] == {"AS": [200 << 20] * 2, "CPU": [2, 3], "FSIZE": [0, 0], "CORE": [0, 0]}
    assert said["nice"] >= 10
    assert "SECRET_KEY" not in said["environment"]
    assert (said["arguments"], said["data"]) == (["a", "b"], "bytes")


def test_memory_beyond_the_limit_is_not_given(script: Path) -> None:
    script.write_text("bytearray(300 << 20)")
    with pytest.raises(OutOfLimits):
        child_processes.run(script, data=b"", limits=LIMITS)


@pytest.mark.long
def test_a_child_that_computes_for_ever_is_ended(script: Path) -> None:
    script.write_text("while True: pass")
    with pytest.raises(OutOfLimits) as ended:
        child_processes.run(script, data=b"", limits=Limits(memory=200 << 20, cpu_seconds=1))
    assert ended.value.status < 0


@pytest.mark.long
def test_a_child_that_waits_for_ever_is_ended(script: Path) -> None:
    script.write_text("import time; time.sleep(60)")
    with pytest.raises(OutOfLimits):
        child_processes.run(script, data=b"", limits=Limits(memory=200 << 20, seconds=1))


def test_a_child_leaves_no_file(script: Path, tmp_path: Path) -> None:
    left = tmp_path / "left"
    script.write_text(f"open({str(left)!r}, 'wb').write(b'x' * 100_000)")
    with pytest.raises(ChildFailed):
        child_processes.run(script, data=b"", limits=LIMITS)
    assert left.stat().st_size == 0


def test_each_payer_has_one_child_at_a_time_and_nobody_waits(script: Path) -> None:
    script.write_text("")
    with child_processes.reserve(["match 1", "network 192.0.2.1"]):
        for payers in (["match 1"], ["match 2", "network 192.0.2.1"]):
            with pytest.raises(FileInProgress):
                child_processes.run(script, data=b"", limits=LIMITS, payers=payers)
        child_processes.run(script, data=b"", limits=LIMITS, payers=["match 2"])
    child_processes.run(script, data=b"", limits=LIMITS, payers=["match 1"])


def test_there_are_a_few_in_all(script: Path) -> None:
    script.write_text("raise SystemExit(1)")
    with ExitStack() as others:
        for number in range(AT_ONCE):
            others.enter_context(child_processes.reserve([f"match {number}"]))
        with pytest.raises(FileInProgress):
            child_processes.run(script, data=b"", limits=LIMITS)
    # One that failed has given its place back, too.
    for _ in range(AT_ONCE + 1):
        with pytest.raises(ChildFailed):
            child_processes.run(script, data=b"", limits=LIMITS)
