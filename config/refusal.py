"""What a command says when it cannot do what it was asked for."""


class Refusal(Exception):
    """It cannot work; the sentence says why, and the command ends with status 2."""
