"""Events over HTTP."""

from tournaments.api import acting, events, exports, meetings, mine, series

routes = (*acting.routes, *events.routes, *series.routes)
paths = [*exports.paths, *meetings.paths, *mine.paths]
