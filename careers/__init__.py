"""What a player has played: matches, results, opponents, achievements."""
