"""The front: the layer between the network and Django (ADR 12).

uvicorn implements HTTP, `bridge` passes each request to Django in a thread, `server` starts it. The guard
before it consists of `protocol` and `limits`, which reject requests that are too long, too slow or too many
before they are parsed further, and `admission`, which limits how many requests compute at once.

Purpose of the guard: a single attacker with a script must not stop the club, and threads that compute at the
same time compete for the interpreter lock.

Cost: some 360 lines. `protocol` depends on internals of uvicorn's protocol class and has to be checked with
each release of it.

Without it: less safety, but not less speed. While 40 attackers send endless heads, another visitor waits up
to 24 seconds instead of 4 milliseconds, and memory grows to 630 MB instead of 152. Slow heads and bodies have
no time limit, connections are not counted by address, and 5 of 94 malformed requests are accepted
(bench/results.md).

To remove it, delete `protocol`, replace `admission` by a plain thread pool, and set the limits in a proxy.
"""

from __future__ import annotations

from config.front.admission import SQLITE_AT_ONCE, SQLITE_MOMENT_SECONDS
from config.front.bridge import WsgiBridge, send_ok, send_refusal
from config.front.heads import check_head
from config.front.limits import FORM, describe_size, find_body_limit
from config.front.protocol import fit_limits
from config.front.refusal_pages import refuse_too_large
from config.front.server import GRACE_SECONDS, run, run_several

__all__ = [
    "FORM",
    "GRACE_SECONDS",
    "SQLITE_AT_ONCE",
    "SQLITE_MOMENT_SECONDS",
    "WsgiBridge",
    "check_head",
    "describe_size",
    "find_body_limit",
    "fit_limits",
    "refuse_too_large",
    "run",
    "run_several",
    "send_ok",
    "send_refusal",
]
