"""Help's pages, identical for all readers of the same language."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from help import exercises as all_exercises
from help import pages, sections
from players.access import context, public_pages
from players.access.permissions import get_club
from players.clubs import club_pages

LONGEST_QUERY: Final = 80


def _compute_page_version(_request: HttpRequest, **_rest: Any) -> public_pages.PageVersion:
    """Return a constant version key, since help's texts do not change while the server runs."""
    return public_pages.PageVersion("help")


@require_safe
@public_pages.cache_page(_compute_page_version, reads={"q"})
def index(request: HttpRequest) -> HttpResponse:
    query = request.GET.get("q", "").strip()[:LONGEST_QUERY]
    values = {
        "headings": pages.list_headings(),
        "pages": pages.list_other_pages(),
        "exercises": pages.load_lead("exercises"),
        "query": query,
        "found": pages.search_sections(query),
    }
    return render(request, "help/index.html", values)


@require_safe
@public_pages.cache_page(_compute_page_version)
def rules(request: HttpRequest) -> HttpResponse:
    return render(request, "help/rules.html", {"groups": sections.list_rule_groups()})


@require_safe
@public_pages.cache_page(_compute_page_version)
def glossary(request: HttpRequest) -> HttpResponse:
    return render(request, "help/glossary.html", {"letters": sections.list_letters()})


@require_safe
@public_pages.cache_page(_compute_page_version)
def articles(request: HttpRequest) -> HttpResponse:
    return render(
        request,
        "help/articles.html",
        {"lead": pages.load_lead("articles"), "articles": pages.list_articles()},
    )


@require_safe
@public_pages.cache_page(_compute_page_version)
def page(request: HttpRequest, name: str) -> HttpResponse:
    return render(request, "help/page.html", {"page": pages.load_page(name)})


@require_safe
@public_pages.cache_page(_compute_page_version, reads={"exercise", "play"})
def exercises(request: HttpRequest) -> HttpResponse:
    tried, written = request.GET.get("exercise", ""), request.GET.get("play", "")
    found = all_exercises.list_exercises(tried, written)
    values = {
        "lead": pages.load_lead("exercises"),
        "exercises": found,
        "tables": {each.section.anchor: each.decision for each in found},
    }
    return render(request, "help/exercises.html", values)


def _compute_club_version(_request: HttpRequest, *, slug: str, **_rest: Any) -> public_pages.PageVersion:
    """Return the version key of a club: every change of its texts is published on its topic."""
    return public_pages.PageVersion(club_pages.compute_version_key(club=slug))


@require_safe
@public_pages.cache_page(_compute_club_version)
def club_texts(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's house rules, terms and privacy notice, with defaults for missing ones."""
    club = get_club(slug)
    context.set_club(request, club)
    rights = club_pages.ClubRights.load(request.user, club)
    values = {"club": club, "texts": sections.read_club_texts(club), "rights": rights}
    return render(request, "help/club_texts.html", values)
