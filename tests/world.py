"""Test data for tests of all routes: a club with all roles, and one object for each kind of URL."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.test import Client
from django.urls import NoReverseMatch, reverse

from fixtures import friendlies, series
from matches.journal.journal import RequestIdentity
from matches.lobby import challenges
from matches.models import ChatLine, Match
from matches.play import chat, match_access, play, terms_validation
from matches.state.commands import Concede
from money.auction import auctions
from money.terms import terms
from players.accounts import accounts, exports, tokens
from players.clubs import clubs, invitations
from players.models import Club, ClubLogo, Notice, Role, Scope, User
from rankings.ledger import ledger
from rankings.lists import lists
from rankings.models import DatedList, DatedRating, PlayerRating
from rankings.seasons import seasons
from records.transcripts import transcribing
from runtime import nodes
from runtime.models import Failure
from runtime.stream import presence
from runtime.work import sweeps
from tests import access
from tests.notices import leave_notice
from tournaments.base import codes
from tournaments.base.settings import Settings
from tournaments.desk.acts import ACTS
from tournaments.models import Entry, Pairing, Ruling, RulingKind, Tournament
from tournaments.plan import drawing, setup
from tournaments.plan.templates import TEMPLATES, Plan, StagePlan
from tournaments.play import directing, entering, incidents, results
from venue.rooms import rooms
from venue.screens import screens

# With this seed the member and the owner play main/1.2.
SEED = "2"
# Routes with the key of an event.
EVENTS = (
    "tournaments:",
    "api:event",
    "money:",
    "venue:event_room",
    "venue:what_if",
    "venue:plan_break",
    "venue:drop_break",
    "venue:call_next",
    "venue:change_table",
    "venue:rehearse",
    "rankings:event_eligibility",
    "rankings:admit_to_event",
    "venue:play_rehearsal",
    "venue:discard_rehearsal",
)
# Routes of a player, or of two.
OF_PLAYERS = {
    "careers:player_results",
    "careers:record",
    "careers:head_to_head",
    "api:player-against",
    "api:player-record",
}
UNNAMED_ADMIN = re.compile(r"^admin/(\w+)/(\w+)/<path:object_id>/$")


class World:
    """A club with all roles, another club, and one object for each kind of URL."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self._firsts: dict[tuple[str, str], object] = {}
        self._sessions: dict[str, str] = {}
        self.users: dict[str, User | None] = {"anonymous": None}
        for role in access.ROLES[1:]:
            self.users[role] = accounts.register(
                email=f"{role}@example.org", password="three old pennies", name=role.title(), now=now
            )
        owner = self._user("owner")
        self.club = clubs.create(owner=owner, name="Here", now=now)
        self.other_club = clubs.create(owner=self._user("elsewhere"), name="Elsewhere", now=now)
        for role in ("director", "member"):
            clubs.join(club=self.club, player=self._user(role).player, now=now)
        clubs.set_role(
            club=self.club, player=self._user("director").player, role=Role.DIRECTOR, by=owner, now=now
        )
        staff = self._user("staff")
        staff.is_staff = staff.is_superuser = True
        staff.save(update_fields=["is_staff", "is_superuser"])
        self.guest = clubs.add_guest(club=self.club, name="Guest", by=owner, now=now)
        self.invitation = invitations.invite(club=self.club, by=owner, role=Role.MEMBER, uses=5, now=now)
        leave_notice(user=self._user("member"), text="A word to the member", url="/", dedupe_key="x", now=now)
        self.notice = Notice.objects.get(dedupe_key="x")
        self.export = exports.request_export(user=self._user("member"), now=now)
        tokens.create(user=self._user("member"), name="A bot", scope=Scope.PLAY, now=now)
        self.events = {
            state: setup.draft(
                club=self.club,
                by=owner,
                key=key,
                details=setup.Details(name=f"{state.title()} night", starts_at=now + timedelta(days=1)),
                now=now,
            )
            for state, key in (("draft", "draftdraft"), ("published", "pubpubpubp"))
        }
        setup.publish(tournament_id=self.events["published"].pk, by=owner, now=now)
        agreed_terms = terms.MoneyTerms("EUR", fee=2000, prizes={"main": ["100"]})
        terms.set_terms(tournament_id=self.events["published"].pk, terms=agreed_terms, by=owner, now=now)
        Club.objects.filter(pk=self.club.pk).update(shows_evidence=True)
        sold = auctions.AuctionTerms(["100"], is_public=True)
        auctions.set_terms(tournament_id=self.events["published"].pk, terms=sold, by=owner, now=now)
        self._run(now)
        self._rate(now)
        self._repeat(now)
        self._show(now)
        self._play(now)
        nodes.record_heartbeat(role="web", now=now)
        nodes.record_heartbeat(role="web", now=now + timedelta(seconds=20))
        sweeps.run("tidy", now=now)
        Failure.objects.create(
            sweep="tidy", subject="", attempts=1, retry_at=now + timedelta(minutes=1), last_error="OSError"
        )
        presence.write_counts({"seat.a": 1}, now=now)

    def _user(self, role: str) -> User:
        user = self.users[role]
        assert user is not None
        return user

    def _run(self, now: datetime) -> None:
        """Create a running event with a finished and an open match."""
        owner = self._user("owner")
        details = setup.Details(name="Running night", starts_at=now)
        plan = TEMPLATES["club-night"].plan(5, 0)
        event = setup.announce(
            club=self.club, by=owner, key="runrunrunr", details=details, now=now, plan=plan
        )
        for role in ("member", "director", "owner"):
            entering.enter_own_player(tournament_id=event.pk, user=self._user(role), now=now)
        directing.admit_guest(tournament_id=event.pk, name="Guest", by=owner, now=now)
        entering.check_in_entries(tournament_id=event.pk, entries=[1, 2, 3, 4], by=owner, now=now)
        # A fixed draw, since the players of main/1.2 have more permissions.
        Tournament.objects.filter(pk=event.pk).update(seed=SEED)
        drawing.publish(tournament_id=event.pk, by=owner, now=now)
        match = Pairing.objects.get(tournament=event, key="main/1.1")
        loser = Entry.objects.get(pk=match.a_id).number
        incidents.record_walkover(tournament_id=event.pk, key=match.key, loser=loser, by=owner, now=now)
        event.refresh_from_db()
        self.events["running"] = event
        self.ruling = Ruling.objects.get(tournament=event, act=RulingKind.WALKOVER)

        self.open = Pairing.objects.get(tournament=event, key="main/1.2")
        self.code = codes.build_match_address(self.open, now=now).strip("/").rpartition("/")[2]

    def _rate(self, now: datetime) -> None:
        """Create a rating list, and a rated match of two guests."""
        owner = self._user("owner")
        self.room = rooms.open_room(club=self.club, by=owner, name="Room", labels="1", now=now)
        self.table = self.room.tables.get()
        waiting, _token = screens.open_screen(address="192.0.2.1", now=now)
        self.screen = screens.bind(club=self.club, by=owner, letters=waiting.code, name="Bar", now=now)
        self.rating_list = lists.open_list(club=self.club, by=owner, name="List", system="fibs", now=now)
        plan = Plan(stages=(StagePlan(format="round-robin"),), settings=Settings(reporting="director"))
        details = setup.Details(name="Rated night", starts_at=now)
        event = setup.announce(
            club=self.club, by=owner, key="ratedrated", details=details, now=now, plan=plan
        )
        for name in ("Rated guest", "Their rival"):
            directing.admit_guest(tournament_id=event.pk, name=name, by=owner, now=now)
        drawing.publish(tournament_id=event.pk, by=owner, now=now)
        self.rated = Pairing.objects.get(tournament=event)
        results.enter_result(tournament_id=event.pk, key=self.rated.key, score=(5, 3), by=owner, now=now)
        ledger.update_lists(event_id=event.pk, now=now)
        # As if just published.
        self.dated = DatedList.objects.create(list=self.rating_list, day=now.date(), at=now, made_at=now)
        for row in PlayerRating.objects.select_related("last"):
            DatedRating.objects.create(
                dated_list=self.dated,
                player=row.player,
                place=2 - row.last.won,
                is_provisional=True,
                rating=row.rating,
                deviation=0,
                experience=row.last.experience,
                matches=row.matches,
            )

        self._count(now)

    def _repeat(self, now: datetime) -> None:
        """Create a series with the running event as its model."""
        terms = series.SeriesTerms(
            name="Weekly", weekday=1, at=time(19, 30), days_before=1, like="runrunrunr"
        )
        self.series = series.begin_series(
            club=self.club, by=self._user("owner"), key="weeklyweek", terms=terms, now=now
        )

    def _count(self, now: datetime) -> None:
        """Create a season with this event only."""
        terms = seasons.SeasonTerms("This year", now.date(), now.date() + timedelta(days=1), "rated")
        self.season = seasons.open_season(club=self.club, by=self._user("owner"), terms=terms, now=now)

    def _show(self, now: datetime) -> None:
        """Add a club logo, and a transcription of the member."""
        ClubLogo.objects.create(club=self.club, content=b"a picture", changed_at=now)
        Club.objects.filter(pk=self.club.pk).update(logo_hash="0" * 64)
        self.transcription = transcribing.begin(
            by=self._user("member"), club=self.club, names=("Ann", "Bob"), length=5, now=now
        )

    def _play(self, now: datetime) -> None:
        """Create a live match that the member has lost to the director, and a challenge to the member."""
        terms = terms_validation.read_terms(length=3)
        owner, director, member = (self._user(role).player for role in ("owner", "director", "member"))
        self.challenge = challenges.offer(challenger=owner, opponent=member, terms=terms, now=now)
        self.friendly = friendlies.propose(
            club=self.club, proposer=owner, opponent=member, length=3, key="friendlyfr", now=now
        )
        offered = challenges.offer(challenger=director, opponent=member, terms=terms, now=now)
        challenges.accept(challenge_id=offered.pk, player=member, now=now)
        self.finished = Match.objects.get()
        asked = {"after": self.finished.head, "now": now, "request": RequestIdentity()}
        play.submit(match_id=self.finished.pk, player=member, command=Concede(), **asked)
        hidden = challenges.offer(
            challenger=director, opponent=member, club=self.club, terms=terms, is_private=True, now=now
        )
        challenges.accept(challenge_id=hidden.pk, player=member, now=now)
        self.private = Match.objects.get(is_private=True)
        self.lines = {match: self._say(match, "director", now) for match in (self.finished, self.private)}

    def _say(self, match: Match, role: str, now: datetime) -> ChatLine:
        seen = match_access.load_view(match, self._user(role))
        assert seen is not None
        player = self._user(role).player
        return chat.post_line(
            seen=seen, author=player, text="Well played", client_key="a-line-of-talk", now=now
        )[0]

    def client(self, role: str) -> Client:
        """Return a client signed in as *role*, by a session that is opened once.

        The first call for a role belongs outside any transaction that is rolled back.
        """
        client = Client(raise_request_exception=False)
        if (user := self.users[role]) is None:
            return client
        if role not in self._sessions:
            client.force_login(user)
            self._sessions[role] = client.cookies[settings.SESSION_COOKIE_NAME].value
        client.cookies[settings.SESSION_COOKIE_NAME] = self._sessions[role]
        return client

    def path(self, row: access.Row) -> str:
        """Return the URL of *row* in this world."""
        if found := UNNAMED_ADMIN.match(row.address):
            return f"/admin/{found[1]}/{found[2]}/{self._first(found[1], found[2])}/"
        if not re.fullmatch(r"[\w:.-]+", row.address):
            return {"admin/(?P<url>.*)$": "/admin/nothing/"}[row.address]
        for arguments in self._arguments(row):
            try:
                return reverse(row.address, kwargs=arguments)
            except NoReverseMatch:
                continue
        raise LookupError(f"tests/test_access.py cannot make an address of {row.address}")

    def _arguments(self, row: access.Row) -> list[dict[str, Any]]:
        event = self.events.get("running" if row.case in ACTS else row.case, self.events["published"])
        guest = {"guest": self.guest, "": self._user("member").player}.get(row.case, self.guest)
        options: list[dict[str, Any]] = [
            {},
            {"slug": self.club.slug},
            {"slug": self.club.slug, "key": guest.key},
            {"slug": self.club.slug, "invitation_id": self._first("players", "invitation")},
            {"key": event.key if row.address.startswith(EVENTS) else guest.key},
            {"friendly": self.friendly.key},
            {"slug": self.club.slug, "logo_hash": "0" * 64},
            {"notice_id": self.notice.pk},
            {"language": "de", "version": "0"},
            {"uid": UUID(int=7)},
            {"export_id": self._first("players", "export")},
            {"token_id": self._first("players", "apitoken")},
            # There is no merge.
            {"slug": self.club.slug, "merge_id": 1},
            {"token": self.invitation if row.address == "players:join" else "nobody-was-given-this-token"},
            {"code": "nobody-was-given-this-code"},
            {"uidb36": "1", "key": "set-password"},
            {"xgid": "-b----E-C---eE---c-e----B-_0_0_1_31_0_0_0_7_10"},
            {"key": "nothing"},
            # There is no lesson card.
            {"card": 1},
            {"pk": 1},
            {"app_label": "players"},
            {"url": "nothing/"},
            {"content_type_id": 1, "object_id": 1},
            {"id": self._first("players", "user")},
        ]
        options[:0] = [*self._of_event(row, event.key), *self._of_wings(row), *self._of_elsewhere(row)]
        offers = {"api:friendly": self.friendly.key, "api:challenge": self.challenge.key}
        if (offered := row.address.partition("-")[0]) in offers:
            options.insert(0, {"key": offers[offered]})
        if row.address.startswith(("api:match-", "api:rematch-")) and "photo" not in row.address:
            options.insert(0, {"key": (self.private if row.case == "private" else self.finished).key})
        if row.address.startswith("api:match-talk-"):
            match = self.private if row.case == "private" else self.finished
            options.insert(0, {"key": match.key, "line": self.lines[match].key})
        if row.address == "api:mute-detail":
            options.insert(0, {"key": self._user("outsider").player.key})
        if row.address.startswith("matches:"):
            match, other = self.finished, self._user("outsider").player
            options[:0] = [
                {"key": match.key},
                {"key": match.key, "line": self.lines[match].key},
                {"key": match.key, "player": other.key},
            ]
        if row.address in {"matches:accept", "matches:decline", "matches:withdraw"}:
            options.insert(0, {"key": self.challenge.key})
        if row.address in OF_PLAYERS:
            options[:0] = [{"key": guest.key, "other": self._user("owner").player.key}, {"key": guest.key}]
        if row.address.startswith("admin:"):
            label, _, model = row.address.removeprefix("admin:").partition("_")
            model = re.sub(r"_(changelist|add|history|delete|change)$", "", model)
            if (label, model) in {(m._meta.app_label, m._meta.model_name) for m in apps.get_models()}:
                options.append({"object_id": self._first(label, model)})
                options.append({"id": self._first(label, model)})
        return options

    def _of_event(self, row: access.Row, key: str) -> list[dict[str, Any]]:
        """Return candidate URL arguments for an object of an event."""
        found: dict[str, dict[str, Any]] = {
            "tournaments:act": {"name": "withdraw"},
            "tournaments:appointment_calendar": {"match": "main/1.2"},
            "tournaments:helping_games": {"match": "main/1.2"},
            "tournaments:pairing": {"match": "main/1.2"},
            "tournaments:games": {"match": "main/1.2"},
            "records:helper_sheet": {"match": "main/1.2"},
            "records:sheet": {"match": "main/1.2"},
            "records:code": {"match": "main/1.2"},
            "records:photos": {"match": "main/1.2"},
            "records:photo": {"photo": "nothing"},
            "tournaments:describe": {"entry": 1},
            "tournaments:drafted_round": {"stage": 1, "number": 1},
            "tournaments:restore": {"ruling": self.ruling.pk},
            "money:receipt": {"entrant": 1},
        }
        return [{"key": key, **found[row.address]}] if row.address in found else []

    def _of_elsewhere(self, row: access.Row) -> list[dict[str, Any]]:
        """Return candidate URL arguments with the other club and its owner, where a feature is disabled."""
        elsewhere = self._user("elsewhere").player
        return [{"slug": self.other_club.slug, "key": elsewhere.key}] if row.case == "off" else []

    def _of_wings(self, row: access.Row) -> list[dict[str, Any]]:
        """Return candidate URL arguments with a rating list, a rated match, or a room."""
        if row.address.startswith(("api:rating-list-", "api:dated-list", "api:ranking-")):
            key, day = self.rating_list.key, str(self.dated.day)
            return [{"key": key, "day": day}, {"key": key}, {"key": key, "number": 1}]
        if row.address == "tournaments:door":
            coming = self.events["published"]
            return [{"code": codes.build_door_code(coming.pk, coming.starts_at, coming.starts_at)}]
        if row.address.startswith("api:room-"):
            return [{"key": self.room.key}]
        if row.address == "api:table-detail":
            return [{"key": self.table.key}]
        if row.address == "api:screen":
            return [{"key": self.screen.key}]
        if row.address in {"api:score-sheet", "api:match-photos", "api:match-photo"}:
            return [{"uid": self.open.uid}, {"uid": self.open.uid, "key": "nothing"}]
        if row.address.startswith("api:coded-"):
            return [{"code": self.code, **more} for more in ({}, {"key": "nothing"}, {"form": "mat"})]
        if row.address.startswith("api:series-"):
            return [{"key": self.series.key}]
        if row.address.startswith(("api:season-", "api:division-")):
            return [{"key": self.season.key}, {"key": self.season.key, "number": 1}]
        typed = {"slug": self.club.slug, "key": self.transcription.key}
        found: dict[str, dict[str, Any]] = {
            "rankings:season": {"key": self.season.key},
            "records:transcription": typed,
            **{
                f"api:transcription-{what}": {"key": self.transcription.key}
                for what in ("detail", "lines", "remove", "take-back", "hand-in")
            },
            "api:transcription-file": {"key": self.transcription.key, "form": "mat"},
            "records:transcription_file": {**typed, "name": "mat"},
            **{
                f"fixtures:{act}_series": {"key": self.series.key}
                for act in ("amend", "pause", "resume", "end", "skip", "unskip")
            },
            "rankings:amend_season": {"key": self.season.key},
            "rankings:divisions": {"key": self.season.key},
            "rankings:division_eligibility": {"key": self.season.key, "number": 1},
            "rankings:admit_to_division": {"key": self.season.key, "number": 1},
            "rankings:divisions_sheet": {"key": self.season.key},
            "rankings:amend_divisions": {"key": self.season.key},
            "rankings:division_players": {"key": self.season.key},
            "rankings:close_divisions": {"key": self.season.key},
            "rankings:reopen_divisions": {"key": self.season.key},
            "api:rating-group-member": {"member": "nothing"},
            "rankings:match": {"uid": self.rated.uid},
            "rankings:amend": {"key": self.rating_list.key},
            "rankings:calibration": {"key": self.rating_list.key},
            "rankings:schedule": {"key": self.rating_list.key},
            "rankings:dated_lists": {"key": self.rating_list.key},
            "rankings:list_sheet": {"key": self.rating_list.key},
            "rankings:dated_sheet": {"key": self.rating_list.key, "day": str(self.dated.day)},
            "rankings:season_sheet": {"key": self.season.key},
            "rankings:openings": {"key": self.rating_list.key},
            "rankings:upload_openings": {"key": self.rating_list.key},
            "rankings:opening_import": {"key": self.rating_list.key, "number": 1},
            "rankings:undo_openings": {"key": self.rating_list.key, "number": 1},
            "rankings:dated_list": {"key": self.rating_list.key, "day": str(self.dated.day)},
            "records:replay": {"key": "nothing", "number": 1},
            "records:replay_file": {"key": "nothing", "number": 1, "name": "mat"},
            "records:code_transcription": {"code": self.code},
            "records:code_transcription_file": {"code": self.code, "name": "mat"},
            "records:code_record": {"code": self.code, "key": "nothing"},
            "records:code_photo": {"code": self.code, "photo": "nothing"},
            "venue:add_tables": {"key": self.room.key},
            "venue:table": {"key": self.table.key},
            "api:club-screens": {},
            "venue:overlay": {"key": self.table.key},
            "venue:overlay_state": {"key": self.table.key},
            "venue:table_overlay": {"key": self.table.key},
            "venue:screen": {"key": self.screen.key},
            "venue:call": {"key": self.table.key},
            "records:table_code": {"key": self.table.key},
        }
        options = [found[row.address]] if row.address in found else []
        return [{"slug": self.club.slug, **each} for each in options] + options

    def _first(self, label: str, model: str) -> object:
        """The key of the first row of a model, queried once and cached; 1 if there is none."""
        if (label, model) not in self._firsts:
            row = apps.get_model(label, model)._default_manager.order_by("pk").first()
            self._firsts[label, model] = row.pk if row is not None else 1
        return self._firsts[label, model]
