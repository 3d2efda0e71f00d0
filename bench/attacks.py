"""What do others notice while a stranger attacks, and what does it cost the server?

    python -m bench.attacks [NAME ...]

Starts the product as its users do, on a demo club, with its own limits. A visitor at another address asks for a page over
and over, first with nobody else there, then during each attack of tests/attack.
"""

from __future__ import annotations

import json
import sys
import time
import urllib.request

from bench import installations
from tests.attack import attacks
from tests.attack.besieged import PAUSE, Siege, besiege, most_memory_of, visit

CALM_VISITS = 200


def main(names: list[str]) -> None:
    with installations.with_demo() as env:
        # The limits are what is measured.
        own = {name: text for name, text in env.items() if not name.endswith("_PER_ADDRESS")}
        with installations.running(installations.EMBEDDED, own) as url:
            port, pid = int(url.rpartition(":")[2]), installations.pid_of(url)
            print(f"{'':18} {'visits':>7} {'p50':>7} {'p99':>7} {'most':>7}    memory   CPU   answers")
            calm = Siege()
            for _ in range(CALM_VISITS):
                calm.visits.append(visit(port))
                time.sleep(PAUSE)
            calm.most_memory = most_memory_of(pid)
            show("nobody", calm)
            token = token_of(url)
            for name in names or attacks.ATTACKS:
                show(name, besiege(name, port=port, pid=pid, token=token))


def token_of(url: str) -> str:
    """Return what opens a stream that anybody may follow."""
    listed = json.load(urllib.request.urlopen(f"{url}/api/v1/events/"))
    event = json.load(urllib.request.urlopen(f"{url}/api/v1/events/{listed['results'][0]['key']}/"))
    return str(event["live"]["token"])


def show(name: str, siege: Siege) -> None:
    times = sorted(seconds for _, seconds in siege.visits)
    refused = sum(status != 200 for status, _ in siege.visits)
    middle, late, most = times[len(times) // 2], times[len(times) * 99 // 100], times[-1]
    print(
        f"{name:18} {len(times):7} {middle * 1000:4.0f} ms {late * 1000:4.0f} ms {most * 1000:4.0f} ms"
        f" {siege.most_memory / 1e6:6.0f} MB {siege.cpu_seconds:4.1f} s   "
        + ", ".join(f"{status}: {count}" for status, count in siege.outcomes.items())
        + (f"; {refused} visits refused" if refused else ""),
        flush=True,
    )


if __name__ == "__main__":
    main(sys.argv[1:])
