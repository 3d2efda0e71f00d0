"""What records do when something happens elsewhere."""

from __future__ import annotations

from records import verifiers
from records.models.submissions import ADJUDICATE
from runtime import lazy_imports, outbox, slots
from runtime import verifiers as runtime_verifiers
from tournaments.selectors import match_codes

at_table = lazy_imports.Module("records.selectors.at_table")
codes = lazy_imports.Module("records.views.codes")
handing_in = lazy_imports.Module("records.views.handing_in")
sheets = lazy_imports.Module("records.views.sheets")
submissions = lazy_imports.Module("records.services.submissions")

slots.register("event.mine", "sheet", template="records/_sheet_link.html", show=sheets.part_of_mine)
slots.register("event.match", "records", template="records/_offer.html", show=handing_in.part_of_match)
slots.register("event.match", "code", template="records/_code_link.html", show=codes.part_of_match)
slots.register("room.table", "code", template="records/_table_code_link.html", show=codes.part_of_table)
match_codes.register(of_match=at_table.of_match, of_table=at_table.of_table)
outbox.register(ADJUDICATE, submissions.adjudicate, external=True)
runtime_verifiers.register("records", verifiers.records)
