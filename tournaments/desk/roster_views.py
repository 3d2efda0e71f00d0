"""The roster: directors enter players, check them in, set their seeds, withdraw them, and make agreements with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.access.requests import (
    parse_number,
    parse_numbers,
    refusals_added_to,
    refusals_shown_to,
)
from players.clubs import duplicates
from players.models import Player
from tournaments.base import event_view, expectations
from tournaments.base.event_lines import format_player_name
from tournaments.base.pasted_lists import PastedLine
from tournaments.desk import agreements
from tournaments.desk.acts.event_acts import PEOPLE
from tournaments.models import Entry, Tournament
from tournaments.pages import access, candidates, door_requests, event_page, event_page_data
from tournaments.pages.event_page import GuestForm
from tournaments.plan.roster_forms import NamesForm, RosterFileForm, TraitsForm
from tournaments.play import constraints, departures, directing, entering, openings, pasting

# Session key of the last pasted list: how it was parsed, and who was entered by it.
PASTED = "pasted"


@access.require_director("GET", "HEAD")
def roster(request: HttpRequest, event: Tournament) -> HttpResponse:
    return show_roster(request, event)


@access.require_director(form="tournaments:roster")
def paste(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Enter players by a list of names: members of that name, or guests."""
    form = NamesForm(request.POST)
    if form.is_valid():
        with refusals_added_to(form, "names"):
            return enter_list(request, event, form.cleaned_data["names"])
    return show_roster(request, event, {"names_form": form}, status=422)


def enter_list(
    request: HttpRequest, event: Tournament, lines: Sequence[PastedLine], ticks: Sequence[frozenset[str]] = ()
) -> HttpResponse:
    """Enter the players of a list, store it in the session, so that it can be undone, and show the roster.

    :raises TournamentError, PlayersError: no one is entered.
    """
    by, now = access.require_user(request), timezone.now()
    done = pasting.enter_list(tournament_id=event.pk, lines=lines, by=by, now=now, ticks=ticks)
    count = len({player.key for player in done.people})
    message = ngettext("%(count)s player is in.", "%(count)s players are in.", count)
    messages.success(request, message % {"count": count})
    request.session[PASTED] = {
        "event": event.key,
        "lines": list_corrected_lines(lines, done.people),
        "fresh": sorted(done.fresh),
        "made": sorted(done.made),
        "ticked": dict(done.ticked),
    }
    return redirect(f"{reverse('tournaments:roster', args=[event.key])}?pasted=yes")


@access.require_director(form="tournaments:roster")
def unpaste(request: HttpRequest, event: Tournament) -> HttpResponse:
    last = _find_last_paste(request, event)
    if last is None:
        return redirect("tournaments:roster", key=event.key)
    answer = access.run_service(
        request,
        event,
        pasting.undo_list,
        done=_("The list is taken back."),
        to="tournaments:roster",
        fresh=last["fresh"],
        made=last["made"],
        # Sessions of earlier releases have no ticks.
        ticked=last.get("ticked", {}),
    )
    request.session.pop(PASTED, None)
    return answer


def _find_last_paste(request: HttpRequest, event: Tournament) -> dict[str, Any] | None:
    last = request.session.get(PASTED)
    return last if last and last["event"] == event.key else None


@access.require_director(form="tournaments:roster")
def check_in(request: HttpRequest, event: Tournament) -> HttpResponse:
    numbers = parse_numbers(request.POST.getlist("entry"))
    here = request.POST.get("here") != "no"
    if request.POST.get("everyone") == "yes":
        entered = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True, waits=False)
        numbers = list(entered.values_list("number", flat=True))
    return access.run_service(
        request,
        event,
        entering.check_in_entries,
        done=_("Checked in.") if here else _("The check-in is taken back."),
        to="tournaments:roster",
        entries=numbers,
        here=here,
    )


@access.require_director("GET", "POST")
def traits(request: HttpRequest, event: Tournament, entry: int) -> HttpResponse:
    """Edit a player's attributes used by the draw: rating, club, family, seed, pot."""
    row = get_object_or_404(Entry.objects.select_related("player"), tournament=event, number=entry)
    start = {name: getattr(row, name) for name in TraitsForm.base_fields}
    form = TraitsForm(request.POST or None, initial=start)
    if form.is_bound and form.is_valid():
        with refusals_added_to(form):
            by, now = access.require_user(request), timezone.now()
            entering.set_traits(tournament_id=event.pk, entry=entry, by=by, now=now, **form.cleaned_data)
            messages.success(request, _("Saved: %(name)s.") % {"name": row.player.public_name})
            return redirect("tournaments:roster", key=event.key)
    values = {"event": event, "form": form, "name": row.player.public_name}
    return render(request, "tournaments/traits.html", values, status=422 if form.errors else 200)


@access.require_director(form="tournaments:event")
def admit(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Enter the ticked members, those of last time, or all."""
    keys, nobody = _list_selected_players(request, event)
    if not keys:
        messages.info(request, nobody)
        return redirect(_get_return_page(event), key=event.key)
    with refusals_shown_to(request):
        by, now = access.require_user(request), timezone.now()
        new = directing.admit_members(tournament_id=event.pk, player_keys=keys, by=by, now=now)
        message = ngettext("%(count)s player entered.", "%(count)s players entered.", new) % {"count": new}
        messages.success(request, message)
    return redirect(_get_return_page(event), key=event.key)


@access.require_director(form="tournaments:event")
def admit_guest(request: HttpRequest, event: Tournament) -> HttpResponse:
    form = GuestForm(request.POST, auto_id="guest-%s")
    if not form.is_valid() and event.stages.exists():
        return show_roster(request, event, {"guest_form": form}, status=422)
    if not form.is_valid():
        return event_page.show_event(request, event, guest_form=form, status=422)
    name = form.cleaned_data["name"]
    user, now = access.require_user(request), timezone.now()

    def enter() -> None:
        guest = directing.admit_guest(tournament_id=event.pk, name=name, by=user, now=now)
        # A guest whom the club already knew was compared with its members then.
        if guest.created_at == now:
            for each in duplicates.list_similar_members(club=event.club, player=guest):
                messages.info(request, duplicates.format_hint(each.name))

    return access.run_and_redirect(
        request, event, enter, done=_("%(name)s has been added.") % {"name": name}, to=_get_return_page(event)
    )


@access.require_director(form="tournaments:event")
def take_out(request: HttpRequest, event: Tournament) -> HttpResponse:
    return access.run_service(
        request,
        event,
        directing.withdraw_player,
        done=_("Taken out. You can enter the player again at any time before the result."),
        to=_get_return_page(event),
        player_key=request.POST.get("player", ""),
    )


@access.require_director(form="tournaments:roster")
def keep_apart(request: HttpRequest, event: Tournament) -> HttpResponse:
    posted = request.POST

    def show_again(status: int) -> HttpResponse:
        before = (expectations.parse_state(posted.get("expects", ""), PEOPLE) or {}).get("people", {})
        people = expectations.map_entry_players(event)
        # A number that belongs to another player by now is not ticked.
        same = [number for number, player in people.items() if before.get(number) == player]
        ticked = {*parse_numbers(same)} & {*parse_numbers(posted.getlist("entry"))}
        apart = {"members": ticked, "hard": posted.get("hard"), "reason": posted.get("reason", "")}
        return show_roster(request, event, {"apart": apart}, status=status)

    return access.run_service(
        request,
        event,
        constraints.keep_apart,
        done=_("They are kept apart from the next pairing on."),
        to="tournaments:roster",
        show_again=show_again,
        needs=PEOPLE,
        members=parse_numbers(posted.getlist("entry")),
        hard=posted.get("hard") != "no",
        reason=posted.get("reason", ""),
    )


@access.require_director(form="tournaments:roster")
def release(request: HttpRequest, event: Tournament) -> HttpResponse:
    return access.run_service(
        request,
        event,
        constraints.stop_keeping_apart,
        done=_("They may be paired again."),
        to="tournaments:roster",
        needs=PEOPLE,
        members=parse_numbers(request.POST.get("members", "").split(",")),
    )


@access.require_director(form="tournaments:roster")
def unask_bye(request: HttpRequest, event: Tournament) -> HttpResponse:
    entry, number = (parse_number(request.POST.get(name, "")) or 0 for name in ("entry", "round"))
    return access.run_service(
        request,
        event,
        departures.cancel_bye,
        done=_("Taken back: they play this round after all."),
        to="tournaments:roster",
        needs=PEOPLE,
        entry=entry,
        round=number,
    )


def _list_selected_players(request: HttpRequest, event: Tournament) -> tuple[list[str], str]:
    """Return the keys of the players selected by the pressed button, and the message if there are none."""
    if "last" in request.POST:
        those = candidates.list_returning_keys(event, last_key=request.POST["last"])
        return those, _("Everyone from last time who is still a member is already in.")
    if "everyone" in request.POST:
        return candidates.list_candidate_keys(event), _("Every member of the club is in.")
    return request.POST.getlist("player"), _("No one was ticked.")


def _get_return_page(event: Tournament) -> str:
    return "tournaments:roster" if event.stages.exists() else "tournaments:event"


def show_roster(
    request: HttpRequest, event: Tournament, extra: Mapping[str, object] | None = None, status: int = 200
) -> HttpResponse:
    """Show the roster; *extra* replaces values of the template, such as forms by invalid ones.

    An event without stages has no roster: redirect to its page.
    """
    if not event.stages.exists():
        return redirect(event)
    shown = event_page_data.load_page(event, request.user, now=timezone.now())
    at_door = door_requests.list_open_requests(event) if shown.may.admit or shown.line.is_running else ()
    values = {
        "event": event,
        "club": event.club,
        "shown": shown,
        "candidates": candidates.list_candidates(event) if shown.may.admit else candidates.NOBODY,
        "agreed": agreements.load_agreements(event),
        "has_missing": any(not (each.waits or each.is_here) for each in shown.entrants),
        "at_door": at_door,
        "ways": door_requests.list_latecomer_places(event_view.load_view(event)) if at_door else (),
        "pasted": _find_last_paste(request, event) if "pasted" in request.GET and shown.may.arrange else None,
        "nowhere": openings.list_without_place(event) if shown.line.is_running else frozenset(),
        "people_shown": expectations.serialize_state({"people": expectations.map_entry_players(event)}),
        "guest_form": GuestForm(auto_id="guest-%s"),
        "names_form": NamesForm(),
        "file_form": RosterFileForm(),
        "tab": "roster",
        "live_topics": [access.get_position(event)],
        **(extra or {}),
    }
    return render(request, "tournaments/roster.html", values, status=status)


# Longer lists are cut off.
MOST_LINES = 40


def list_corrected_lines(lines: Sequence[PastedLine], people: Sequence[Player]) -> list[dict[str, str]]:
    """List the lines whose player has another name than typed, or whose name is unsure."""
    found = [_describe_line(line, player) for line, player in zip(lines, people, strict=True)]
    return [one for one in found if one is not None][:MOST_LINES]


def _describe_line(line: PastedLine, player: Player) -> dict[str, str] | None:
    name = format_player_name(player)
    if line.typed == name and not line.is_unsure:
        return None
    parts = [name]
    if line.rating is not None:
        parts.append(_("rating %(rating)s") % {"rating": f"{line.rating:g}"})
    if line.club:
        parts.append(_("club %(club)s") % {"club": line.club})
    # A name with a comma may be inverted, or name a town: the director can rename the guest.
    unsure = "yes" if line.is_unsure and name == line.name else ""
    return {"typed": line.typed, "read": " · ".join(parts), "unsure": unsure}
