"""The rules of backgammon as a library: (match, action) in, (match) or a refusal out.

Standard library only; it knows no clock, no dice, no database and nothing of the packages beside it.
"""

__version__ = "0.1.0"
