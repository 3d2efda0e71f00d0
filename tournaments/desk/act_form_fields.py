"""Form fields of an act: the table of acts defines the fields, the event the choices."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatchmethod
from typing import TYPE_CHECKING, Any, Final, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.base import act_fields, scores
from tournaments.models import Leaving
from tournaments.play import openings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.base.event_view import EventView
    from tournaments.desk.acts.act import Act
    from tournaments.pages.bracket_display import MatchLine

NOBODY: Final = ("", "—")
# Form value of the option "": a required choice field refuses a blank value.
BLANK: Final = "again"


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices that an event offers in the form of an act."""

    view: EventView
    line: MatchLine | None = None
    members: Sequence[tuple[str, str]] = ()
    waiting: Sequence[tuple[str, str]] = ()
    places: Sequence[tuple[str, str]] = ()
    has_rounds: bool = True

    def asked(self, act: Act) -> dict[str, forms.Field]:
        """Build the form fields of an act, by name."""
        found: dict[str, forms.Field] = {}
        for field in act.fields:
            if not field.label or not self._is_asked(act, field):
                continue
            found[field.name] = self.made(field)
            if isinstance(field, act_fields.Place):
                found["instead"] = self._build_instead_field()
            if field.name == "score" and act.one_of:
                found[field.name].required = self.needs_score
        if act.is_afterwards and "winner" in found:
            found["winner"].help_text = self._winner_hint
        return found

    @property
    def needs_score(self) -> bool:
        return self.view.event.scores_needed

    def _is_asked(self, act: Act, field: act_fields.Field) -> bool:
        """True if the field applies to this event."""
        if field.name == "head_start":
            return self.has_rounds
        is_winner_of_open = field.name == "winner" and not act.is_afterwards
        return not (is_winner_of_open and self.needs_score)

    @singledispatchmethod
    def made(self, field: act_fields.Field) -> forms.Field:
        """Build the form field for a field of an act."""
        raise TypeError(field)

    @made.register(act_fields.Text)
    def _build_text_field(self, field: act_fields.Text) -> forms.Field:
        if field.offers:
            return forms.ChoiceField(label=field.label, choices=field.offers, initial=field.default)
        return forms.CharField(
            label=field.label,
            max_length=field.most,
            required=field.is_needed,
            help_text=field.hint,
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
        )

    @made.register(act_fields.Number)
    def _build_number_field(self, field: act_fields.Number) -> forms.Field:
        most = self.line.play.length if self.line is not None and field.name == "points" else field.most
        return forms.IntegerField(
            label=field.label, min_value=field.least, max_value=most, help_text=field.hint
        )

    @made.register(act_fields.Flag)
    def _build_flag_field(self, field: act_fields.Flag) -> forms.Field:
        return forms.TypedChoiceField(
            label=field.label,
            choices=field.offers,
            coerce=lambda said: said == "yes",
            widget=forms.RadioSelect,
            initial=field.offers[0][0],
        )

    @made.register(act_fields.Choice)
    def _build_choice_field(self, field: act_fields.Choice) -> forms.Field:
        return forms.TypedChoiceField(
            label=field.label,
            choices=[(value or BLANK, words) for value, words in field.offers],
            coerce=lambda said: "" if said == BLANK else said,
            initial=field.default,
        )

    @made.register(act_fields.EntryNumber)
    def _build_entry_field(self, field: act_fields.EntryNumber) -> forms.Field:
        if not field.is_of_match:
            return build_player_choice([NOBODY, *self._list_people(field)], field.label)
        return build_player_choice(
            self._match_players, field.label, "RadioSelect", required=field.is_needed, help_text=field.hint
        )

    @made.register(act_fields.ListField)
    def _build_one_of_many_field(self, field: act_fields.ListField) -> forms.Field:
        people = self._list_people(cast("act_fields.EntryNumber", field.of))
        return build_player_choice([NOBODY, *people], field.label, coerce=lambda said: [int(said)])

    @made.register(act_fields.StageNumber)
    def _build_stage_field(self, field: act_fields.StageNumber) -> forms.Field:
        stages = [part.stage for part in self.view.parts]
        return forms.TypedChoiceField(
            label=field.label,
            choices=[(stage.number, stage.name or str(stage.number)) for stage in stages],
            coerce=int,
        )

    @made.register(act_fields.Score)
    def _build_score_field(self, field: act_fields.Score) -> forms.Field:
        a, b = (who.name if who else "" for who in (self.line.a, self.line.b)) if self.line else ("", "")
        example = scores.build_example(self.line.play.length if self.line else self.view.event.match_length)
        return forms.CharField(
            label=field.label,
            required=False,
            max_length=7,
            widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
            help_text=_("First %(a)s, then %(b)s: %(example)s") % {"a": a, "b": b, "example": example},
        )

    @made.register(act_fields.Member)
    def _build_member_field(self, field: act_fields.Member) -> forms.Field:
        choices: list[Any] = [NOBODY, *self.members]
        if self.waiting:
            # Players on the waiting list come first.
            choices = [NOBODY, (_("Waiting list"), [*self.waiting]), (_("Members"), [*self.members])]
        return forms.ChoiceField(label=field.label, choices=choices, required=False)

    @made.register(act_fields.Place)
    def _build_place_field(self, field: act_fields.Place) -> forms.Field:
        is_full = self.places[0][0] == openings.INSTEAD
        said = (
            _("No place is free: there is no bye, no gap in a side bracket, and no round to come.")
            if is_full
            else ""
        )
        return forms.ChoiceField(
            label=field.label,
            choices=self.places,
            widget=forms.RadioSelect,
            # The waiting list needs only a name; a replacement needs a second choice.
            initial=openings.WAIT if is_full else self.places[0][0],
            help_text=said,
        )

    def _build_instead_field(self) -> forms.Field:
        return build_player_choice(
            [NOBODY, *self._list_people()], _("Whose place, if a player leaves"), required=False
        )

    @property
    def _winner_hint(self) -> Any:
        if self.needs_score:
            return _("If it was not played.")
        return _("If it was not played, or the score is not known.")

    def _list_people(self, field: act_fields.EntryNumber | None = None) -> list[tuple[int, str]]:
        """List the players by name, without those who have left if *field* does not offer them."""
        is_offered = field is None or field.may_have_left
        people = sorted(self.view.people.values(), key=lambda who: who.name.casefold())
        return [(who.number, who.name) for who in people if is_offered or who.left != Leaving.NOW]

    @property
    def _match_players(self) -> list[tuple[int, str]]:
        two = (self.line.a, self.line.b) if self.line is not None else ()
        return [(who.number, who.name) for who in two if who is not None]


def build_player_choice(
    people: Sequence[tuple[int | str, str]], label: Any, widget: str = "Select", **options: Any
) -> forms.TypedChoiceField:
    """Build a field for the choice of a player; its value is the number of the entry."""
    options = {"coerce": int, "empty_value": None, "widget": getattr(forms, widget), **options}
    return forms.TypedChoiceField(label=label, choices=people, **options)
