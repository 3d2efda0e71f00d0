"""Signal receivers, hooks and sweeps of records."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.dispatch import receiver

from careers import hooks as career_hooks
from matches import hooks as match_hooks
from players import hooks as player_hooks
from players.access import listeners
from players.hooks import player_erased, player_merged, player_unmerged
from players.models import Player, User
from records.archive import accepted_records, archiving
from records.archive import archive_views as archive
from records.base import live
from records.models import RecordAlias
from records.models.submissions import ADJUDICATE, DECIDE
from records.sheets import code_views as codes
from records.sheets import coded_matches, photos, sheet_publishing, short_codes, stored_sheets, tap_storage
from records.sheets import sheet_views as sheets
from records.sheets.sheet import GAME, Tap
from records.submissions import archive_filing, naming, played_records, record_outcomes, submissions
from records.submissions import handing_in_views as handing_in
from records.transcripts import transcribing_views as transcribing
from records.transcripts import transcriptions
from runtime import hooks as runtime_hooks
from runtime import stream
from runtime.hooks import SlotPart
from runtime.models import Queue
from runtime.work import outbox, sweeps
from tournaments import hooks as event_hooks
from tournaments.hooks import demo_built
from tournaments.models import Pairing, Tournament

GAMES: Final = (("a", "single", 1), ("b", "single", 2))
MOST_POINTS: Final = 2


def fill_score_sheet(
    *, event: Tournament, waiting: Sequence[Pairing], by: User, now: datetime, **_signal: object
) -> None:
    """Write the first games of the first match that is not decided by them."""
    row = next((one for one in waiting if one.length > MOST_POINTS), None)
    if row is None:
        return
    for number, (winner, end, cube) in enumerate(GAMES, start=1):
        tap_storage.store_tap(
            tournament_id=event.pk,
            match=row.key,
            key=f"demo-{number}",
            what=Tap(GAME, number, winner, end, cube),
            by=by,
            now=now,
        )


@receiver(player_merged, dispatch_uid="records.move_names")
def move_aliases(*, kept: Player, dropped: Player, **_signal: object) -> dict[str, object]:
    """Move the record aliases and archived matches of a merged player; return their keys, for an undo of the merge."""
    moved = list(RecordAlias.objects.filter(player=dropped).values_list("pk", flat=True))
    RecordAlias.objects.filter(pk__in=moved).update(player=kept)
    sides = archive_filing.move_sides(kept=kept, dropped=dropped)
    return {"names_in_records": moved, "archived_sides": sides}


@receiver(player_erased, dispatch_uid="records.forget_names")
def delete_aliases(*, player: Player, **_signal: object) -> None:
    RecordAlias.objects.filter(player=player).delete()


@receiver(player_unmerged, dispatch_uid="records.give_back_names")
def restore_aliases(*, kept: Player, dropped: Player, moved: dict[str, Any], **_signal: object) -> None:
    """Move the record aliases and archived matches back when a merge is undone."""
    RecordAlias.objects.filter(pk__in=moved.get("names_in_records", ()), player=kept).update(player=dropped)
    archive_filing.move_sides_back(kept=kept, dropped=dropped, moved=moved.get("archived_sides", ()))


demo_built.connect(fill_score_sheet, dispatch_uid="records.sheet_of_the_demo")
match_hooks.RECORDS.provide(
    match_hooks.RecordKeeper(
        find=accepted_records.find_record,
        facts=accepted_records.load_facts,
        replay=accepted_records.load_replay,
        address=accepted_records.build_replay_url,
        standing=accepted_records.list_accepted,
        of_players=played_records.list_played_records,
    )
)
event_hooks.HELPING_MATCH.add("sheet", SlotPart("records/_helper_sheet_link.html", sheets.build_helping_part))
event_hooks.EVENT_MINE.add("sheet", SlotPart("records/_sheet_link.html", sheets.build_my_match_part))
career_hooks.ME_MORE.add(
    "transcribe", SlotPart("records/_transcribe_link.html", transcribing.build_my_match_part)
)
career_hooks.NEXT_STEPS.add("sheet", sheets.build_next_step)
event_hooks.EVENT_MATCH.add("said", SlotPart("records/_said.html", handing_in.load_match_reports))
event_hooks.EVENT_RULE.add("said", SlotPart("records/_said.html", handing_in.load_match_reports))
event_hooks.EVENT_MATCH.add("records", SlotPart("records/_offer.html", handing_in.build_match_part))
event_hooks.EVENT_MATCH.add("at table", SlotPart("records/_at_a_table.html", sheets.build_match_part))
event_hooks.EVENT_MATCH.add("code", SlotPart("records/_code_link.html", codes.build_match_part))
event_hooks.ROOM_TABLE.add("code", SlotPart("records/_table_code_link.html", codes.build_table_part))
event_hooks.SCORE_SHEETS.provide(
    event_hooks.ScoreSheetProvider(
        plays_on=stored_sheets.find_continuation,
        address=stored_sheets.build_sheet_path,
        list_kept=stored_sheets.list_kept,
        list_games=stored_sheets.list_games,
    )
)
event_hooks.CODES.provide(
    event_hooks.CodeMaker(
        of_match=coded_matches.build_match_path,
        of_table=coded_matches.build_table_path,
        shorten=short_codes.assign_letters,
    )
)
player_hooks.PLAYER_PAGE.add("archive", SlotPart("records/_figures_card.html", archive.build_player_part))
match_hooks.POSITION_BESIDE.add("archive", SlotPart("records/_occurrences.html", archive.build_position_part))
# These messages say only that a sheet's clock was tapped.
stream.register_rule("sheet", listeners.allow_public_topics)
# These messages say only that a verdict or outcome exists; subscribers must know the batch's key.
stream.register_rule(live.FAMILY, listeners.allow_public_topics)
stream.register_source(live.FAMILY, live.VerdictSource())
outbox.register(ADJUDICATE, submissions.adjudicate, external=True)
outbox.register(DECIDE, record_outcomes.decide_outcome)
sweeps.register(
    "records.archive",
    timedelta(seconds=10),
    archiving.sweep,
    queue=Queue.SLOW,
    due=archiving.query_due,
    is_background=True,
)
sweeps.register("records.flags", timedelta(seconds=1), sheet_publishing.sweep, due=sheet_publishing.query_due)
player_hooks.EXPORTS.add("transcriptions", transcriptions.export_transcriptions)
player_hooks.EXPORTS.add("photos", photos.export_photos)
player_hooks.EXPORTS.add("records", submissions.export_submissions)
player_hooks.EXPORTS.add("names_in_records", naming.export_aliases)
runtime_hooks.VERIFIERS.add("records", submissions.check_records)
