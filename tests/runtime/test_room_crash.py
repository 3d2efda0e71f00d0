"""The real servers, killed while matches are called: calls stay unchanged, and no table is held for ever."""

from __future__ import annotations

import json
import random
import threading
from collections import Counter
from typing import Any
from uuid import uuid4

import pytest

from tests.runtime.premises import ALIAS, Premises, Program
from tests.runtime.support import get, until
from tournaments.models import Pairing, PairingState, Tournament
from tournaments.status import Status
from venue.models import Assignment, Chair, Table, TableState

# A night that calls by itself; prints its event, its room and a token of its director.
NIGHT = """
import json
from django.utils import timezone
from players.models import Scope
from players.accounts import tokens
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.plan import drawing
from venue.models import CallMode
import venue.rooms.room_settings as modes
import venue.rooms.rooms as rooms

desk = Desk(timezone.now())
room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-3", now=desk.now)
desk.announce(a_plan({form!r}), {players})
modes.set_room(event=desk.event, room=room, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now)
desk.do(drawing.publish)
token = tokens.create(user=desk.director, name="desk", scope=Scope.PLAY, now=desk.now)
print(json.dumps({{"event": desk.event.key, "room": room.key, "token": token}}))
"""
RESULT = """
from django.utils import timezone
from players.models import User
from tournaments.play import results
from venue.models import Assignment

row = Assignment.objects.filter(ended_at=None).order_by("pk").first().pairing
results.enter_result(
    tournament_id=row.tournament_id, key=row.key, score=(row.length, 0), by=User.objects.get(), now=timezone.now()
)
"""
TABLES = 3
KILLS = 5
# What the director has done between two kills, at the least: the kill comes a random moment later.
ACTS = 6


def announce(place: Premises, form: str, players: int) -> dict[str, str]:
    made = place.run("shell", "-c", NIGHT.format(form=form, players=players))
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout.splitlines()[-1])  # type: ignore[no-any-return]


def rows() -> tuple[list[Any], list[Any]]:
    return (
        list(Assignment.objects.using(ALIAS).order_by("pk").values()),
        list(Chair.objects.using(ALIAS).order_by("pk").values()),
    )


def at_tables() -> int:
    return Assignment.objects.using(ALIAS).filter(ended_at=None).count()


def calls() -> dict[int, Any]:
    """The open calls by their key, with table, match and times."""
    found = Assignment.objects.using(ALIAS).filter(ended_at=None)
    return {pk: rest for pk, *rest in found.values_list("pk", "table", "pairing", "called_at", "started_at")}


def round_of(pairing: int) -> int:
    return Pairing.objects.using(ALIAS).select_related("round").get(pk=pairing).round.number


def verify(place: Premises) -> None:
    verified = place.run("verify")
    assert verified.returncode == 0, verified.stdout + verified.stderr


def test_a_killed_server_leaves_calls_as_they_were(premises: Premises) -> None:
    server = premises.open()
    announce(premises, "single-elimination", 8)
    # The server's workers call matches by themselves.
    until(lambda: at_tables() == TABLES)
    before = rows()
    server.kill()
    assert rows() == before

    entered = premises.run("shell", "-c", RESULT)
    assert entered.returncode == 0, entered.stderr
    assert at_tables() == TABLES - 1
    premises.let_time_pass()
    premises.open()
    # What was written down while no server ran is carried out by the next.
    until(lambda: at_tables() == TABLES)
    verify(premises)


class Director:
    """Enters and takes back results, and takes tables out of play; repeats requests without an answer."""

    def __init__(self, place: Premises, night: dict[str, str], rng: random.Random) -> None:
        self.port, self.night, self.rng = place.port, night, rng
        # Whether each match has a result by the last act that was acknowledged; of which one that is not known.
        self.told: dict[str, bool] = {}
        self.sent = ""
        # The match whose result was taken back by the last act, if that is what it did.
        self.opened_again = ""
        self.met: Counter[str] = Counter()
        self.wrong: list[tuple[int, bytes]] = []
        self.may_act, self.over = threading.Event(), threading.Event()
        self.acting = threading.Lock()
        self.may_act.set()
        self.thread = threading.Thread(target=self._direct, daemon=True)

    @property
    def done(self) -> int:
        return self.met["result"] + self.met["taken back"] + self.met["broken"]

    def _direct(self) -> None:
        while not self.over.wait(0.02):
            with self.acting:
                if self.may_act.is_set():
                    self._act()

    def _act(self) -> None:
        """Do one random act that the room allows."""
        self.opened_again = ""
        here = self.send_request("GET", f"rooms/{self.night['room']}/")
        if here is None:
            return
        dice, over = self.rng.random(), [key for key, has_result in self.told.items() if has_result]
        if dice < 0.2 and over:
            self.correct(self.rng.choice(over))
        elif dice < 0.35:
            self.break_and_free(self.rng.choice(here["tables"])["key"])
        elif here["calls"]:
            self.enter(self.rng.choice(here["calls"])["match"])

    def enter(self, match: str) -> None:
        score = self.rng.choice([[5, 2], [1, 5]])
        self._send("result", {"act": "result", "key": match, "score": score}, has_result=True)

    def correct(self, match: str) -> None:
        self.opened_again = match
        said = {"act": "correct", "key": match, "kind": "", "reason": "It was another match."}
        self._send("taken back", said, has_result=False)

    def break_and_free(self, table: str) -> None:
        """Take a table out of play, so that who is called there waits again, and put it back."""
        for state in ("broken", "free"):
            while self.send_request("PATCH", f"tables/{table}/", {"state": state}) is None:
                if self.over.wait(0.02):
                    return
        self.met["broken"] += 1

    def _send(self, name: str, said: dict[str, Any], *, has_result: bool) -> None:
        """Act until it is answered: the same act, once."""
        key, self.sent = uuid4().hex, said["key"]
        while (answer := self.send_request("POST", f"events/{self.night['event']}/acts/", said, key)) is None:
            if self.over.wait(0.02):
                return
        if "code" not in answer:
            self.told[said["key"]] = has_result
            self.met[name] += 1
        self.sent = ""

    def send_request(self, method: str, path: str, said: Any = None, key: str = "") -> Any:
        """Send a request and read its answer, which is None if there is none or it was cut off."""
        headers = {"Authorization": f"Bearer {self.night['token']}", "Content_Type": "application/json"}
        body = None if said is None else json.dumps(said).encode()
        try:
            status, answer, _ = get(
                self.port, f"/api/v1/{path}", method=method, body=body,
                **headers, **({"Idempotency_Key": key} if key else {}),
            )  # fmt: skip
        except (OSError, ValueError):
            self.met["lost"] += 1
            return None
        # 409: another person was quicker, such as the worker that called. 503: no database for a moment.
        if status not in (200, 409, 503):
            self.wrong.append((status, answer))
            self.over.set()
        return None if status == 503 else json.loads(answer)


class OneServer:
    """Everything in one process, as a club starts it."""

    def __init__(self, place: Premises) -> None:
        self.place, self.programs = place, [place.open()]

    def kill(self, _rng: random.Random) -> None:
        for program in self.programs:
            program.kill()

    def open(self) -> None:
        self.place.let_time_pass()
        self.programs = [self.place.open()]


class Apart(OneServer):
    """Pages, workers and clock apart, on PostgreSQL: now these are killed, now those, now all."""

    def __init__(self, place: Premises) -> None:
        self.place, self.parts = place, dict.fromkeys(("web", "worker", "beat"))
        self.running: dict[str, Program] = {}
        self.open()

    def kill(self, rng: random.Random) -> None:
        # Anyone who answers the director's acts is among them each time.
        for part in {"web", *rng.sample(sorted(self.parts), 2)}:
            self.running.pop(part).kill()

    def open(self) -> None:
        self.place.let_time_pass()
        for part in self.parts:
            if part not in self.running:
                is_web = part == "web"
                self.running[part] = (
                    self.place.open("serve", part, WEB_PROCESSES="1") if is_web else self.place.start(part)
                )


def stand_as_told(director: Director) -> None:
    """Every acknowledged act is stored. The last act, without an answer, may be stored or not."""
    told = {key: has_result for key, has_result in director.told.items() if key != director.sent}
    there = dict(Pairing.objects.using(ALIAS).values_list("key", "state"))
    assert told == {key: there[key] == PairingState.DECIDED for key in told}


def is_full() -> bool:
    """True if every match that waits has a table, as far as there are tables."""
    seated = Chair.objects.using(ALIAS).filter(ended_at=None).values("player")
    ready = Pairing.objects.using(ALIAS).filter(state=PairingState.READY, opened_at__isnull=False)
    waiting = ready.exclude(a__player__in=seated).exclude(b__player__in=seated)
    return at_tables() == TABLES or not waiting.exists()


def a_night_of_kills(place: Premises, server: OneServer) -> None:
    rng = random.Random(18)
    night = announce(place, "round-robin", 12)
    director = Director(place, night, rng)
    until(is_full)
    director.thread.start()
    try:
        for _ in range(KILLS):
            enough = director.done + ACTS
            until(lambda enough=enough: director.wrong or director.done >= enough)
            director.over.wait(rng.uniform(0, 0.5))
            server.kill(rng)
            lost = director.met["lost"]
            until(lambda lost=lost: director.wrong or director.met["lost"] > lost)
            director.may_act.clear()
            stand_as_told(director)
            verify(place)
            before = calls()
            server.open()
            # The act that was under way is sent again until it is answered.
            with director.acting:
                until(is_full)
                after = calls()
            touched = {call: (was, after.get(call)) for call, was in before.items() if after.get(call) != was}
            if director.opened_again:
                # The rounds after the reopened match wait for it again, and their matches are no longer
                # called.
                again = Pairing.objects.using(ALIAS).get(key=director.opened_again).round.number
                assert all(round_of(pairing) > again for (_, pairing, *_), _ in touched.values()), touched
            else:
                assert len(touched) <= 1, f"more than that one act touched a call: {touched}"
            director.may_act.set()
        director.over.set()
        director.thread.join(60)
        assert director.wrong == []
    finally:
        director.over.set()
        director.thread.join(60)
    play_to_the_end(director)
    verify(place)


def play_to_the_end(director: Director) -> None:
    """Enter the result of every match that is called, until the event is over and all tables are free."""
    director.over.clear()

    def is_over() -> bool:
        for call in (director.send_request("GET", f"rooms/{director.night['room']}/") or {"calls": []})[
            "calls"
        ]:
            director.enter(call["match"])
        assert director.wrong == []
        return Tournament.objects.using(ALIAS).get().status == Status.FINISHED

    until(is_over)
    assert at_tables() == 0
    assert not Chair.objects.using(ALIAS).filter(ended_at=None).exists()
    assert set(Table.objects.using(ALIAS).values_list("state", flat=True)) == {TableState.FREE}


@pytest.mark.slow
def test_a_server_killed_again_and_again_under_a_director_holds_no_table_for_ever(premises: Premises) -> None:
    a_night_of_kills(premises, OneServer(premises))


@pytest.mark.slow
@pytest.mark.services
def test_its_parts_killed_again_and_again_hold_no_table_for_ever(apart: Premises) -> None:
    a_night_of_kills(apart, Apart(apart))
