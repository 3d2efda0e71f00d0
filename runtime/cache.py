"""A Redis cache that falls back to a cache of this process while Redis is away."""

from __future__ import annotations

import time
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import ConnectionError as RedisGone
from redis.exceptions import OutOfMemoryError as RedisFull
from redis.exceptions import TimeoutError as RedisSlow

from runtime.failure_log import FailureStreak
from runtime.http.counters import CounterCache

# After a failure Redis is not called for this long: a hanging server delays one request, not all.
REST_SECONDS = 5.0
# By server, when it may be called again. Each thread has its own cache object; all share this.
_resting_until: dict[str, float] = {}
_streaks: dict[str, FailureStreak] = {}


class ForgivingRedisCache(RedisCache):
    """A cache in Redis while it responds, else in this process, so that rate limits keep working."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._nearby = CounterCache(f"{params.get('KEY_PREFIX', '')}-nearby", {"max_entries": 20_000})
        self._server = server
        self._streak = _streaks.setdefault(
            server, FailureStreak(begins="cache.redis_gone", ends="cache.redis_back")
        )

    def _call_with_fallback(self, verb: str, *args: Any, **kwargs: Any) -> Any:
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
        return self._call_with_fallback("add", *args, **kwargs)

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return self._call_with_fallback("get", *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> Any:
        return self._call_with_fallback("set", *args, **kwargs)

    def touch(self, *args: Any, **kwargs: Any) -> Any:
        return self._call_with_fallback("touch", *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        return self._call_with_fallback("delete", *args, **kwargs)

    def has_key(self, *args: Any, **kwargs: Any) -> Any:
        return self._call_with_fallback("has_key", *args, **kwargs)

    def incr(self, *args: Any, **kwargs: Any) -> Any:
        return self._call_with_fallback("incr", *args, **kwargs)

    def get_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._call_with_fallback("get_many", *args, **kwargs)

    def set_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._call_with_fallback("set_many", *args, **kwargs)

    def delete_many(self, *args: Any, **kwargs: Any) -> Any:
        return self._call_with_fallback("delete_many", *args, **kwargs)

    def clear(self) -> Any:
        return self._call_with_fallback("clear")
