"""Two directors look at one room and both act: where both cannot be meant, the second is shown what has changed, and nothing is lost.

The acts stand in a table. Of each pair the first is carried out from a page that both have open, the second from the same page: it has
to be refused in words, and everything has to be as the first has left it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pytest
from django.contrib.messages import get_messages
from django.db import transaction
from django.test import Client
from django.urls import reverse

from players.clubs import clubs
from players.models import Role
from tests.tournaments.event_desk import Desk, a_plan
from tests.venue.forms import kept
from tournaments.models import Pairing, Ruling
from tournaments.plan import drawing
from venue.calls import calling, conflict_checks, tables
from venue.models import Assignment, CallMode, Room, Table, TableState
from venue.rooms import room_settings, rooms

# What comes first, and what another person does after it.
Rows = dict[str, tuple[str, ...]]
# Where a form goes, and what is in it.
Form = tuple[str, dict[str, str]]

# M and N are two matches that are ready. In the first room M is called to table 1, in the second everything is free, in the
# third table 1 is held.
CALLED, FREE, HELD = "M is called to 1", "1 is free", "1 is held"
# What may be done first, and what cannot be done from the same page any more.
CONFLICTS: Final[dict[str, Rows]] = {
    CALLED: dict.fromkeys(
        ("take back", "break", "M to 2", "M to 3", "result of M"),
        ("take back", "here", "break", "M to 2", "M to 3"),
    ),
    FREE: {
        "hold": ("hold", "break", "M to 1", "N to 1"),
        "break": ("hold", "break", "M to 1", "N to 1"),
        # The next is M, and table 1 the first.
        "next": ("hold", "break", "next", "M to 1", "M to 2", "N to 1"),
        "M to 1": ("hold", "break", "next", "M to 1", "M to 2", "N to 1"),
        "M to 2": ("next", "M to 1", "M to 2", "N to 2"),
        "N to 1": ("hold", "break", "next", "M to 1", "N to 1", "N to 2"),
    },
    HELD: dict.fromkeys(("free", "break", "M to 1"), ("free", "break", "M to 1", "N to 1")),
}
# Both may be meant: the second is done, too.
BOTH: Final[dict[str, Rows]] = {
    FREE: {"hold": ("next", "M to 2"), "break": ("next",), "M to 2": ("hold",), "N to 1": ("M to 2",)},
    CALLED: {"here": ("take back", "break", "M to 2"), "M to 2": ("N to 3",)},
}


class TwoDesks:
    """A room of three tables and two directors who look at it."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        other = desk.member("Sam Second")
        clubs.set_role(
            club=desk.club, player=other.player, role=Role.DIRECTOR, by=desk.director, now=desk.now
        )
        self.first, self.second = Client(), Client()
        self.first.force_login(desk.director)
        self.second.force_login(other)
        self.room: Room = rooms.open_room(
            club=desk.club, by=desk.director, name="Lamp Room", labels="1-3", now=desk.now
        )
        desk.announce(a_plan("single-elimination"), 8)
        room_settings.set_room(
            event=desk.event, room=self.room, mode=CallMode.CONFIRMED, by=desk.director, now=desk.now
        )
        desk.do(drawing.publish)
        desk.fresh()
        self.matches = dict(zip("MN", (row.key for row in desk.open()), strict=False))
        self.tables: dict[str, Table] = {table.label: table for table in self.room.tables.all()}

    def arrange(self, situation: str) -> None:
        """Make the room what both see."""
        one, who = self.tables["1"], {"by": self.desk.director, "now": self.desk.now}
        if situation == CALLED:
            calling.call(table=one, event=self.desk.event, key=self.matches["M"], **who)
        elif situation == HELD:
            rooms.set_state(table=one, state=TableState.HELD, **who)

    def form(self, client: Client, act: str) -> Form:
        """The address and fields of a button on the current pages."""
        event = self.desk.event.key
        at_desk = reverse("tournaments:desk", args=[event])
        match, _, table = act.partition(" to ")
        if table:
            address = reverse("venue:call", args=[self.desk.club.slug, self.tables[table].key])
            page = reverse("tournaments:pairing", args=[event, self.matches[match]])
            return address, kept(client, page, address)
        if act == "next":
            address = reverse("venue:call_next", args=[event])
            return address, kept(client, at_desk, address)
        address = reverse("venue:change_table", args=[event])
        fields = kept(client, at_desk, address, table=self.tables["1"].key)
        return address, {**fields, "act": act.replace(" ", "-")}

    def button(self, client: Client, act: str) -> Callable[[], str]:
        """Return an act as a page of this moment offers it; it answers with what is refused, and "" where it is done."""
        if act == "result of M":
            return lambda: self.desk.play(self.matches["M"]) and ""  # type: ignore[return-value]
        address, fields = self.form(client, act)

        def press() -> str:
            answer = client.post(address, fields)
            assert answer.status_code == 302
            # What the page that follows shows.
            told = get_messages(answer.wsgi_request)._queued_messages
            return " ".join(str(one) for one in told if "error" in one.level_tag)

        return press

    def picture(self) -> Any:
        """Return everything that an act on a room may change."""
        return (
            list(self.room.tables.order_by("pk").values("label", "state")),
            list(Assignment.objects.order_by("pk").values()),
            list(Pairing.objects.filter(tournament=self.desk.event).order_by("pk").values()),
            Ruling.objects.filter(tournament=self.desk.event).count(),
        )

    def run(self, rows: Mapping[str, Rows]) -> Iterator[tuple[str, str, str, str, bool]]:
        """Let both act from pages loaded at the same time.

        Yield the second's message, and whether the first's state is kept.
        """
        for situation, pairs in rows.items():
            with undone():
                self.arrange(situation)
                before = self.picture()
                ones = {first: self.button(self.first, first) for first in pairs}
                seconds = {second for each in pairs.values() for second in each}
                twos = {second: self.button(self.second, second) for second in sorted(seconds)}
                for first, after in pairs.items():
                    with undone():
                        assert ones[first]() == "", f"{first} was refused where {situation}"
                        left = self.picture()
                        assert left != before
                        for second in after:
                            with undone():
                                said = twos[second]()
                                yield situation, first, second, said, self.picture() == left
                                assert list(tables.verify_tables()) == []


@contextlib.contextmanager
def undone() -> Iterator[None]:
    """Roll back all changes of the block."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def silent(desks: TwoDesks) -> Iterator[tuple[str, str, str]]:
    """Yield the pairs in which the second act got no message, or changed something all the same."""
    for *pair, said, is_as_left in desks.run(CONFLICTS):
        if not said or not is_as_left:
            yield tuple(pair)


@pytest.mark.long
def test_each_conflict_is_shown_to_the_second_and_nothing_is_lost(desk: Desk) -> None:
    pairs = [
        (situation, first, second)
        for situation, rows in CONFLICTS.items()
        for first, after in rows.items()
        for second in after
    ]
    assert len(pairs) == len(set(pairs)) >= 50
    assert list(silent(TwoDesks(desk))) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("question", "off"),
    [
        ("run_if_unchanged", lambda act, **_seen: act()),
        ("require_at_table", lambda *_seen: None),
        ("require_latest_call", lambda *_seen: None),
        ("require_table", lambda *_seen: None),
    ],
)
def test_without_one_of_its_questions_some_are_silent(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, question: str, off: Callable[..., object]
) -> None:
    """The guard off: each question answers for some of the pairs."""
    monkeypatch.setattr(conflict_checks, question, off)
    assert next(silent(TwoDesks(desk)), None) is not None


@pytest.mark.long
def test_what_both_may_mean_is_done_for_both(desk: Desk) -> None:
    for *pair, said, is_as_left in TwoDesks(desk).run(BOTH):
        assert (said, is_as_left) == ("", False), pair
