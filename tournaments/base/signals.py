"""What events say to those above them, in the transaction of the change; it may come twice."""

from django.dispatch import Signal

# event, now: the event has changed, perhaps its results. Not sent before its start, when there are no matches. Receivers only
# record what follows from it.
event_changed = Signal()

# event, like, now: a draft is to be played like another event. Who listens gives it what they keep of that one: its room, its money.
event_repeated = Signal()

# event, before, now: an event that has not begun has another start; `before` is the old one. Who listens moves what they keep by its day.
event_rescheduled = Signal()

# event, by, now: an event of a demonstration was announced, and players have entered. Who listens adds what it is played for.
demo_announced = Signal()

# club, event, waiting, by, now: a demonstration was made, with its events. `event` is under way, and its matches `waiting` are
# open and on no board. Who listens adds what belongs to it.
demo_built = Signal()

# row, entry, now: the page of an open match was opened by its code or its table's. `entry` is the player of that browser, None if
# unknown. Receivers may take it as a sign that the players have found their table.
match_opened_by_code = Signal()
