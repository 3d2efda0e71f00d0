"""URLs of matches and the lobby."""

from django.urls import path

from matches.lobby import challenges
from matches.lobby import lobby_views as lobby
from matches.play import play_views as play
from matches.watch import dice_views as dice
from matches.watch import replay_views as replay
from matches.watch import screen_views as screen

app_name = "matches"

urlpatterns = [
    path("play/", lobby.lobby, name="lobby"),
    path("play/practice/", lobby.practice, name="practice"),
    path("play/boards/", lobby.boards, name="boards"),
    path("play/anybody/", lobby.anybody, name="anybody"),
    path("play/offer/", lobby.offer, name="offer"),
    path("play/opponents/", lobby.opponents, name="opponents"),
    path("play/offers/<slug:key>/accept/", lobby.answer, {"act": challenges.accept}, "accept"),
    path("play/offers/<slug:key>/decline/", lobby.answer, {"act": challenges.decline}, "decline"),
    path("play/offers/<slug:key>/withdraw/", lobby.answer, {"act": challenges.withdraw}, "withdraw"),
    path("matches/<slug:key>/", play.match, name="match"),
    path("matches/<slug:key>/chat/", play.talk, name="talk"),
    path("matches/<slug:key>/chat/lines/<slug:line>/report/", play.report, name="report_line"),
    path("matches/<slug:key>/chat/lines/<slug:line>/hide/", play.hide, name="hide_line"),
    path("matches/<slug:key>/chat/players/<slug:player>/mute/", play.mute, name="mute"),
    path("matches/<slug:key>/embed/", screen.embed, name="embed"),
    path("matches/<slug:key>/tv/", screen.tv, name="tv"),
    path("matches/<slug:key>/replay/", replay.replay, name="replay"),
    path("matches/<slug:key>/replay/embed/", replay.embed, name="replay_embed"),
    path("matches/<slug:key>/dice/", dice.dice, name="dice"),
]
