"""Kinds of commands and of rulings, each with its word in JSON."""

from __future__ import annotations

from typing import Any, ClassVar


class Kind:
    """The base of `Command` and `Ruling`, which list their kinds by word in `kinds`.

    A kind without a word is not listed.
    """

    __slots__ = ()
    word: ClassVar[str] = ""
    kinds: ClassVar[dict[str, type[Any]]]

    def __init_subclass__(cls, *, word: str = "") -> None:
        super().__init_subclass__()
        # A dataclass with slots is created twice, the second time with the word as an attribute.
        if word:
            cls.word = word
        if cls.word:
            cls.kinds[cls.word] = cls
