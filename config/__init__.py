"""Composition: settings, routes, the servers and the schedule."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
