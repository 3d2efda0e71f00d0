"""Demo data: a realistic club, created through the services only.

Everything except the dice is drawn from a seed and placed relative to `now`: the same seed on the same day
creates the same club. All persons are fictitious.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.crypto import salted_hmac

from draw.formats import FORMATS
from matches.bots import bots
from matches.journal import journal
from matches.lobby import challenges
from matches.models import Match
from matches.play import terms_validation
from players.accounts import accounts
from players.clubs import clubs, invitations
from players.keys import new_key
from players.models import Club, Joining, Player, Role, ShownAs, User
from players.notices import notices
from players.notices.kinds import NoticeKind, Reader
from runtime.work import outbox
from tournaments import demo_cast as scene
from tournaments import demo_play
from tournaments.base import local_times
from tournaments.hooks import demo_announced, demo_built
from tournaments.models import Pairing, PairingState, Tournament
from tournaments.plan import setup
from tournaments.play import directing, entering, results

# The most players of an evening that is played match by match.
PLAYED_FIELD: Final = 16
# Every other evening of the last 24 weeks is played match by match; before, every third, by fewer players.
LATELY: Final = 24
EARLY_FIELD: Final = 10


class OtherClubExists(Exception):
    """The database contains a club other than the demo's."""


@dataclass(frozen=True, slots=True)
class Account:
    role: str
    name: str
    email: str
    password: str


@dataclass(frozen=True, slots=True)
class Demo:
    """The demo club and its accounts; `invitation` is only set for the caller that created them."""

    club: Club
    accounts: tuple[Account, ...]
    is_new: bool
    invitation: str = ""


@dataclass(slots=True)
class Cast:
    owner: User
    directors: list[User]
    players: list[Player]
    strength: dict[int, float]
    keenness: dict[int, float]


def find_demo() -> Demo | None:
    owner = User.objects.filter(email=build_address(scene.OWNER)).first()
    club = Club.objects.filter(name=scene.NAME, memberships__player__user=owner).first() if owner else None
    return Demo(club, list_accounts(), is_new=False) if club else None


def build_demo(
    *,
    now: datetime,
    seed: int = 7,
    nights: int = 52,
    opens: int = 4,
    formats: int = len(FORMATS),
    is_forced: bool = False,
) -> Demo:
    """Create the demo club and its season, or return the existing demo.

    :raises OtherClubExists: there is another club, and *is_forced* is false.
    """
    if (there := find_demo()) is not None:
        return there
    if not is_forced and Club.objects.exists():
        raise OtherClubExists
    rng = random.Random(seed)
    began = now - timedelta(weeks=nights + 2)
    # In one transaction, so that an interrupted run can be repeated.
    with transaction.atomic():
        cast = _create_cast(rng, now=began)
        club = _create_club(cast, rng, now=began)
        _play_season(club, cast, rng, nights=nights, opens=opens, now=now)
        _play_every_format(club, cast, rng, formats, now=now)
        running = _create_running_event(club, cast, rng, now=now)
        _announce_future_events(club, cast, rng, now=now)
        _play_boards(cast, rng, now=now)
        _play_event_boards(running, cast, rng, now=now)
        by = cast.directors[0]
        waiting = [row for row in demo_play.list_open_matches(running) if row.match_id is None]
        demo_built.send(None, club=club, event=running, waiting=waiting, by=by, now=now)
        token = _create_news(club, cast, now=now)
    return Demo(club, list_accounts(), is_new=True, invitation=token)


def list_accounts() -> tuple[Account, ...]:
    """Return the accounts to try. Their passwords depend on the secret key of the installation."""
    director, (first, second) = scene.DIRECTORS[0], scene.PLAYERS_SHOWN
    return tuple(
        Account(role, name, build_address(name), build_password(name))
        for role, name in (("director", director), ("player", first), ("player", second))
    )


def build_address(name: str) -> str:
    """Return an email address in a reserved domain."""
    first = name.split()[0].lower().translate(str.maketrans("øá", "oa"))
    return f"{first}@{scene.DOMAIN}"


def build_password(name: str) -> str:
    return f"harbour-{salted_hmac('tournaments.demo', name).hexdigest()[:8]}"


def _create_cast(rng: random.Random, *, now: datetime) -> Cast:
    shown = {account.name for account in list_accounts()}
    users = {}
    for name in (scene.OWNER, *scene.DIRECTORS, *scene.MEMBERS):
        secret = build_password(name) if name in shown else None
        user = accounts.register(email=build_address(name), password=secret, name=name, now=now)
        accounts.change(user=user, now=now, hidden_from_search=name == scene.HIDDEN, mails_notices=False)
        users[name] = user
    name, alias = scene.ALIASED
    accounts.change(user=users[name], now=now, alias=alias, shown_as=ShownAs.ALIAS)
    players = [user.player for user in users.values()]
    return Cast(
        owner=users[scene.OWNER],
        directors=[users[name] for name in scene.DIRECTORS],
        players=players,
        strength={player.pk: rng.gauss(0, 1) for player in players},
        keenness={player.pk: rng.uniform(0.25, 0.85) for player in players},
    )


def _create_club(cast: Cast, rng: random.Random, *, now: datetime) -> Club:
    club = clubs.create(
        owner=cast.owner,
        name=scene.NAME,
        city="Porto da Lanterna",
        country="Portugal",
        about="Backgammon above the harbour, every week since the lamps were lit. Beginners are welcome: "
        "come half an hour early and somebody will show you the opening rolls.",
        time_zone=scene.ZONE,
        joining=Joining.OPEN,
        now=now,
    )
    for player in cast.players:
        if player.user_id != cast.owner.pk and player.name != scene.LATECOMER:
            clubs.join(club=club, player=player, now=now)
    for user in cast.directors:
        clubs.set_role(club=club, player=user.player, role=Role.DIRECTOR, by=cast.owner, now=now)
    for name in scene.GUESTS:
        guest = clubs.add_guest(club=club, name=name, by=cast.owner, now=now)
        cast.players.append(guest)
        cast.strength[guest.pk], cast.keenness[guest.pk] = rng.gauss(-0.3, 1), rng.uniform(0.1, 0.4)
    _drain_outbox(now=now)
    for user in (cast.owner, *cast.directors):
        notices.mark_read(user=user, now=now)
    return club


def _play_season(
    club: Club, cast: Cast, rng: random.Random, *, nights: int, opens: int, now: datetime
) -> None:
    """Play the past weeks, the oldest first."""
    dates = [(scene.compute_evening(now, weeks_ago=week), False) for week in range(nights, 0, -1)]
    # A weekend open is on the Saturday after a club night.
    for number in range(opens):
        week = nights * (2 * number + 1) // (2 * opens) + 1
        dates.append((scene.compute_saturday(scene.compute_evening(now, weeks_ago=week)), True))
    cancelled_week = nights // 2
    for week, (starts_at, is_open) in enumerate(sorted(dates)):
        if week == cancelled_week:
            _create_cancelled_event(club, cast, starts_at + timedelta(days=3))
        if is_open:
            _play_event(club, cast, rng, scene.build_weekend_open(starts_at, number=week))
            continue
        details = scene.build_night(starts_at, rng.randrange(scene.NIGHTS))
        # Some evenings are played match by match, for ratings throughout the year; for the others only the
        # final order is recorded.
        is_early = starts_at < now - timedelta(weeks=LATELY)
        if week % (3 if is_early else 2) == 1:
            table = demo_play.DemoNight(club, rng.choice(cast.directors), cast.strength, rng)
            players = _pick_attendees(cast, rng, EARLY_FIELD if is_early else PLAYED_FIELD)
            demo_play.play_night(table, details, players)
        else:
            _play_event(club, cast, rng, details)


def _play_event(club: Club, cast: Cast, rng: random.Random, details: setup.Details) -> None:
    director = rng.choice(cast.directors)
    announced_at = details.starts_at - timedelta(days=6)
    event = setup.announce(club=club, by=director, key=new_key(), details=details, now=announced_at)
    _enter_players(event, _pick_attendees(cast, rng, details.capacity or 22), director, announced_at)
    directing.start_event(tournament_id=event.pk, by=director, now=details.starts_at + timedelta(minutes=5))
    is_knock_out = details.played_as[0]["format"] != "swiss"
    places = _draw_finishing_order(event, cast, rng, is_knock_out=is_knock_out)
    over_at = details.starts_at + timedelta(hours=3, minutes=rng.randrange(50))
    directing.record_finish(tournament_id=event.pk, places=places, by=director, now=over_at)


def _play_every_format(club: Club, cast: Cast, rng: random.Random, formats: int, *, now: datetime) -> None:
    """Play one event of every format, on Sundays, the last one some days ago."""
    last = scene.compute_saturday(scene.compute_evening(now, weeks_ago=2)) + timedelta(days=1, hours=4)
    days = [last - timedelta(weeks=week) for week in reversed(range(formats))]
    table = demo_play.DemoNight(club, cast.directors[1], cast.strength, rng)
    demo_play.play_every_format(table, _pick_players(cast, rng, len(cast.players)), days)


def _pick_players(cast: Cast, rng: random.Random, size: int) -> list[Player]:
    """Return a random sample of players, without the latecomer."""
    here = [player for player in cast.players if player.name != scene.LATECOMER]
    return rng.sample(here, min(size, len(here)))


def _create_running_event(club: Club, cast: Cast, rng: random.Random, *, now: datetime) -> Tournament:
    evening = scene.compute_evening(now)
    # At any time of day the event has been running for a while.
    starts_at = min(evening, now - timedelta(minutes=25 + now.minute % 5)).replace(second=0, microsecond=0)
    details = scene.build_night(starts_at, rng.randrange(scene.NIGHTS))
    details = replace(details, played_as=[{"format": "progressive-consolation"}])
    table = demo_play.DemoNight(club, cast.directors[0], cast.strength, rng)
    return demo_play.play_running_event(table, details, _pick_players(cast, rng, 16), now=max(now, starts_at))


def _announce_future_events(club: Club, cast: Cast, rng: random.Random, *, now: datetime) -> None:
    director = cast.directors[1]
    next_night = local_times.compute_next_week(scene.compute_evening(now), scene.ZONE, now=now)
    big = scene.compute_saturday(next_night + timedelta(weeks=2))
    for details, field in (
        (scene.build_night(next_night, rng.randrange(scene.NIGHTS)), 9),
        (scene.build_weekend_open(big, number=99), 14),
    ):
        yesterday = now - timedelta(days=1)
        event = setup.announce(club=club, by=director, key=new_key(), details=details, now=yesterday)
        _enter_players(event, _pick_attendees(cast, rng, field), director, now - timedelta(hours=20))
        demo_announced.send(None, event=event, by=director, now=now - timedelta(hours=19))
    beginners = scene.build_draft_event(scene.compute_saturday(next_night) + timedelta(hours=4))
    setup.draft(club=club, by=director, key=new_key(), details=beginners, now=now - timedelta(hours=2))


def _create_cancelled_event(club: Club, cast: Cast, starts_at: datetime) -> None:
    director = cast.directors[1]
    details, announced_at = scene.build_cancelled_event(starts_at), starts_at - timedelta(days=5)
    event = setup.announce(club=club, by=director, key=new_key(), details=details, now=announced_at)
    reason, cancelled_at = "Storm warning: the ferry stays in the harbour.", starts_at - timedelta(hours=8)
    directing.cancel_event(tournament_id=event.pk, reason=reason, by=director, now=cancelled_at)


# Only the demo sends it, so it is in no table of notices.
WELCOME: Final = NoticeKind(
    name="demo_welcome",
    reader=Reader.ACCOUNT,
    when="You look around in the demonstration.",
    text="Welcome to the demonstration. Look around: nothing you do here troubles anyone.",
)


def _create_news(club: Club, cast: Cast, *, now: datetime) -> str:
    yesterday = now - timedelta(days=1)
    late = next(player for player in cast.players if player.name == scene.LATECOMER)
    _drain_outbox(now=yesterday - timedelta(days=2))
    clubs.join(club=club, player=late, now=yesterday)
    _drain_outbox(now=yesterday)
    guest = next(player for player in cast.players if player.name == scene.GUESTS[0])
    invitations.invite(club=club, by=cast.owner, role=Role.MEMBER, guest=guest, note="Ezra, by mail", now=now)
    url = club.get_absolute_url()
    for account in list_accounts():
        user = User.objects.get(email=account.email)
        notices.send(WELCOME, user=user, url=url, dedupe_key="demo.welcome", now=now)
    note = "Card at the bar"
    return invitations.invite(club=club, by=cast.owner, role=Role.MEMBER, uses=20, note=note, now=now)


def _play_boards(cast: Cast, rng: random.Random, *, now: datetime) -> None:
    """Play matches on boards of this site: finished ones, unfinished ones, and an open challenge.

    The players are drawn from the seed; the dice are different every time.
    """
    people = [player for player in cast.players if player.user and player.name != scene.LATECOMER]
    people.sort(key=lambda player: (player.name not in scene.PLAYERS_SHOWN, rng.random()))
    pairs = list(zip(people[::2], people[1::2], strict=False))
    for (white, black), board in zip(pairs, scene.BOARDS, strict=False):
        _play_board(white, black, board, rng, now=now)
    _play_board(people[1], bots.get_practice_bot().player, scene.SAVED, rng, now=now)
    free = terms_validation.read_terms(length=5, clock="correspondence")
    challenges.offer(challenger=people[-1], terms=free, now=now - timedelta(minutes=20))


def _play_board(
    white: Player, black: Player, board: scene.DemoBoard, rng: random.Random, *, now: datetime
) -> None:
    when = now - timedelta(hours=board.hours_ago)
    terms = terms_validation.read_terms(length=board.length, clock=board.clock)
    row = challenges.offer(challenger=white, opponent=black, terms=terms, side="white", now=when)
    challenges.accept(challenge_id=row.pk, player=black, now=when)
    _play_commands(Match.objects.get(challenge=row), board.commands, board.pace, rng, since=when)


def _play_event_boards(event: Tournament, cast: Cast, rng: random.Random, *, now: datetime) -> None:
    """Play some matches of the running event on boards of this site, so that there are live boards."""
    since = now - scene.LAID_OUT
    rows = Pairing.objects.filter(tournament=event, opened_at__lt=since, state=PairingState.READY)
    rows = rows.filter(a__player__user__isnull=False, b__player__user__isnull=False)
    for row, commands in zip(rows.order_by("stage__number", "position"), scene.TONIGHT, strict=False):
        match = results.open_board(tournament_id=event.pk, key=row.key, user=cast.directors[0], now=since)
        pace = int(scene.LAID_OUT.total_seconds()) // (2 * commands)
        _play_commands(match, commands, pace, rng, since=since)


def _play_commands(match: Match, commands: int, pace: int, rng: random.Random, *, since: datetime) -> None:
    match = Match.objects.select_related("white", "black").get(pk=match.pk)
    state = journal.load(match)
    for _ in range(commands):
        if not state.owing:
            break
        since += timedelta(seconds=rng.randint(2, 2 * pace))
        given = bots.submit_owed_command(match, state, state.owing[0], now=since)
        if given is None:
            break
        match, state = given.row, given.state


def _pick_attendees(cast: Cast, rng: random.Random, most: int) -> list[Player]:
    """Return the players of an evening, by keenness, without the latecomer."""
    members = [player for player in cast.players if player.name != scene.LATECOMER]
    here = [player for player in members if rng.random() < cast.keenness[player.pk]]
    rng.shuffle(here)
    return here[:most]


def _enter_players(
    event: Tournament, players: Sequence[Player], director: User, announced_at: datetime
) -> None:
    """Enter players: the first three with accounts enter themselves, the director enters the others."""
    early = [user for player in players if (user := player.user)][:3]
    for number, user in enumerate(early, 1):
        now = announced_at + timedelta(minutes=7 * number)
        entering.enter_own_player(tournament_id=event.pk, user=user, now=now)
    keys = [player.key for player in players if player.user not in early]
    if keys:
        now = announced_at + timedelta(hours=9)
        directing.admit_members(tournament_id=event.pk, player_keys=keys, by=director, now=now)


def _draw_finishing_order(
    event: Tournament, cast: Cast, rng: random.Random, *, is_knock_out: bool
) -> dict[str, int | None]:
    """Draw a finishing order from strength and luck."""
    entries = event.entries.select_related("player").order_by("player__created_at", "pk")
    inside = [entry.player for entry in entries]
    form = {player.pk: cast.strength[player.pk] + rng.gauss(0, 1.4) for player in inside}
    ranked = sorted(inside, key=lambda player: -form[player.pk])
    return {
        player.key: scene.compute_knockout_place(number) if is_knock_out else number
        for number, player in enumerate(ranked, 1)
    }


def _drain_outbox(*, now: datetime) -> None:
    """Process the outbox, as a running server would have done."""
    while outbox.drain(queue="default", now=now):
        pass
