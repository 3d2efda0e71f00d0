"""Rankings over HTTP."""

from rankings.api import dated, lists, seasons

routes = [*lists.routes, *seasons.routes]
paths = [*lists.paths, *dated.paths]
