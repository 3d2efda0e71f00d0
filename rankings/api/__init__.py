"""Rankings over HTTP."""

from rankings.api import dated, lists

routes = lists.routes
paths = [*lists.paths, *dated.paths]
