"""What an engine thinks of a match or a position, for programs.

About a match that is not over nothing is told, but for the tutor of a practice match against a bot: to its own player.
"""

from opinion.api import analyses, deck, figures, lessons, positions

paths = [*analyses.paths, *figures.paths, *positions.paths, *deck.paths, *lessons.paths]
