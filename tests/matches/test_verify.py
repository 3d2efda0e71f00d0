"""`verify` detects every change of a stored journal."""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections.abc import Callable, Iterator
from datetime import datetime
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from engine.side import Side
from matches import verifiers
from matches.journal import journal
from matches.models import JournalEntry, Match
from matches.state import commands
from runtime import hooks
from runtime.install import verifiers as runtime_verifiers
from tests import prepared
from tests.conftest import unguarded
from tests.matches.support import Table

Change = tuple[str, list[Any]]


def write(line: JournalEntry, **changes: Any) -> Change:
    names = ", ".join(f"{name} = %s" for name in changes)
    given = [json.dumps(value) if isinstance(value, dict | list) else value for value in changes.values()]
    return f"UPDATE matches_journalentry SET {names} WHERE id = %s", [*given, line.pk]


@pytest.fixture
def played(db: None, now: datetime) -> Table:
    """A match that was given up after a few plays, and its journal without a guard."""

    def make() -> Table:
        table = Table(now)
        table.begin()
        for _ in range(12):
            table.wait(seconds=1)
            table.act()
        table.give(table.state.owing[0], commands.Concede())
        return table

    table = prepared.begin("given up", now, make)
    assert list(journal.find_problems(table.row)) == []
    connection.check_constraints()  # PostgreSQL alters no table that has checks before it
    with connection.cursor() as cursor:
        for sql in itertools.takewhile(bool, unguarded([""])):
            cursor.execute(sql)
    return table


def found(table: Table) -> list[str]:
    return list(journal.find_problems(table.row))


def meddled(table: Table, *changes: Change) -> list[str]:
    """The problems that are found after *changes*; the changes are rolled back."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            for sql, given in changes:
                cursor.execute(sql, given)
        problems = found(table)
        transaction.set_rollback(True)
    return problems


def flips(value: Any, rng: random.Random) -> Iterator[Any]:
    """Yield *value* with one thing in it different, for everything in it."""
    match value:
        case dict():
            for name in value:
                for other in flips(value[name], rng):
                    yield {**value, name: other}
                yield {key: kept for key, kept in value.items() if key != name}
                yield {(name + "x" if key == name else key): kept for key, kept in value.items()}
            yield {**value, "more": 1}
        case list():
            for place in range(len(value)):
                for other in flips(value[place], rng):
                    yield [*value[:place], other, *value[place + 1 :]]
                yield [*value[:place], *value[place + 1 :]]
        case str() if value:
            place = rng.randrange(len(value))
            yield value[:place] + chr(ord(value[place]) ^ 1) + value[place + 1 :]
            yield value.swapcase() if value.swapcase() != value else value + "0"
        case bool() | None | "":
            yield "x"
        case int():
            yield value + 1
            yield float(value) + 0.5
            yield str(value)


class TestTampering:
    @pytest.mark.long
    def test_any_change_of_a_fact_or_a_roll_is_found(self, played: Table) -> None:
        rng = random.Random(4)
        tried = 0
        # One line of each kind: the same code reads the others.
        kinds = {line.fact["fact"]: line for line in JournalEntry.objects.order_by("seq")}
        for line in kinds.values():
            for name in ("fact", "thrown"):
                kept = getattr(line, name)
                if kept is None:
                    continue
                for other in flips(copy.deepcopy(kept), rng):
                    assert meddled(played, write(line, **{name: other})), (line.seq, name, other)
                    tried += 1
        assert tried > 150
        assert found(played) == []

    @pytest.mark.long
    @pytest.mark.parametrize("thrown", [None, {}, [], "x", 7])
    def test_so_is_a_roll_that_was_removed_or_made_up(self, played: Table, thrown: Any) -> None:
        for line in JournalEntry.objects.order_by("seq"):
            if line.thrown != thrown:
                change = write(line, thrown=thrown if thrown is None else json.dumps(thrown))
                assert meddled(played, change), line.seq

    @pytest.mark.parametrize("fact", [[], 7, "x", {}, {"fact": []}, None])
    def test_so_is_something_that_is_no_fact(self, played: Table, fact: Any) -> None:
        line = JournalEntry.objects.earliest("seq")
        assert meddled(played, write(line, fact=json.dumps(fact)))

    @pytest.mark.long
    def test_so_is_every_other_column_that_is_hashed(self, played: Table) -> None:
        for line in JournalEntry.objects.order_by("seq")[::3]:
            for changes in (
                {"at": line.at + 1},
                {"at": line.at - 1},
                {"lag": line.lag + 1},
                {"by": "director"},
                {"who": "somebody"},
                {"seq": line.seq + 1_000},
            ):
                assert meddled(played, write(line, **changes)), (line.seq, changes)
            for place in range(64):
                flipped = chr(ord(line.hash[place]) ^ 1)
                spoiled = line.hash[:place] + flipped + line.hash[place + 1 :]
                if place % 16 == line.seq % 16:
                    assert meddled(played, write(line, hash=spoiled)), (line.seq, place)

    @pytest.mark.long
    def test_a_line_that_is_gone_is_missed(self, played: Table) -> None:
        for line in JournalEntry.objects.order_by("seq"):
            change = ("DELETE FROM matches_journalentry WHERE id = %s", [line.pk])
            assert meddled(played, change), line.seq
        assert meddled(played, ("DELETE FROM matches_journalentry", []))

    @pytest.mark.long
    def test_lines_that_changed_places_are_found(self, played: Table) -> None:
        lines = list(JournalEntry.objects.order_by("seq"))
        for one, other in itertools.pairwise(lines):
            assert meddled(
                played, write(one, seq=1_000_000), write(other, seq=one.seq), write(one, seq=other.seq)
            ), one.seq

    def test_a_line_that_was_put_in_is_found(self, played: Table) -> None:
        lines = list(JournalEntry.objects.order_by("seq"))
        for line in (lines[0], lines[-1]):
            with transaction.atomic():
                line.pk, line.seq, line.key = None, len(lines) + 1, ""
                line.save()  # no trigger forbids that: a journal grows
                assert found(played)
                transaction.set_rollback(True)

    @pytest.mark.parametrize(
        "change",
        [
            lambda row: {"white_score": row.white_score + 1},
            lambda row: {"winner": "white" if row.winner == "black" else "black"},
            lambda row: {"head": row.head + 1},
            lambda row: {"head_hash": "0" * 64},
            lambda row: {"cache": {**row.cache, "excused": 5}},
            lambda row: {"terms": {**row.terms, "delay": 5}},
            lambda row: {"terms": {}},
            lambda row: {"white_key": row.black_key, "black_key": row.white_key},
            lambda row: {"key": "anotherkey"},
        ],
    )
    def test_so_is_a_row_that_says_something_else(
        self, played: Table, change: Callable[[Match], dict[str, Any]]
    ) -> None:
        row = played.row
        Match.objects.filter(pk=row.pk).update(**change(row))
        assert found(played)

    def test_a_cache_of_an_older_version_is_not_read(self, played: Table) -> None:
        whole = journal.load(played.row)
        Match.objects.filter(pk=played.row.pk).update(cache={"match": "as it was written long ago"})
        row = Match.objects.get(pk=played.row.pk)
        assert list(journal.find_problems(row)) == []
        again = journal.load(row)
        assert again.to_json() == whole.to_json()
        assert (again.head, again.status, again.deadline) == (whole.head, whole.status, whole.deadline)


class TestVerifying:
    def test_the_verifier_is_asked_with_the_others(self, table: Table) -> None:
        assert "journals" in dict(hooks.VERIFIERS.items())
        assert list(runtime_verifiers.find_problems()) == []
        Match.objects.update(white_score=9)
        [(name, sentence)] = [each for each in runtime_verifiers.find_problems() if "white_score" in each[1]]
        assert (name, table.row.key in sentence) == ("journals", True)

    def test_a_missing_guard_is_found(self, played: Table) -> None:
        assert len(list(verifiers.verify_triggers())) == 3

    def test_all_matches_in_batches(self, db: None, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
        first = Table(now)
        tables = [first, *(Table(now, players=(first.white, first.black)) for _ in range(6))]
        monkeypatch.setattr(verifiers, "BATCH", 2)
        assert list(verifiers.replay_matches(verifiers.list_matches())) == [(n, "") for n in range(1, 8)]
        Match.objects.filter(pk=tables[4].match.pk).update(black_score=1)
        [(done, sentence)] = [each for each in verifiers.replay_matches(verifiers.list_matches()) if each[1]]
        assert done == 4
        assert tables[4].match.key in sentence

    def test_a_match_that_goes_on_meanwhile_is_looked_at_again(
        self, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        problems = journal.find_problems
        looks: list[int] = []

        def slowly(row: Match) -> Iterator[str]:
            looks.append(row.head)
            if len(looks) == 1:
                table.promise(Side.WHITE)
            return problems(row)

        monkeypatch.setattr(journal, "find_problems", slowly)
        assert [each for each in verifiers.replay_matches(verifiers.list_matches()) if each[1]] == []
        assert looks == [2, 3]


class TestCommand:
    def run(self, *keys: str) -> tuple[int, str, str]:
        out, err = StringIO(), StringIO()
        try:
            call_command("verify_journals", *keys, stdout=out, stderr=err)
        except SystemExit as ended:
            return int(str(ended.code)), out.getvalue(), err.getvalue()
        return 0, out.getvalue(), err.getvalue()

    def test_it_says_that_all_is_well(self, table: Table) -> None:
        status, out, _ = self.run()
        assert status == 0
        assert out.startswith("1 of 1 matches replayed")
        assert self.run(table.row.key)[0] == 0

    def test_it_prints_what_is_wrong_and_fails(self, table: Table, now: datetime) -> None:
        other = Table(now, players=(table.white, table.black))
        Match.objects.filter(pk=other.match.pk).update(white_score=2)
        status, out, err = self.run()
        assert status == 1
        assert f"match {other.match.key}: white_score is 2, the journal says 0" in out
        assert "1 problems in 2 matches" in err
        assert self.run(table.row.key)[0] == 0

    def test_it_knows_its_matches(self, table: Table) -> None:
        with pytest.raises(CommandError, match="no match nosuchkey"):
            self.run("nosuchkey", table.row.key)
