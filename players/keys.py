"""Public keys: short, random, unambiguous names for rows that outsiders may point at. And what is stored of a secret token."""

from __future__ import annotations

import hashlib
import secrets

# No vowels, so no words; no 0/o or 1/l, so that it can be read aloud.
ALPHABET = "23456789bcdfghjkmnpqrstvwxz"
# Capitals that are easy to tell apart, without vowels, so no words, and without digits, for which a phone changes its keyboard.
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"


def new_key() -> str:
    """Return a fresh key of ten letters (47 bits: no row can be guessed from another)."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


def new_letters(length: int) -> str:
    """Return random letters for people to type. They are too few to be a secret unless tries are limited."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def digest(token: str) -> str:
    """Return what we store of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
