"""Pages: a club's rooms and their tables."""
