"""Pages of the account's tokens: list, create (shown once), revoke."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from players.access.requests import AccountRequest, refusals_added_to, require_post_or_redirect
from players.accounts import tokens as service
from players.models import Scope
from players.people.fields import NameField


class TokenForm(forms.Form):
    name = NameField(
        label=gettext_lazy("Name"),
        max_length=service.LONGEST_NAME,
        help_text=gettext_lazy("What will use it, such as “my bot” or “results on our website”."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scope = forms.ChoiceField(
        label=gettext_lazy("What it may do"),
        choices=Scope.choices,
        initial=Scope.PLAY,
        widget=forms.RadioSelect,
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("Valid"),
        choices=[
            ("0", gettext_lazy("until I revoke it")),
            ("30", gettext_lazy("for 30 days")),
            ("90", gettext_lazy("for 90 days")),
            ("365", gettext_lazy("for a year")),
        ],
        coerce=int,
        initial="0",
    )


# Viewing is harmless; creating a token requires the password again.
@never_cache
@login_required
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]  # allauth is not typed
def tokens(request: AccountRequest) -> HttpResponse:
    """Show the account's tokens; create one, and show its text this once."""
    form, text, now = TokenForm(request.POST if request.method == "POST" else None), "", timezone.now()
    if form.is_valid():
        name, scope, days = (form.cleaned_data[field] for field in ("name", "scope", "days"))
        with refusals_added_to(form):
            text = service.create(
                user=request.user, name=name, scope=Scope(scope), days=days or None, now=now
            )
            form = TokenForm()
    shown = {"form": form, "text": text, "tokens": service.list_tokens(user=request.user, now=now)}
    return render(request, "players/tokens.html", shown, status=422 if form.is_bound else 200)


@require_post_or_redirect("players:tokens")
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth is not typed
def revoke(request: AccountRequest, token_id: int) -> HttpResponse:
    if not service.revoke(user=request.user, token_id=token_id):
        raise Http404
    messages.success(request, _("The token no longer works."))
    return redirect("players:tokens")
