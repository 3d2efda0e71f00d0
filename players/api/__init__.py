"""People and clubs over HTTP and JSON."""

from players.api import accounts, clubs, duplicates, people, webhooks

routes = [*webhooks.routes, *duplicates.routes, *clubs.routes, *people.routes, *accounts.routes]
