"""Addresses of help."""

from django.urls import path

from runtime.lazy_imports import Module

app_name = "help"

pages = Module("help.views")

urlpatterns = [
    path("help/", pages.index, name="index"),
    path("help/rules/", pages.rules, name="rules"),
]
