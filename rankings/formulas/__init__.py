"""The rating formulas of docs/ratings.md, without Django."""
