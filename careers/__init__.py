"""The matches, results, opponents and achievements of a player."""
