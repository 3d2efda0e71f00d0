"""One script for each question; each prints a table. `results.md` contains the last results."""
