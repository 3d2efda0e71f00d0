"""What a guided game says beside the board (`static/js/board/guide.js`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.http import HttpRequest

# In the address of a match whose page is to explain itself.
ASKED: Final = "guide"

WORDS: Final = {
    "guide.opening": _("Each of you rolls one die. The higher number begins, and plays both dice."),
    "guide.aim": _("Bring all your checkers home to the points 1 to 6, then take them off. Whoever is first wins."),
    "guide.next": _("The next game begins as the first one did. The points you have won stay yours."),
    "guide.wait": _("{name} is playing. Look at what moves where: the other side moves the opposite way."),
    "guide.roll": _("Your turn. Roll; nobody can choose what comes up."),
    "guide.double": _(
        "Your turn. Before you roll you may double: the other side plays on for {value} points, or gives the game up. "
        "If you are not clearly ahead, just roll."
    ),
    "guide.take": _("{name} asks to double. If you take, the game is worth {value} and only you may double next."),
    "guide.drop": _(
        "If you drop, the other side wins the game as it stands now. Take if you would win at least one such game in four."
    ),
    "guide.answers": _("You have doubled. {name} takes, or drops and loses the game."),
    "guide.resigned": _(
        "{name} offers to give the game up. Decline only if you could still win more: a gammon or a backgammon."
    ),
    "guide.move": _(
        "You rolled {dice}. Each die moves a checker so many points towards home, from high numbers to low; one checker "
        "may use both. Tap a checker to see where it may go."
    ),
    "guide.doubles": _("Equal dice are played four times: four moves of {die}."),
    "guide.blocked": _("The other side holds these points with two checkers or more, so you may not land there: {points}."),
    "guide.hit": _("A checker stands alone here, and you can hit it: {points}. It has to start again from the bar."),
    "guide.only": _("Only one move is legal now, so it has to be this one."),
    "guide.bar": _("You have a checker on the bar. It must come in before any other checker moves."),
    "guide.no-entry": _("No checker can come in from the bar, so your turn is over."),
    "guide.dance": _("Neither number can be played, so your turn is over."),
    "guide.bear-off": _("All your checkers are home: now each die takes one off its point."),
    "guide.confirm": _("That is a whole play. Confirm it, or undo it and look for another."),
    "guide.over": _("That was a whole match. The exercises in help are about what is hardest at first."),
}  # fmt: skip


def is_asked(request: HttpRequest) -> bool:
    """Say whether this page is to explain the game."""
    return ASKED in request.GET
