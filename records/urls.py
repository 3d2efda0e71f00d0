from django.urls import path

from records.archive import archive_views as archive
from records.sheets import code_views as codes
from records.sheets import photo_views as photos
from records.sheets import sheet_views as sheets
from records.submissions import handing_in_views as handing_in
from records.submissions import replay_views as replays
from records.transcripts import transcribing_views as transcribing
from records.transcripts import typed_code_views as transcribing_at_table

app_name = "records"

urlpatterns = [
    # Short, for QR codes.
    path("m/", codes.type_code, name="type_code"),
    path("m/<str:code>/", codes.match_at_table, name="at_table"),
    path("m/<str:code>/sheet/", codes.score_sheet, name="code_sheet"),
    path("m/<str:code>/photos/", photos.photos_by_code, name="code_photos"),
    path("m/<str:code>/photos/<slug:photo>.jpg", photos.photo_by_code, name="code_photo"),
    path("m/<str:code>/transcription/", transcribing_at_table.transcription, name="code_transcription"),
    path(
        "m/<str:code>/transcription/record.<slug:name>",
        transcribing_at_table.transcription_file,
        name="code_transcription_file",
    ),
    path("m/<str:code>/records/<slug:key>/", transcribing_at_table.record, name="code_record"),
    path("events/<slug:key>/code/<path:match>/", codes.card, name="code"),
    path("clubs/<slug:slug>/tables/<slug:key>/code/", codes.table_card, name="table_code"),
    path("archive/", archive.search, name="archive"),
    path("archive/positions/", archive.positions, name="positions"),
    path("archive/openings/", archive.openings, name="openings"),
    path("archive/players/<slug:key>/", archive.player_figures, name="player_figures"),
    path("archive/records/<slug:key>/", archive.archived_match, name="archived"),
    path("events/<slug:key>/sheet/<path:match>/", sheets.score_sheet, name="sheet"),
    path("events/<slug:key>/helping/sheet/<path:match>/", sheets.helper_sheet, name="helper_sheet"),
    path("events/<slug:key>/photos/<path:match>/", photos.match_photos, name="photos"),
    path("events/<slug:key>/photo/<slug:photo>.jpg", photos.photo, name="photo"),
    path("records/<slug:slug>/", handing_in.hand_in, name="hand_in"),
    path("records/<slug:slug>/transcribe/", transcribing.begin, name="transcribe"),
    path("records/<slug:slug>/transcribe/<slug:key>/", transcribing.transcription, name="transcription"),
    path(
        "records/<slug:slug>/transcribe/<slug:key>/record.<slug:name>",
        transcribing.transcription_file,
        name="transcription_file",
    ),
    path("records/<slug:slug>/<slug:key>/mend/", transcribing.begin_correction, name="mend"),
    path("records/<slug:slug>/sent/<slug:key>/", handing_in.batch, name="batch"),
    path("records/<slug:slug>/<slug:key>/", handing_in.verdict, name="verdict"),
    path("records/<slug:slug>/<slug:key>/who/", handing_in.name_sides, name="who_is_who"),
    path("records/<slug:slug>/<slug:key>/file/", handing_in.content, name="content"),
    path("records/<slug:slug>/<slug:key>/<int:number>/replay/", replays.replay, name="replay"),
    path(
        "records/<slug:slug>/<slug:key>/<int:number>/record.<slug:name>",
        replays.replay_file,
        name="replay_file",
    ),
]
