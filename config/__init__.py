"""Composition of the packages: settings, routes, servers."""
