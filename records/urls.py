"""Addresses of records."""

from django.urls import path

from runtime.lazy_imports import Module

app_name = "records"

sheets = Module("records.views.sheets")

urlpatterns = [
    path("events/<slug:key>/sheet/<path:match>/", sheets.score_sheet, name="sheet"),
]
