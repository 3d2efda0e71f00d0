"""Launcher of a script with limits: `limited_child.py MEMORY SECONDS SCRIPT [ARGUMENT]...`.

The limits are set before the script imports anything. This file imports no other module of the project.
"""

import os
import resource
import runpy
import sys
from pathlib import Path

NICENESS = 10


def limit(memory: int, seconds: int) -> None:
    """Limit memory (bytes) and CPU (seconds), forbid writing files, and lower the priority."""
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    # SIGXCPU first, SIGKILL a second later.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    limit(int(sys.argv[1]), int(sys.argv[2]))
    # The child runs isolated, so our packages are not on the path.
    sys.path.insert(0, str(Path(__file__).parents[2]))
    del sys.argv[:3]
    runpy.run_path(sys.argv[0], run_name="__main__")
