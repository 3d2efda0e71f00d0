"""Every change of a running event: results, corrections, rounds, boards, deadlines, notices."""
