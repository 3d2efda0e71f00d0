"""Whole random events, from a seed, with everything that can go wrong between two writes.

    python -m tests.simulation [--first 1] [--seeds 200] [--seed 17 [--steps 3,8,21]] [--log]

One thread plays two directors, the players, the worker, the network and the clock. Requests are lost, doubled
and late, answers get lost, and the process dies or the database fails at any write. Each seed has a separate
database, keys, dice and times, so that it always runs the same way. A seed that fails is shrunk to the steps
it needs.
"""
