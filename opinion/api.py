"""Engine analysis of matches and positions over HTTP.

An unfinished match has none, except for the tutor of a practice match against a bot, visible to its player
only.
"""

from opinion.analyses import analysis_api
from opinion.deck import deck_api
from opinion.figures import figure_api
from opinion.positions import position_api
from opinion.practice import lesson_api

paths = [*analysis_api.paths, *figure_api.paths, *position_api.paths, *deck_api.paths, *lesson_api.paths]
