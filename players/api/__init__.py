"""People and clubs over HTTP and JSON."""

from players.api import people, webhooks

routes = [*webhooks.routes, *people.routes]
