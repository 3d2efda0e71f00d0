"""The real server, killed while matches are called: they stay as they were, and no table is held for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.runtime.premises import ALIAS
from tests.runtime.support import until
from venue.models import Assignment, Chair

if TYPE_CHECKING:
    from tests.runtime.premises import Premises

NIGHT = """
from django.utils import timezone
from tests.tournaments.desk import Desk, a_plan
from tournaments.services import drawing
from venue.models import CallMode
from venue.services import modes, rooms

desk = Desk(timezone.now())
room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-3", now=desk.now)
desk.announce(a_plan("single-elimination"), 8)
modes.play_in(event=desk.event, room=room, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now)
desk.do(drawing.publish)
"""
RESULT = """
from django.utils import timezone
from players.models import User
from tournaments.services import results
from venue.models import Assignment

row = Assignment.objects.filter(ended_at=None).order_by("pk").first().pairing
results.enter(
    tournament_id=row.tournament_id, key=row.key, score=(row.length, 0), by=User.objects.get(), now=timezone.now()
)
"""


def rows() -> tuple[list[Any], list[Any]]:
    return (
        list(Assignment.objects.using(ALIAS).order_by("pk").values()),
        list(Chair.objects.using(ALIAS).order_by("pk").values()),
    )


def at_tables() -> int:
    return Assignment.objects.using(ALIAS).filter(ended_at=None).count()


def test_a_killed_server_leaves_calls_as_they_were(premises: Premises) -> None:
    server = premises.open()
    made = premises.run("shell", "-c", NIGHT)
    assert made.returncode == 0, made.stderr
    # The server's own workers call: nobody asks them to.
    until(lambda: at_tables() == 3)
    before = rows()
    server.kill()
    assert rows() == before

    entered = premises.run("shell", "-c", RESULT)
    assert entered.returncode == 0, entered.stderr
    assert at_tables() == 2
    premises.let_time_pass()
    premises.open()
    # What was written down while no server ran is carried out by the next.
    until(lambda: at_tables() == 3)
    verified = premises.run("verify")
    assert verified.returncode == 0, verified.stdout + verified.stderr
