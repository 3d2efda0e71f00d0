"""Addresses of opinion."""

from django.urls import path

from runtime.lazy_imports import Module

app_name = "opinion"

analyses = Module("opinion.analyses.analysis_views")
deck = Module("opinion.deck.deck_views")
evidence = Module("opinion.figures.evidence_views")
lessons = Module("opinion.practice.lesson_views")
pooled = Module("opinion.figures.pooled_views")
positions = Module("opinion.positions.position_views")

urlpatterns = [
    path("clubs/<slug:slug>/evidence/<slug:key>/", evidence.player, name="evidence"),
    path("deck/", deck.deck, name="deck"),
    path("deck/<int:card>/", deck.answer, name="answer_card"),
    path("deck/<int:card>/answer/", deck.answered, name="answered"),
    path("matches/<slug:key>/analyse/", analyses.ask_match, name="ask_match"),
    path("recorded-matches/<slug:key>/analyse/", analyses.ask_record, name="ask_record"),
    path("play/tutor/", lessons.begin, name="tutor"),
    path("players/<slug:key>/analysis/", pooled.player, name="player"),
    path("position/", positions.find, name="find_position"),
    path("position/<str:xgid>/", positions.position, name="position"),
    path("position/<str:xgid>/answers/", positions.answer, name="answer_position"),
    path("position/<str:xgid>/ask/", positions.ask, name="ask_position"),
]
