"""The formulas of ratings, without Django: what docs/ratings.md says, in numbers."""
