"""A cache that may vanish: what Redis would have held is then held in this process."""

from __future__ import annotations

import time
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import ConnectionError as RedisGone
from redis.exceptions import OutOfMemoryError as RedisFull
from redis.exceptions import TimeoutError as RedisSlow

from runtime.failure_log import FailureStreak
from runtime.http.counters import CounterCache

# After a failure Redis is left alone this long, so that a frozen one costs one wait and not one a request.
REST_SECONDS = 5.0
# Until when each server rests: every thread has a cache of its own and all share what one has learned.
_resting_until: dict[str, float] = {}
_streaks: dict[str, FailureStreak] = {}


class ForgivingRedisCache(RedisCache):
    """Redis while it answers; else a cache of this process, so that limits still limit."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._nearby = CounterCache(f"{params.get('KEY_PREFIX', '')}-nearby", {"max_entries": 20_000})
        self._server = server
        self._streak = _streaks.setdefault(
            server, FailureStreak(begins="cache.redis_gone", ends="cache.redis_back")
        )

    def _either(self, verb: str, *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= _resting_until.get(self._server, 0.0):
            try:
                answer = getattr(super(), verb)(*args, **kwargs)
            except (RedisGone, RedisSlow, RedisFull) as error:
                _resting_until[self._server] = time.monotonic() + REST_SECONDS
                self._streak.fail(error)
            else:
                self._streak.end()
                return answer
        return getattr(self._nearby, verb)(*args, **kwargs)

    def add(self, *args: Any, **kwargs: Any) -> Any:
        """Set a value unless there is one."""
        return self._either("add", *args, **kwargs)

    def get(self, *args: Any, **kwargs: Any) -> Any:
        """Return a value."""
        return self._either("get", *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> Any:
        """Set a value."""
        return self._either("set", *args, **kwargs)

    def touch(self, *args: Any, **kwargs: Any) -> Any:
        """Prolong a value's life."""
        return self._either("touch", *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        """Drop a value."""
        return self._either("delete", *args, **kwargs)

    def has_key(self, *args: Any, **kwargs: Any) -> Any:
        """Say whether there is a value."""
        return self._either("has_key", *args, **kwargs)

    def incr(self, *args: Any, **kwargs: Any) -> Any:
        """Count up."""
        return self._either("incr", *args, **kwargs)

    def get_many(self, *args: Any, **kwargs: Any) -> Any:
        """Return several values."""
        return self._either("get_many", *args, **kwargs)

    def set_many(self, *args: Any, **kwargs: Any) -> Any:
        """Set several values."""
        return self._either("set_many", *args, **kwargs)

    def delete_many(self, *args: Any, **kwargs: Any) -> Any:
        """Drop several values."""
        return self._either("delete_many", *args, **kwargs)

    def clear(self) -> Any:
        """Drop everything."""
        return self._either("clear")
