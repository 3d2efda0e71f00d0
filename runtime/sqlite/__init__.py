"""Django's SQLite backend with private files, WAL mode and a fair queue of writers (ADR 11).

The queue is the gate (`runtime/sqlite/gate.py`).

Purpose: SQLite has one writer at a time, and its busy handler retries after pauses: under load some writers
wait for seconds while others write a hundred times. With the gate the threads of a process line up, and the
first takes an flock on a file beside the database, which the kernel gives to the processes in turn. Readers
outside transactions do not use it.

Cost: some 110 lines, a system call at each end of a write transaction, and a file system with flock.

Without it: less fairness. At 300 writes a second from eight processes the 99th of a hundred waits 340 to 650
milliseconds instead of 120 to 200, and the longest 1.7 to 3.8 seconds instead of 0.2 to 0.6; most come
through sooner, in 2 milliseconds instead of 6 to 25. Nothing is lost, since transactions begin IMMEDIATE and
wait for up to 20 seconds. But processes that open a new file at the same time may find it locked, and a
SQLite before 3.51.3 is no longer protected from its WAL-reset bug (runtime/install/checks.py).

To remove it, delete `gate.py` and the lines of `base.py` that name it.
"""
