from django.urls import path

from help import views
from help.files import ARTICLES, PAGES

app_name = "help"

urlpatterns = [
    path("help/", views.index, name="index"),
    path("help/rules/", views.rules, name="rules"),
    path("help/glossary/", views.glossary, name="glossary"),
    path("help/exercises/", views.exercises, name="exercises"),
    path("help/articles/", views.articles, name="articles"),
    path("clubs/<slug:slug>/rules/", views.club_texts, name="club_texts"),
    *(path(f"help/{name}/", views.page, {"name": name}, name=name) for name in PAGES),
    *(path(f"help/articles/{name}/", views.page, {"name": name}, name=name) for name in ARTICLES),
]
