"""URLs of matches and the lobby."""

from django.urls import path

from matches.lobby import lobby_views as lobby
from matches.play import play_views as play
from matches.play import play_views as talk
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
    path("play/offers/<slug:key>/accept/", lobby.accept, name="accept"),
    path("play/offers/<slug:key>/decline/", lobby.decline, name="decline"),
    path("play/offers/<slug:key>/withdraw/", lobby.withdraw, name="withdraw"),
    path("matches/<slug:key>/", play.match, name="match"),
    path("matches/<slug:key>/chat/", talk.talk, name="talk"),
    path("matches/<slug:key>/chat/lines/<slug:line>/report/", talk.report, name="report_line"),
    path("matches/<slug:key>/chat/lines/<slug:line>/hide/", talk.hide, name="hide_line"),
    path("matches/<slug:key>/chat/players/<slug:player>/mute/", talk.mute, name="mute"),
    path("matches/<slug:key>/embed/", screen.embed, name="embed"),
    path("matches/<slug:key>/tv/", screen.tv, name="tv"),
    path("matches/<slug:key>/replay/", replay.replay, name="replay"),
    path("matches/<slug:key>/replay/embed/", replay.embed, name="replay_embed"),
    path("matches/<slug:key>/dice/", dice.dice, name="dice"),
]
