"""What a director says about a match or a player: one form whose fields are those that an act asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from players import names
from tournaments import scores
from tournaments.errors import BadScore
from tournaments.forms.announcing import clean
from tournaments.models import Ended
from tournaments.selectors import plays, ways

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tournaments.selectors.courses import Course
    from tournaments.selectors.picture import Line

AGAIN: Final = "again"
# How a corrected result may have come about.
ENDINGS: Final = (
    (Ended.PLAYED.value, _("They played")),
    (Ended.WALKOVER.value, _("Walkover")),
    (Ended.FORFEIT.value, _("Forfeit")),
    (Ended.NO_SHOW.value, _("No-show")),
    (Ended.DOUBLE_FORFEIT.value, _("Double forfeit: both lose")),
    (Ended.VOID.value, _("Void: it does not count")),
    (AGAIN, _("It is to be played again")),
)
REASON: Final = 300


class ActForm(forms.Form):
    """The fields of one act, with the players and the matches of the event to choose from."""

    def __init__(
        self,
        *args: Any,
        asks: Sequence[str],
        course: Course,
        line: Line | None,
        newcomers: Sequence[tuple[str, str]] = (),
        waiting: Sequence[tuple[str, str]] = (),
        places: Sequence[tuple[str, str]] = (),
        needs_reason: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self.line, self._needs_score = line, course.event.scores_needed
        self._newcomers, self._places = [*waiting, *newcomers], places
        playing = [(who.number, who.name) for who in _by_name(course)]
        two = [(who.number, who.name) for who in (line.a, line.b) if who is not None] if line else []
        known: dict[str, Callable[[], forms.Field]] = {
            "loser": lambda: _one_of(two, _("Who loses"), "RadioSelect"),
            "late": lambda: _one_of(two, _("Who is late"), "RadioSelect"),
            "winner": lambda: _one_of(
                two,
                _("Who wins"),
                "RadioSelect",
                required=False,
                help_text=_("If it was not played.")
                if self._needs_score
                else _("If it was not played, or the score is not known."),
            ),
            "entry": lambda: _one_of(playing, _("Player")),
            "other": lambda: _one_of(playing, _("Exchanged with")),
            "score": lambda: self._score(required=self._needs_score),
            "won": lambda: _one_of(
                two, _("Who won"), "RadioSelect", required=False, help_text=_("Enough without a score.")
            ),
            "ended": lambda: forms.ChoiceField(label=_("How it really ended"), choices=ENDINGS),
            "new_score": lambda: self._score(required=False),
            "points": lambda: forms.IntegerField(
                label=_("Penalty points"),
                min_value=0,
                max_value=line.play.length if line else 25,
                help_text=_("The opponent begins with so many points."),
            ),
            "table": lambda: forms.CharField(label=_("Table"), max_length=12, required=False),
            "when": lambda: forms.ChoiceField(
                label=_("When"),
                choices=(
                    ("now", _("At once: an open match is lost")),
                    ("after", _("After the current match")),
                ),
                widget=forms.RadioSelect,
                initial="now",
            ),
            "newcomer": lambda: forms.ChoiceField(
                label=_("Member"), choices=_newcomers(waiting, newcomers), required=False
            ),
            "name": lambda: forms.CharField(
                label=_("Or a guest's name"),
                max_length=80,
                required=False,
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            ),
            "place": lambda: forms.ChoiceField(
                label=_("Where"),
                choices=places,
                widget=forms.RadioSelect,
                initial=places[0][0],
                help_text=_("Nothing is free: no bye, no gap in a side bracket, no round to come.")
                if places[0][0] == ways.INSTEAD
                else "",
            ),
            "instead": lambda: _one_of(
                [("", "—"), *playing], _("Whose place, if somebody goes"), required=False
            ),
            "head_start": lambda: forms.ChoiceField(
                label=_("Points for the rounds missed"),
                choices=(("0", "0"), ("1/2", "½"), ("1", "1"), ("3/2", "1½"), ("2", "2")),
                initial="0",
            ),
            "round": lambda: forms.IntegerField(label=_("Round"), min_value=1, max_value=100),
            "worth": lambda: forms.ChoiceField(
                label=_("Points for it"), choices=(("0", "0"), ("1/2", "½"), ("1", "1")), initial="0"
            ),
            "ties": lambda: forms.ChoiceField(
                label=_("Ties for places that count"),
                choices=(("playoff", _("By a play-off")), ("lot", _("By lot, or by the list"))),
                widget=forms.RadioSelect,
                initial="playoff",
            ),
            "stage": lambda: forms.ChoiceField(
                label=_("Stage"),
                choices=[
                    (part.stage.number, part.stage.name or str(part.stage.number)) for part in course.parts
                ],
            ),
        }
        for name in asks:
            self.fields[name] = known[name]()
        self.fields["reason"] = forms.CharField(
            label=_("Why?"),
            max_length=REASON,
            required=needs_reason,
            widget=forms.TextInput(attrs={"autocomplete": "off"}),
            help_text="" if needs_reason else _("May be left empty."),
        )

    @property
    def answer(self) -> str:
        """Return where a newcomer stands from now on, "" where the act is about nobody new."""
        place = self.cleaned_data.get("place") if self.is_bound else None
        if not place:
            return ""
        who = self.cleaned_data["name"] or dict(self._newcomers).get(self.cleaned_data["newcomer"], "")
        return f"{who}: {dict(self._places)[place]}."

    def clean_reason(self) -> str:
        """Return the reason in its one spelling."""
        return clean(names.clean_optional, self.cleaned_data["reason"], limit=REASON)

    def clean_name(self) -> str:
        """Return the guest's name in its one spelling."""
        return clean(names.clean_optional, self.cleaned_data["name"], limit=80)

    def clean_score(self) -> tuple[int, int] | None:
        """Return the score, as a match of this length can end."""
        return self._read(self.cleaned_data["score"])

    def clean_new_score(self) -> tuple[int, int] | None:
        """Return the score, as a match of this length can end."""
        return self._read(self.cleaned_data["new_score"])

    def clean(self) -> dict[str, Any]:
        """Ask for what one choice makes necessary."""
        found = super().clean() or self.cleaned_data
        if "ended" in self.fields:
            self._check_ending(found)
        is_one = bool(found.get("newcomer")) != bool(found.get("name"))
        if "newcomer" in self.fields and not self.errors and not is_one:
            self.add_error("name", _("Choose a member, or write the name of a guest."))
        if found.get("place") == ways.INSTEAD:
            self._check_substitute(found)
        if "won" in self.fields and not self.errors and not found.get("score") and not found.get("won"):
            self.add_error("won", _("Type the score, or say who won."))
        if "other" in self.fields and found.get("entry") == found.get("other"):
            self.add_error("other", _("Choose two different players."))
        return found

    def _check_substitute(self, found: dict[str, Any]) -> None:
        if not found.get("instead"):
            self.add_error("instead", _("Choose whose place they take."))
        if not found.get("reason") and "reason" not in self.errors:
            self.add_error("reason", _("Please say why: the reason stays with the event."))

    def _check_ending(self, found: dict[str, Any]) -> None:
        ended = found.get("ended")
        if ended == Ended.PLAYED and self._needs_score:
            # The score says it.
            found["winner"] = None
        is_said = found.get("new_score") or found.get("winner") or "new_score" in self.errors
        if ended == Ended.PLAYED and not is_said:
            self.add_error("new_score", _("Type the score of the match."))
        if ended in {Ended.WALKOVER, Ended.FORFEIT, Ended.NO_SHOW} and not found.get("winner"):
            self.add_error("winner", _("Say who wins."))

    def _score(self, *, required: bool) -> forms.CharField:
        a, b = (who.name if who else "" for who in (self.line.a, self.line.b)) if self.line else ("", "")
        return forms.CharField(
            label=pgettext_lazy("result", "Score"),
            required=required,
            max_length=7,
            widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
            help_text=_("First %(a)s, then %(b)s: 7 5") % {"a": a, "b": b},
        )

    def _read(self, typed: str) -> tuple[int, int] | None:
        if not typed or self.line is None:
            return None
        try:
            return scores.parse(typed, self.line.play.length, plays.played_by(self.line.play.rules))
        except BadScore as refusal:
            raise forms.ValidationError(str(refusal), code=refusal.code) from refusal


def _newcomers(waiting: Sequence[tuple[str, str]], others: Sequence[tuple[str, str]]) -> list[Any]:
    """Return whom to choose from, those who wait for a place first."""
    if not waiting:
        return [("", "—"), *others]
    return [("", "—"), (_("Waiting list"), [*waiting]), (_("Members"), [*others])]


def _one_of(
    people: Sequence[tuple[int | str, str]], label: Any, widget: str = "Select", **options: Any
) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(
        label=label, choices=people, coerce=int, empty_value=None, widget=getattr(forms, widget), **options
    )


def _by_name(course: Course) -> list[Any]:
    return sorted(course.people.values(), key=lambda who: who.name.casefold())
