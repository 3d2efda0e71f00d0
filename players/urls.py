from django.urls import path

from players.accounts import settings_views as settings
from players.accounts import token_views as tokens
from players.accounts import welcome_views as welcome
from players.clubs import club_views as clubs
from players.clubs import member_views as members
from players.notices import notice_views as notices
from players.people import player_views as people

app_name = "players"

urlpatterns = [
    path("clubs/", clubs.club_list, name="club_list"),
    path("clubs/new/", clubs.club_create, name="club_create"),
    path("clubs/<slug:slug>/", clubs.club, name="club"),
    path("clubs/<slug:slug>/join/", clubs.club_join, name="club_join"),
    path("clubs/<slug:slug>/leave/", clubs.club_leave, name="club_leave"),
    path("clubs/<slug:slug>/settings/", clubs.club_settings, name="club_settings"),
    path("clubs/<slug:slug>/settings/logo/", clubs.club_logo, name="club_logo"),
    path("clubs/<slug:slug>/logo/<str:logo_hash>.png", clubs.logo, name="logo"),
    path("clubs/<slug:slug>/settings/texts/", clubs.club_texts, name="club_texts"),
    path("clubs/<slug:slug>/members/", members.member_list, name="members"),
    path("clubs/<slug:slug>/members/guest/", members.add_guest, name="add_guest"),
    path("clubs/<slug:slug>/members/duplicates/", members.duplicate_list, name="duplicates"),
    path("clubs/<slug:slug>/members/duplicates/decide/", members.decide, name="decide"),
    path("clubs/<slug:slug>/members/merge/", members.merge, name="merge"),
    path("clubs/<slug:slug>/members/merge/<int:merge_id>/undo/", members.unmerge, name="unmerge"),
    path("clubs/<slug:slug>/members/<slug:key>/name/", members.rename_guest, name="rename_guest"),
    path("clubs/<slug:slug>/members/<slug:key>/role/", members.set_role, name="set_role"),
    path("clubs/<slug:slug>/members/<slug:key>/remove/", members.remove, name="remove_member"),
    path("clubs/<slug:slug>/members/<slug:key>/claim/", members.claim_link, name="claim_link"),
    path("clubs/<slug:slug>/invitations/", members.invitations, name="invitations"),
    path("clubs/<slug:slug>/invitations/<int:invitation_id>/revoke/", members.revoke, name="revoke"),
    path("join/<str:token>/", welcome.join, name="join"),
    path("welcome/club/", welcome.first_club, name="first_club"),
    path("phones/", welcome.phones, name="phones"),
    path("welcome/<str:token>/", welcome.first_director, name="first_director"),
    path("players/", people.player_list, name="player_list"),
    path("players/<slug:key>/", people.player, name="player"),
    path("players/<slug:key>/follow/", people.follow, name="follow"),
    path("notices/", notices.notices, name="notices"),
    path("notices/read/", notices.read_notices, name="read_notices"),
    path("notices/<int:notice_id>/", notices.follow_notice, name="notice"),
    path("emails/stop/<str:token>/", notices.unsubscribe, name="unsubscribe"),
    path("settings/", settings.profile, name="settings"),
    path("settings/appearance/", settings.appearance, name="appearance"),
    path("settings/privacy/", settings.privacy, name="privacy"),
    path("settings/mail/", settings.mail_test, name="mail_test"),
    path("settings/tokens/", tokens.tokens, name="tokens"),
    path("settings/tokens/<int:token_id>/revoke/", tokens.revoke, name="revoke_token"),
    path("settings/data/", settings.data, name="data"),
    path("settings/data/export/", settings.export, name="export"),
    path("settings/data/export/<int:export_id>/", settings.download, name="download"),
    path("settings/data/erase/", settings.erase, name="erase"),
]
