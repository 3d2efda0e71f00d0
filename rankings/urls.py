from django.urls import path

from rankings.chances import chance_views as chances
from rankings.eligibility import eligibility_views as eligibility
from rankings.lists import dated_views as dated
from rankings.lists import group_views as groups
from rankings.lists import list_views as lists
from rankings.openings import opening_views as openings
from rankings.seasons import division_views as divisions
from rankings.seasons import season_views as seasons

app_name = "rankings"

urlpatterns = [
    path("rankings/", lists.index, name="index"),
    path("clubs/<slug:slug>/rankings/", lists.club, name="club"),
    path("clubs/<slug:slug>/rankings/leading/", lists.club_card, name="club_card"),
    path("clubs/<slug:slug>/rankings/new/", lists.create, name="create"),
    path("clubs/<slug:slug>/rankings/group/", groups.group, name="group"),
    path("clubs/<slug:slug>/rankings/group/change/", groups.change, name="change_group"),
    path("clubs/<slug:slug>/rankings/lists/<slug:key>/policy/", lists.amend, name="amend"),
    path("clubs/<slug:slug>/rankings/lists/<slug:key>/calibration/", chances.calibration, name="calibration"),
    path("clubs/<slug:slug>/rankings/lists/<slug:key>/dated/", dated.published, name="dated_lists"),
    path("clubs/<slug:slug>/rankings/lists/<slug:key>/dated/schedule/", dated.schedule, name="schedule"),
    path("clubs/<slug:slug>/rankings/lists/<slug:key>/dated/<str:day>/", dated.dated_list, name="dated_list"),
    path("clubs/<slug:slug>/rankings/lists/<slug:key>/sheet/", lists.sheet, name="list_sheet"),
    path(
        "clubs/<slug:slug>/rankings/lists/<slug:key>/dated/<str:day>/sheet/",
        dated.sheet,
        name="dated_sheet",
    ),
    path("clubs/<slug:slug>/rankings/lists/<slug:key>/openings/", openings.openings_page, name="openings"),
    path(
        "clubs/<slug:slug>/rankings/lists/<slug:key>/openings/upload/",
        openings.upload,
        name="upload_openings",
    ),
    path(
        "clubs/<slug:slug>/rankings/lists/<slug:key>/openings/<int:number>/",
        openings.look_through,
        name="opening_import",
    ),
    path(
        "clubs/<slug:slug>/rankings/lists/<slug:key>/openings/<int:number>/undo/",
        openings.undo,
        name="undo_openings",
    ),
    path("clubs/<slug:slug>/rankings/hall-of-fame/", seasons.hall_of_fame, name="fame"),
    path("clubs/<slug:slug>/rankings/seasons/", seasons.seasons_page, name="seasons"),
    path("clubs/<slug:slug>/rankings/seasons/new/", seasons.create, name="create_season"),
    path("clubs/<slug:slug>/rankings/seasons/<slug:key>/", seasons.season, name="season"),
    path("clubs/<slug:slug>/rankings/seasons/<slug:key>/sheet/", seasons.sheet, name="season_sheet"),
    path("clubs/<slug:slug>/rankings/seasons/<slug:key>/change/", seasons.amend, name="amend_season"),
    path(
        "clubs/<slug:slug>/rankings/seasons/<slug:key>/divisions/", divisions.divisions_page, name="divisions"
    ),
    path(
        "clubs/<slug:slug>/rankings/seasons/<slug:key>/divisions/sheet/",
        divisions.sheet,
        name="divisions_sheet",
    ),
    path(
        "clubs/<slug:slug>/rankings/seasons/<slug:key>/divisions/change/",
        divisions.set_up,
        name="amend_divisions",
    ),
    path(
        "clubs/<slug:slug>/rankings/seasons/<slug:key>/divisions/players/",
        divisions.place,
        name="division_players",
    ),
    path(
        "clubs/<slug:slug>/rankings/seasons/<slug:key>/divisions/close/",
        divisions.close,
        name="close_divisions",
    ),
    path(
        "clubs/<slug:slug>/rankings/seasons/<slug:key>/divisions/reopen/",
        divisions.reopen,
        name="reopen_divisions",
    ),
    path(
        "clubs/<slug:slug>/rankings/seasons/<slug:key>/divisions/<int:number>/eligibility/",
        eligibility.division_requirement,
        name="division_eligibility",
    ),
    path(
        "clubs/<slug:slug>/rankings/seasons/<slug:key>/divisions/<int:number>/eligibility/admit/",
        eligibility.admit_to_division,
        name="admit_to_division",
    ),
    path("events/<str:key>/eligibility/", eligibility.event_requirement, name="event_eligibility"),
    path("events/<str:key>/eligibility/admit/", eligibility.admit_to_event, name="admit_to_event"),
    path("clubs/<slug:slug>/rankings/matches/<uuid:uid>/", lists.match, name="match"),
    path("players/<str:key>/ratings/", lists.player, name="player"),
]
