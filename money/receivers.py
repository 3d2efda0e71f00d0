"""What money adds to exports, and what is verified of it."""

from __future__ import annotations

from money import verifiers
from money.selectors import own
from players.services import exports
from runtime import verifiers as runtime_verifiers

exports.register("money", own.lines_of)
runtime_verifiers.register("money", verifiers.ledgers)
