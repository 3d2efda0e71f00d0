"""Addresses of rankings."""

from django.urls import path

from runtime.lazy_imports import Module

app_name = "rankings"

views = Module("rankings.views")

urlpatterns = [
    path("clubs/<slug:slug>/rankings/", views.club, name="club"),
    path("clubs/<slug:slug>/rankings/new/", views.create, name="create"),
]
