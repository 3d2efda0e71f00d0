"""Events over HTTP."""

from tournaments.api import acting, events, exports

routes = (*acting.routes, *events.routes)
paths = exports.paths
