"""What may be done to an event: one table, which the pages, the API, the schema and the rulings read (ADR 53)."""
