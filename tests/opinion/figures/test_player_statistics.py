"""A player's figures: sums over visible matches, separately for each level and engine version."""

from __future__ import annotations

import random
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from matches.models import Match
from matches.state.status import Status
from opinion.analyses import analysing, availability
from opinion.analyses.analyses import verify_analyses as problems
from opinion.analyses.analysis_views import FAULTS
from opinion.figures import player_statistics
from opinion.judging.figures import ByFault, Line, Totals, compute_figures
from opinion.models import Analysis, Progress, Remark, SideSum
from players.models import Player
from rankings.lists import lists
from rankings.models import PlayerRating
from tests.matches.support import PASSWORD, Table
from tests.opinion.analyses.test_analysing import whole
from tests.rankings.standing_rows import stand
from tests.tournaments.event_desk import Desk

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

pytestmark = [pytest.mark.django_db, pytest.mark.page]
Lines = dict[int, list[Line]]


def test_every_kind_of_error_has_room() -> None:
    """SQLite takes any length, PostgreSQL none that is too long."""
    for table in (Remark, SideSum):
        assert max(map(len, FAULTS)) <= (table._meta.get_field("fault").max_length or 0)


def again(table: Table, **changed: Any) -> Match:
    """Another match between the two, as the database knows it."""
    row = Match.objects.get(pk=table.match.pk)
    row.pk = None
    for name in ("uid", "key"):
        setattr(row, name, Match._meta.get_field(name).get_default())
    for name, value in changed.items():
        setattr(row, name, value)
    row._state.adding = True
    row.save()
    return row


def judged(row: Match, dice: random.Random, *, of: int, level: int = 3, version: str = "1") -> Lines:
    """Have a match analysed by chance; return the lines of each side."""
    analysis = Analysis.objects.create(
        match=row, head_hash=row.head_hash, asked_at=row.moved_at, next_at=row.moved_at, level=level,
        progress=Progress.DONE, engine="pips", version=version, total=of,
    )  # fmt: skip
    lines: Lines = {0: [], 1: []}
    remarks = []
    for number in range(of):
        error = round(dice.choice((0.0, dice.random() / 5)), 4)
        line = Line(error, error / 3, error > 0 or dice.random() < 0.8,
                    dice.choice([*FAULTS]) if error else "", dice.uniform(-1, 1), dice.uniform(-0.1, 0.1),
                    dice.random() < 0.5)  # fmt: skip
        side = dice.randrange(2)
        lines[side].append(line)
        remarks.append(
            Remark(
                analysis=analysis, number=number, seq=1, game=1, ply=1, side=side, level=level, counted=line.counted,
                kind="play" if line.is_play else "double", position="", error=error, cost=line.cost,
                fault=line.fault, luck=line.luck, luck_cost=line.luck_cost,
            )
        )  # fmt: skip
    Remark.objects.bulk_create(remarks)
    with transaction.atomic():
        analysing.replace_sums(analysis.pk)
    return lines


def numbers(totals: Totals) -> list[float]:
    return [
        getattr(totals, name)
        for name in (
            "counted",
            "plays",
            "errors",
            "blunders",
            "error",
            "squares",
            "cost",
            "luck",
            "luck_cost",
        )
    ]


@pytest.mark.parametrize("seed", range(5))
def test_what_is_pooled_is_the_sum_over_the_matches(played: Table, seed: int) -> None:
    dice = random.Random(seed)
    ann, ben = played.match.white, played.match.black
    expected: list[Line] = []
    for _ in range(dice.randint(2, 6)):
        is_turned = dice.random() < 0.5
        row = again(played, white=ben, black=ann) if is_turned else again(played)
        expected += judged(row, dice, of=dice.randint(5, 60))[1 if is_turned else 0]
    found = player_statistics.build_pools(AnonymousUser(), ann)
    assert len(found) == 1
    told = compute_figures(expected)
    assert numbers(found[0].totals) == pytest.approx(numbers(told.totals))
    assert found[0].totals.pr == told.totals.pr
    assert found[0].totals.interval == pytest.approx(told.totals.interval, abs=0.011)
    by_fault = {name: ByFault(each.number, round(each.error, 4)) for name, each in found[0].by_fault.items()}
    assert {name: each.number for name, each in by_fault.items()} == {
        name: each.number for name, each in told.by_fault.items()
    }
    assert sum(each.error for each in by_fault.values()) == pytest.approx(told.totals.error)


@pytest.mark.long
def test_the_sums_of_an_analysis_are_those_of_its_page(played: Table) -> None:
    found = whole(played)
    assert SideSum.objects.filter(analysis=found).exists()
    assert list(problems()) == []
    for side, player in enumerate((played.match.white, played.match.black)):
        rows = found.remarks.filter(side=side)
        pool = player_statistics.build_pools(AnonymousUser(), player)[0]
        assert pool.judge == ("pips", "1", 3)
        assert pool.totals.counted == rows.filter(counted=True).count()
        assert pool.totals.error == pytest.approx(sum(rows.values_list("error", flat=True)))
    SideSum.objects.filter(analysis=found).first().delete()  # type: ignore[union-attr]
    assert any("its sums are of" in problem for problem in problems())


def test_versions_and_levels_are_never_added(played: Table) -> None:
    dice = random.Random(1)
    for level, version in ((3, "1"), (2, "1"), (3, "2")):
        judged(again(played), dice, of=20, level=level, version=version)
    found = player_statistics.build_pools(AnonymousUser(), played.match.white)
    assert {(each.judge.version, each.judge.level, each.matches) for each in found} == {
        ("1", 3, 1),
        ("1", 2, 1),
        ("2", 3, 1),
    }


def test_no_pr_from_one_ply_nor_under_fifty(played: Table, client: Client) -> None:
    dice = random.Random(2)
    ann = played.match.white
    judged(again(played), dice, of=300, level=1)
    judged(again(played), dice, of=30)
    one, three = sorted(
        player_statistics.build_pools(AnonymousUser(), ann), key=lambda each: each.judge.level
    )
    assert (one.totals.counted > 50, one.pr, one.why_no_pr) == (True, None, "level")
    assert (three.pr, three.why_no_pr, three.missing) == (None, "counted", 50 - three.totals.counted)
    told = " ".join(client.get(f"/players/{ann.key}/analysis/").content.decode().split())
    assert "From 1 ply no PR is shown" in told
    assert f"{three.missing} more decisions that count are missing" in told


@pytest.mark.long
def test_the_pr_stands_beside_the_rating_where_it_may_be_published(
    desk: Desk, played: Table, client: Client, now: datetime
) -> None:
    kept = lists.open_list(club=desk.club, by=desk.director, name="Here", system="fibs", now=now)
    row, _other = stand(kept, [(1600.0, 400, 1), (1500.0, 400, 1)], now)
    ann = played.match.white
    PlayerRating.objects.filter(pk=row.pk).update(player=ann)
    addresses = (f"/players/{ann.key}/", f"/players/{ann.key}/ratings/")
    dice = random.Random(2)
    judged(again(played), dice, of=300, level=1)
    judged(again(played), dice, of=30)
    assert {client.get(address).content.count(b"decisions") for address in addresses[1:]} == {0}
    judged(again(played), dice, of=300)
    [pr] = [each.pr for each in player_statistics.build_pools(AnonymousUser(), ann) if each.pr is not None]
    with CaptureQueriesContext(connection) as asked:
        profile, ratings = (client.get(address).content.decode() for address in addresses)
    # A page adds them up once, wherever they stand on it: by month and by kind, of either colour.
    assert sum('FROM "opinion_sidesum"' in query["sql"] for query in asked.captured_queries) == 4 * 2
    assert f"<strong>{pr:.2f}</strong>" in ratings
    # There it is in the card of errors and luck as well.
    assert profile.count(f"<strong>{pr:.2f}</strong>") == 2


def test_months_are_pooled_by_themselves(played: Table) -> None:
    dice = random.Random(3)
    row = Match.objects.get(pk=played.match.pk)
    earlier = row.finished_at.replace(year=row.finished_at.year - 1, day=15)
    judged(again(played), dice, of=200)
    judged(again(played, finished_at=earlier), dice, of=200)
    (found,) = player_statistics.build_pools(AnonymousUser(), row.white)
    assert [each.first.year for each in found.months] == [earlier.year + 1, earlier.year]
    assert found.totals.counted == sum(each.totals.counted for each in found.months)
    assert found.pr is not None
    assert all(each.pr is not None for each in found.months)


# -- who may see it -------------------------------------------------------------------------------


def counted(user: Any, player: Player) -> int:
    return sum(each.matches for each in player_statistics.build_pools(user, player))


def test_a_private_match_counts_for_its_players_alone(played: Table) -> None:
    judged(again(played, is_private=True), random.Random(4), of=9)
    ann, ben = played.match.white, played.match.black
    assert (counted(AnonymousUser(), ann), counted(ann.user, ann), counted(ben.user, ann)) == (0, 1, 1)


def test_who_hides_shows_figures_to_themselves_alone(played: Table, client: Client) -> None:
    judged(again(played), random.Random(5), of=9)
    ann = played.match.white
    ann.hidden_from_search = True
    ann.save()
    for address in (f"/players/{ann.key}/analysis/", f"/api/v1/players/{ann.key}/analysis/"):
        client.logout()
        assert client.get(address).status_code == 404
        assert client.login(email="ann@example.org", password=PASSWORD)
        assert client.get(address).status_code == 200


def test_who_was_merged_counts_with_the_player_who_was_kept(played: Table) -> None:
    judged(again(played), random.Random(6), of=9)
    ann, ben = played.match.white, played.match.black
    ann.merged_into, ann.user = ben, None
    ann.save()
    assert counted(AnonymousUser(), ben) == 2


@pytest.mark.parametrize("status", [Status.LIVE, Status.PAUSED])
def test_a_match_that_is_open_again_does_not_count(played: Table, status: Status) -> None:
    row = again(played)
    judged(row, random.Random(7), of=9)
    Match.objects.filter(pk=row.pk).update(
        status=status.value, finished_at=None, is_limited=False, is_timed=False
    )
    assert counted(AnonymousUser(), row.white) == 0


def test_an_analysis_of_another_journal_does_not_count(played: Table) -> None:
    row = again(played)
    judged(row, random.Random(8), of=9)
    Match.objects.filter(pk=row.pk).update(head_hash="other")
    assert counted(AnonymousUser(), row.white) == 0


# -- pages and programs ---------------------------------------------------------------------------


def test_the_page_and_programs_tell_the_same(played: Table, client: Client) -> None:
    judged(again(played), random.Random(9), of=300)
    ann = played.match.white
    (pool,) = player_statistics.build_pools(AnonymousUser(), ann)
    assert pool.pr is not None
    told = client.get(f"/api/v1/players/{ann.key}/analysis/").json()
    (first,) = told["pools"]
    assert (told["missing"], first["engine"], first["level"]) == ("", "pips", 3)
    assert (first["pr"], first["interval"], first["counted"]) == (
        pool.pr,
        pool.totals.interval,
        pool.totals.counted,
    )
    assert {each["fault"] for each in first["faults"]} == {*FAULTS}
    for address in (f"/players/{ann.key}/", f"/players/{ann.key}/analysis/"):
        page = client.get(address).content.decode()
        assert f"<strong>{pool.pr:.2f}</strong>" in page
        assert "pips 1" in page


def test_without_an_engine_pages_say_so_in_one_line(
    played: Table, client: Client, monkeypatch: pytest.MonkeyPatch, settings: SettingsWrapper
) -> None:
    ann = played.match.white
    monkeypatch.setattr(availability, "explain_absence", lambda: "no analysis on this machine")
    for address in (f"/players/{ann.key}/", f"/players/{ann.key}/analysis/"):
        assert "There is no analysis on this machine" in client.get(address).content.decode()
    assert client.get(f"/api/v1/players/{ann.key}/analysis/").json()["missing"] == "absent"
    settings.OPINION = False
    assert "Errors and luck" not in client.get(f"/players/{ann.key}/").content.decode()
    assert "Analyses are switched off" in client.get(f"/players/{ann.key}/analysis/").content.decode()
