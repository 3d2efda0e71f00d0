"""Rankings over HTTP."""

from rankings.api import dated, divisions, eligibility, lists, openings, seasons, titles

routes = [*lists.routes, *seasons.routes]
paths = [
    *(*lists.paths, *openings.paths, *dated.paths),
    *(*seasons.paths, *divisions.paths, *eligibility.paths, *titles.paths),
]
