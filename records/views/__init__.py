"""Pages of records and score sheets."""
