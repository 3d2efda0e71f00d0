"""Records that are handed in: their verdicts, and what they decide."""
