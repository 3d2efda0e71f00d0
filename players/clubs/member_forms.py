"""Forms for directors about the people of their club."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.clubs import members
from players.clubs.invitations import MOST_DAYS, MOST_USES
from players.models import Club, Player, Role
from players.people.fields import NameField, PlayerField


class GuestForm(forms.Form):
    name = NameField(
        label=_("Name of the guest"), max_length=80, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)


class InvitationForm(forms.Form):
    role = forms.ChoiceField(label=_("They join as"), choices=Role.choices, initial=Role.MEMBER)
    guest = forms.ModelChoiceField(
        label=_("Hand over a guest's history"),
        queryset=Player.objects.none(),
        required=False,
        to_field_name="key",
        empty_label=_("No guest"),
        help_text=_("The person who accepts the link takes over this guest's matches and results."),
    )
    uses = forms.IntegerField(label=_("For how many people"), min_value=1, max_value=MOST_USES, initial=1)
    days = forms.IntegerField(label=_("Days it is valid"), min_value=1, max_value=MOST_DAYS, initial=14)
    note = NameField(
        label=_("Note to yourself"),
        max_length=80,
        required=False,
        help_text=_("Where you will put it, such as “poster at the door”."),
    )

    def __init__(self, *args: Any, club: Club, gives_roles: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        fields["guest"].queryset = members.list_guests(club)
        if not gives_roles:
            del self.fields["role"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("guest") is not None and cleaned.get("uses", 1) != 1:
            self.add_error("uses", _("A guest can be handed over to one person only."))
        return cleaned


class MergeForm(forms.Form):
    dropped = PlayerField(label=_("This guest …"), queryset=Player.objects.none(), to_field_name="key")
    kept = PlayerField(
        label=_("… is the same person as"), queryset=Player.objects.none(), to_field_name="key"
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        fields["dropped"].queryset = members.list_guests(club)
        fields["kept"].queryset = members.list_players(club)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("kept") is not None and cleaned.get("kept") == cleaned.get("dropped"):
            self.add_error("kept", _("Choose two different players."))
        return cleaned
