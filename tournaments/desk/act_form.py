"""The form of a director's act on a match or a player, with the fields of that act."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from draw.rules_of_play import RulesOfPlay
from players import names
from players.people.fields import clean_text
from tournaments.base import scores
from tournaments.base.act_fields import LONGEST_NAME, LONGEST_REASON
from tournaments.base.errors import BadScore
from tournaments.models import Decision, ResultKind
from tournaments.play import openings

if TYPE_CHECKING:
    from tournaments.desk.act_form_fields import Choices
    from tournaments.desk.acts.act import Act


class ActForm(forms.Form):
    """The fields of one act, with the event's players and matches as choices."""

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
        return clean_text(names.clean_optional, self.cleaned_data["reason"], limit=LONGEST_REASON)

    def clean_name(self) -> str:
        return clean_text(names.clean_optional, self.cleaned_data["name"], limit=LONGEST_NAME)

    def clean_score(self) -> tuple[int, int] | None:
        """Parse the score; it must be possible at the match's length."""
        typed = self.cleaned_data["score"]
        if not typed or self.line is None:
            return None
        try:
            return scores.parse_score(
                typed, self.line.play.length, RulesOfPlay.from_match_rules(self.line.play.rules)
            )
        except BadScore as refusal:
            raise forms.ValidationError(str(refusal), code=refusal.code) from refusal

    def clean(self) -> dict[str, Any]:
        """Check the fields that depend on one another."""
        found = super().clean() or self.cleaned_data
        if "kind" in self.fields:
            self._check_ending(found)
        elif "decision" in self.fields:
            self._check_decision(found)
        elif "winner" in self.fields and not self.errors and not found.get("score") and not found["winner"]:
            self.add_error("winner", _("Enter the score, or choose who won."))
        self._find_member(found)
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

    def _find_member(self, found: dict[str, Any]) -> None:
        """Replace a typed name by the key of the player, if exactly one member or waiting player has it."""
        typed = found.get("name")
        if typed and not found.get("player_key"):
            people = dict([*self.choices.waiting, *self.choices.members])
            keys = [key for key, name in people.items() if names.fold(name) == names.fold(typed)]
            if len(keys) == 1:
                found |= {"player_key": keys[0], "name": ""}

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
