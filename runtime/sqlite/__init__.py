"""Django's SQLite backend for one file that many write to: private, in WAL mode, its writers in a fair queue (ADR 11).

The queue is the gate (`runtime/sqlite/gate.py`).

What it is for: SQLite has one writer at a time, and its own busy handler lets those who wait look again now and then:
under load some wait for seconds while others write a hundred times. With the gate every write transaction first takes
an flock on a file beside the database, and the kernel wakes those who wait in turn, threads and processes alike.
Readers outside transactions never touch it.

What it costs: some 50 lines, one system call at each end of a write transaction, and a file system that can do flock.

What you lose without it: fairness. At 300 writes a second from eight processes the 99th of a hundred waits 340 to 650
milliseconds instead of 120 to 200, and the longest 1.7 to 3.8 seconds instead of 0.2 to 0.6; most come through sooner, in 2
milliseconds instead of 6 to 25. Nothing is lost, since transactions begin IMMEDIATE and wait for up to 20
seconds. But processes that open a new file in the same instant may find it locked, and a SQLite before 3.51.3 is no longer
kept from its WAL-reset bug (runtime/install/checks.py).

How to do without it: SQLITE_GATE=0. To drop it for good, delete `gate.py` and the five lines of `base.py` that name it.
"""
