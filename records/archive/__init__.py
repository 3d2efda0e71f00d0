"""The archive of all finished matches: search and statistics."""
