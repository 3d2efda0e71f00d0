"""1,392 records that players and sites wrote, compared with the findings of an independent replay.

Files are named by the beginning of their hash, because they belong to other people. The tables below explain
the known differences; any other difference fails.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from engine.verdict import judge
from tests.engine.shared import OTHERS, OURS, Source, each_source, files, long_run, table

PLAYS = {
    "backwards",
    "bar-ignored",
    "blocked",
    "cut-play",
    "dice-mismatch",
    "early-bearoff",
    "empty-source",
    "illegal-play",
    "partial-play",
    "repeated-play",
    "smaller-die",
    "wrong-bearoff",
}
# What the list calls it, and what we do.
MEANINGS = {
    "cannot-move-but-could": {"cannot-move-but-could"},
    "empty-name": {"empty-name"},
    "forced-play-omitted": {"forced-play-omitted"},
    "illegal play marker": {"declared-illegal"},
    "play": PLAYS,
    "points": {"length-as-points", "jacoby-inferred"},
    "resign-odd-value": {"resign-odd-value", "absurd-points", "wrong-points"},
    "score": {"score-jump"},
    "score>=length": {"score-past-length"},
    "starts-mid-match": {"starts-mid-match"},
    "unfinished-game": {"unfinished-game"},
    "wins-column-vs-resigner": {"resigner-unclear"},
    "wins-wrong-column": {"wrong-winner"},
}
# These are listed by line; the others once for each file.
BY_LINE = {"play", "illegal play marker"}
# Codes that the list has no word for, and in how many files.
OURS_ALONE = {
    "capped-points": 70,  # the points needed; the list keeps them as a quirk of the writer
    "name-mismatch": 57,  # Q-06, a quirk as well
    "match-unfinished": 5,
    "set-position": 3,
    "missing-hit": 1,  # the file marks its other hits
    "opening-double": 1,  # a synthetic file opens with 44
    "phantom-hit": 1,  # the same file
    "plays-not-written": 1,  # the last seventeen rolls of a game
    "damaged-file": 1,
}
# Listed, and not found so: the replay put in a play where the file says "Cannot Move". We leave the
# board as the file has it, and then the plays that follow are legal.
FROM_A_PLAY_PUT_IN = ("ec210307", "7e40cf72", "67c9aa37", "7e5c93e5", "3d393925")
# Listed as unfinished, since the replay gave the game up where we went on to its written result: after
# the position that Snowie writes for an illegal play, a repeated play, a play that could be carried out,
# or from a set position.
FOLLOWED_ON = (
    *("1d7bd3db", "977cf915", "a80b608d", "753447f4", "9a02ce30"),
    *("f446bc21", "cc04930b"),
    *("c3fbd8c2", "1f9c9258", "01797647"),
    *FROM_A_PLAY_PUT_IN,
    "f7f78c75",
)
MISSING = {
    "forced-play-omitted": {(file, "") for file in FROM_A_PLAY_PUT_IN}
    # The game came after the end of the match, where we stop judging.
    | {("76522217", "")},
    "play": {(file, line) for file in FROM_A_PLAY_PUT_IN[1:] for line in ("29", "30")}
    | {("ec210307", "66")}
    # It begins from a position set by hand, which the replay did not know.
    | {("f7f78c75", "19")},
    "unfinished-game": {(file, "") for file in FOLLOWED_ON},
    # "Resigned Game" is in the winner's column on that site; only "Wins" names the winner.
    "wins-column-vs-resigner": {("32a2dba2", "")},
}
# Found, and not listed.
EXTRA = {
    # 33 could be moved; the replay takes the roll before a double as one that a person resigned on.
    "cannot-move-but-could": {("76522217", "")},
    # XG's own flag says so as well; the replay looked at text files.
    "play": {("7ea7baa2", "")},
    # A position of a match at 0-1, not a match.
    "starts-mid-match": {("8ed3f9e0", "")},
    # One file ends after a roll; two are positions.
    "unfinished-game": {("963bbbdc", ""), ("be631143", ""), ("8ed3f9e0", "")},
}
WORDS = {"accepted": 1061, "noted": 311, "rejected": 19, "unreadable": 1}


def _called() -> dict[str, str]:
    return {row["file"]: row["sha256"][:8] for row in table(OTHERS.collected, "manifest.csv")}


def _files() -> Iterator[tuple[str, bytes]]:
    names = _called()
    for name, data in files(OTHERS.collected):
        if name in names:
            yield names[name], data


def _listed() -> dict[str, set[tuple[str, str]]]:
    listed: dict[str, set[tuple[str, str]]] = defaultdict(set)
    names = _called()
    for row in table(OTHERS.collected, "anomalies.csv"):
        issue = "play" if row["issue"].startswith(("illegal:", "impossible:")) else row["issue"]
        listed[issue].add((names[row["file"]], row["line"] if issue in BY_LINE else ""))
    return listed


@long_run
@pytest.mark.slow
def test_every_file_is_read_or_refused_and_every_difference_is_known():
    words: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    issues = {code: issue for issue, codes in MEANINGS.items() for code in codes}
    for name, data in _files():
        (verdict,) = judge(data)
        words[verdict.word] += 1
        alone.update({finding.code for finding in verdict.findings} - issues.keys())
        for finding in verdict.findings:
            issue = issues.get(finding.code)
            if issue:
                found[issue].add((name, str(finding.line or "") if issue in BY_LINE else ""))
    assert words == WORDS
    assert alone == OURS_ALONE
    listed = _listed()
    assert listed.keys() == MEANINGS.keys()
    assert {
        issue: listed[issue] - found[issue] for issue in MEANINGS if listed[issue] - found[issue]
    } == MISSING
    assert {
        issue: found[issue] - listed[issue] for issue in MEANINGS if found[issue] - listed[issue]
    } == EXTRA


@each_source
def test_some_files_of_every_dialect_replay_to_their_verdict(source: Source) -> None:
    rows = {row["file"]: row for row in table(source.collected, "manifest.csv")}
    seen: Counter[str] = Counter()
    for name, data in files(source.collected):
        if name not in rows:
            continue
        dialect = rows[name].get("dialect") or rows[name]["format"]
        seen[dialect] += 1
        if seen[dialect] > 4 or len(data) > 50_000:
            continue
        (verdict,) = judge(data)
        if verdict.word == "unreadable":
            assert dialect == "xg-binary-broken"
            continue
        match = verdict.record.replay()
        told = tuple(game for game in verdict.games if game.how != "unfinished")
        assert [game.points for game in match.results] == [game.points for game in told]
        assert (match.score, match.winner) == (verdict.score, verdict.winner)
    assert len(seen) == (15 if source is OURS else 19)
