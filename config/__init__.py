"""Composition: settings, routes, the servers and the schedule."""
