"""The form for the first event of a club."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import LONGEST_MATCH
from tournaments.plan import announcing_forms, events_to_repeat
from tournaments.plan.roster_forms import NamesForm
from tournaments.plan.templates import TEMPLATES

if TYPE_CHECKING:
    from players.models import Club
    from tournaments.base.pasted_lists import PastedLine
    from tournaments.models import Tournament

USUAL = "club-night"
CHOICES = [(name, one.name) for name, one in TEMPLATES.items()]


class FirstEventForm(NamesForm):
    """Tonight's event: name, format, length, room, and the names of the players."""

    name = forms.CharField(label=_("Name of the event"), max_length=80, initial=_("Club night"))
    template = forms.ChoiceField(
        label=_("How it is played"),
        choices=CHOICES,
        initial=USUAL,
        help_text=_("All of it can be changed before the draw is published."),
    )
    match_length = forms.IntegerField(
        label=_("Matches to"),
        min_value=1,
        max_value=LONGEST_MATCH,
        required=False,
        help_text=_("Points, from 1 to 25. Empty: as usual for what is played."),
    )
    key = announcing_forms.KeyField()
    field_order = ("name", "template", "match_length", "room", "tables", "names", "key")

    def __init__(self, *args: Any, club: Club, like: Tournament | None, **options: Any) -> None:
        """Propose the format, the name and the length of *like*, an event of the club."""
        super().__init__(*args, **options)
        if like is not None:
            self.initial.update(name=like.name, match_length=like.match_length)
            template = cast("forms.ChoiceField", self.fields["template"])
            template.choices = [
                (events_to_repeat.LIKE + like.key, events_to_repeat.format_repeat_label(like)),
                *CHOICES,
            ]
            template.initial = events_to_repeat.LIKE + like.key
        announcing_forms.add_room_field(self, club, like)
        self.order_fields(self.field_order)
        self.fields["names"].label = _("Who is here")
        self.fields["names"].required = False
        self.fields["names"].help_text = _(
            "One name per line. Members are found by their name, all others are entered as "
            "guests. Leave empty if no one is here yet."
        )
        self.fields["names"].widget.attrs["rows"] = 10

    def clean_names(self) -> list[PastedLine]:
        """Parse the names; the field may be empty."""
        return super().clean_names() if self.cleaned_data["names"].strip() else []
