"""People and clubs over HTTP and JSON."""

from players.api import duplicates, people, webhooks

routes = [*webhooks.routes, *duplicates.routes, *people.routes]
