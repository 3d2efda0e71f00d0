"""Writes of opinion, one transaction each; nothing but its own tables."""
