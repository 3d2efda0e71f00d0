"""`adjudicate`: the verdict on every match of every file."""

from __future__ import annotations

import argparse
import json
import signal
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from engine import formats
from engine.cli import options, sources
from engine.cli.archives import Source
from engine.cli.terminal import BAD, GOOD, ProgressBar, print_message, print_text
from engine.errors import EngineError, Unreadable
from engine.findings import Finding
from engine.layout import Layout
from engine.record import Record
from engine.referee import claimed_rules
from engine.render import ascii_board
from engine.side import WHITE
from engine.verdict import ACCEPTED, NOTED, UNREADABLE, Verdict, adjudicate, judge

BATCH: Final = 16
STANDING: Final = frozenset({ACCEPTED, NOTED})
# Errors that are bugs of the engine. The file that triggers one is refused; the others are still judged.
FAULTS_OF_OURS: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RuntimeError,
    TypeError,
    ValueError,
)


class JudgingOptions(NamedTuple):
    wishes: dict[str, Any]
    for_programs: bool = False
    diagrams: bool = False


class MatchAnswer(NamedTuple):
    """The verdict on one match: a word, and the text that is printed."""

    word: str
    text: str


def run_adjudicate(args: argparse.Namespace) -> int:
    files = sources.list_files(args.path)
    task = JudgingOptions(options.read_requested_rules(args), args.jsonl, args.diagrams)
    words: Counter[str] = Counter()
    progress = ProgressBar(len(files))
    try:
        for answers in _adjudicate_sources(
            task, chain.from_iterable(map(sources.list_sources, files)), args.jobs
        ):
            progress.clear()
            for answer in answers:
                words[answer.word] += 1
                if not (args.quiet and answer.word in STANDING):
                    print_text(answer.text)
            progress.advance()
    finally:
        progress.clear()
    if words.total() > 1 and not args.jsonl:
        print_message(
            f"{words.total()} records: {', '.join(f'{number} {word}' for word, number in words.items())}"
        )
    return GOOD if words.keys() <= STANDING else BAD


def _adjudicate_sources(
    task: JudgingOptions, found: Iterator[Source], jobs: int
) -> Iterator[list[MatchAnswer]]:
    """Yield the answers to each source in turn, computed by *jobs* processes."""
    if jobs == 1:
        for source in found:
            yield adjudicate_source(task, source)
        return
    batches = iter(lambda: list(islice(found, BATCH)), [])
    with ProcessPoolExecutor(jobs, initializer=_ignore_interrupts) as pool:
        # Few batches wait at a time, so that a large archive is not read into memory ahead of the work.
        under_way: deque[Future[list[list[MatchAnswer]]]] = deque()
        for batch in batches:
            under_way.append(pool.submit(_adjudicate_batch, task, batch))
            if len(under_way) > 2 * jobs:
                yield from under_way.popleft().result()
        while under_way:
            yield from under_way.popleft().result()


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _adjudicate_batch(task: JudgingOptions, batch: Iterable[Source]) -> list[list[MatchAnswer]]:
    return [adjudicate_source(task, source) for source in batch]


def adjudicate_source(task: JudgingOptions, source: Source) -> list[MatchAnswer]:
    """Return an answer for each match in *source*, named ``file``, ``file#2``, ``file#3`` and so on."""
    verdicts = _list_verdicts(source, task.wishes)
    names = [source.name, *(f"{source.name}#{number}" for number in range(2, len(verdicts) + 1))]
    return [
        MatchAnswer(
            verdict.word,
            json.dumps(verdict.to_json(name)) if task.for_programs else _format_text(name, verdict, task),
        )
        for name, verdict in zip(names, verdicts, strict=True)
    ]


def _list_verdicts(source: Source, wishes: dict[str, Any]) -> tuple[Verdict, ...]:
    try:
        return _judge_data(source.read(), wishes)
    except EngineError as error:
        return (Verdict.unreadable(error),)
    except FAULTS_OF_OURS as error:
        message = f"The adjudicator failed on this file, which is a fault of its own: {error!r}."
        return (Verdict.unreadable(Unreadable("internal-error", message)),)


def _judge_data(data: bytes, wishes: dict[str, Any]) -> tuple[Verdict, ...]:
    if not wishes:
        return judge(data)
    return tuple(
        adjudicate(
            source,
            options.apply_requested_rules(
                source.rules if isinstance(source, Record) else claimed_rules.build_claimed_rules(source),
                wishes,
            ),
        )
        for source in formats.read(data)
    )


def _format_text(name: str, verdict: Verdict, task: JudgingOptions) -> str:
    lines = [f"{name}: {verdict.word}{_format_score(verdict)}"]
    for finding in verdict.findings:
        lines += _format_finding(finding, diagrams=task.diagrams)
    return "\n".join(lines)


def _format_score(verdict: Verdict) -> str:
    if verdict.word == UNREADABLE:
        return ""
    (left, right), (won, lost) = verdict.players, verdict.score
    played = f"match to {verdict.length}" if verdict.length else "unlimited play"
    return f", {left or '?'} {won}, {right or '?'} {lost}, {played}"


def _format_finding(finding: Finding, *, diagrams: bool) -> Iterator[str]:
    place = f"line {finding.line}: " if finding.line else ""
    yield f"  {finding.severity}: {place}{finding.message} [{finding.code}]"
    if finding.nearest:
        yield f"    legal and nearest to it: {'; '.join(finding.nearest)}"
    if diagrams and finding.position is not None:
        yield ascii_board(finding.position, Layout(finding.on_roll or WHITE))
