"""Identities of stream listeners, checked against current sessions, tokens and accounts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from rest_framework.request import Request

from players import hooks
from players.keys import digest
from players.models import ApiToken, User
from runtime import stream
from runtime.stream import rights
from runtime.stream.rights import Bearer, Person, ReadRequest


def get_holder(request: HttpRequest | Request) -> str:
    """Return the holder of a stream token for this request; "" for public topics only."""
    key = getattr(request, "auth", None)
    if isinstance(key, ApiToken):
        return f"{rights.KEY}{key.pk}"
    session = getattr(request, "session", None)
    if session is None or settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return ""
    is_somebody = request.user.is_authenticated or hooks.GUEST.get()(session) is not None
    return rights.build_session_name(session.session_key) if is_somebody and session.session_key else ""


def build_user_name(user_id: int) -> str:
    return f"user.{user_id}"


def identify_bearers(bearers: Collection[Bearer]) -> dict[Bearer, Person]:
    """Identify bearers; those with an ended session or token are left out."""
    found = {bearer: Person(AnonymousUser()) for bearer in bearers if not bearer.who}
    found |= _identify_sessions([each for each in bearers if each.who.startswith(rights.SESSION)])
    return found | _identify_tokens([each for each in bearers if each.who.startswith(rights.KEY)])


def _identify_sessions(bearers: Sequence[Bearer]) -> dict[Bearer, Person]:
    if not bearers:
        return {}
    now = timezone.now()  # noqa: TID251 - a stream has no request whose time it could be
    by_key = {bearer.secret: bearer for bearer in bearers}
    living = Session.objects.filter(session_key__in=by_key, expire_date__gt=now)
    sessions = {by_key[row.session_key]: row.get_decoded() for row in living}
    ids = {str(data[SESSION_KEY]) for data in sessions.values() if SESSION_KEY in data}
    users = {str(user.pk): user for user in User.objects.filter(pk__in=ids, is_active=True)}
    people = {bearer: _find_person(data, users) for bearer, data in sessions.items()}
    return {bearer: person for bearer, person in people.items() if person is not None}


def _find_person(session: Mapping[str, Any], users: Mapping[str, User]) -> Person | None:
    if SESSION_KEY not in session:
        guest = hooks.GUEST.get()(session)
        return None if guest is None else Person(guest)
    user = users.get(str(session[SESSION_KEY]))
    if user is None:
        return None
    # A password change signs out all other devices.
    ours, signature = user.get_session_auth_hash(), session.get(HASH_SESSION_KEY, "")
    valid = any(
        constant_time_compare(signature, each) for each in (ours, *user.get_session_auth_fallback_hash())
    )
    return Person(user, build_user_name(user.pk)) if valid else None


def _identify_tokens(bearers: Sequence[Bearer]) -> dict[Bearer, Person]:
    if not bearers:
        return {}
    by_bearer = {bearer: int(bearer.who.removeprefix(rights.KEY)) for bearer in bearers}
    now = timezone.now()  # noqa: TID251 - as above
    living = ApiToken.objects.filter(
        Q(expires_at__isnull=True) | Q(expires_at__gt=now), pk__in=set(by_bearer.values())
    )
    rows = {row.pk: row for row in living.filter(user__is_active=True).select_related("user")}
    return {
        bearer: Person(row.user, build_user_name(row.user_id))
        for bearer, pk in by_bearer.items()
        # A URL can leak: the stream opens only for a request that also sends the API token.
        if (row := rows.get(pk)) and constant_time_compare(row.token_hash, digest(bearer.secret))
    }


def allow_own_topics(wishes: Sequence[ReadRequest]) -> Iterator[ReadRequest]:
    for wish in wishes:
        if isinstance(wish.person, User) and wish.topic == build_user_name(wish.person.pk):
            yield wish


def allow_public_topics(wishes: Sequence[ReadRequest]) -> Sequence[ReadRequest]:
    """Allow everybody the topics of a family whose messages say only that something changed."""
    return wishes


def recheck_readers(names: Iterable[str]) -> None:
    """Check the open streams of these holders again after the transaction commits."""
    wanted = list(names)
    transaction.on_commit(lambda: stream.recheck_readers(wanted), robust=True)
