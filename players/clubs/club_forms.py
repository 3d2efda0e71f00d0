"""Forms for directors about their club."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from players.models import Felt, Joining, NameStyle
from players.models.clubs import LONGEST_TEXT
from players.people.fields import NameField, ProseField, TimeZoneField


def guess_zone(form: forms.Form) -> None:
    """Let the page preselect the browser's time zone, unless one was chosen."""
    if not form.is_bound and form.get_initial_for_field(form.fields["time_zone"], "time_zone") == "UTC":
        form.fields["time_zone"].widget.attrs["data-guess-zone"] = True


class ClubForm(forms.Form):
    name = NameField(label=_("Name"), max_length=80)
    city = NameField(label=_("Town"), max_length=80, required=False)
    country = NameField(label=_("Country"), max_length=60, required=False)
    about = ProseField(
        label=_("About"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("When and where you play, and who is welcome. Markdown may be used."),
    )
    time_zone = TimeZoneField(label=_("Time zone"), initial="UTC")
    joining = forms.ChoiceField(
        label=_("Joining"), choices=Joining.choices, initial=Joining.OPEN, widget=forms.RadioSelect
    )
    felt = forms.ChoiceField(
        label=_("Colour"),
        choices=Felt.choices,
        initial=Felt.GREEN,
        required=False,
        widget=forms.RadioSelect,
        help_text=_("The colour of the felt on the pages of the club and its events."),
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=[("", _("Same as this site")), *settings.LANGUAGES],
        required=False,
        help_text=_("For visitors whose browser prefers a language that this site does not have."),
    )


class ClubSettingsForm(ClubForm):
    approves_orders = forms.BooleanField(
        label=_("A final order counts only when a director has approved it"),
        required=False,
        help_text=_(
            "Ratings, prizes, champions and the notice that an event is finished wait for the "
            "approval. Applies to events that begin from now on."
        ),
    )

    name_style = forms.ChoiceField(
        label=_("Names in events"),
        choices=NameStyle.choices,
        required=False,
        help_text=_(
            "On the pages, screens and papers of the club's events. Players who would have the "
            "same name appear with their full names; an alias stays as it is."
        ),
    )

    shows_evidence = forms.BooleanField(
        label=_("Directors may see how often players find the engine's play"),
        required=False,
        help_text=_(
            "From matches played on this site in your club, compared with players of about the "
            "same rating. It is a reason to talk, never a verdict; no one else sees it."
        ),
    )


class FirstClubForm(forms.Form):
    """The first fields of a club; the rest is in its settings."""

    name = NameField(
        label=_("Name of your club"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    city = NameField(label=_("Town"), max_length=80, required=False)
    time_zone = TimeZoneField(
        label=_("Time zone of your club"), initial="UTC", help_text=_("Its events start in this time zone.")
    )
    language = forms.ChoiceField(
        label=_("Language of your club"),
        choices=settings.LANGUAGES,
        help_text=_("Members can choose another one for themselves."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        guess_zone(self)


class ClubTextsForm(forms.Form):
    house_rules = ProseField(
        label=_("House rules"),
        max_length=LONGEST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 10}),
        help_text=_("How you play, what an evening costs, what to do when a player is late. In Markdown."),
    )
    terms = ProseField(
        label=_("Terms of use"),
        max_length=LONGEST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_("Leave empty to use the standard terms."),
    )
    privacy = ProseField(
        label=_("Privacy notice"),
        max_length=LONGEST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_(
            "Leave empty to use the standard notice. Name the person who is responsible for the data."
        ),
    )
