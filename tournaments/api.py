"""API routes of events."""

from tournaments.desk import acting_api, events_api
from tournaments.pages import exports_api

routes = (*acting_api.routes, *events_api.routes)
paths = [*exports_api.paths]
