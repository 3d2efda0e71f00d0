"""Help's pages; the same for everybody who reads the same language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.shortcuts import render
from django.views.decorators.http import require_safe

from help.selectors import exercises as all_exercises
from help.selectors import pages, texts
from matches.play import words
from players.access import context, public_pages
from players.access.permissions import get_club
from players.clubs import club_pages

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

LONGEST_QUERY: Final = 80


def _state(_request: HttpRequest, **_rest: Any) -> public_pages.State:
    """Say what help is made of: the texts, which stay as they are while the server runs."""
    return public_pages.State("help")


@require_safe
@public_pages.page(_state, reads={"q"})
def index(request: HttpRequest) -> HttpResponse:
    """Show what there is to read, or where the words stand that are looked for."""
    query = request.GET.get("q", "").strip()[:LONGEST_QUERY]
    values = {
        "headings": pages.list_headings(),
        "pages": pages.list_others(),
        "exercises": pages.load_lead("exercises"),
        "query": query,
        "found": pages.search_sections(query),
    }
    return render(request, "help/index.html", values)


@require_safe
@public_pages.page(_state)
def rules(request: HttpRequest) -> HttpResponse:
    """Show all rules of play, each with its anchor."""
    return render(request, "help/rules.html", {"groups": texts.list_rule_groups()})


@require_safe
@public_pages.page(_state)
def glossary(request: HttpRequest) -> HttpResponse:
    """Show what the words mean."""
    return render(request, "help/glossary.html", {"letters": texts.list_letters()})


@require_safe
@public_pages.page(_state)
def articles(request: HttpRequest) -> HttpResponse:
    """List the articles."""
    return render(
        request,
        "help/articles.html",
        {"lead": pages.load_lead("articles"), "articles": pages.list_articles()},
    )


@require_safe
@public_pages.page(_state)
def page(request: HttpRequest, name: str) -> HttpResponse:
    """Show one page."""
    return render(request, "help/page.html", {"page": pages.load_page(name)})


@require_safe
@public_pages.page(_state, reads={"exercise", "play"})
def exercises(request: HttpRequest) -> HttpResponse:
    """Ask for legal plays, and say of the one that was tried whether it is one."""
    tried, written = request.GET.get("exercise", ""), request.GET.get("play", "")
    found = all_exercises.list_exercises(tried, written)
    values = {
        "lead": pages.load_lead("exercises"),
        "exercises": found,
        "tables": {
            "words": words.told(words.of_the_table()),
            "decisions": {each.section.anchor: each.decision for each in found},
        },
    }
    return render(request, "help/exercises.html", values)


def _state_of_club(_request: HttpRequest, *, slug: str, **_rest: Any) -> public_pages.State:
    """Say what a club's texts are made of: every change of them is told on its topic."""
    return public_pages.State(club_pages.state(club=slug))


@require_safe
@public_pages.page(_state_of_club)
def club_texts(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's house rules, its terms and its privacy notice; the usual ones where it has none of its own."""
    club = get_club(slug)
    context.visit(request, club)
    rights = club_pages.ClubRights.of(request.user, club)
    values = {"club": club, "texts": texts.read_club_texts(club), "rights": rights}
    return render(request, "help/club_texts.html", values)
