"""The rules of backgammon as a library: a match and an action in, the next match or a refusal out.

Standard library only. No clock, no randomness, no database and no imports from the other packages.
"""

__version__ = "0.1.0"
