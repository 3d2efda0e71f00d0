"""Pages of a club's members, guests, duplicates and invitations, and their forms, for directors."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_safe

from players.access.permissions import require_permission
from players.access.requests import (
    AccountRequest,
    get_next_url,
    get_page_number,
    get_query,
    refusals_added_to,
    refusals_shown_to,
    render_part,
)
from players.clubs import clubs, duplicates, members, merging
from players.clubs import invitations as service
from players.clubs import members as selectors
from players.clubs.club_pages import ClubRights
from players.clubs.invitations import MOST_DAYS, MOST_USES
from players.models import Club, Invitation, Merge, Player, Role
from players.people.fields import NameField, PlayerField
from runtime import stream
from runtime.install import reach

# A link with one of these host names works on the same machine only.
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "[", "0.0.0.0"})  # noqa: S104 - a name, not a socket


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


@require_permission("players.see_members")
@require_GET
def member_list(request: AccountRequest, club: Club) -> HttpResponse:
    return _show_members(request, club, GuestForm())


@require_permission("players.add_guest", form="players:members")
def add_guest(request: AccountRequest, club: Club) -> HttpResponse:
    """Add a guest; for htmx render the list again, with the field ready for the next."""
    form = GuestForm(request.POST)
    if form.is_valid():
        with refusals_added_to(form, "name"):
            guest = clubs.add_guest(
                club=club, name=form.cleaned_data["name"], by=request.user, now=timezone.now()
            )
            if request.htmx:
                fresh = GuestForm()
                fresh.fields["name"].widget.attrs["autofocus"] = True
                return _show_members(request, club, fresh, added=guest)
            messages.success(request, gettext("%(name)s has been added.") % {"name": guest.name})
            for each in duplicates.list_similar_members(club=club, player=guest):
                messages.info(request, duplicates.format_hint(each.name))
            return redirect("players:members", slug=club.slug)
    return _show_members(request, club, form, status=422)


@require_permission("players.rename_guest", form="players:members")
def rename_guest(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    guest = selectors.get_membership(club=club, key=key).player
    back = get_next_url(request, reverse("players:members", args=[club.slug]))
    form = GuestForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(each) for each in form.errors["name"]))
        return redirect(back)
    before = guest.name
    to = reverse("players:members", args=[club.slug])
    with refusals_shown_to(request):
        guest = clubs.rename_guest(
            club=club, player=guest, name=form.cleaned_data["name"], by=request.user, now=timezone.now()
        )
        messages.success(
            request, gettext("%(before)s is now called %(name)s.") % {"before": before, "name": guest.name}
        )
        to = back
    return redirect(to)


@require_permission("players.set_roles", form="players:members")
def set_role(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    membership = selectors.get_membership(club=club, key=key)
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, gettext("There is no such role."))
        return redirect("players:members", slug=club.slug)
    role = Role(form.cleaned_data["role"])
    with refusals_shown_to(request):
        clubs.set_role(club=club, player=membership.player, role=role, by=request.user, now=timezone.now())
        messages.success(
            request,
            gettext("%(name)s: %(role)s") % {"name": membership.player.public_name, "role": role.label},
        )
    return redirect("players:members", slug=club.slug)


@require_permission("players.manage_members")
def remove(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    membership = selectors.get_membership(club=club, key=key)
    if request.method != "POST":
        rights = ClubRights.load(request.user, club)
        member = selectors.build_member_row(membership, user=request.user, rights=rights)
        return render(request, "players/member_remove.html", {"club": club, "member": member})
    with refusals_shown_to(request):
        clubs.remove(club=club, player=membership.player, by=request.user, now=timezone.now())
        messages.success(
            request, gettext("%(name)s is no longer a member.") % {"name": membership.player.public_name}
        )
    return redirect("players:members", slug=club.slug)


@require_permission("players.invite", form="players:members")
@never_cache
def claim_link(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    guest = selectors.get_membership(club=club, key=key).player
    token = ""
    with refusals_shown_to(request):
        token = service.invite(club=club, by=request.user, role=Role.MEMBER, guest=guest, now=timezone.now())
    if not token:
        return redirect("players:members", slug=club.slug)
    return _show_invitations(request, club, token=token, guest=guest.name)


@require_permission("players.merge_players")
def merge(request: AccountRequest, club: Club) -> HttpResponse:
    form = MergeForm(request.POST or None, initial=request.GET.dict(), club=club)
    if request.method == "POST" and form.is_valid():
        kept, dropped = form.cleaned_data["kept"], form.cleaned_data["dropped"]
        with refusals_added_to(form):
            merging.merge_guest(kept=kept, dropped=dropped, by=request.user, now=timezone.now())
            messages.success(
                request, gettext("%(name)s is now in the list only once.") % {"name": kept.public_name}
            )
            return redirect("players:members", slug=club.slug)
    shown = {
        "club": club,
        "form": form,
        "rights": ClubRights.load(request.user, club),
        "merges": selectors.list_merges(club=club),
    }
    return render(request, "players/merge.html", shown)


@require_permission("players.merge_players", form="players:merge")
def unmerge(request: AccountRequest, club: Club, merge_id: int) -> HttpResponse:
    row = get_object_or_404(Merge, pk=merge_id, kept__memberships__club=club)
    with refusals_shown_to(request):
        done = merging.unmerge(merge_id=row.pk, by=request.user, now=timezone.now())
        names = {"guest": done.dropped.public_name, "name": done.kept.public_name}
        messages.success(request, gettext("%(guest)s and %(name)s are two players again.") % names)
    return redirect("players:merge", slug=club.slug)


@require_permission("players.merge_players")
@require_safe
def duplicate_list(request: AccountRequest, club: Club) -> HttpResponse:
    shown = {
        "club": club,
        "rights": ClubRights.load(request.user, club),
        "page": duplicates.list_duplicates(club=club, page=get_page_number(request)),
        "here": reverse("players:duplicates", args=[club.slug]),
    }
    return render(request, "players/duplicates.html", shown)


@require_permission("players.merge_players", form="players:duplicates")
def decide(request: AccountRequest, club: Club) -> HttpResponse:
    """Merge the two players of a row, or record that they are two people."""
    kept, dropped = (
        selectors.get_membership(club=club, key=request.POST.get(name, "")).player
        for name in ("kept", "dropped")
    )
    names = {"guest": dropped.name, "name": kept.name}
    now, page = timezone.now(), ""
    with refusals_shown_to(request):
        if request.POST.get("act") == "merge":
            merging.merge_guest(kept=kept, dropped=dropped, by=request.user, now=now)
            message = (
                gettext("%(guest)s is merged into %(name)s. You can undo this under Merge duplicates.")
                % names
            )
        else:
            merging.tell_apart(club=club, one=kept, other=dropped, by=request.user, now=now)
            message = gettext("Noted: %(guest)s and %(name)s are two different people.") % names
        messages.success(request, message)
        page = f"?page={get_page_number(request)}"
    return redirect(f"{reverse('players:duplicates', args=[club.slug])}{page}")


@require_permission("players.invite")
@never_cache
def invitations(request: AccountRequest, club: Club) -> HttpResponse:
    """Show the club's invitations; create one, and show its link this once."""
    if request.method != "POST":
        return _show_invitations(request, club)
    form = _build_invitation_form(request, club)
    if form.is_valid():
        answers = form.cleaned_data
        with refusals_added_to(form):
            token = service.invite(
                club=club,
                by=request.user,
                role=Role(answers.get("role", Role.MEMBER)),
                guest=answers["guest"],
                note=answers["note"],
                uses=answers["uses"],
                days=answers["days"],
                now=timezone.now(),
            )
            guest = answers["guest"].name if answers["guest"] else ""
            return _show_invitations(request, club, token=token, guest=guest)
    return _show_invitations(request, club, form=form, status=422)


@require_permission("players.invite", form="players:invitations")
def revoke(request: AccountRequest, club: Club, invitation_id: int) -> HttpResponse:
    invitation = get_object_or_404(Invitation.objects.select_related("club"), club=club, pk=invitation_id)
    service.revoke(invitation=invitation, by=request.user, now=timezone.now())
    messages.success(request, gettext("The link no longer works."))
    return redirect("players:invitations", slug=club.slug)


def _show_members(
    request: AccountRequest, club: Club, form: GuestForm, *, added: Player | None = None, status: int = 200
) -> HttpResponse:
    query, kind = get_query(request), request.GET.get("show", "")
    kind = kind if kind in selectors.KINDS else ""
    kinds = {"": gettext("Everyone"), "directors": gettext("Directors"), "guests": gettext("Guests")}
    live = stream.record_positions(f"club.{club.slug}")
    shown = {
        "club": club,
        "page": selectors.list_members(
            user=request.user, club=club, query=query, kind=kind, page=get_page_number(request)
        ),
        "query": query,
        "kind": kind,
        "kinds": kinds.items(),
        "heading": kinds[kind],
        "form": form,
        "added": added,
        "near": duplicates.list_similar_members(club=club, player=added) if added else (),
        "rights": ClubRights.load(request.user, club),
        "live_topics": [live],
    }
    parts = {"members": "players/_members.html", "member-list": "players/_member_list.html"}
    return render_part(request, "players/members.html", parts, shown, status)


def _show_invitations(
    request: AccountRequest,
    club: Club,
    *,
    form: InvitationForm | None = None,
    token: str = "",
    guest: str = "",
    status: int = 200,
) -> HttpResponse:
    link = request.build_absolute_uri(reverse("players:join", args=[token])) if token else ""
    shown = {
        "club": club,
        "rights": ClubRights.load(request.user, club),
        "form": form or _build_invitation_form(request, club, is_fresh=True),
        "invitations": selectors.list_invitations(club=club, now=timezone.now()),
        "link": link,
        "qr": reach.render_qr_code(link) if link else "",
        "guest": guest,
        "is_only_here": request.get_host().partition(":")[0] in LOCAL_NAMES,
    }
    return render(request, "players/invitations.html", shown, status=status)


def _build_invitation_form(request: AccountRequest, club: Club, *, is_fresh: bool = False) -> InvitationForm:
    gives_roles = ClubRights.load(request.user, club).set_roles
    return InvitationForm(None if is_fresh else request.POST, club=club, gives_roles=gives_roles)
