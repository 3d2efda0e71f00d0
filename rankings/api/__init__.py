"""Rankings over HTTP."""

from rankings.api import dated, divisions, eligibility, fame, groups, lists, openings, seasons, titles

routes = [*lists.routes, *seasons.routes]
paths = [
    *(*lists.paths, *groups.paths, *openings.paths, *dated.paths),
    *(*seasons.paths, *divisions.paths, *eligibility.paths, *titles.paths, *fame.paths),
]
