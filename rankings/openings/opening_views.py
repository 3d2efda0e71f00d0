"""Pages of opening ratings and their forms: the list for everyone; import and undo for directors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import PurePath
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.access.permissions import require_permission
from players.access.requests import AccountRequest, parse_number, refusals_added_to, refusals_shown_to
from players.clubs.club_pages import ClubRights
from players.files import sheets, uploads
from players.files.cells import list_columns
from players.models import Club, Player
from players.people.fields import DAY_INPUT, LONGEST_FILE_NAME, NameField
from players.people.namesakes import LEAVE, NEW
from rankings.errors import RankingError
from rankings.formulas.systems import SYSTEMS
from rankings.ledger import opening_ratings as selectors
from rankings.models import OpeningImport
from rankings.openings import opening_sheet, openings
from rankings.openings.opening_sheet import FIELDS, NAME, RATING, TITLES, Sheet
from rankings.requests import get_club, get_list
from tournaments.base import local_times

# At most this many invalid cells and uncertain rows are shown; a file with more should be corrected first.
MOST_TOLD = 100


class UploadForm(forms.Form):
    file = forms.FileField(
        label=_("File"),
        max_length=LONGEST_FILE_NAME,
        help_text=_(
            "csv, xlsx or ods: a row for each player, with name and rating. You can check "
            "everything before it is saved."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,.ods"}),
    )
    source = NameField(
        label=_("Source"),
        max_length=120,
        required=False,
        help_text=_("Where the ratings come from, such as the name of the federation. Everyone can read it."),
    )


class ColumnsForm(forms.Form):
    """The meaning of the columns, and defaults for missing values."""

    day = forms.DateField(
        label=_("Date of the ratings"), widget=DAY_INPUT, help_text=_("For rows without a date.")
    )
    points = forms.IntegerField(
        label=_("Points of a match"),
        min_value=1,
        max_value=25,
        initial=5,
        help_text=_(
            "Experience is the lengths of all matches added up. If the table counts matches, they count this much."
        ),
    )
    strangers = forms.ChoiceField(
        label=_("Players who are not members"),
        choices=[(LEAVE, _("Leave out")), (NEW, _("Add as guests"))],
        initial=LEAVE,
    )
    leaves_out = forms.BooleanField(label=_("Leave out rows that cannot be read"), required=False)

    def __init__(
        self, data: Any, *, table: Sequence[Sequence[str]], guess: Mapping[str, int | None], today: date
    ) -> None:
        super().__init__(data, initial={"day": today})
        self.table, self.guess, self.today = table, guess, today
        letters = list_columns(table)
        for what in FIELDS:
            has_to = what in {NAME, RATING}
            start = guess.get(what)
            self.fields[f"column_{what}"] = forms.ChoiceField(
                label=TITLES[what],
                choices=letters if has_to and start is not None else [("", "-"), *letters],
                required=has_to,
                initial="" if start is None else str(start),
            )
        self.order_fields(
            [*(f"column_{what}" for what in FIELDS), "day", "points", "strangers", "leaves_out"]
        )

    def sheet(self, club: Club) -> Sheet:
        """Read the table with these settings."""
        cleaned: dict[str, Any] = self.cleaned_data if self.is_bound and self.is_valid() else {}
        columns = {
            what: (int(cleaned[f"column_{what}"]) if cleaned.get(f"column_{what}") else None)
            if cleaned
            else self.guess[what]
            for what in FIELDS
        }
        choices = {
            row: str(value)
            for name, value in self.data.items()
            if name.startswith("row_") and (row := parse_number(name.removeprefix("row_"))) is not None
        }
        return opening_sheet.read_sheet(
            self.table,
            club=club,
            columns=columns,
            day=cleaned.get("day") or self.today,
            points=cleaned.get("points") or 5,
            choices=choices,
            strangers=cleaned.get("strangers") or LEAVE,
        )


@require_safe
def openings_page(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    return _render_page(request, get_club(request, slug), key, UploadForm())


@require_POST
@require_permission("tournaments.direct")
def upload(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    """Read a file into a draft and redirect to its review; nothing is imported yet."""
    found = get_list(club=club, key=key)
    form = UploadForm(request.POST, request.FILES)
    if form.is_valid():
        file = form.cleaned_data["file"]
        with refusals_added_to(form, "file"):
            payers = uploads.list_payers(request)
            with uploads.count_upload(payers, now=timezone.now()):
                # At most one byte more than the limit.
                table = sheets.read_rows(file.read(sheets.MOST_BYTES + 1), file.name, payers=payers)
            source = form.cleaned_data["source"] or PurePath(file.name).name
            made = openings.draft(
                rating_list=found, source=source, table=table, by=request.user, now=timezone.now()
            )
            return redirect("rankings:opening_import", club.slug, found.key, made.pk)
    return _render_page(request, club, key, form, status=422)


@require_http_methods(["GET", "POST"])
@require_permission("tournaments.direct")
def look_through(request: AccountRequest, club: Club, key: str, number: int) -> HttpResponse:
    """Show the draft of an import for review, and save it on request."""
    found = get_list(club=club, key=key)
    row = get_object_or_404(OpeningImport, list=found, pk=number, saved_at__isnull=True, by=request.user)
    now = timezone.now()
    guess = opening_sheet.guess_columns(row.table)
    today = local_times.convert_to_local(now, club.time_zone).date()
    form = ColumnsForm(request.POST or None, table=row.table, guess=guess, today=today)
    sheet = form.sheet(club)
    why = ""
    if form.is_bound and form.is_valid() and request.POST.get("act") == "save":
        if sheet.wrong and not form.cleaned_data["leaves_out"]:
            why = gettext("Nothing was imported. Correct these cells, or leave out their rows.")
        else:
            try:
                count = openings.save(
                    import_id=row.pk, olds=_build_imported_ratings(club, sheet), by=request.user, now=now
                )
            except RankingError as refusal:
                why = str(refusal)
            else:
                message = ngettext("%(count)s rating is imported.", "%(count)s ratings are imported.", count)
                messages.success(request, message % {"count": count})
                return redirect("rankings:openings", club.slug, found.key)
    values = {
        "club": club,
        "list": found,
        "row": row,
        "form": form,
        "sheet": sheet,
        "wrong": sheet.wrong[:MOST_TOLD],
        "refused": openings.find_problems(found, _build_imported_ratings(club, sheet), now=now)[:MOST_TOLD],
        "to_decide": sheet.to_decide[:MOST_TOLD],
        "certain": sheet.certain[:MOST_TOLD],
        "why": why,
    }
    return render(request, "rankings/opening_import.html", values, status=422 if why or form.errors else 200)


@require_POST
@require_permission("tournaments.direct")
def undo(request: AccountRequest, club: Club, key: str, number: int) -> HttpResponse:
    found = get_list(club=club, key=key)
    row = get_object_or_404(OpeningImport, list=found, pk=number, saved_at__isnull=False)
    with refusals_shown_to(request):
        openings.undo(import_id=row.pk, by=request.user, now=timezone.now())
        messages.success(request, gettext("The import is undone. The list is computed without it."))
    return redirect("rankings:openings", club.slug, found.key)


def _build_imported_ratings(club: Club, sheet: Sheet) -> list[openings.ImportedRating]:
    taken = [row for row in sheet.rows if row.chosen != LEAVE]
    keys = {row.chosen for row in taken}
    players = {each.key: each for each in Player.objects.filter(key__in=keys, memberships__club=club)}
    return [
        openings.ImportedRating(
            row=row.number,
            player=players.get(row.chosen),
            name=row.name,
            rating=row.rating,
            day=row.day,
            experience=row.experience,
            deviation=row.deviation,
        )
        for row in taken
        # A member who left the club since the page was loaded is not a new guest.
        if row.chosen == NEW or row.chosen in players
    ]


def _render_page(
    request: HttpRequest, club: Club, key: str, form: UploadForm, status: int = 200
) -> HttpResponse:
    found = get_list(club=club, key=key)
    values = {
        "club": club,
        "list": found,
        "rows": selectors.list_openings(found),
        "has_deviation": SYSTEMS[found.system].has_deviation,
        "imports": selectors.list_imports(found),
        "form": form if ClubRights.load(request.user, club).direct else None,
    }
    return render(request, "rankings/openings.html", values, status=status)
