"""Pages: a club's lists as they stand now, and as they were published."""
