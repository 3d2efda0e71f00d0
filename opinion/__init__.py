"""What an engine thinks of a match that is over: never a fact, and nothing of a club depends on it (ADR 73)."""
