"""Reads of opinion, as small frozen views."""
