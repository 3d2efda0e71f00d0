"""The form of a director's act: the table of acts defines its fields, the event their choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatchmethod
from typing import Any, Final, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from draw.rules_of_play import RulesOfPlay
from players import names
from players.people.fields import clean_text
from tournaments.base import act_fields, scores
from tournaments.base.errors import BadScore
from tournaments.base.event_view import EventView
from tournaments.desk.acts.act import Act
from tournaments.models import Decision, Leaving, ResultKind
from tournaments.pages.bracket_display import MatchLine
from tournaments.play import openings

NOBODY: Final = ("", "—")
# Form value of the option "": a required choice field refuses a blank value.
BLANK: Final = "again"


@dataclass(frozen=True, slots=True)
class Choices:
    view: EventView
    line: MatchLine | None = None
    members: Sequence[tuple[str, str]] = ()
    waiting: Sequence[tuple[str, str]] = ()
    places: Sequence[tuple[str, str]] = ()
    has_rounds: bool = True

    def asked(self, act: Act) -> dict[str, forms.Field]:
        found: dict[str, forms.Field] = {}
        for field in act.fields:
            if not field.label or not self._is_asked(act, field):
                continue
            found[field.name] = self.made(field)
            if isinstance(field, act_fields.Place):
                found["instead"] = build_player_choice(
                    [NOBODY, *self._list_people()], _("Whose place, if a player leaves"), required=False
                )
            if field.name == "score" and act.one_of:
                found[field.name].required = self.needs_score
        if act.is_afterwards and "winner" in found:
            found["winner"].help_text = (
                _("If it was not played.")
                if self.needs_score
                else _("If it was not played, or the score is not known.")
            )
        return found

    @property
    def needs_score(self) -> bool:
        return self.view.event.scores_needed

    def _is_asked(self, act: Act, field: act_fields.Field) -> bool:
        if field.name == "head_start":
            return self.has_rounds
        is_winner_of_open = field.name == "winner" and not act.is_afterwards
        return not (is_winner_of_open and self.needs_score)

    @singledispatchmethod
    def made(self, field: act_fields.Field) -> forms.Field:
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
            coerce=lambda value: value == "yes",
            widget=forms.RadioSelect,
            initial=field.offers[0][0],
        )

    @made.register(act_fields.Choice)
    def _build_choice_field(self, field: act_fields.Choice) -> forms.Field:
        return forms.TypedChoiceField(
            label=field.label,
            choices=[(value or BLANK, words) for value, words in field.offers],
            coerce=lambda value: "" if value == BLANK else value,
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
        return build_player_choice([NOBODY, *people], field.label, coerce=lambda value: [int(value)])

    @made.register(act_fields.StageNumber)
    def _build_stage_field(self, field: act_fields.StageNumber) -> forms.Field:
        choices = [(stage.number, stage.name or str(stage.number)) for stage in self.view.stages]
        return forms.TypedChoiceField(label=field.label, choices=choices, coerce=int)

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
        sentence = _("No place is free: there is no bye, no gap in a side bracket, and no round to come.")
        return forms.ChoiceField(
            label=field.label,
            choices=self.places,
            widget=forms.RadioSelect,
            # The waiting list needs only a name; a replacement needs a second choice.
            initial=openings.WAIT if is_full else self.places[0][0],
            help_text=sentence if is_full else "",
        )

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


class ActForm(forms.Form):
    def __init__(self, *args: Any, act: Act, choices: Choices, **options: Any) -> None:
        super().__init__(*args, **options)
        self.choices, self.line = choices, choices.line
        self.fields.update(choices.asked(act))

    def focus_first(self) -> bool:
        """Set autofocus on the first invalid field, or else on the score or the first field.

        Return False if there is no such field, or if it is neither a text input nor a select.
        """
        first = "score" if "score" in self.fields else next(iter(self.fields), "")
        name = next((each for each in self.fields if each in self.errors), first)
        if name and isinstance(self.fields[name].widget, forms.TextInput | forms.Textarea | forms.Select):
            self.fields[name].widget.attrs["autofocus"] = True
            return True
        return False

    @property
    def answer(self) -> str:
        """A sentence about the place of a new player, "" if no place is chosen."""
        place = self.cleaned_data.get("place") if self.is_bound else None
        if not place:
            return ""
        people = dict([*self.choices.waiting, *self.choices.members])
        who = self.cleaned_data["name"] or people.get(self.cleaned_data["player_key"], "")
        leaver = self.choices.view.by_number.get(self.cleaned_data.get("instead") or 0)
        if place == openings.INSTEAD and leaver is not None:
            return _("%(name)s takes the place of %(other)s.") % {"name": who, "other": leaver.name}
        return f"{who}: {dict(self.choices.places)[place]}."

    def clean_reason(self) -> str:
        return clean_text(names.clean_optional, self.cleaned_data["reason"], limit=act_fields.LONGEST_REASON)

    def clean_name(self) -> str:
        return clean_text(names.clean_optional, self.cleaned_data["name"], limit=act_fields.LONGEST_NAME)

    def clean_score(self) -> tuple[int, int] | None:
        typed = self.cleaned_data["score"]
        if not typed or self.line is None:
            return None
        play = self.line.play
        try:
            return scores.parse_score(typed, play.length, RulesOfPlay.from_match_rules(play.rules))
        except BadScore as refusal:
            raise forms.ValidationError(str(refusal), code=refusal.code) from refusal

    def clean(self) -> dict[str, Any]:
        found = super().clean() or self.cleaned_data
        if "kind" in self.fields:
            self._check_ending(found)
        elif "decision" in self.fields:
            self._check_decision(found)
        elif "winner" in self.fields and not self.errors and not found.get("score") and not found["winner"]:
            self.add_error("winner", _("Enter the score, or choose who won."))
        people = dict([*self.choices.waiting, *self.choices.members])
        typed = found.get("name")
        if typed and not found.get("player_key"):
            # Exactly one member or waiting player of that name is meant.
            keys = [key for key, name in people.items() if names.fold(name) == names.fold(typed)]
            if len(keys) == 1:
                found |= {"player_key": keys[0], "name": ""}
        is_one = bool(found.get("player_key")) != bool(found.get("name"))
        if "player_key" in self.fields and not self.errors and not is_one:
            self.add_error("name", _("Choose a member, or enter the name of a guest."))
        if found.get("place") == openings.INSTEAD and not found.get("instead"):
            self.add_error("instead", _("Choose whose place they take."))
        elif found.get("place") == openings.WAIT and found.get("instead"):
            # Choosing whose place they take is enough.
            found["place"] = openings.INSTEAD
        if "other" in self.fields and found.get("entry") == found.get("other"):
            self.add_error("other", _("Choose two different players."))
        return found

    def _check_decision(self, found: dict[str, Any]) -> None:
        """Check the fields of a ruling, and clear those that its decision does not use."""
        decision = found.get("decision")
        if decision != Decision.RESULT:
            found |= {"score": None, "winner": None}
        is_said = found.get("score") or found.get("winner") or "score" in self.errors
        if decision == Decision.RESULT and found.get("entry") and not is_said:
            # Without a result, the report of the chosen player is accepted.
            decision = found["decision"] = Decision.ACCEPT.value
        if decision == Decision.RESULT and not is_said:
            where = "winner" if "winner" in self.fields else "score"
            self.add_error(where, _("Enter the score, or choose who won."))
        if decision in {Decision.ACCEPT, Decision.FORFEIT}:
            if not found.get("entry"):
                self.add_error("entry", _("Choose whose report is right, or who forfeits."))
        else:
            found["entry"] = None
        if decision != Decision.PLAY_ON:
            found["position"] = ""

    def _check_ending(self, found: dict[str, Any]) -> None:
        """Check the fields of a corrected result, and clear those that its kind does not use."""
        ended = found.get("kind")
        if ended != ResultKind.PLAYED:
            found["score"] = None
        if not ended or (ended == ResultKind.PLAYED and self.choices.needs_score):
            # The match is reopened, or the winner follows from the score.
            found["winner"] = None
        is_said = found.get("score") or found.get("winner") or "score" in self.errors
        if ended == ResultKind.PLAYED and not is_said:
            self.add_error("score", _("Enter the score of the match."))
        if ended in {ResultKind.WALKOVER, ResultKind.FORFEIT, ResultKind.NO_SHOW} and not found.get("winner"):
            self.add_error("winner", _("Choose who wins."))
