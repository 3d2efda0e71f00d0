"""Matches over HTTP and JSON: a module for each audience."""
