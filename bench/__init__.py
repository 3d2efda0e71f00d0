"""One script a question; each prints a table. `results.md` holds the last honest run."""
