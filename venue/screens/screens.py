"""Screens: a browser gets a code, a director enters it, names the screen and chooses its programme."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from players import keys, names
from players.access import attempts
from players.models import Club, User
from runtime import stream
from tournaments.models import Tournament
from tournaments.play import changes
from tournaments.status import Status
from venue.errors import BadProgramme, ScreenNameTaken, TooManyTries, UnknownLetters
from venue.models import Room, Screen, Show
from venue.models.screens import CODE_LENGTH

# 160,000 codes, each valid for ten minutes.
CODE_LASTS: Final = timedelta(minutes=10)
# Rate limits: new browsers per address, codes tried per account.
OPENINGS: Final = attempts.RateLimit(free=60, first=5, most=60)
TRIES: Final = attempts.RateLimit(free=10, first=5, most=120)
FIRST_PROGRAMME: Final = (Show.CALLS, Show.BRACKET, Show.ROUND, Show.STANDINGS, Show.CLOCK)
SECONDS: Final = range(5, 121)
LONGEST_ANNOUNCEMENT: Final = 160


def find_screen(token: str) -> Screen | None:
    rows = Screen.objects.select_related("club", "room", "event")
    return rows.filter(token_hash=_compute_digest(token)).first() if token else None


def open_screen(*, address: str, now: datetime) -> tuple[Screen, str]:
    """Create a screen with a code, and the token that identifies its browser.

    :raises TooManyTries: rate limit of this address.
    """
    _take_turn(*attempts.build_network_buckets(OPENINGS, "screens", address), now=now)
    token = secrets.token_urlsafe(24)
    Screen.objects.filter(club__isnull=True, code_until__lte=now).delete()
    return _assign_letters(Screen(token_hash=_compute_digest(token), created_at=now), now=now), token


def renew_letters(*, screen: Screen, now: datetime) -> Screen:
    """Replace an expired code of a waiting screen. If a director binds it first, it stays bound."""
    if screen.club_id is not None or screen.code_until is None or screen.code_until > now:
        return screen
    with transaction.atomic():
        waiting = (
            Screen.objects.select_for_update(of=("self",)).filter(club__isnull=True, pk=screen.pk).first()
        )
        return screen if waiting is None else _assign_letters(waiting, now=now)


def bind(*, club: Club, by: User, letters: str, name: str, now: datetime, room: Room | None = None) -> Screen:
    """Bind the browser that shows this code to the club.

    If the club has a screen of this name, the browser takes over its row and programme, which replaces a
    broken device.

    :raises NotDirector: `by` does not direct at this club.
    :raises TooManyTries, UnknownLetters: nothing changes.
    """
    changes.require_director(club, by)
    turn = _take_turn(attempts.build_bucket(TRIES, "letters", by.pk), now=now)
    wanted = names.clean_name(name, limit=80)
    code = "".join(letters.split()).upper()[:CODE_LENGTH]
    with transaction.atomic():
        waiting = Screen.objects.select_for_update(of=("self",)).filter(
            club__isnull=True, code=code, code_until__gt=now
        )
        found = UnknownLetters.raise_if_none(waiting.first())
        replaced = Screen.objects.select_for_update(of=("self",)).filter(club=club, name=wanted).first()
        _publish_screen(found, now=now)
        if replaced is not None:
            _publish_screen(replaced, now=now)
            found.delete()
            replaced.token_hash = found.token_hash
            found = replaced
        else:
            found.programme = [show.value for show in FIRST_PROGRAMME]
        found.club, found.name, found.code, found.code_until = club, wanted, "", None
        found.room = room if room is not None else found.room
        found.bound_by, found.bound_at = by, now
        found.save()
    turn.give_back()
    return found


def change_settings(*, screen: Screen, by: User, now: datetime, name: str = "", **arguments: Any) -> Screen:
    """Change some settings of a screen and notify it; concurrent changes of other settings are kept.

    :raises NotDirector: `by` does not direct at the screen's club.
    :raises BadProgramme, ScreenNameTaken: nothing changes.
    """
    club = _require_club(screen)
    changes.require_director(club, by)
    with transaction.atomic():
        rows = Screen.objects.select_for_update(of=("self",)).select_related("club", "room", "event")
        found = rows.get(pk=screen.pk)
        for setting, value in arguments.items():
            setattr(found, setting, value)
        found.programme = [show.value for show in Show if show in found.programme]
        foreign = any(each is not None and each.club_id != club.pk for each in (found.room, found.event))
        if not (found.programme or found.held) or found.seconds not in SECONDS or foreign:
            raise BadProgramme(least=SECONDS[0], most=SECONDS[-1])
        found.held = Show(found.held).value if found.held else ""
        found.announcement = names.clean_optional(found.announcement, limit=LONGEST_ANNOUNCEMENT)
        if not found.announcement:
            found.announced_until = None
        found.name = names.clean_name(name, limit=80) if name else found.name
        try:
            with transaction.atomic():
                found.save()
        except IntegrityError:
            raise ScreenNameTaken from None
        _publish_screen(found, now=now)
    return found


def release(*, screen: Screen, by: User, now: datetime) -> None:
    """Release a screen: its browser shows a code again.

    :raises NotDirector: `by` does not direct at the screen's club.
    """
    changes.require_director(_require_club(screen), by)
    with transaction.atomic():
        _publish_screen(screen, now=now)
        Screen.objects.filter(pk=screen.pk).delete()


def _require_club(screen: Screen) -> Club:
    if screen.club is None:
        raise UnknownLetters
    return screen.club


def _assign_letters(screen: Screen, *, now: datetime) -> Screen:
    screen.code_until = now + CODE_LASTS
    while True:
        screen.code = keys.new_letters(CODE_LENGTH)
        try:
            with transaction.atomic():
                screen.save()
        except IntegrityError:
            # Another screen has this code.
            continue
        return screen


def _publish_screen(screen: Screen, *, now: datetime) -> None:
    stream.publish(screen.topic, "screen", {}, now=now)


def _take_turn(*lanes: attempts.Bucket, now: datetime) -> attempts.CountedTry:
    try:
        return attempts.count_try(lanes, now=now)
    except attempts.TooManyTries as error:
        raise TooManyTries(seconds=error.seconds) from None


def _compute_digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def list_screens(club: Club) -> QuerySet[Screen]:
    return Screen.objects.filter(club=club).select_related("room", "event").order_by("name", "pk")


def list_rooms(club: Club) -> QuerySet[Room]:
    return Room.objects.filter(club=club).order_by("name")


def list_events(club: Club) -> QuerySet[Tournament]:
    """Return the events that can be chosen for a screen, the latest first."""
    return (
        Tournament.objects.filter(club=club, is_friendly=False)
        .exclude(status=Status.DRAFT)
        .order_by("-starts_at", "-pk")
    )
