"""A Redis cache that falls back to a cache of this process while Redis is away."""

from __future__ import annotations

import time
from functools import partialmethod
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import ConnectionError as RedisGone
from redis.exceptions import OutOfMemoryError as RedisFull
from redis.exceptions import TimeoutError as RedisSlow

from runtime.failure_log import FailureStreak
from runtime.http.rate_limits import CounterCache

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

    add: Any = partialmethod(_call_with_fallback, "add")
    get: Any = partialmethod(_call_with_fallback, "get")
    set: Any = partialmethod(_call_with_fallback, "set")
    touch: Any = partialmethod(_call_with_fallback, "touch")
    delete: Any = partialmethod(_call_with_fallback, "delete")
    has_key: Any = partialmethod(_call_with_fallback, "has_key")
    incr: Any = partialmethod(_call_with_fallback, "incr")
    get_many: Any = partialmethod(_call_with_fallback, "get_many")
    set_many: Any = partialmethod(_call_with_fallback, "set_many")
    delete_many: Any = partialmethod(_call_with_fallback, "delete_many")
    clear: Any = partialmethod(_call_with_fallback, "clear")
