"""The real server, killed while a phone sends its taps, and while it judges records: nothing is lost, and nothing there twice."""

from __future__ import annotations

import json
import threading
from collections import Counter
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from records.models import RecordFile, RecordMatch, SheetAct
from records.sheets.sheet import SheetState, Tap, replay_taps
from tests import samples
from tests.matches.test_crash import say
from tests.runtime.conftest import migrated_file, premises, static_root  # noqa: F401
from tests.runtime.premises import ALIAS, Premises
from tests.runtime.support import get, until
from tournaments.models import Pairing

pytestmark = pytest.mark.long
# Between two kills; three times as many stay below what a minute allows.
TAPS = 25
KILLS = 3
# Handed in together, and how often the server is killed until it has one of them in its hands.
RECORDS = 120
MOST_KILLS = 8
# As long as one pleases: what is written is taken back again.
ROUND = (Tap("game", 1, "a"), Tap("game", 2, "b", "gammon"), Tap("undo", 2), Tap("undo", 1))


class Phone:
    """Sends taps in order and repeats a tap without an answer, as `static/js/sheet/queue.js` does."""

    def __init__(self, place: Premises, token: str) -> None:
        uid = Pairing.objects.using(ALIAS).get().uid
        self.port, self.path, self.token = place.port, f"/api/v1/sheets/{uid}/", token
        # What was sent, by its key, in its order, and how much of that was acknowledged.
        self.sent: dict[str, Tap] = {}
        self.acknowledged: list[str] = []
        self.lost = 0
        self.over = threading.Event()
        self.wrong: list[bytes] = []
        self.thread = threading.Thread(target=self._send_all, daemon=True)

    def send(self, key: str) -> dict[str, Any] | None:
        """Send a tap; the result is the sheet, or None without an answer."""
        body = json.dumps({"key": key, **self.sent[key].to_json()}).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content_Type": "application/json"}
        try:
            status, answer, _ = get(self.port, self.path, method="POST", body=body, **headers)
        except OSError:
            return None
        if status == 503:
            return None
        if status != 200:
            self.wrong.append(answer)
            self.over.set()
        return json.loads(answer)  # type: ignore[no-any-return]

    def _send_all(self) -> None:
        for number, tap in enumerate(cycle(ROUND)):
            key = f"tap-{number:06}"
            self.sent[key] = tap
            while not self.over.is_set() and self.send(key) is None:
                self.lost += 1
                self.over.wait(0.05)
            if self.over.is_set():
                return
            self.acknowledged.append(key)

    def goes_on(self, taps: int) -> None:
        """Wait until so many more are acknowledged."""
        enough = len(self.acknowledged) + taps
        until(lambda: self.wrong or len(self.acknowledged) >= enough, within=60)

    def meets_nobody(self) -> None:
        """Wait until a tap was sent in vain."""
        before = self.lost
        until(lambda: self.lost > before)


def written() -> list[str]:
    return list(SheetAct.objects.using(ALIAS).order_by("seq").values_list("key", flat=True))


def test_a_server_killed_under_a_phone_loses_no_tap_and_writes_none_twice(premises: Premises) -> None:  # noqa: F811
    seeded = say(premises, "tests.tournaments.unattended", "2", "single-elimination")
    server = premises.open()
    phone = Phone(premises, seeded["players"]["1"])
    phone.thread.start()
    try:
        for _ in range(KILLS):
            phone.goes_on(TAPS)
            server.kill()
            told = list(phone.acknowledged)
            # Before the phone can send anything again; a tap more may be there, whose answer was lost.
            there = written()
            assert there[: len(told)] == told
            assert len(there) <= len(told) + 1
            phone.meets_nobody()
            server = premises.open()
        phone.goes_on(1)
    finally:
        phone.over.set()
        phone.thread.join(30)
    assert phone.wrong == []

    # All of it once more, as a phone does that has heard nothing.
    before = written()
    for key in before[-10:]:
        sheet = phone.send(key)

    assert written() == before == list(phone.sent)[: len(before)]
    kept = replay_taps(SheetState(sheet["length"]), (phone.sent[key] for key in before))
    assert sheet["games"] == [game.to_json() for game in kept.games]
    assert sheet["score"] == list(kept.score)
    verified = premises.run("verify")
    assert verified.returncode == 0, verified.stdout + verified.stderr


SENDING = """
from pathlib import Path
from django.utils import timezone
from players.accounts import accounts
from players.clubs import clubs
from records.submissions import submissions
from records.submissions.submissions import SentFile
now = timezone.now()
owner = accounts.register(email="owner@example.org", password=None, name="Owner", now=now)
club = clubs.create(owner=owner, name="Crash", now=now)
record = Path({path!r}).read_bytes()
files = [SentFile(f"{{n}}.mat", b"; copy %d\\n" % n + record) for n in range({count})]
submissions.hand_in(club=club, by=owner, files=files, now=now)
"""


@pytest.mark.slow
def test_a_server_killed_while_it_judges_has_judged_each_record_once(premises: Premises) -> None:  # noqa: F811
    record = Path(samples.__file__).parent / "faults/dice-mismatch.mat"
    sent = premises.run("shell", "-c", SENDING.format(path=str(record), count=RECORDS))
    assert sent.returncode == 0, sent.stderr
    files, interrupted = RecordFile.objects.using(ALIAS), 0
    in_hands = files.filter(judged_at__isnull=True, attempts__gt=0)
    for _ in range(MOST_KILLS):
        server = premises.open()
        until(in_hands.exists, within=60, every=0.001)
        server.kill()
        interrupted += in_hands.count()
        if interrupted:
            break
    # It died with a record in its hands.
    assert interrupted
    premises.open()
    until(lambda: not files.filter(judged_at__isnull=True).exists(), within=120)

    words = Counter(RecordMatch.objects.using(ALIAS).values_list("file", "word"))
    assert len(words) == RECORDS
    assert set(words.values()) == {1}
    assert {word for _file, word in words} == {"rejected"}
    verified = premises.run("verify")
    assert verified.returncode == 0, verified.stdout + verified.stderr
