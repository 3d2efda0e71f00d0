"""Every change of a running event: results, corrections, rounds, boards, deadlines, and who is told."""
