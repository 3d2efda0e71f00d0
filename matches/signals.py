"""What matches says to those above it, after commit; each carries a match id and may come twice."""

from django.dispatch import Signal

# match_id: a result stands.
match_finished = Signal()
# match_id: a result that stood does not any more.
match_reopened = Signal()
# match_id, due, row: the match waits for somebody else than before.
match_due = Signal()
