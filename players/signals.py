"""What the apps above may listen to; each is sent inside the transaction of the change.

Who listens either changes its own rows in the same transaction or raises and so undoes it all.
"""

from django.dispatch import Signal

# kept: Player, dropped: Player, now: datetime. What pointed at `dropped` should point at `kept`. Who listens returns what it has
# moved, under a name of its own, in values that JSON knows: {"entries": [...]}.
player_merged = Signal()

# kept: Player, dropped: Player, moved: dict, now: datetime. What was moved then goes back.
player_unmerged = Signal()

# player: Player, now: datetime. The name that pages show is another; nothing else has changed.
player_renamed = Signal()

# player: Player, now: datetime. The name is gone; whoever copied it forgets it too.
player_erased = Signal()
