"""What directors fill in about a list. A form shapes and checks; a service decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players.cells import lettered
from players.fields import NameField
from players.selectors.namesakes import LEAVE, NEW
from rankings.errors import BadPolicy
from rankings.forms.dated import dated_field
from rankings.forms.groups import ReachForm
from rankings.formulas.divisions import MOST_DIVISIONS, MOST_MOVES
from rankings.formulas.season import AVERAGE, HIGHEST, MASTER, TABLE, season_rules
from rankings.formulas.systems import SYSTEMS
from rankings.formulas.values import BadMatches
from rankings.models import DatedEach, PlayedBy, PlayedWhere, RatingList
from rankings.selectors import opening_sheet
from rankings.selectors.opening_sheet import FIELDS, NAME, RATING, TITLES
from rankings.selectors.seasons import plain
from rankings.services.divisions import DivisionTerms
from rankings.services.eligibility import RequirementTerms
from rankings.services.lists import LONGEST_AWAY, Terms
from rankings.services.seasons import SeasonTerms
from tournaments.forms.fields import WallField

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from players.models import Club
    from rankings.models import Requirement, Season, SeasonDivision
    from rankings.selectors.opening_sheet import Sheet


DAY: Final = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


def systems() -> list[tuple[str, str]]:
    """Return the systems there are, each with what it says of itself."""
    return [(name, gettext(how.summary)) for name, how in SYSTEMS.items()]


class TermsForm(forms.Form):
    """What a list rates."""

    shortest = forms.IntegerField(label=_("Shortest rated match"), min_value=1, max_value=25, initial=1)
    longest = forms.IntegerField(label=_("Longest rated match"), min_value=1, max_value=25, initial=25)
    played = forms.ChoiceField(
        label=_("Matches that count"), choices=PlayedWhere.choices, initial=PlayedWhere.ANYWHERE
    )
    rules = forms.ChoiceField(
        label=_("Rules of play"), choices=PlayedBy.choices, initial=PlayedBy.ANY, widget=forms.RadioSelect
    )
    friendlies = forms.BooleanField(
        label=_("Friendlies count, too"),
        required=False,
        help_text=_("Matches of no event that two members agree on here before they play them."),
    )
    provisional_under = forms.IntegerField(
        label=_("Provisional until"),
        min_value=0,
        max_value=10_000,
        initial=100,
        help_text=_("Points of experience: the lengths of all rated matches added up."),
    )

    inactive_after = forms.IntegerField(
        label=_("Inactive after"),
        min_value=0,
        max_value=LONGEST_AWAY,
        initial=12,
        help_text=_("Months without a rated match. 0: nobody is marked as inactive."),
    )

    def clean(self) -> dict[str, Any]:
        """Have some length rated."""
        said = super().clean() or {}
        if said.get("shortest", 1) > said.get("longest", 25):
            self.add_error("longest", str(BadPolicy()))
        return said

    @property
    def terms(self) -> Terms:
        """The policy that was asked for."""
        names = (
            *("shortest", "longest", "played", "rules", "friendlies"),
            *("provisional_under", "inactive_after"),
        )
        return Terms(**{name: self.cleaned_data[name] for name in names})


class ListForm(ReachForm, TermsForm):
    """A new list."""

    name = NameField(label=_("Name"), max_length=80)
    system = forms.ChoiceField(label=_("System"), choices=systems, initial="fibs", widget=forms.RadioSelect)
    has_past = forms.BooleanField(
        label=_("Rate the matches that have been played already"), required=False, initial=True
    )
    dated = dated_field(initial=DatedEach.MONTH)

    field_order = ("name", "system", "reach")


class SeasonForm(forms.Form):
    """What a season counts, and how."""

    name = NameField(label=_("Name"), max_length=80)
    from_day = forms.DateField(label=_("First day"), widget=DAY)
    to_day = forms.DateField(label=_("Last day"), widget=DAY)
    series = NameField(
        label=_("Words in the name"),
        max_length=80,
        required=False,
        help_text=_("Only events whose name has them. Leave it empty for: all events of the club."),
    )
    scheme = forms.ChoiceField(
        label=_("Points"),
        choices=[
            (TABLE, _("By place, as written below")),
            (MASTER, _("Master points: for each match won, and for the place by the number of players")),
        ],
        initial=TABLE,
        required=False,
    )
    places = forms.CharField(
        label=_("Points by place"),
        max_length=400,
        initial="10 7 5 3",
        help_text=_(
            "For first place, second place and so on, separated by spaces. For ABT points: 0.4 0.2 0.2 0.1 0.1, "
            "nothing for taking part, multiplied by the number of players."
        ),
    )
    attendance = forms.CharField(label=_("Points for taking part"), max_length=8, initial="1")
    sharing = forms.ChoiceField(
        label=_("Players who share a place"),
        choices=[
            (AVERAGE, _("get the average of the places they share")),
            (HIGHEST, _("each get the points of the higher place")),
        ],
        initial=AVERAGE,
    )
    by_field = forms.BooleanField(
        label=_("Multiply the points for a place by the number of players"), required=False
    )
    best = forms.IntegerField(
        label=_("Best events that count"),
        min_value=0,
        max_value=366,
        initial=0,
        help_text=_("0: every event counts."),
    )
    decay = forms.IntegerField(
        label=_("Loss with each month, in per cent"),
        min_value=0,
        max_value=100,
        initial=0,
        help_text=_(
            "Points lose as much with each month between their event and the last one of the season."
        ),
    )

    def clean_places(self) -> list[str]:
        """Have figures that fall."""
        found = _figures(self.cleaned_data["places"])
        if not _are_rules({"places": found}):
            raise forms.ValidationError(
                _("Write figures with at most two decimals, none higher than the one before it."), "places"
            )
        return found

    def clean_attendance(self) -> str:
        """Have a figure."""
        found = _figure(self.cleaned_data["attendance"])
        if not _are_rules({"attendance": found}):
            raise forms.ValidationError(_("Write a figure with at most two decimals."), "attendance")
        return found

    @property
    def terms(self) -> SeasonTerms:
        """The season that was asked for."""
        said = self.cleaned_data
        rules = {
            **{name: said[name] for name in ("places", "attendance")},
            **{name: said[name] for name in ("sharing", "by_field", "best", "decay")},
            "scheme": said["scheme"] or TABLE,
        }
        return SeasonTerms(said["name"], said["from_day"], said["to_day"], said["series"], rules)

    @staticmethod
    def told(season: Season) -> dict[str, object]:
        """Return what the form shows of a season."""
        rules = season_rules(season.rules)
        return {
            **{name: getattr(season, name) for name in ("name", "from_day", "to_day", "series")},
            **{name: getattr(rules, name) for name in ("scheme", "sharing", "by_field", "best", "decay")},
            "places": " ".join(plain(points) for points in rules.places),
            "attendance": plain(rules.attendance),
        }


class DivisionsForm(forms.Form):
    """The divisions of a season, a row each from the highest down; a row without a name is none."""

    def __init__(self, data: Any, *, there: Sequence[SeasonDivision]) -> None:
        super().__init__(data)
        self.count = min(max(len(there) + 2, 3), MOST_DIVISIONS)
        for at in range(self.count):
            row = there[at] if at < len(there) else None
            self.fields[f"name_{at}"] = NameField(
                label=_("Name"), max_length=80, required=False, initial=row.name if row else ""
            )
            for name, label in (("up", _("Go up")), ("down", _("Go down"))):
                self.fields[f"{name}_{at}"] = forms.IntegerField(
                    label=label,
                    min_value=0,
                    max_value=MOST_MOVES,
                    initial=getattr(row, name) if row else 0,
                )
            # Which it has been, so that it keeps its players whatever it is called now.
            self.fields[f"was_{at}"] = forms.IntegerField(
                widget=forms.HiddenInput, required=False, initial=row.number if row else None
            )

    @property
    def rows(self) -> list[list[forms.BoundField]]:
        """The fields of each division."""
        names = ("name", "up", "down", "was")
        return [[self[f"{name}_{at}"] for name in names] for at in range(self.count)]

    @property
    def terms(self) -> list[DivisionTerms]:
        """The divisions that were asked for."""
        said = self.cleaned_data
        return [
            DivisionTerms(said[f"name_{at}"], said[f"up_{at}"], said[f"down_{at}"], said[f"was_{at}"])
            for at in range(self.count)
            if said[f"name_{at}"]
        ]


class RequirementForm(forms.Form):
    """Who may play in an event or a division; with no limit everybody may."""

    list = forms.ChoiceField(label=_("List"), choices=())
    day = forms.DateField(
        label=_("List of"),
        widget=DAY,
        help_text=_("The day of a dated list. It may be one that is still to come."),
    )
    at_least = forms.FloatField(label=_("Rated at least"), required=False)
    at_most = forms.FloatField(label=_("Rated at most"), required=False)
    first = forms.IntegerField(label=_("Among the first"), required=False, min_value=1, max_value=100_000)

    def __init__(self, data: Any, *, club: Club, there: Requirement | None) -> None:
        names = ("day", "at_least", "at_most", "first")
        initial = {"list": there.list.key, **{name: getattr(there, name) for name in names}} if there else {}
        super().__init__(data, initial=initial)
        self.lists = {row.key: row for row in RatingList.objects.filter(club=club).order_by("pk")}
        field = self.fields["list"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - it stands above
        field.choices = [(key, row.name) for key, row in self.lists.items()]

    @property
    def terms(self) -> RequirementTerms:
        """What was asked for."""
        said = self.cleaned_data
        names = ("day", "at_least", "at_most", "first")
        return RequirementTerms(self.lists[said["list"]], **{name: said[name] for name in names})


def _are_rules(given: dict[str, object]) -> bool:
    try:
        season_rules(given)
    except BadMatches:
        return False
    return True


def _figures(text: str) -> list[str]:
    """Return figures as they are typed: 10 7 5, or 10,7,5; a comma may stand for the point."""
    if text.count(",") > 1 and not text.strip().count(" "):
        return [part for part in text.strip().split(",") if part]
    return [_figure(part.rstrip(",;")) for part in text.split()]


def _figure(text: str) -> str:
    return text.strip().replace(",", ".")


class PolicyForm(TermsForm):
    """The next version of a list's policy."""

    def __init__(self, *args: Any, club: Club, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["from_at"] = WallField(
            label=_("Applies from"),
            required=False,
            zone=club.time_zone,
            help_text=_("By the club's clock (%(zone)s). Leave it empty for: from now on.")
            % {"zone": club.time_zone},
        )


class UploadForm(forms.Form):
    """A file with old ratings."""

    file = forms.FileField(
        label=_("File"),
        help_text=_(
            "csv, xlsx or ods: a row for each player, with name and rating. You look through it before anything is saved."
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
    """Which column has what, and what to do where the table says nothing."""

    day = forms.DateField(
        label=_("Date of the ratings"), widget=DAY, help_text=_("Where a row has no date of its own.")
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
        letters = lettered(table)
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
        """Return the table as these answers have it understood."""
        said: dict[str, Any] = self.cleaned_data if self.is_bound and self.is_valid() else {}
        columns = {
            what: (int(said[f"column_{what}"]) if said.get(f"column_{what}") else None)
            if said
            else self.guess[what]
            for what in FIELDS
        }
        choices = {
            int(name.removeprefix("row_")): str(value)
            for name, value in self.data.items()
            if name.startswith("row_") and name.removeprefix("row_").isdecimal() and len(name) < 10
        }
        return opening_sheet.read(
            self.table,
            club=club,
            columns=columns,
            day=said.get("day") or self.today,
            points=said.get("points") or 5,
            choices=choices,
            strangers=said.get("strangers") or LEAVE,
        )
