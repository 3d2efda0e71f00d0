"""Events over HTTP."""

from tournaments.api import acting, events, exports, friendlies, meetings, mine, series

routes = (*acting.routes, *events.routes, *friendlies.routes, *series.routes)
paths = [*exports.paths, *meetings.paths, *mine.paths]
