"""Signals of matches to the packages above: after commit, with a match id, and possibly twice."""

from django.dispatch import Signal

# match_id, row: both sit at the board, and play begins.
match_begun = Signal()
# match_id, row: a result stands.
match_finished = Signal()
# match_id, row: a result that stood does not any more.
match_reopened = Signal()
# key, now: the facts of a recorded match have changed; unlike the others, sent before the commit.
record_changed = Signal()
# match_id, row, due: the match waits for somebody else than before.
match_due = Signal()
