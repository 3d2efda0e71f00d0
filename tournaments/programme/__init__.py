"""Lists of events, the calendar, feeds, embedded pages and search."""
