"""What a request about a match may say, and what an answer does."""
