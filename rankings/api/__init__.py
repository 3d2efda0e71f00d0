"""Rankings over HTTP."""

from rankings.api import dated, lists, openings, seasons, titles

routes = [*lists.routes, *seasons.routes]
paths = [*lists.paths, *openings.paths, *dated.paths, *seasons.paths, *titles.paths]
