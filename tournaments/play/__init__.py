"""Changes of a running event: results, corrections, rounds, boards, deadlines and notices."""
