"""What records do when something happens elsewhere."""

from __future__ import annotations

from records import verifiers
from records.services import submissions
from runtime import outbox
from runtime import verifiers as runtime_verifiers

outbox.register(submissions.ADJUDICATE, submissions.adjudicate, external=True)
runtime_verifiers.register("records", verifiers.records)
