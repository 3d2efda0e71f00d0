"""The front: what stands between the network and Django (ADR 12).

uvicorn speaks HTTP, `bridge` brings each request to Django in a thread, `server` starts it. In front of
that stands the guard: `protocol` and `limits` end what is too long, too slow or too many before anything is built of it,
and `admission` lets few requests compute at once.

What the guard is for: one stranger with one script must not stop the club; and threads of one interpreter that all want
to compute take it from one another.

What it costs: some 380 lines. `protocol` leans on the inside of uvicorn's own protocol, and is looked at with each release
of it.

What you lose without it: safety, not speed. Pages are as quick either way. But while 40 strangers send heads without end,
another visitor waits up to 24 seconds instead of 4 milliseconds, and memory grows to 630 MB instead of 152; slow heads and
bodies are waited for without end, connections are not counted by address, and 5 of 94 malformed requests are answered
(bench/results.md).

How to do without it: FRONT_GUARD=0 serves by plain uvicorn and the bridge. To drop it for good, delete `protocol`, put a
plain pool of threads in the place of `admission`, and let a proxy in front have the limits.
"""

from __future__ import annotations

from config.front.bridge import WsgiBridge, answer, answer_ok
from config.front.heads import check_head
from config.front.limits import FORM, describe_size, find_body_limit
from config.front.protocol import fit_limits
from config.front.refusal_pages import too_large
from config.front.server import GRACE_SECONDS, run, run_several

__all__ = [
    "FORM",
    "GRACE_SECONDS",
    "WsgiBridge",
    "answer",
    "answer_ok",
    "check_head",
    "describe_size",
    "find_body_limit",
    "fit_limits",
    "run",
    "run_several",
    "too_large",
]
