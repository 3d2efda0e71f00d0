"""Players from a file: previewed by a director, and entered all together or not at all."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from draw.files.tables import write_csv
from players.access.requests import refusals_added_to
from players.errors import PlayersError, SheetTooLong, SheetTooMuchInside
from players.files import sheets, uploads
from tournaments import hooks
from tournaments.base.errors import TournamentError
from tournaments.base.event_lines import format_player_name
from tournaments.desk import roster_views
from tournaments.models import Entry, Tournament
from tournaments.pages import access
from tournaments.plan import roster_file
from tournaments.plan import roster_forms as forms

# Errors shown; a file with more is better corrected first.
MOST_TOLD = 100


@access.require_director(form="tournaments:roster")
def upload(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Parse a file and preview its players; no entries are made yet."""
    form = forms.RosterFileForm(request.POST, request.FILES)
    if form.is_valid():
        with refusals_added_to(form, "file"):
            payers = uploads.list_payers(request)
            with uploads.count_upload(payers, now=timezone.now()):
                table = _parse_file(form.cleaned_data["file"], payers)
            return _show_preview(request, event, table, is_new=True)
    return roster_views.show_roster(request, event, {"file_form": form}, status=422)


@access.require_director(form="tournaments:roster")
def look_through(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Parse the cells again with the chosen columns; enter the players if that button was pressed."""
    table = forms.parse_table(request.POST.get("table", ""))
    if table is None:
        messages.error(request, _("No file was received. Choose it again."))
        return redirect("tournaments:roster", key=event.key)
    return _show_preview(request, event, table)


@access.require_director("GET", "HEAD")
def download(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Download the roster as a file that can be uploaded again."""
    # With a byte order mark spreadsheets read the file as UTF-8.
    answer = HttpResponse("\ufeff" + write_roster(event), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{event.key}-roster.csv"'
    return answer


def _parse_file(file: UploadedFile[bytes], payers: Collection[str]) -> forms.Table:
    # One byte more than the limit is enough to notice that it is exceeded.
    rows = sheets.read_rows(file.read(sheets.MOST_BYTES + 1), file.name or "", payers=payers)
    if len(rows) > forms.MOST_NAMES + 1:
        raise SheetTooLong(most=forms.MOST_NAMES)
    table = [[cell[: forms.LONGEST_CELL + 1] for cell in row[: forms.MOST_COLUMNS]] for row in rows]
    if sum(len(cell) for row in table for cell in row) > forms.MOST_CHARACTERS:
        raise SheetTooMuchInside
    return table


def _show_preview(
    request: HttpRequest, event: Tournament, table: forms.Table, *, is_new: bool = False
) -> HttpResponse:
    extra = hooks.list_roster_columns(event)
    guess = roster_file.guess_columns(table, extra)
    form = forms.RosterColumnsForm(None if is_new else request.POST, table=table, guess=guess, extra=extra)
    found = roster_file.parse_roster(
        table, event=event, columns=form.columns(guess), choices=form.choices(), extra=extra
    )
    why = ""
    if not is_new and form.is_valid() and request.POST.get("act") == "enter":
        if found.wrong:
            why = _("No one was entered. Correct these cells in your file, then choose it again.")
        elif not found.rows:
            why = _("There is no name in this list.")
        else:
            try:
                lines, ticks = [row.line for row in found.rows], [frozenset(row.ticks) for row in found.rows]
                return roster_views.enter_list(request, event, lines, ticks=ticks)
            except (TournamentError, PlayersError) as refusal:
                why = str(refusal)
    values = {
        "event": event,
        "form": form,
        "found": found,
        "wrong": found.wrong[:MOST_TOLD],
        "why": why,
    }
    return render(request, "tournaments/roster_file.html", values, status=422 if why or form.errors else 200)


def write_roster(event: Tournament) -> str:
    """Return the roster as CSV: name, rating, club, columns of other packages; waiting list last."""
    extra = hooks.list_roster_columns(event)
    ticked = {name: set(column.ticked(event)) for name, column in extra.items()}
    rows = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True).select_related("player")
    head = [_("Name"), _("Rating"), _("Club"), *(str(column.title) for column in extra.values())]
    lines = [head]
    for row in rows.order_by("waits", "number"):
        rating = "" if row.rating is None else f"{row.rating:g}"
        ticks = (_("yes") if row.number in ticked[name] else "" for name in extra)
        lines.append([format_player_name(row.player), rating, row.club, *ticks])
    return write_csv(lines)
