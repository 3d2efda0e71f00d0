"""Rankings over HTTP."""

from rankings.api import lists

routes = lists.routes
paths = lists.paths
