"""A correction that drops a match notifies its players, whether it was already played or not."""

from __future__ import annotations

import pytest

from players.accounts import accounts
from players.models import Notice, User
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Entry, Pairing, Ruling, RulingKind
from tournaments.play import corrections, preview

FINAL = "main/2.1"


@pytest.fixture
def final(desk: Desk) -> tuple[User, User]:
    """Four with accounts, and the two who have won their semi-finals: first the one of match 1."""
    desk.start(a_plan("single-elimination"), 4)
    for number in range(1, 5):
        email, name = f"player{number}@example.org", f"Holder {number}"
        user = accounts.register(email=email, password=None, name=name, now=desk.now)
        Entry.objects.filter(tournament=desk.event, number=number).update(player=user.player)
    for key in ("main/1.1", "main/1.2"):
        desk.play(key)
    row = desk.row(FINAL)
    return seated(row)


def seated(row: Pairing) -> tuple[User, User]:
    """Return the accounts of the two of a match."""
    found = [one.player.user for one in (row.a, row.b) if one is not None]
    assert found[0] is not None
    assert found[1] is not None
    return found[0], found[1]


def list_notices(user: User) -> list[str]:
    return list(Notice.objects.filter(user=user).order_by("pk").values_list("text", flat=True))


def test_a_final_that_is_not_to_be_played_is_said_to_the_other_finalist(
    desk: Desk, final: tuple[User, User]
) -> None:
    _own, other = final
    loser = next(user for user in seated(desk.row("main/1.1")) if user != final[0])

    desk.do(corrections.correct_result, key="main/1.1", kind="", reason="The last game was not over.")

    [said] = list_notices(other)
    assert "is not to be played now" in said
    assert said.endswith("The last game was not over.")
    assert Notice.objects.get(user=other).url == desk.event.get_absolute_url()
    # The players of the reopened match see that too, and its loser has lost no other match.
    assert [("decided" in each, "not to be played" in each) for each in list_notices(final[0])] == [
        (False, True),
        (True, False),
    ]
    assert len(list_notices(loser)) == 1


def test_a_final_that_was_played_no_longer_counts(desk: Desk, final: tuple[User, User]) -> None:
    desk.play(FINAL)
    Notice.objects.all().delete()

    desk.do(corrections.correct_result, key="main/1.1", kind="", reason="Mixed up")

    for user in final:
        assert any("no longer counts" in each for each in list_notices(user))
    ruling = Ruling.objects.get(act=RulingKind.CORRECTED)
    Notice.objects.all().delete()
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="It was right")
    # The final is back, and the two of the semi-final are notified of the restored result.
    assert list_notices(final[1]) == []
    assert "You win" in list_notices(final[0])[0]


def test_who_is_in_the_final_instead_is_another_match(desk: Desk, final: tuple[User, User]) -> None:
    row = desk.row("main/1.1")
    assert row.winner_id
    turned = (0, row.length) if row.winner_id == row.a_id else (row.length, 0)

    desk.do(corrections.correct_result, key="main/1.1", score=turned, reason="Misread")

    assert any("is not to be played now" in each for each in list_notices(final[1]))


def test_the_same_two_are_told_nothing(desk: Desk, final: tuple[User, User]) -> None:
    row = desk.row("main/1.1")
    other = (row.length, 1) if row.winner_id == row.a_id else (1, row.length)

    desk.do(corrections.correct_result, key="main/1.1", score=other, reason="Misread")

    assert list_notices(final[1]) == []


def test_looking_at_what_would_come_of_it_tells_nobody(desk: Desk, final: tuple[User, User]) -> None:
    del final
    preview.preview_act(
        desk.pk, lambda: desk.do(corrections.correct_result, key="main/1.1", kind="", reason="Looking")
    )

    assert not Notice.objects.exists()


def test_a_slip_that_is_taken_back_is_told_to_the_other_finalist_alone(
    desk: Desk, final: tuple[User, User]
) -> None:
    entered = Ruling.objects.get(act=RulingKind.ENTERED_RESULT, data__key="main/1.1")

    desk.do(corrections.undo_result, ruling_id=entered.pk)

    assert len(list_notices(final[1])) == 1
    assert len(list_notices(final[0])) == 1
    assert Notice.objects.count() == 2
