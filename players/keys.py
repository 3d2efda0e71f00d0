"""Public keys: short, random, unambiguous names for rows in URLs. Also the digest of secret tokens."""

from __future__ import annotations

import hashlib
import secrets

# No vowels, so no words; no 0/o or 1/l, so that it can be read aloud.
ALPHABET = "23456789bcdfghjkmnpqrstvwxz"
# Capitals that are easy to distinguish; no vowels, so no words; no digits, so phones keep their keyboard.
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"


def new_key() -> str:
    """Create a key of ten letters (47 bits: it cannot be guessed from another)."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


def new_letters(length: int) -> str:
    """Create random letters for people to type. They are too few to be a secret unless tries are limited."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def digest(token: str) -> str:
    """Return the digest under which a token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()
