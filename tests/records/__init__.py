"""Matches over a board of wood."""
