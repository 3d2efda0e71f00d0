"""The acts of a director, one table of them."""
