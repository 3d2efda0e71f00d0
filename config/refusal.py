"""The error of a command that cannot do what it was asked to do."""


class Refusal(Exception):
    """It cannot work; the sentence says why, and the command ends with status 2."""
