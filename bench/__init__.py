"""Benchmarks: one script for each question, which prints a table. `results.md` has the latest results."""
