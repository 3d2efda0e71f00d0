"""Where help explains a refusal: the rule that it cites, else the section that its class or the table here names."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from django.urls import reverse

from engine.finding_codes import CODES
from runtime.refusals import ANCHORS

RULE: Final = re.compile(r"R[0-6][0-9]")

# Codes that cite no rule and are not a `Refusal`: those of the engine and of matches.
SECTIONS: Final[dict[str, tuple[str, ...]]] = {
    "rules#R11": (
        "not-your-turn", "out-of-turn", "play-without-dice", "roll-in-wrong-phase", "roll-out-of-turn",
    ),
    "rules#R12": ("illegal-play",),
    "rules#R40": ("no-game", "play-after-end"),
    "rules#R48": ("dead-cube",),
    "rules#R52": ("bad-terms",),
    "rules#R53": ("no-cube",),
    "play#screen": ("match", "refused", "stale", "unread-play"),
    "play#position": (
        "answer-unknown", "card-not-due", "impossible-position", "no-engine", "not-of-a-day", "too-many-answers", "position-in-play", "position-over", "position-refused",
        "too-many-questions", "unknown-choice", "unknown-position",
    ),
    "play#tutor": ("bad-limit", "no-hint", "no-practice"),
    "play#race": ("no-race", "not-playing-out", "playing-out"),
    "cube-and-matches#resigning": (
        "bad-resignation", "highest-value", "no-resignation", "offer-lapsed", "resignation-refused", "resignation-too-high",
    ),
    "etiquette#clock": (
        "back-in-time", "clock-lent", "clock-not-lent", "clock-paused", "clock-runs", "clock-stands", "flag-fallen",
        "no-clock", "time-left", "time-over",
    ),
    "etiquette#away": (
        "absence-too-long", "absence-used-up", "no-claim", "not-away", "not-awaited",
    ),
    "etiquette#talking": (
        "chat-off", "empty_line", "mute-yourself", "not-your-room", "own-line", "too-much-talk",
    ),
    "night#online": (
        "no-bot", "no-rematch", "not-a-member", "not-a-player", "not-for-you", "not-open", "not-yours", "own-offer",
        "played_each_other", "same-player", "too-many-matches", "too-many-offers", "too-many-visitors",
    ),
    "dice#roll": (
        "already-ready", "dice-not-ready", "dice-not-sealed", "dice-promised", "equal-commitments", "equal-heads", "gap",
        "lost-secret", "no-chain", "not-begun", "roll-pending", "share-needed", "share-not-due", "two-promises",
        "wrong-head", "wrong-share",
    ),
    "directors#rulings": (
        "bad-credit", "bad-penalty", "bad-points", "bad-position", "bad-takeback", "no-such-line", "not-allowed",
        "bad_position", "not-paused", "nothing-to-take-back", "own-match", "paused", "reason-needed", "reason-too-long",
    ),
    "records#notes": (
        "absurd-points", "capped-points", "crawford-mismatch", "cut-play", "declared-illegal", "empty-name",
        "jacoby-inferred", "length-as-points", "match-unfinished", "name-mismatch", "out-of-time", "position-mismatch",
        "repeated-play", "resign-odd-value", "resigner-unclear", "result-omitted", "ruling", "score-not-kept",
        "set-position", "settlement", "starts-mid-match", "unplayed-game",
    ),
    "records#handing-in": (
        "not_yours", "nothing_asked", "nothing_handed_in", "record_refused", "too_many_files", "unknown_match",
        "club_day_quota_reached", "club_quota_reached", "day_quota_reached", "file_quota_reached", "person_quota_reached",
        "quota_reached", "too_much_unpacked",
    ),
    "records#sheet": (
        "adjourned", "clock_moved", "flag_fallen", "no_clock", "not_adjourned", "other_score", "position_elsewhere",
        "match_won", "not_offered", "not_your_sheet", "nothing_to_undo", "on_a_board", "other_game",
    ),
    "records#transcribing": (
        "cannot_be_parsed",
        "line_refused", "not_a_transcription", "nothing_to_mend", "nothing_to_take_back", "nothing_typed", "other_version",
        "too_many_transcriptions", "too_much_typed",
    ),
    "records#photos": ("not_your_photo", "photo_not_needed", "too_many_photos"),
    "clubs#logo": (
        "bad-picture", "file-in-progress", "later", "picture-too-complex", "picture-too-large", "too-many-uploads",
    ),
    "night#appointments": (
        "appointment_begun", "bad_times", "not_by_appointment", "nothing_proposed", "past_deadline", "too_early_to_come",
    ),
    "night#friendlies": (
        "bad_friendly", "cannot_play_friendly", "friendly_answered", "friendly_begun", "friendly_expired",
        "not_your_friendly", "too_many_friendlies",
    ),
    "night#calls": ("bad_subscription", "push_not_offered"),
    "running#rehearsal": ("nothing_to_rehearse", "rehearsed", "too_few_to_rehearse"),
    "clubs#joining": (
        "already_member", "by_invitation_only", "invitation_expired", "invitation_refused", "invitation_revoked",
        "invitation_spent", "invitation_unknown", "not_a_member", "not_member",
    ),
    "clubs#guests": ("already_claimed", "guest_has_no_role", "not_a_guest"),
    "clubs#merging": (
        "already_merged", "cannot_merge", "cannot_unmerge", "has_account", "merged_on", "not_merged",
    ),
    "clubs#roles": ("last_owner", "sole_owner"),
    "clubs#names": (
        "empty_name", "hidden_characters", "invalid_text", "out_of_bounds", "too_long", "unknown_time_zone",
    ),
    "clubs#account": ("email_taken", "welcome_link_used"),
    "directors#directors": ("not_allowed", "not_director", "not_keeper"),
    "directors#helpers": ("director_decides", "helper_taken", "not_helper", "too_many_helpers"),
    "running#before": (
        "bad_plan", "capacity_below_entries", "plan_too_large", "draft_only", "event_refused", "has_stages", "no_stages", "player_gone",
        "no_trf", "wrong_status",
    ),
    "running#series": (
        "bad_series", "evening_announced", "no_model", "no_such_evening", "series_gone",
    ),
    "running#draw": (
        "already_drawn", "bad_lines", "byes_meet", "not_checked_in", "not_drawn", "not_level", "stage_waits", "ties_undecided",
        "too_few_apart", "too_many_apart", "not_apart", "no_bye_agreed", "too_few_entries",
    ),
    "running#running": (
        "event_paused", "has_begun", "transaction_too_long", "has_left", "no_place_free", "no_playoffs", "no_rounds", "not_in_round", "not_open",
        "place_taken", "same_entry_twice", "same_pairing", "unknown_pairing",
    ),
    "running#results": (
        "bad_game", "bad_games", "bad_score", "director_reports", "no_accounts", "not_your_match", "nothing_reported",
        "points_forgotten",
    ),
    "running#corrections": (
        "not_just_entered", "not_restorable", "nothing_to_stand", "reason_needed", "result_stands",
    ),
    "running#finish": ("no_winner", "not_finished", "not_over", "places_missing", "places_skip", "unknown_entrant"),
    "running#again": ("already_done", "changed_meanwhile"),
    "running#money": (
        "bad_split", "bad_terms", "due_changed", "lines_there", "money_refused", "no_money", "not_settled",
        "nothing_to_pay", "paid_already", "terms_fixed", "too_late", "unknown_line",
    ),
    "running#auction": (
        "bad_buyer", "bad_lot", "bad_price", "bad_share", "lot_sold", "no_auction", "not_sold", "pays_first", "unknown_lot",
    ),
    "running#breaks": ("bad_break", "breaks_overlap", "too_many_breaks"),
    "running#tables": (
        "bad_tables", "not_at_table", "not_for_stream", "nothing_to_call", "other_club", "player_busy", "room_name_taken",
        "stream_full", "table_broken", "table_in_use", "table_label_taken", "table_taken", "too_many_tables", "venue_refused",
    ),
    "night#table": (
        "code_expired", "code_moved", "code_unreadable", "match_decided", "nobody_at_table", "other_event", "other_match",
        "reported_elsewhere", "same_device", "too_many_short_codes", "unknown_short_code", "who_are_you",
    ),
    "night#report": ("other_has_won", "score_needed"),
    "clubs#programs": ("bad_address", "too_many_tokens", "too_many_webhooks"),
    "directors#screens": (
        "bad_delay", "bad_programme", "screen_name_taken", "too_many_tries", "unknown_letters",
    ),
    "night#entering": (
        "door_full", "door_request_gone", "entries_closed", "event_full", "not_entered", "too_many_players",
    ),
    "night#check-in": ("turned_away",),
    "ratings#lists": (
        "bad_days", "bad_policy", "bad_season", "bad_system", "name_taken", "policy_too_early", "policy_unchanged",
        "ranking_refused", "season_name_taken",
    ),
    "ratings#groups": ("asked_already", "bad_group", "not_operator", "not_in_group"),
    "ratings#divisions": (
        "bad_divisions", "cannot_reopen", "division_not_empty", "no_division", "no_next_season", "season_closed", "season_runs",
        "standing_changed",
    ),
    "ratings#eligibility": (
        "bad_requirement", "no_requirement", "not_eligible",
    ),
    "ratings#files": (
        "bad_openings", "bad_sheet", "empty_sheet", "no_import", "nothing_to_import", "sheet_too_large", "sheet_too_long",
        "sheet_too_much_inside", "sheet_unreadable", "wrong_sheet_type",
    ),
    "records#unreadable": ("corrupt-row", "more-findings", "unread-line", "wrong-checksum"),
}  # fmt: skip


def address(code: str, rule: str = "") -> str:
    """Return where help explains a refusal with this code, which cites this *rule*; nothing where it does not."""
    found = RULE.search(rule) or RULE.search(CODES[code].rule if code in CODES else "")
    place = f"rules#{found[0]}" if found else ANCHORS.get(code) or _sections().get(code, "")
    page, _hash, section = place.partition("#")
    return f"{reverse(f'help:{page}')}#{section}" if page else ""


@cache
def _sections() -> dict[str, str]:
    return {code: place for place, codes in SECTIONS.items() for code in codes}
