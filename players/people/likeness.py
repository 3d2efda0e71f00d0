"""Comparison of names that may belong to one person: misspelt, reordered or shortened.

Names are compared word by word (RapidFuzz), not letter by letter as wholes: "Guest 12" and "Guest 13" differ
in one letter, but are two people. The comparison is symmetric. Pure.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, permutations
from typing import Final, NamedTuple, TypeAlias

from rapidfuzz.distance import OSA

from players.names import fold

Words: TypeAlias = tuple[str, ...]
Pair: TypeAlias = tuple[int, int]

# Names with more words match only as wholes.
MOST_WORDS: Final = 4
# In shorter words one letter makes another name: Jan and Jon.
SHORTEST_MISSPELT: Final = 4
SHORTEST_TELLING: Final = 3
# A word shared by more people is no evidence by itself: then the initials of their other words must agree.
MOST_ALIKE: Final = 50
APOSTROPHES: Final = re.compile(r"['`.]")
# Umlauts written out: Mueller and Müller.
WRITTEN_OUT: Final = re.compile(r"(?<=[aou])e")

# Words on the same line may belong to one person.
NICKNAMES: Final = """
alexander alexandra alex sasha sascha
andreas andrew andy andi
anthony antonio tony toni
barbara babs bärbel
benjamin benedikt ben benny
bernhard bernard bernd bernie
catherine katharina kathrin katrin kate kathy cathy kati
charles charlie chuck
christian christopher christoph chris
christina christine tina chris
daniel danny dan
david dave
dieter diethard
edward eduard ed eddie ted
elizabeth elisabeth liz lisa beth betty
ferdinand ferdi
frederick friedrich fred fritz freddy
gabriele gabi gaby
georg george jorg schorsch
gerald gerhard gerd gerry
heinrich henry heinz harry
helmut heli
james jim jimmy
jennifer jenny jen
johannes johann hans hannes john johnny jack
jonathan jon johnny
joseph josef joe sepp jupp
joshua josh
karl carl charly
kenneth ken kenny
lawrence laurence larry
leonard leonhard leo len
manfred manni
margaret margarete maggie peggy meg grete
matthew matthias matt matze
maximilian max
michael mike mick michi
nicholas nikolaus nick klaus niko
norbert nobby
patricia pat patty tricia
patrick pat paddy
peter pete
philip philipp phil
rebecca becky
reinhard reiner
richard rick rich dick ricky
robert bob rob bobby robbie bert
ronald ron ronnie
rudolf rudi
samuel samantha sam sammy
sebastian basti seb
siegfried sigi
stephen steven stefan steve
susan susanne suzanne sue susi
theodore theodor ted theo
thomas tom tommy
timothy tim timmy
ulrich ulrike uli
victor viktor vic
victoria viktoria vicky
walter walt walli
wilhelm william bill will willi willy billy
wolfgang wolf wolfi
"""


class NameDifference(StrEnum):
    """A difference between two names; the order is that of display."""

    SAME = "same"
    ORDER = "order"
    SPELLING = "spelling"
    NICKNAME = "nickname"
    MIDDLE = "middle"
    INITIAL = "initial"
    SHORT = "short"


# The percents subtracted for each difference.
COST: Final = {
    NameDifference.SAME: 0,
    NameDifference.ORDER: 2,
    NameDifference.SPELLING: 10,
    NameDifference.NICKNAME: 8,
    NameDifference.MIDDLE: 12,
    NameDifference.INITIAL: 18,
    NameDifference.SHORT: 38,
}
LEAST: Final = 60


@dataclass(frozen=True, slots=True, order=True)
class Likeness:
    """The similarity of two names in percent, with their differences."""

    percent: int
    whys: tuple[NameDifference, ...]


class NamedPerson(NamedTuple):
    who: int
    name: str


def split_words(name: str) -> Words:
    """Split a name into normalised words for comparison.

    >>> split_words("Müller-Lüdenscheidt, Jörg"), split_words("Joerg O'Brien")
    (('muller', 'ludenscheidt', 'jorg'), ('jorg', 'obrien'))
    """
    plain = APOSTROPHES.sub("", fold(name))
    return tuple(WRITTEN_OUT.sub("", word) for word in re.split(r"[\W_]+", plain) if word)


def compare_names(one: str, other: str) -> Likeness | None:
    """Compare two names; None if they may well belong to two people.

    >>> compare_names("Nadia Haddad", "Haddad, Nadai"), compare_names("Guest 12", "Guest 13")
    (Likeness(percent=88, whys=(<NameDifference.ORDER: 'order'>, <NameDifference.SPELLING: 'spelling'>)), None)
    """
    return _compare_split_names(split_words(one), split_words(other))


def find_pairs(people: Iterable[NamedPerson]) -> dict[Pair, Likeness]:
    """Find the pairs who may be the same person, by number, the lower first.

    Only names that share a word, or nearly, are compared, so the time grows about linearly with the number of
    people.
    """
    words = {each.who: split_words(each.name) for each in people}
    found: dict[Pair, Likeness] = {}
    for pair in _list_candidate_pairs(words):
        alike = _compare_split_names(words[pair[0]], words[pair[1]])
        if alike is not None:
            found[pair] = alike
    # "Anna" may be Anna Berg; if there is also Anna Lee, it is no evidence.
    named = Counter(
        who for pair, alike in found.items() if NameDifference.SHORT in alike.whys for who in pair
    )
    return {
        pair: alike
        for pair, alike in found.items()
        if NameDifference.SHORT not in alike.whys or max(named[who] for who in pair) == 1
    }


def list_nearest_people(name: str, people: Iterable[NamedPerson]) -> list[tuple[int, Likeness]]:
    """List the people whom a name may mean, the likeliest first."""
    words = split_words(name)
    found = [
        (each.who, alike) for each in people if (alike := _compare_split_names(words, split_words(each.name)))
    ]
    return sorted(found, key=lambda each: (-each[1].percent, each[0]))


def _index_nicknames() -> dict[str, frozenset[int]]:
    """Map each normalised word to the lines of nicknames on which it appears."""
    found: dict[str, set[int]] = defaultdict(set)
    for number, line in enumerate(NICKNAMES.splitlines()):
        for word in split_words(line):
            found[word].add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


_LINES: Final = _index_nicknames()
_NONE: Final[frozenset[int]] = frozenset()


def _list_candidate_pairs(words: Mapping[int, Words]) -> Iterator[Pair]:
    """Yield pairs that share a word, or a word with one letter removed, which misspelt words share."""
    alike: dict[str, set[int]] = defaultdict(set)
    for who, theirs in words.items():
        for key in _list_name_keys(theirs):
            alike[key].add(who)
    seen: set[Pair] = set()
    for group in alike.values():
        for some in _split_group(group, words):
            for pair in combinations(sorted(some), 2):
                if pair not in seen:
                    seen.add(pair)
                    yield pair


def _list_name_keys(words: Words) -> set[str]:
    """Return the lookup keys of a name: its words, and all of them joined or sorted."""
    together = "".join(words)
    return {
        together,
        " ".join(sorted(words)),
        *(key for word in {*words, together} for key in _list_word_keys(word)),
    }


def _list_word_keys(word: str) -> Iterator[str]:
    if len(word) < SHORTEST_TELLING:
        return
    yield word
    if len(word) >= SHORTEST_MISSPELT and word.isalpha():
        yield from (word[:place] + word[place + 1 :] for place in range(len(word)))


def _split_group(group: set[int], words: Mapping[int, Words]) -> Iterator[set[int]]:
    """Split a large group by initials and numbers; parts that are still large are dropped."""
    if len(group) <= MOST_ALIKE:
        yield group
        return
    parts: dict[Words, set[int]] = defaultdict(set)
    for who in group:
        theirs = words[who]
        parts[tuple(sorted(word if word.isdigit() else word[0] for word in theirs))].add(who)
    yield from (part for part in parts.values() if len(part) <= MOST_ALIKE)


def _compare_split_names(one: Words, other: Words) -> Likeness | None:
    if not one or not other:
        return None
    if one == other or sorted(one) == sorted(other):
        return _build_likeness([NameDifference.SAME] if one == other else [NameDifference.ORDER])
    if "".join(one) == "".join(other):
        return _build_likeness([NameDifference.SPELLING])
    short, long = sorted((one, other), key=lambda words: (len(words), words))
    if len(long) > MOST_WORDS:
        return None
    if len(short) == 1 and len(long) > 1:
        return (
            _build_likeness([NameDifference.SHORT])
            if short[0] == long[0] and len(short[0]) >= SHORTEST_TELLING
            else None
        )
    found = (_compare_in_order(short, long, order) for order in permutations(range(len(long)), len(short)))
    return max((each for each in found if each is not None), default=None, key=lambda each: each.percent)


def _compare_in_order(short: Words, long: Words, order: tuple[int, ...]) -> Likeness | None:
    """Compare two names, the words of the shorter with the words of the longer at these places."""
    whys: list[NameDifference] = []
    is_telling = False
    for word, place in zip(short, order, strict=True):
        why = _compare_words(word, long[place])
        if why is None:
            return None
        is_telling |= (
            why in {NameDifference.SAME, NameDifference.SPELLING}
            and min(len(word), len(long[place])) >= SHORTEST_TELLING
        )
        whys.append(why)
    rest = {*range(len(long))} - {*order}
    if not is_telling or any(long[place].isdigit() for place in rest):
        return None
    if list(order) != sorted(order):
        whys.append(NameDifference.ORDER)
    return _build_likeness([*whys, *(NameDifference.MIDDLE for _place in rest)])


def _compare_words(one: str, other: str) -> NameDifference | None:
    """Return the difference between two words; None if they cannot be the same name."""
    if one == other:
        return NameDifference.SAME
    if not (one.isalpha() and other.isalpha()):
        return None
    short, long = sorted((one, other), key=len)
    if len(short) == 1:
        return NameDifference.INITIAL if long.startswith(short) else None
    if not _LINES.get(one, _NONE).isdisjoint(_LINES.get(other, _NONE)):
        return NameDifference.NICKNAME
    if len(short) < SHORTEST_MISSPELT or len(long) - len(short) > 1:
        return None
    return NameDifference.SPELLING if OSA.distance(one, other, score_cutoff=1) <= 1 else None


def _build_likeness(whys: list[NameDifference]) -> Likeness | None:
    percent = 100 - sum(COST[why] for why in whys)
    differing = sorted({*whys} - {NameDifference.SAME}, key=list(NameDifference).index)
    return Likeness(percent, tuple(differing) or (NameDifference.SAME,)) if percent >= LEAST else None
