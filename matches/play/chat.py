"""Chat of players and spectators: sending, muting, reporting, removing.

The two players write in one room, spectators in another, and directors read both. What the two say to each
other stays private, also after the match. During play they do not see the spectators' room; afterwards they
may.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from matches.models import ChatLine, Mute, Report, Room
from matches.models.talk import LONGEST_LINE
from matches.play.match_access import Role, View, get_chat_topic
from matches.play.shapes import LineAnswer
from matches.state.errors import EmptyLine, NotAllowed, Refused, TooMuchTalk
from players import names
from players.access import listeners
from players.errors import EmptyName
from players.models import Membership, Player, User
from players.models import Role as ClubRole
from players.notices import notices
from players.notices.kinds import NoticeKind, Reader
from runtime import stream
from runtime.models import TopicEvent
from runtime.stream.events import KEPT_FOR

# Rate limits of lines and of reports.
MOST_LINES: Final = 5
LINES_IN: Final = timedelta(seconds=10)
MOST_REPORTS: Final = 10
REPORTS_IN: Final = timedelta(hours=1)
LINES_A_PAGE: Final = 100
SAID, HIDDEN = "said", "hidden"


@transaction.atomic
def post_line(
    *, seen: View, author: Player, text: str, client_key: str, now: datetime, room: str = ""
) -> tuple[ChatLine, bool]:
    """Post a line. Idempotent by *client_key*; the flag is True for a new line.

    :raises NotAllowed: no chat in this match, or not for this person.
    :raises InvalidText: the text is invalid.
    :raises TooMuchTalk: it is one of too many.
    """
    where = _require_room(seen, room)
    _lock_author(author)
    posted = ChatLine.objects.filter(match=seen.row, author=author, client_key=client_key).first()
    if posted is not None:
        return posted, False
    try:
        line = names.clean_line(text, limit=LONGEST_LINE)
    except EmptyName as error:
        raise EmptyLine from error
    _enforce_rate_limit(ChatLine.objects.filter(author=author), MOST_LINES, LINES_IN, now=now)
    row = ChatLine.objects.create(
        match=seen.row, room=where, author=author, text=line, at=now, client_key=client_key
    )
    stream.publish(get_chat_topic(seen.row.key, where), SAID, serialize_line(row).plain(), now=now)
    return row, True


def _require_room(seen: View, wanted: str) -> Room:
    if not seen.row.terms.get("has_chat", True):
        raise NotAllowed(_("There is no chat in this match."), code="chat-off")
    # Directors write to the players by default.
    room = next((each for each in seen.writes if wanted in {"", each.value}), None)
    if room is None:
        raise NotAllowed(_("You cannot write in this chat."), code="not-your-room")
    return room


def _lock_author(author: Player) -> None:
    Player.objects.select_for_update(no_key=True).get(pk=author.pk)


def _enforce_rate_limit(done: QuerySet[Any], most: int, within: timedelta, *, now: datetime) -> None:
    lately = list(done.filter(at__gt=now - within).order_by("-at").values_list("at", flat=True)[:most])
    if len(lately) == most:
        raise TooMuchTalk((lately[-1] + within - now).total_seconds())


def list_lines(seen: View, *, before: str = "") -> list[ChatLine]:
    """Return the latest visible lines, or the latest before a given one; oldest first."""
    rows = ChatLine.objects.filter(match=seen.row, room__in=seen.reads).select_related("author")
    if before:
        first = rows.filter(key=before).first()
        if first is None:
            return []
        rows = rows.filter(Q(at__lt=first.at) | Q(at=first.at, pk__lt=first.pk))
    return list(rows.order_by("-at", "-pk")[:LINES_A_PAGE])[::-1]


def list_reported(seen: View) -> list[ChatLine]:
    """Return all lines that were reported and are not hidden, oldest first."""
    rows = ChatLine.objects.filter(match=seen.row, room__in=seen.reads, hidden_at__isnull=True)
    was_reported = Exists(Report.objects.filter(line=OuterRef("pk")))
    return list(rows.filter(was_reported).select_related("author").order_by("at", "pk"))


def serialize_line(line: ChatLine, *, to: Role = Role.SPECTATOR) -> LineAnswer:
    """Serialize a line for the API; only directors see hidden text."""
    is_shown = line.hidden_at is None or to is Role.DIRECTOR
    return LineAnswer.read(line, text=line.text if is_shown else "")


# -- muting ---------------------------------------------------------------------------------------


def mute(*, player: Player, muted: Player) -> None:
    """Hide a player's lines from another player, at every board."""
    if player.pk == muted.pk:
        raise Refused(_("You cannot mute yourself."), code="mute-yourself")
    Mute.objects.get_or_create(player=player, muted=muted)
    _recheck_streams(player)


def unmute(*, player: Player, muted: Player) -> None:
    Mute.objects.filter(player=player, muted=muted).delete()
    _recheck_streams(player)


def _recheck_streams(player: Player) -> None:
    """Recheck this player's streams, so that they filter muted players."""
    if player.user_id is not None:
        listeners.recheck_readers([listeners.build_user_name(player.user_id)])


def list_muted(player: Player | None) -> QuerySet[Player]:
    rows = Player.objects.filter(muted_by__player=player) if player else Player.objects.none()
    return rows.order_by("folded_name", "pk")


# -- reporting and hiding -------------------------------------------------------------------------


CHAT_REPORTED: Final = NoticeKind(
    name="chat_reported",
    reader=Reader.DIRECTOR,
    when=gettext_lazy("A line in the chat is reported."),
    text=gettext_lazy("A chat line by {author} was reported: “{text}”"),
)


@transaction.atomic
def report(*, seen: View, key: str, by: Player, reason: str, now: datetime) -> Report:
    """Report a line to the directors. Idempotent.

    :raises ChatLine.DoesNotExist: no such line is visible to this person.
    :raises TooMuchTalk: it is one of too many.
    :raises Refused: it is the reporter's own line.
    """
    line = _get_line(seen, key)
    if line.author_id == by.pk:
        raise Refused(_("That is your own line."), code="own-line")
    _lock_author(by)
    found = Report.objects.filter(line=line, by=by).first()
    if found is not None:
        return found
    _enforce_rate_limit(Report.objects.filter(by=by), MOST_REPORTS, REPORTS_IN, now=now)
    found = Report.objects.create(
        line=line,
        by=by,
        reason=names.clean_line(reason, limit=LONGEST_LINE) if reason.strip() else "",
        at=now,
    )
    for user in _list_directors(line):
        notices.send(
            CHAT_REPORTED,
            user=user,
            values={"author": line.author.public_name, "text": line.text[:160]},
            # All directors and administrators may read that page.
            url=reverse("matches:talk", args=[line.match.key]),
            dedupe_key=f"chat-report:{line.key}",
            now=now,
        )
    return found


def _list_directors(line: ChatLine) -> list[User]:
    """Return the recipients of reports: the club's directors, or the site's administrators."""
    staff = User.objects.filter(is_superuser=True, is_active=True)
    if line.match.club_id is None:
        return list(staff)
    roles = (ClubRole.OWNER, ClubRole.DIRECTOR)
    rows = Membership.objects.filter(club=line.match.club_id, role__in=roles).exclude(player=line.author)
    return list(User.objects.filter(pk__in=rows.values("player__user"), is_active=True)) or list(staff)


@transaction.atomic
def hide(*, seen: View, key: str, by: Player, now: datetime) -> ChatLine:
    """Hide a line from everybody but directors.

    :raises ChatLine.DoesNotExist: there is no such line.
    :raises NotAllowed: only a director may.
    """
    if seen.role is not Role.DIRECTOR:
        raise NotAllowed
    line = _get_line(seen, key)
    if line.hidden_at is None:
        line.hidden_at, line.hidden_by = now, by
        line.save(update_fields=["hidden_at", "hidden_by"])
        _remove_line(line, now=now)
    return line


def _get_line(seen: View, key: str) -> ChatLine:
    rows = ChatLine.objects.filter(match=seen.row, room__in=seen.reads)
    return rows.select_related("author", "match").get(key=key)


def _remove_line(line: ChatLine, *, now: datetime) -> None:
    """Remove a line from the stored stream events, and from open pages."""
    topic = get_chat_topic(line.match.key, Room(line.room))
    TopicEvent.objects.filter(topic=topic, name=SAID, data__key=line.key).update(
        name=HIDDEN, data=_serialize_removal(line)
    )
    stream.publish(topic, HIDDEN, _serialize_removal(line), now=now)


def _serialize_removal(line: ChatLine) -> dict[str, Any]:
    return {"key": line.key, "room": line.room}


# -- leaving and merging players ------------------------------------------------------------------


def delete_chat(player: Player, *, now: datetime) -> None:
    mine = ChatLine.objects.filter(author=player)
    for line in mine.filter(at__gt=now - KEPT_FOR).select_related("match"):
        _remove_line(line, now=now)
    mine.delete()
    Mute.objects.filter(Q(player=player) | Q(muted=player)).delete()
    Report.objects.filter(by=player).delete()


def move_chat(*, kept: Player, dropped: Player) -> list[int]:
    """Move the dropped player's chat data to the kept one; return the ids of the moved lines."""
    line_ids = list(ChatLine.objects.filter(author=dropped).order_by("pk").values_list("pk", flat=True))
    ChatLine.objects.filter(author=dropped).update(author=kept, client_key=F("key"))
    ChatLine.objects.filter(hidden_by=dropped).update(hidden_by=kept)
    Mute.objects.filter(player__in=(kept, dropped), muted__in=(kept, dropped)).delete()
    _move_rows(Mute.objects.all(), "player", "muted", kept=kept, dropped=dropped)
    _move_rows(Mute.objects.all(), "muted", "player", kept=kept, dropped=dropped)
    _move_rows(Report.objects.all(), "by", "line", kept=kept, dropped=dropped)
    return line_ids


def move_chat_back(*, kept: Player, dropped: Player, line_ids: Collection[int]) -> None:
    ChatLine.objects.filter(pk__in=line_ids, author=kept).update(author=dropped)


def _move_rows(rows: QuerySet[Any], whose: str, what: str, *, kept: Player, dropped: Player) -> None:
    had = rows.filter(**{whose: kept}).values_list(what, flat=True)
    rows.filter(**{whose: dropped, f"{what}__in": list(had)}).delete()
    rows.filter(**{whose: dropped}).update(**{whose: kept})


def export_chat(player: Player) -> dict[str, object]:
    lines = ChatLine.objects.filter(author=player).order_by("at", "pk")
    reported = Report.objects.filter(by=player).order_by("at", "pk")
    return {
        "said": list(lines.values("match__key", "room", "text", "at", "hidden_at")),
        "muted": [other.public_name for other in list_muted(player)],
        "reported": list(reported.values("line__key", "reason", "at")),
    }
