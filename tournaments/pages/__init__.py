"""One event as visitors and players see it, in pages and answers of the API."""
