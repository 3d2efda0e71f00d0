"""Old ratings come in as openings: never as matches, all or nothing, undone as a whole, and recomputed by anyone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from players.accounts import accounts
from players.clubs import clubs, merging
from players.models import Player
from players.people.namesakes import NEW
from rankings import verifiers
from rankings.errors import BadOpenings, NoImport, NothingToImport, NotKeeper
from rankings.formulas.match_files import read, serialize_ratings
from rankings.ledger import opening_ratings as selectors
from rankings.ledger import rated_matches, rebuilding
from rankings.lists import dated_lists
from rankings.models import LedgerEntry, Opening, OpeningImport, PlayerRating, RatingList
from rankings.openings import opening_sheet, openings
from rankings.openings.openings import ImportedRating
from tests.deliveries import deliver
from tests.rankings.rating_lists import open_list
from tests.tournaments.event_desk import Desk, a_plan


def bring(desk: Desk, rating_list: RatingList, *olds: ImportedRating) -> OpeningImport:
    made = openings.draft(
        rating_list=rating_list, source="Old list", table=[["x"]], by=desk.director, now=desk.now
    )
    openings.save(import_id=made.pk, olds=olds, by=desk.director, now=desk.now)
    made.refresh_from_db()
    return made


def build_old(desk: Desk, number: int, rating: float, **said: Any) -> ImportedRating:
    told: dict[str, Any] = {"row": number, "name": "", "rating": rating, **said}
    if "player" not in told:
        told["player"] = desk.player(number)
    return ImportedRating(**{"day": desk.now.date() - timedelta(days=60), **told})


def sound(rating_list: RatingList) -> bool:
    return list(verifiers.find_problems(rating_list)) == []


def befores(rating_list: RatingList) -> list[tuple[int, float]]:
    return list(rated_matches.list_entries(rating_list).values_list("player", "before"))


@pytest.fixture
def played(desk: Desk) -> RatingList:
    """A list with a round robin of four in it."""
    made = open_list(desk)
    desk.start(a_plan("round-robin"), 4)
    desk.play_out()
    deliver(desk.now)
    return made


@pytest.mark.long
@pytest.mark.parametrize("system", ["fibs", "elo", "glicko2"])
def test_players_begin_with_what_they_bring_and_anyone_can_recompute_it(system: str, desk: Desk) -> None:
    kept = open_list(desk, system)
    desk.start(a_plan("round-robin"), 4)
    desk.play_out()
    deliver(desk.now)
    plain = befores(kept)
    one = desk.player(1)
    made = bring(desk, kept, build_old(desk, 1, 1800.0, experience=300, deviation=90.0))
    deliver(desk.now)
    assert sound(kept)
    first = rated_matches.list_entries(kept).filter(player=one).first()
    assert (first.before, first.experience) == (1800.0, 300 + first.length)
    shown = PlayerRating.objects.get(list=kept, player=one)
    assert shown.matches == 3
    placed = {
        each.player_id: each
        for each in dated_lists.compute_placed_players(kept, desk.now + timedelta(days=1), least=0)
    }
    assert placed[one.pk].rating == pytest.approx(shown.rating)

    month = "2026-%02d"
    entries = list(rated_matches.list_entries(kept).filter(is_a=True))
    periods = sorted({*(each.at.strftime("%Y-%m") for each in entries), *(month % n for n in range(1, 13))})
    opening = selectors.list_valid(kept).get()
    file = {
        "system": system,
        "periods": periods if system == "glicko2" else [],
        "players": {
            str(one.pk): {
                "rating": opening.rating,
                "experience": opening.experience,
                **(
                    {"deviation": opening.deviation, "period": opening.day.strftime("%Y-%m")}
                    if system == "glicko2"
                    else {}
                ),
            }
        },
        "matches": [
            {
                **{
                    "id": each.match.hex,
                    "at": each.at.isoformat(),
                    "a": str(each.player_id),
                    "b": str(each.opponent_id),
                },
                **{
                    "winner": "a" if each.won else "b",
                    "length": each.length,
                    "period": each.at.strftime("%Y-%m"),
                },
            }
            for each in entries
        ],
    }
    answer: Any = serialize_ratings(read(file))
    assert answer["players"][str(one.pk)]["rating"] == shown.rating

    openings.undo(import_id=made.pk, by=desk.director, now=desk.now)
    deliver(desk.now)
    assert befores(kept) == plain
    assert sound(kept)
    with pytest.raises(NoImport):
        openings.undo(import_id=made.pk, by=desk.director, now=desk.now)


@pytest.mark.long
def test_the_check_sees_an_opening_that_was_not_followed(played: RatingList, desk: Desk) -> None:
    bring(desk, played, build_old(desk, 1, 1800.0))
    assert not sound(played)
    rebuilding.finish_rebuild(list_id=played.pk, now=desk.now)
    assert sound(played)


def test_matches_that_come_later_are_rated_from_the_opening(desk: Desk) -> None:
    kept = open_list(desk)
    desk.announce(a_plan("round-robin"), 2)
    bring(desk, kept, build_old(desk, 1, 1800.0))
    from tournaments.plan import drawing

    desk.do(drawing.publish)
    desk.play_out()
    deliver(desk.now)
    assert [before for _who, before in befores(kept)] == [1800.0, 1500.0]
    assert sound(kept)
    assert not LedgerEntry.objects.filter(voided_at__isnull=False).exists()


@pytest.mark.long
def test_all_or_nothing(played: RatingList, desk: Desk) -> None:
    stranger = accounts.register(email="s@example.org", password=None, name="Sam", now=desk.now).player
    today = desk.now.date()
    refused = [
        ([build_old(desk, 1, 1800.0), build_old(desk, 2, float("nan"))], "row 2, rating"),
        ([build_old(desk, 1, 1800.0), build_old(desk, 2, 1500.0, experience=-1)], "row 2, experience"),
        ([build_old(desk, 1, 1800.0), build_old(desk, 2, 1500.0, deviation=0.0)], "row 2, deviation"),
        (
            [build_old(desk, 1, 1800.0), build_old(desk, 2, 1500.0, day=today + timedelta(days=2))],
            "still to come",
        ),
        (
            [build_old(desk, 1, 1800.0), build_old(desk, 2, 1500.0, row=2, player=desk.player(1))],
            "same player as in row 1",
        ),
        ([build_old(desk, 1, 1800.0), build_old(desk, 2, 1500.0, player=stranger)], "not a member"),
        ([build_old(desk, 1, 1800.0), build_old(desk, 2, 1500.0, player=None, name="\u200b")], "row 2"),
    ]
    for olds, why in refused:
        with pytest.raises(BadOpenings, match=why):
            bring(desk, played, *olds)
    with pytest.raises(NothingToImport):
        bring(desk, played)
    assert not Opening.objects.exists()
    assert Player.objects.count() == 6
    assert sound(played)
    bring(desk, played, build_old(desk, 1, 1800.0))
    with pytest.raises(BadOpenings, match="already"):
        bring(desk, played, build_old(desk, 1, 1700.0))
    with pytest.raises(NotKeeper):
        openings.draft(rating_list=played, source="Old list", table=[], by=stranger.user, now=desk.now)
    drafted = openings.draft(rating_list=played, source="Old list", table=[], by=desk.director, now=desk.now)
    with pytest.raises(NotKeeper):
        openings.save(import_id=drafted.pk, olds=[], by=stranger.user, now=desk.now)
    with pytest.raises(NotKeeper):
        openings.undo(
            import_id=OpeningImport.objects.filter(saved_at__isnull=False).get().pk,
            by=stranger.user,
            now=desk.now,
        )


@pytest.mark.long
def test_who_was_rated_here_before_that_day_does_not_begin_then(played: RatingList, desk: Desk) -> None:
    desk.now += timedelta(days=30)
    with pytest.raises(BadOpenings, match="rated here before that day"):
        bring(desk, played, build_old(desk, 1, 1800.0, day=desk.now.date()))


def test_a_day_is_that_of_the_club(desk: Desk) -> None:
    kept = open_list(desk)
    desk.start(a_plan("round-robin"), 2)
    desk.play_out()
    deliver(desk.now)
    assert desk.now.hour == 19

    def list_refused(zone: str, *days: int) -> list[int]:
        kept.club.time_zone = zone
        olds = (build_old(desk, 1, 1800.0, row=day, day=desk.now.date().replace(day=day)) for day in days)
        return sorted(
            {row for old in olds for row, _why in openings.find_problems(kept, [old], now=desk.now)}
        )

    # In Auckland it is the 6th already, and there the match ended on that day.
    assert list_refused("Pacific/Auckland", 5, 6, 7) == [7]
    assert list_refused("UTC", 4, 5, 6) == [6]
    # A day later in Auckland a match of the 5th in UTC is still one of the 6th.
    desk.now += timedelta(days=1)
    assert list_refused("Pacific/Auckland", 5, 6, 7) == [7]
    assert list_refused("UTC", 5, 6) == [6]


@pytest.mark.long
def test_a_merge_brings_the_opening_along_and_its_undoing_takes_it_back(
    played: RatingList, desk: Desk
) -> None:
    plain = befores(played)
    bring(desk, played, build_old(desk, 9, 1800.0, player=None, name="Old Friend"))
    friend = Player.objects.get(name="Old Friend")
    deliver(desk.now)
    assert befores(played) == plain
    merging.merge_guest(kept=desk.player(1), dropped=friend, by=desk.director, now=desk.now)
    # What still waits in the outbox is no fault.
    assert list(verifiers.verify_ledgers()) == []
    deliver(desk.now)
    assert dict(reversed(befores(played)))[desk.player(1).pk] == 1800.0
    assert sound(played)
    merging.unmerge(merge_id=desk.player(1).merges.get().pk, by=desk.director, now=desk.now)
    deliver(desk.now)
    assert befores(played) == plain
    assert sound(played)


@pytest.mark.parametrize("most", [0, 2], ids=["filtered in Python", "filtered by the database"])
def test_the_openings_of_some_players_are_those_of_all(
    most: int, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "MOST_SELECTED", most)
    kept = open_list(desk)
    guests = [
        clubs.add_guest(club=desk.club, name=name, by=desk.director, now=desk.now)
        for name in ("Ada", "Bea", "Cleo", "Dan", "Eve")
    ]
    bring(desk, kept, *(build_old(desk, n, 1501.0 + n, player=guests[n]) for n in range(4)))
    # One of the two has an opening as well, the other none.
    for into, dropped in ((1, 0), (4, 2)):
        merging.merge_guest(kept=guests[into], dropped=guests[dropped], by=desk.director, now=desk.now)
    keys = {guests[1].pk, guests[4].pk}
    found = selectors.load_standings(kept, keys)
    every = selectors.load_standings(kept)
    assert found == {key: each for key, each in every.items() if int(key) in keys}
    assert sorted(each.rating for each in found.values()) == [1502.0, 1503.0]


@pytest.mark.long
def test_the_openings_that_are_listed_are_those_that_count(desk: Desk, client: Client) -> None:
    kept = open_list(desk)
    desk.start(a_plan("round-robin"), 2)
    desk.play_out()
    deliver(desk.now)
    one, two = desk.player(1), desk.player(2)
    olds = [
        clubs.add_guest(club=desk.club, name=name, by=desk.director, now=desk.now)
        for name in ("Ada", "Bea", "Cleo")
    ]
    players = (olds[0], one, olds[1], olds[2])
    bring(desk, kept, *(build_old(desk, n, 1900.0 - n, player=each) for n, each in enumerate(players)))
    # The first has an opening as well; of the two who become the second, the earlier one counts.
    for into, dropped in ((one, olds[0]), (two, olds[2]), (two, olds[1])):
        merging.merge_guest(kept=into, dropped=dropped, by=desk.director, now=desk.now)

    told = client.get(f"/api/v1/rating-lists/{kept.key}/openings/").json()["results"]
    assert [(row["player"]["key"], row["rating"]) for row in told] == [(one.key, 1899.0), (two.key, 1898.0)]
    counted = selectors.load_standings(kept)
    assert {pk: each.rating for pk, each in counted.items()} == {str(one.pk): 1899.0, str(two.pk): 1898.0}
    assert [
        ((row.player.merged_into or row.player).public_name, row.has_played)
        for row in selectors.list_openings(kept)
    ] == [
        ("Guest 1", True),
        ("Guest 2", True),
    ]


@pytest.mark.long
def test_guests_who_came_by_an_import_and_played_nothing_leave_with_it(
    played: RatingList, desk: Desk
) -> None:
    made = bring(desk, played, build_old(desk, 9, 1800.0, player=None, name="Old Friend"))
    assert desk.club.memberships.filter(player__name="Old Friend").exists()
    openings.undo(import_id=made.pk, by=desk.director, now=desk.now)
    assert not desk.club.memberships.filter(player__name="Old Friend").exists()


def upload(
    browser: Client, rating_list: RatingList, text: str, name: str = "old.csv", source: str = ""
) -> Any:
    address = reverse("rankings:upload_openings", args=[rating_list.club.slug, rating_list.key])
    return browser.post(
        address, {"file": SimpleUploadedFile(name, text.encode()), "source": source}, follow=True
    )


@pytest.mark.long
def test_a_file_is_looked_through_and_then_imported(played: RatingList, desk: Desk, client: Client) -> None:
    client.force_login(desk.director)
    clubs.add_guest(club=desk.club, name="Nadia Haddad", by=desk.director, now=desk.now)
    text = (
        "Spieler;Wertung;Partien;Stand\n"
        "Guest 1;1712,5;40;01.02.2026\n"
        "Nadia Hadad;1600;10;\n"
        "Sam Stranger;1400;3;\n"
        "=1+1;1400;3;\n"
        "Guest 2;high;3;\n"
        ";;;\n"
    )
    page = upload(client, played, text, source="Alte Liste")
    said = page.content.decode()
    assert "Alte Liste" in said
    assert "This is a formula, not a name." in said
    assert "A5: =1+1" in said
    assert "B6: high" in said
    assert "Nadia Haddad (90%)" in said
    assert not Opening.objects.exists()
    here = page.redirect_chain[-1][0]
    answers = {
        **{"column_name": "0", "column_rating": "1", "column_matches": "2", "column_day": "3"},
        **{"day": "2026-01-01", "points": "7", "strangers": "new", "act": "save"},
    }
    refused = client.post(here, answers)
    assert refused.status_code == 422
    assert not Opening.objects.exists()
    strangers_row = {"row_4": "new"}
    done = client.post(here, answers | strangers_row | {"leaves_out": "on"}, follow=True).content.decode()
    assert "3 ratings are imported." in done
    found = {
        each.player.name: (each.rating, each.experience, str(each.day)) for each in Opening.objects.all()
    }
    assert found == {
        "Guest 1": (1712.5, 280, "2026-02-01"),
        "Nadia Haddad": (1600.0, 70, "2026-01-01"),
        "Sam Stranger": (1400.0, 21, "2026-01-01"),
    }
    deliver(desk.now)
    assert sound(played)
    row = OpeningImport.objects.get()
    assert row.table == []
    undone = client.post(
        reverse("rankings:undo_openings", args=[desk.club.slug, played.key, row.pk]), follow=True
    )
    assert "The import is undone." in undone.content.decode()
    assert not selectors.list_openings(played)


@pytest.mark.long
def test_a_file_that_cannot_be_read_is_refused_in_the_form(
    played: RatingList, desk: Desk, client: Client
) -> None:
    client.force_login(desk.director)
    page = upload(client, played, "Ada,1500", name="old.pdf")
    assert page.status_code == 422
    assert "Choose a csv, xlsx or ods file" in page.content.decode()
    assert not OpeningImport.objects.exists()


@pytest.mark.long
def test_columns_can_be_put_right(played: RatingList, desk: Desk, client: Client) -> None:
    client.force_login(desk.director)
    page = upload(client, played, "7,1500,Guest 1,1650\n8,1500,Guest 2,1700\n")
    here = page.redirect_chain[-1][0]
    answers = {
        "column_name": "2",
        "column_rating": "3",
        "day": "2026-01-01",
        "points": "5",
        "strangers": "leave",
    }
    said = client.post(here, answers | {"act": "look"}).content.decode()
    assert "2 ratings would be imported." in said
    # All problems are listed at once.
    later = answers | {"day": "2100-01-01", "act": "look"}
    said = client.post(here, later).content.decode()
    assert said.count("date: this day is still to come.") == 2
    client.post(here, answers | {"act": "save"})
    assert sorted(Opening.objects.values_list("rating", flat=True)) == [1650.0, 1700.0]


def test_a_column_that_is_not_used_is_named(played: RatingList, desk: Desk, client: Client) -> None:
    client.force_login(desk.director)
    page = upload(client, played, "Name,Rating,Raiting,Country\nGuest 1,1650,1600,DE\n")
    assert "Not used: C (Raiting), D (Country)." in page.content.decode()


def test_thousands_in_ratings_are_not_decimals(desk: Desk) -> None:
    written = ["1,650", "1.650", "1650,5", "812.345", "1 650"]
    table = [["Ada", text] for text in written]
    columns = opening_sheet.guess_columns(table)
    sheet = opening_sheet.read_sheet(
        table, club=desk.club, columns=columns, day=desk.now.date(), points=5, choices={}, strangers=NEW
    )
    assert [row.rating for row in sheet.rows] == [1650, 1650, 1650.5, 812.345, 1650]


def test_thousands_in_experience_and_matches_are_not_decimals(desk: Desk) -> None:
    written = ("1,250", "1.250", "1 250", "1,234,567", "1250.0", "999", "1,25x", "1.250,00")

    def read(column: str) -> dict[str, int]:
        table = [["Name", "Rating", column], *([f"Ada {text}", "1500", text] for text in written)]
        sheet = opening_sheet.read_sheet(
            table,
            club=desk.club,
            columns=opening_sheet.guess_columns(table),
            day=desk.now.date(),
            points=5,
            choices={},
            strangers=NEW,
        )
        assert [(cell.text, cell.code) for cell in sheet.wrong] == [
            ("1,25x", "not_a_number"),
            ("1.250,00", "not_a_number"),
        ]
        return {row.name.removeprefix("Ada "): row.experience for row in sheet.rows}

    expected = {
        "1,250": 1250,
        "1.250": 1250,
        "1 250": 1250,
        "1,234,567": 1_234_567,
        "1250.0": 1250,
        "999": 999,
    }
    assert read("Experience") == expected
    assert read("Matches") == {text: 5 * count for text, count in expected.items()}


@pytest.mark.long
def test_programs_bring_ratings_and_undo_them(played: RatingList, desk: Desk, client: Client) -> None:
    address = f"/api/v1/rating-lists/{played.key}/openings/"
    body = {
        "source": "Federation",
        "ratings": [{"player": desk.player(1).key, "rating": 1800.5, "day": "2026-01-31"}],
    }

    def post(said: object, key: str) -> Any:
        return client.post(address, said, content_type="application/json", headers={"Idempotency-Key": key})

    assert post(body, "first-time").status_code in {401, 403}
    nobody = {"source": "x", "ratings": [{"player": "nobody", "rating": 1.0, "day": "2026-01-31"}]}
    member = desk.member("Mia")
    client.force_login(member)
    assert {post(said, key).status_code for said, key in ((body, "by-member"), (nobody, "member-2"))} == {403}
    client.force_login(desk.director)
    made = post(body, "second-time")
    assert (made.status_code, made.json()["ratings"]) == (201, 1)
    assert post(body, "second-time").json() == made.json()
    refused = post(body, "third-time")
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_openings")
    assert post(nobody, "fourth-time").status_code == 400
    [told] = client.get(address).json()["results"]
    assert (told["rating"], told["experience"], told["deviation"]) == (1800.5, 0, None)
    assert (told["period"], told["source"], told["player"]["name"]) == ("2026-01", "Federation", "Guest 1")
    assert client.delete(f"{address}{told['opening_import']}/").status_code == 204
    assert client.delete(f"{address}{told['opening_import']}/").status_code == 409
    assert client.get(address).json()["results"] == []


@pytest.mark.long
def test_an_import_by_a_program_leaves_the_file_that_is_looked_through(
    played: RatingList, desk: Desk, client: Client
) -> None:
    client.force_login(desk.director)
    page = upload(client, played, "Name,Rating\nGuest 2,1700\n").redirect_chain[-1][0]
    made = client.post(
        f"/api/v1/rating-lists/{played.key}/openings/",
        {
            "source": "Federation",
            "ratings": [{"player": desk.player(1).key, "rating": 1800.5, "day": "2026-01-31"}],
        },
        content_type="application/json",
        headers={"Idempotency-Key": "by-program"},
    )
    assert made.status_code == 201
    assert client.get(page).status_code == 200
    assert list(OpeningImport.objects.filter(saved_at__isnull=True).values_list("source", flat=True)) == [
        "old.csv"
    ]


@pytest.mark.long
def test_a_draft_that_nobody_saves_is_forgotten(played: RatingList, desk: Desk) -> None:
    row = openings.draft(
        rating_list=played, source="Old", table=[["Ada", "1500"]], by=desk.director, now=desk.now
    )
    assert openings.delete_old_drafts(desk.now + timedelta(days=1)) == 0
    assert openings.delete_old_drafts(desk.now + timedelta(days=3)) == 1
    assert not OpeningImport.objects.filter(pk=row.pk).exists()


@pytest.mark.long
def test_ones_own_data_has_the_opening(played: RatingList, desk: Desk) -> None:
    bring(desk, played, build_old(desk, 1, 1800.0))
    [told] = selectors.export_openings(desk.player(1))
    assert (told["rating"], told["source"], told["club"]) == (1800.0, "Old list", "Here")


def test_ones_own_data_has_the_opening_that_a_guest_brought(desk: Desk) -> None:
    rating_list = open_list(desk)
    guest = clubs.add_guest(club=desk.club, name="Gus", by=desk.director, now=desk.now)
    bring(desk, rating_list, build_old(desk, 1, 1800.0, player=guest))
    mia = accounts.register(email="mia@example.org", password=None, name="Mia", now=desk.now).player
    merging.merge_players(kept=mia, dropped=guest, by=None, now=desk.now)
    assert [row["rating"] for row in selectors.export_openings(mia)] == [1800.0]


@pytest.mark.long
def test_a_row_with_a_cell_that_cannot_be_read_is_left_out_whole(
    played: RatingList, desk: Desk, client: Client
) -> None:
    client.force_login(desk.director)
    text = "Name,Rating,Experience,Date\nGuest 1,1650,many,\nGuest 2,1700,20,some day\nGuest 3,1600,30,2026-01-31\n"
    here = upload(client, played, text).redirect_chain[-1][0]
    answers = {
        **{"column_name": "0", "column_rating": "1", "column_experience": "2", "column_day": "3"},
        **{"day": "2026-01-01", "points": "5", "strangers": "leave", "leaves_out": "on", "act": "save"},
    }
    client.post(here, answers)
    assert list(Opening.objects.values_list("player__name", "experience")) == [("Guest 3", 30)]


def test_a_program_names_the_source_as_the_form_does(played: RatingList, desk: Desk, client: Client) -> None:
    client.force_login(desk.director)
    member = clubs.add_guest(club=desk.club, name="Mia", by=desk.director, now=desk.now)
    rating = {"player": member.key, "rating": 1800.5, "day": "2026-01-31"}
    for number, (source, status) in enumerate((("Fede\u202eration", 400), ("Old   list", 201))):
        answer = client.post(
            f"/api/v1/rating-lists/{played.key}/openings/",
            {"source": source, "ratings": [rating]},
            content_type="application/json",
            headers={"Idempotency-Key": f"request {number}"},
        )
        assert answer.status_code == status
    assert OpeningImport.objects.get().source == "Old list"
