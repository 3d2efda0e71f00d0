"""Events over HTTP."""

from tournaments.api import acting, events, exports, meetings, mine

routes = (*acting.routes, *events.routes)
paths = [*exports.paths, *meetings.paths, *mine.paths]
