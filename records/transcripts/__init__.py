"""A record that is typed, line by line, until it is handed in."""
