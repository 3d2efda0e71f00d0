"""Access to events: lookup by key, permission checks, and the pages that show refusals."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache

from players.access import listeners
from players.access.permissions import DIRECTORS, require_permission
from players.errors import PlayersError
from players.models import Membership, User
from runtime import stream
from runtime.stream import TopicPositions
from runtime.stream.rights import ReadRequest
from tournaments import hooks
from tournaments.base import event_lines, expectations, local_times
from tournaments.base.errors import AlreadyDone, ChangedMeanwhile, NotHelper, TournamentError
from tournaments.models import Helper, Tournament
from tournaments.pages import etags
from tournaments.play import optimistic_locking
from tournaments.play.changes import HelperActor
from tournaments.status import Status

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

T = TypeVar("T")

# Session key of a dict from event key to the primary key of the helper who uses this browser.
HELPING: Final = "helping"
# Prefix of the topics of events.
FAMILY: Final = "event"


@dataclass(frozen=True, slots=True)
class HelperLine:
    pk: int
    name: str
    until: str
    is_taken_up: bool


def load_event(key: str, user: User | AnonymousUser) -> Tournament:
    """Load an event that the user may see.

    :raises Http404: there is none, or it is a draft or rehearsal of a club that the user does not direct.
    """
    # `Tab.is_there` reads these relations.
    rows = Tournament.objects.select_related(
        "club", "series_day__series", *(tab.related for tab in hooks.TABS)
    )
    event = _get_event(rows, key)
    if not event_lines.is_reachable(event, user):
        raise Http404
    return event


def load_any_event(key: str) -> Tournament:
    """Load an event without a permission check.

    :raises Http404: there is none.
    """
    return _get_event(Tournament.objects.select_related("club"), key)


def _get_event(rows: QuerySet[Tournament], key: str) -> Tournament:
    # Before the row: a page made from the event then misses no later change.
    position = stream.record_positions(f"{FAMILY}.{key}")
    event = get_object_or_404(rows, key=key)
    event.stream_position = position
    return event


def get_position(event: Tournament) -> TopicPositions:
    """Return the position of the event's stream when `load_event` or `load_any_event` read its row."""
    return event.stream_position


def _is_hidden(event: Model) -> bool:
    return isinstance(event, Tournament) and not event_lines.is_public(event)


# View decorator: only for directors of the event.
require_director = partial(
    require_permission, "tournaments.direct", find=load_any_event, arg="key", hides=_is_hidden
)


def require_user(request: HttpRequest) -> User:
    """Return the viewer's account.

    :raises PermissionDenied: the viewer is not signed in.
    """
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def find_helper(request: HttpRequest, event: Tournament, *, now: datetime) -> HelperLine | None:
    """Return the helper who uses this browser; None without a link that is still valid."""
    number = request.session.get(HELPING, {}).get(event.key)
    if number is None:
        return None
    row = Helper.filter_valid(now).filter(tournament=event, pk=number, taken_up_at__isnull=False).first()
    return _build_helper_line(event, row) if row else None


def list_valid_helpers(event: Tournament, *, now: datetime) -> tuple[HelperLine, ...]:
    rows = Helper.filter_valid(now).filter(tournament=event).order_by("pk")
    return tuple(_build_helper_line(event, row) for row in rows)


def _build_helper_line(event: Tournament, row: Helper) -> HelperLine:
    zone = event.club.time_zone
    until = local_times.format_moment(row.expires_at, zone)
    return HelperLine(row.pk, row.name, until, row.taken_up_at is not None)


def require_helper(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """View decorator: only for browsers of the event's helpers.

    The view gets the event, the helper and the time.
    """

    @wraps(view)
    def guarded(request: HttpRequest, key: str, **more: str) -> HttpResponse:
        event, now = load_any_event(key), timezone.now()
        found = find_helper(request, event, now=now)
        return view(request, event, found, now, **more) if found else refuse_helper(request, NotHelper())

    return never_cache(guarded)


def refuse_helper(request: HttpRequest, refusal: TournamentError) -> HttpResponse:
    """Render the refusal of a helper's link, with status 200 for htmx, so that it replaces an open page."""
    status = 200 if etags.is_part(request) else 403
    return render(request, "tournaments/helping_refused.html", {"refusal": refusal}, status=status)


def run_if_current(
    request: HttpRequest,
    event: Tournament,
    act: Callable[[], T],
    *,
    needs: Collection[str],
    about: optimistic_locking.ActTarget,
    by: User | HelperActor | None = None,
) -> T:
    """Run an act if the state that the form showed, in its hidden field `expects`, is still current.

    :raises ChangedMeanwhile: the state has changed, or the form does not contain it.
    """
    if not needs:
        return act()
    seen = expectations.parse_state(request.POST.get("expects", ""), needs)
    if seen is None:
        raise ChangedMeanwhile(what=gettext("The page was out of date. Reload and try again."))
    return optimistic_locking.run_if_unchanged(
        act, tournament_id=event.pk, about=about, expects=seen, by=by or require_user(request)
    )


def run_and_redirect(
    request: HttpRequest,
    event: Tournament,
    act: Callable[[], object],
    *,
    done: StrOrPromise,
    to: str = "tournaments:event",
    show_again: Callable[[int], HttpResponse] | None = None,
) -> HttpResponse:
    """Run an act, then redirect to *to* with a message: *done*, or the refusal.

    *show_again* renders, with the status of a refusal, a page that keeps what was typed.
    """
    try:
        act()
    except AlreadyDone as refusal:
        messages.info(request, str(refusal), extra_tags=refusal.code)
    except (TournamentError, PlayersError) as refusal:
        messages.error(request, str(refusal), extra_tags=refusal.code)
        if show_again is not None:
            return show_again(get_refusal_status(refusal))
    else:
        messages.success(request, str(done))
    return redirect(to, key=event.key)


def run_service(
    request: HttpRequest,
    event: Tournament,
    service: Callable[..., object],
    *,
    done: StrOrPromise,
    to: str = "tournaments:event",
    show_again: Callable[[int], HttpResponse] | None = None,
    needs: Collection[str] = (),
    about: optimistic_locking.ActTarget | None = None,
    **arguments: Any,
) -> HttpResponse:
    """Call a service on the event for its director, with *arguments*, as `run_if_current` and `run_and_redirect` do."""
    by, now = require_user(request), timezone.now()
    act = partial(service, tournament_id=event.pk, by=by, now=now, **arguments)
    about = about or optimistic_locking.ActTarget()
    checked = partial(run_if_current, request, event, act, needs=needs, about=about)
    return run_and_redirect(request, event, checked, done=done, to=to, show_again=show_again)


def run_on_own_match(
    request: HttpRequest,
    event: Tournament,
    service: Callable[..., T],
    *,
    needs: Collection[str],
    **arguments: Any,
) -> T:
    """Call a service on the match of the form for one of its players, as `run_if_current` does.

    :raises ChangedMeanwhile: the state has changed, or the form does not contain it.
    """
    user, key = require_user(request), request.POST.get("match", "")
    act = partial(service, tournament_id=event.pk, key=key, user=user, now=timezone.now(), **arguments)
    return run_if_current(request, event, act, needs=needs, about=optimistic_locking.ActTarget(key=key))


def get_refusal_status(refusal: object) -> int:
    """Return the HTTP status of a form that is shown again: 409 if the state has changed, otherwise 422."""
    return 409 if isinstance(refusal, ChangedMeanwhile) else 422


def allow_event_topics(wishes: Sequence[ReadRequest]) -> Iterator[ReadRequest]:
    """Yield the read requests that are allowed.

    Published events are open to everybody, drafts and rehearsals to their directors.
    """
    rows = Tournament.objects.filter(key__in={wish.key for wish in wishes})
    drafts: dict[str, int | None] = {
        key: rehearsed or (club_id if status == Status.DRAFT else None)
        for key, club_id, rehearsed, status in rows.values_list("key", "club_id", "club__rehearses", "status")
    }
    for wish in wishes:
        if wish.key in drafts and ((club := drafts[wish.key]) is None or _is_director(wish.person, club)):
            yield wish


def _is_director(user: object, club_id: int) -> bool:
    if not isinstance(user, User):
        return False
    ours = Membership.objects.filter(player__user=user, club=club_id, role__in=DIRECTORS)
    return user.is_superuser or ours.exists()


def recheck_readers(event: Tournament) -> None:
    """Check the read access of all open streams of an event again after the commit."""
    listeners.recheck_readers([f"{FAMILY}.{event.key}"])
