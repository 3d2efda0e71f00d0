"""Pages: the score sheet."""
