"""One event from its announcement to its end, step by step, each step by chance."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import time_machine
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.utils import timezone

from players.access import public_pages
from players.accounts import accounts
from players.clubs import clubs
from players.models import Role, User
from runtime.install import verifiers
from runtime.models import Outbox, Queue, TopicEvent
from runtime.work import outbox, sweeps
from tests import prepared
from tests.simulation import acts, checker
from tests.simulation.events import choose_event
from tests.simulation.faults import Death, Interruption
from tournaments.models import (
    Entry,
    Pairing,
    PairingState,
    Report,
    ReportStatus,
    Round,
    Ruling,
    Stage,
    Tournament,
)
from tournaments.pages import page_cache
from tournaments.play import backlog, inspection
from tournaments.status import Status

START: Final = datetime(2026, 3, 5, 19, 0, tzinfo=UTC)
STEPS: Final = 40
# Rounds of acts until everything is played: no event here needs as many.
ENOUGH: Final = 400
# Acts that change nothing that was decided before, but for the match they name.
LEAVE_RESULTS: Final = frozenset(
    {
        "result", "report", "confirm", "dispute", "rule", "call", "late", "pause", "resume", "away", "back",
        "publish-round", "forfeit", "walkover", "no-show", "double-forfeit",
    }
)  # fmt: skip
# These end the match they name with the score they have.
ENTER_A_SCORE: Final = frozenset({"result", "confirm"})

Result = tuple[Any, ...]


class Broken(AssertionError):
    """The product has not kept a promise."""


@dataclass
class Request:
    """A request for an act, until its answer has arrived."""

    client: Client
    who: str
    body: dict[str, Any]
    key: str
    # The step in which it is sent, again.
    due: int
    # What the server has answered when it carried the act out, whether or not that arrived.
    answer: bytes | None = None


@dataclass
class Tally:
    """Counts of an evening."""

    acknowledged: int = 0
    refused: int = 0
    lost_answers: int = 0
    deaths: int = 0
    errors: int = 0
    log: list[str] = field(default_factory=list)


class Evening:
    """A club with two directors, its players, a worker, and one event."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rng = random.Random(f"evening {seed}")
        self.plan = choose_event(self.rng)
        self.tally = Tally()
        self.waiting: list[Request] = []
        self.requests = self.newcomers = self.extensions = 0
        self.clients: dict[int, Client] = {}
        self.seen: list[Pairing] = []
        self.step = 0
        self.set_back = timedelta()

    def play(self, steps: Iterable[int] | None = None) -> Tally:
        """Play these steps (all of them by default), then play the event to its end without faults."""
        most = backlog.MOST_PLAYERS
        backlog.MOST_PLAYERS = 0 if self.plan.is_paired_by_worker else most  # type: ignore[misc]
        try:
            with (
                prepared.chance(f"simulation {self.seed}"),
                time_machine.travel(START, tick=False) as self.clock,
            ):
                self._forget_memory()
                self._announce()
                for step in range(STEPS) if steps is None else steps:
                    self._take_step(step)
                self._finish()
        finally:
            backlog.MOST_PLAYERS = most  # type: ignore[misc]
        return self.tally

    # -- the beginning

    def _announce(self) -> None:
        now = timezone.now()
        self.directors = [self._register(f"Director {name}") for name in "AB"]
        self.club = clubs.create(owner=self.directors[0], name="Here", now=now)
        other = self.directors[1].player
        clubs.join(club=self.club, player=other, now=now)
        clubs.set_role(club=self.club, player=other, role=Role.DIRECTOR, by=self.directors[0], now=now)
        self.members = [self._register(f"Member {number}") for number in range(1, self.plan.members + 1)]
        for member in self.members:
            clubs.join(club=self.club, player=member.player, now=now)
        made = self._post(
            "events/",
            {
                "club": self.club.slug,
                "name": "Thursday",
                "starts_at": now.isoformat(),
                "match_length": self.rng.choice([1, 3, 5]),
                "plan": {"stages": self.plan.stages},
            },
        )
        self.event = Tournament.objects.get(key=made["key"])
        self._demand("publish")
        for member in self.members:
            self._demand("enter", client=self._sign_in(member))
        if self.plan.guests:
            names = [f"Guest {number}" for number in range(1, self.plan.guests + 1)]
            self._demand("admit-named", names=names)
        self._demand("publish-draw")
        self.results = self._read_results()
        self.player = None

    def _register(self, name: str) -> User:
        email = f"{name.replace(' ', '.').lower()}@example.org"
        return accounts.register(email=email, password=None, name=name, now=timezone.now())

    def _sign_in(self, user: User) -> Client:
        if user.pk not in self.clients:
            self.clients[user.pk] = Client(raise_request_exception=False)
            self.clients[user.pk].force_login(user)
        return self.clients[user.pk]

    # -- a step

    def _take_step(self, step: int) -> None:
        """Take the step of this number: its choices depend on nothing but the seed, the number and the rows."""
        self.step = step
        rng = random.Random(f"evening {self.seed} step {step}")
        self.clock.shift(timedelta(seconds=rng.randint(1, 40)))
        if rng.random() < 0.05:
            self.clock.shift(timedelta(minutes=rng.randint(5, 90)))
        elif rng.random() < 0.05:
            # The machine's clock was ahead and is set right.
            back = timedelta(minutes=rng.randint(1, 60))
            self.set_back += back
            self.clock.shift(-back)
        for request in [each for each in self.waiting if each.due <= step]:
            self.waiting.remove(request)
            self._send(request, rng)
        if rng.random() < 0.15:
            self._work(rng)
        elif (request := self._ask(rng)) is not None:
            self._send(request, rng)
        if step % 8 == 7:
            self._check_rows()

    def _ask(self, rng: random.Random) -> Request | None:
        """Choose a random act and its user; None if the act is not possible now."""
        if rng.random() < 0.7:
            self.seen = [row for row in self.list_rows() if _is_open(row)]
        occasions = [each for each in acts.OCCASIONS if not self.plan.is_quiet or each[0] in acts.QUIET]
        (name, role, _weight, build), *_ = rng.choices(
            occasions, [weight for *_, weight, _build in occasions]
        )
        users = self.directors if role == "director" else self.members
        if not users:
            return None
        user = rng.choice(users)
        self.player = user.player.pk if role == "player" else None
        body = build(self, rng)
        if body is None:
            return None
        self.requests += 1
        key = f"seed {self.seed} request {self.requests}"
        return Request(self._sign_in(user), str(user), {"act": name, **body}, key, self.step)

    def _send(self, request: Request, rng: random.Random) -> None:
        """Send a request over a network that loses, doubles and delays, to a server that may die."""
        fate = rng.choices(
            ["arrives", "answer lost", "death", "error", "late", "doubled"], [70, 8, 7, 5, 6, 4]
        )[0]
        if fate == "late":
            self._retry_later(request, rng)
            return
        strike = None
        if fate in {"death", "error"}:
            strike = Interruption(rng.randint(0, 25), is_death=fate == "death")
        status = self._deliver(request, strike)
        if status is None:
            self._retry_later(request, rng)
        elif fate == "answer lost":
            self.tally.lost_answers += 1
            self._retry_later(request, rng)
        elif fate == "doubled":
            self._deliver(request, None)

    def _retry_later(self, request: Request, rng: random.Random) -> None:
        request.due = self.step + rng.randint(1, 6)
        self.waiting.append(request)

    def _deliver(self, request: Request, strike: Interruption | None) -> int | None:
        """Send a request to the server; return the status, or None without an answer."""
        before = self._take_image()
        try:
            if strike is None:
                response = self._call(request)
            else:
                with connection.execute_wrapper(strike):
                    response = self._call(request)
        except Death:
            self.tally.deaths += 1
            self._forget_memory()
            self._note(request, "died")
            self._require(self._take_image() == before, request, "a death left half an act behind")
            return None
        status = response.status_code
        self._note(request, status if status < 400 else f"{status} {response.content[:150]!r}")
        if status >= 500:
            self.tally.errors += 1
            struck = strike is not None and strike.has_struck
            self._require(struck, request, f"answered {status}: {response.content[:300]!r}")
            self._require(self._take_image() == before, request, "an error left half an act behind")
            return None
        if request.answer is not None:
            self._require(
                response.content == request.answer, request, "a repeated request has another answer"
            )
            self._require(self._take_image() == before, request, "a repeated request has a second effect")
        elif status >= 400:
            self.tally.refused += 1
            self._require(self._take_image() == before, request, "a refusal has changed something")
        else:
            self.tally.acknowledged += 1
            self._check_effect(request)
            request.answer = response.content
        return status

    def _call(self, request: Request) -> Any:
        return request.client.post(
            f"/api/v1/events/{self.event.key}/acts/",
            json.dumps(request.body),
            content_type="application/json",
            headers={"Idempotency-Key": request.key},
        )

    def _work(self, rng: random.Random) -> None:
        """Run one due task of the worker; the worker may die, or its database fail."""
        strike = Interruption(rng.randint(0, 25), is_death=rng.random() < 0.5)
        is_struck = rng.random() < 0.3
        now = timezone.now()
        due = [*Queue.values, *sorted(sweeps.list_with_work(sweeps.list_sweeps(), now=now))]
        which = rng.choice(due)
        before = self.results
        try:
            if is_struck:
                with connection.execute_wrapper(strike):
                    self._do(which)
            else:
                self._do(which)
        except Death:
            self.tally.deaths += 1
            self._forget_memory()
        except Exception as error:
            if not (is_struck and strike.has_struck):
                raise Broken(f"the worker's {which} failed") from error
            self.tally.errors += 1
        self.tally.log.append(f"{self.step} worker {which}{' struck' if strike.has_struck else ''}")
        self.results = self._read_results()
        lost = {key for key, result in before.items() if self.results.get(key) != result}
        if lost:
            raise Broken(f"step {self.step}: the worker's {which} changed what was decided: {sorted(lost)}")

    @staticmethod
    def _do(which: str) -> None:
        now = timezone.now()
        if which in Queue.values:
            outbox.drain(queue=which, now=now)
        else:
            sweeps.run(which, now=now)

    # -- what must be true

    def _check_effect(self, request: Request) -> None:
        """Check an acknowledged act: its own match has its result, and no other has lost one."""
        before, self.results = self.results, self._read_results()
        self.extensions += request.body["act"] == "add-round"
        name, key = request.body["act"], request.body.get("key")
        if name in ENTER_A_SCORE:
            kind, _a, _b, score, _winner = self.results.get(key, ("", 0, 0, None, 0))
            self._require(
                (kind, score) == ("played", tuple(request.body["score"])), request, f"left {kind} {score}"
            )
        if name == "late-entry":
            # In a round robin of another size the same two meet in another round.
            changed = set(before.values()) - set(self.results.values())
            self._require(not changed, request, f"lost results: {sorted(changed)}")
        elif name in LEAVE_RESULTS:
            changed = {each for each in before if each != key and self.results.get(each) != before[each]}
            self._require(not changed, request, f"changed other results: {sorted(changed)}")

    def _check_rows(self) -> None:
        self.event.refresh_from_db()
        if self.event.pairing_at is None and (problems := list(inspection.find_problems(self.event))):
            raise Broken(f"step {self.step}: {problems}")

    def _require(self, is_so: bool, request: Request, sentence: str) -> None:
        if not is_so:
            raise Broken(f"step {self.step}: {request.who} asked {request.body}: {sentence}")

    def _note(self, request: Request, outcome: object) -> None:
        self.tally.log.append(f"{self.step} {request.who} {json.dumps(request.body)} {outcome}")

    # -- the end

    def _finish(self) -> None:
        """Deliver what is under way, then play everything that is left; the event ends, and all is in order."""
        self.step = STEPS
        # Work that was scheduled before the clock was set back is late by at most that time.
        self.clock.shift(self.set_back)
        for request in self.waiting:
            self._deliver(request, None)
        self.waiting.clear()
        self.results = self._read_results()
        for _ in range(ENOUGH):
            self._drain()
            self.event.refresh_from_db()
            if self.event.status == Status.CANCELLED:
                self._demand("reopen", reason=acts.REASON)
            elif self.event.status != Status.RUNNING:
                break
            else:
                self._go_on()
        if self.event.status != Status.FINISHED:
            open_rows = [(row.key, row.state) for row in self.list_rows() if not row.kind]
            raise Broken(f"the event is {self.event.status} and cannot be finished: {open_rows}")
        self._drain()
        self._check_rows()
        if problems := list(verifiers.find_problems()):
            raise Broken(f"verify: {problems}")
        if failing := list(outbox.list_failing().values_list("kind", "last_error")):
            raise Broken(f"the outbox has failing rows: {failing}")
        self._check_answers()

    def _drain(self) -> None:
        """Do all work that is due, without faults, until there is none."""
        for _ in range(ENOUGH):
            self.clock.shift(timedelta(seconds=2))
            now = timezone.now()
            due = [queue for queue in Queue.values if outbox.list_due(now=now, queue=queue).exists()]
            for queue in due:
                self._do(queue)
            ran = [
                sweep.name for sweep in sweeps.list_sweeps() if sweep.due and sweeps.run(sweep.name, now=now)
            ]
            # Nothing is paired while an event is paused or cancelled.
            waits = any(map(backlog.find_next_pairing, Tournament.objects.all()))
            if not due and not ran and not waits:
                return
        raise Broken("there is always work left")

    def _go_on(self) -> None:
        """Do what the event waits for: its directors and players do as they should."""
        if self.event.paused_at is not None:
            self._demand("resume")
        away = [entry.number for entry in self.list_entries() if entry.is_absent]
        if away:
            self._demand("back", entries=away)
        disputed = Report.objects.filter(pairing__tournament=self.event, status=ReportStatus.DISPUTED)
        for key in sorted({*disputed.values_list("pairing__key", flat=True)}):
            row = self.event.pairings.get(key=key)
            if row.state == PairingState.READY:
                score = [row.length, row.a_late]
                self._demand("rule", key=key, decision="result", score=score, reason=acts.REASON)
        todo = [row for row in self.list_rows() if _is_open(row)]
        for row in todo:
            row.refresh_from_db()
            if _is_open(row):
                # Each begins with the points of the other's lateness.
                is_won_by_a = row.a.number < row.b.number
                score = [row.length, row.a_late] if is_won_by_a else [row.b_late, row.length]
                self._demand("result", key=row.key, score=score)
        if not todo:
            self._make_next()

    def _make_next(self) -> None:
        """Answer who is level, publish a drafted round, or draw the next stage."""
        for stage in self.event.stages.order_by("number"):
            self._demand(
                "break-ties", may_be_refused=True, stage=stage.number, playoff=False, reason=acts.REASON
            )
        batch = acts.build_round(self, self.rng)
        if batch is not None:
            self._demand("publish-round", **batch)
            return
        for stage in Stage.objects.filter(tournament=self.event, draw__isnull=True).order_by("number"):
            self._demand("publish-draw", may_be_refused=True, stage=stage.number)

    def _check_answers(self) -> None:
        """Compare what the API shows with what was acknowledged, and with places computed by other means."""
        self.results = self._read_results()
        shown = {
            row["key"]: (
                row["kind"],
                row["a"]["entry"],
                row["b"]["entry"],
                row["score"] and tuple(row["score"]),
                row["winner"],
            )
            for row in self._get_all(f"events/{self.event.key}/pairings/")
            if row["kind"] and row["key"] in self.results
        }
        if shown != self.results:
            raise Broken(f"the API shows other results: {checker.describe_difference(shown, self.results)}")
        entries = list(Entry.objects.filter(tournament=self.event, number__gt=0))
        problems = list(checker.find_problems(self.plan, entries, self.list_rows()))
        if problems:
            raise Broken(f"places: {problems}")

    # -- what the others need

    def list_rows(self) -> list[Pairing]:
        rows = Pairing.objects.filter(tournament=self.event)
        return list(
            rows.select_related("a", "b", "winner", "stage", "round").order_by("stage__number", "position")
        )

    def list_entries(self) -> list[Entry]:
        return acts.list_entries(self)

    def name_newcomer(self) -> str:
        self.newcomers += 1
        return f"Newcomer {self.newcomers}"

    def _read_results(self) -> dict[str, Result]:
        """The results that were entered: match, how it ended, both players, score, winner."""
        rows = Pairing.objects.filter(tournament=self.event, is_derived=False).exclude(kind="")
        return {
            key: (kind, a, b, None if score_a is None else (score_a, score_b), winner)
            for key, kind, a, b, score_a, score_b, winner in rows.order_by("pk").values_list(
                "key", "kind", "a__number", "b__number", "score_a", "score_b", "winner__number"
            )
        }

    def _take_image(self) -> list[Any]:
        """The rows of the event, and the numbers of rulings, outbox rows and topic events."""
        rows = [
            list(model._default_manager.filter(**{where: self.event.pk}).order_by("pk").values_list())
            for model, where in (
                (Tournament, "pk"),
                (Stage, "tournament"),
                (Round, "stage__tournament"),
                (Pairing, "tournament"),
                (Entry, "tournament"),
                (Report, "pairing__tournament"),
            )
        ]
        return [*rows, *(model._default_manager.count() for model in (Ruling, Outbox, TopicEvent))]

    @staticmethod
    def _forget_memory() -> None:
        """Clear what a process keeps in memory."""
        for name in ("default", "limits", "attempts"):
            caches[name].clear()
        public_pages.CACHE.clear()
        page_cache.CACHE.clear()

    def _demand(
        self, act: str, client: Client | None = None, *, may_be_refused: bool = False, **fields: Any
    ) -> None:
        """Ask for an act that must succeed."""
        self.requests += 1
        client = client or self._sign_in(self.directors[0])
        request = Request(client, "demand", {"act": act, **fields}, f"demand {self.requests}", self.step)
        response = self._call(request)
        self._note(request, response.status_code)
        is_right = response.status_code == 200 or (may_be_refused and response.status_code < 500)
        self._require(is_right, request, f"answered {response.status_code}: {response.content[:300]!r}")
        if act in ENTER_A_SCORE:
            self._check_effect(request)

    def _post(self, path: str, body: Any) -> Any:
        self.requests += 1
        response = self._sign_in(self.directors[0]).post(
            f"/api/v1/{path}",
            json.dumps(body),
            content_type="application/json",
            headers={"Idempotency-Key": f"seed {self.seed} request {self.requests}"},
        )
        if response.status_code >= 300:
            raise Broken(f"{path} answered {response.status_code}: {response.content[:600]!r}")
        return response.json()

    def _get_all(self, path: str) -> list[Any]:
        found: list[Any] = []
        page = 1
        while True:
            answer = self._sign_in(self.directors[0]).get(f"/api/v1/{path}?page={page}&page_size=200").json()
            found += answer["results"]
            if answer["next"] is None:
                return found
            page += 1


def _is_open(row: Pairing) -> bool:
    return bool(row.state == PairingState.READY and row.opened_at and row.a_id and row.b_id)
