"""Interruptions of a request: the process dies, or the database fails, at a certain write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.db import OperationalError

WRITES: Final = ("INSERT", "UPDATE", "DELETE")


class Death(BaseException):
    """The process is gone: nothing catches this but the simulation."""


class Interruption:
    """An execute wrapper that interrupts at one of the next writes, once."""

    def __init__(self, after: int, *, is_death: bool) -> None:
        self._left = after
        self._is_death = is_death
        self.has_struck = False

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if not self.has_struck and sql.lstrip().upper().startswith(WRITES):
            if self._left == 0:
                self.has_struck = True
                raise Death if self._is_death else OperationalError("database or disk is full")
            self._left -= 1
        return execute(sql, params, many, context)
