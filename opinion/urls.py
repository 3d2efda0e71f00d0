from django.urls import path

from opinion.analyses import analysis_views as analyses
from opinion.deck import deck_views as deck
from opinion.figures import evidence_views as evidence
from opinion.figures import player_statistics_views as pooled
from opinion.positions import position_views as positions
from opinion.practice import lesson_views as lessons

app_name = "opinion"

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
    path("position/<str:xgid>/ask/", positions.request_evaluation, name="ask_position"),
]
