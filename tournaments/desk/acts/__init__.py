"""The table of acts."""
