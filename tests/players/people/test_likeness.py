"""Names that may belong to one person, compared in either order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from players.people.likeness import (
    MOST_ALIKE,
    NameDifference,
    NamedPerson,
    compare_names,
    find_pairs,
    list_nearest_people,
)

SAME = [
    ("Zoë Ångström", "zoe  angstrom", (NameDifference.SAME,)),
    ("Haddad, Nadia", "Nadia Haddad", (NameDifference.ORDER,)),
    ("Jörg Müller", "Joerg Mueller", (NameDifference.SAME,)),
    ("Jean-Luc Martin", "Jeanluc Martin", (NameDifference.SPELLING,)),
    ("Søren Kjær", "Soren Kjaer", (NameDifference.SAME,)),
    ("Jonas Berger", "Jnoas Berger", (NameDifference.SPELLING,)),
    ("Nadia Haddad", "Nadia Hadad", (NameDifference.SPELLING,)),
    ("Max Meier", "Max Meyer", (NameDifference.SPELLING,)),
    ("N. Haddad", "Nadia Haddad", (NameDifference.INITIAL,)),
    ("Bob Smith", "Robert Smith", (NameDifference.NICKNAME,)),
    ("Uli Weiß", "Ulrich Weiss", (NameDifference.NICKNAME,)),
    ("Ada Okafor", "Ada King Okafor", (NameDifference.MIDDLE,)),
    ("Gus", "Gus Hansen", (NameDifference.SHORT,)),
    ("Haddad N", "Nadia Hadad", (NameDifference.ORDER, NameDifference.SPELLING, NameDifference.INITIAL)),
]
TWO = [
    ("Guest 12", "Guest 13"),
    ("Guest 1", "Guest 1 2"),
    ("Jan Berg", "Jon Berg"),
    ("Nadia Haddad", "Farid Haddad"),
    ("Nadia Haddad", "Nadia Kruse"),
    ("Bob S.", "Robert Smith"),
    ("N. H.", "Nadia Haddad"),
    ("Al", "Al Roker"),
    ("", "Nadia Haddad"),
    ("陳", "李"),
]


@pytest.mark.parametrize(("one", "other", "whys"), SAME)
def test_names_that_may_be_one_persons(one: str, other: str, whys: tuple[NameDifference, ...]) -> None:
    found = compare_names(one, other)
    assert found.whys == whys
    assert find_pairs([NamedPerson(1, one), NamedPerson(2, other)]) == {(1, 2): found}
    assert list_nearest_people(one, [NamedPerson(7, other)]) == [(7, found)]


@pytest.mark.parametrize(("one", "other"), TWO)
def test_names_of_two_people(one: str, other: str) -> None:
    assert compare_names(one, other) is None
    assert find_pairs([NamedPerson(1, one), NamedPerson(2, other)]) == {}


def test_the_nearer_name_is_surer() -> None:
    percents = [found.percent for one, other, _ in SAME[:-1] if (found := compare_names(one, other))]
    assert percents[0] == 100
    assert compare_names("Nadia Haddad", "Nadia Hadad") > compare_names("N. Haddad", "Nadia Haddad")  # type: ignore[operator]


def test_a_first_name_alone_says_something_where_only_one_person_has_it() -> None:
    people = [NamedPerson(1, "Gus"), NamedPerson(2, "Gus Hansen"), NamedPerson(3, "Ada Hansen")]
    assert list(find_pairs(people)) == [(1, 2)]
    assert find_pairs([*people, NamedPerson(4, "Gus Berg")]) == {}


def test_a_name_that_many_have_is_looked_at_by_the_other_name() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    people = [NamedPerson(n, f"{letters[n % 26]}{letters[n // 26]}vek Smith") for n in range(MOST_ALIKE * 3)]
    assert (900, 901) in find_pairs([*people, NamedPerson(900, "John Smith"), NamedPerson(901, "Jhon Smith")])
    # Two thousand numbered guests are two thousand people, and quickly seen.
    assert find_pairs(NamedPerson(n, f"Guest {n}") for n in range(2_000)) == {}


words = st.sampled_from(
    [
        "nadia",
        "nadai",
        "haddad",
        "hadad",
        "bob",
        "robert",
        "n",
        "h",
        "müller",
        "mueller",
        "jörg",
        "gus",
        "12",
        "13",
        "陳",
    ]
)
names = st.lists(words, min_size=1, max_size=5).map(" ".join) | st.text(max_size=12)


@pytest.mark.long
@given(names, names)
def test_it_does_not_matter_which_name_comes_first(one: str, other: str) -> None:
    assert compare_names(one, other) == compare_names(other, one)


@pytest.mark.long
@settings(deadline=None, max_examples=60)
@given(st.lists(names, min_size=2, max_size=12), st.randoms(use_true_random=False))
def test_it_does_not_matter_in_which_order_people_come(several: list[str], chance: object) -> None:
    people = [NamedPerson(number, name) for number, name in enumerate(several)]
    found = find_pairs(people)
    chance.shuffle(people)  # type: ignore[attr-defined]
    assert find_pairs(people) == found
    # What is found by shared words is what comparing everybody with everybody would find, but for first names alone.
    for one, other in found:
        assert compare_names(several[one], several[other]) == found[one, other]
    for one in range(len(several)):
        for other in range(one + 1, len(several)):
            alike = compare_names(several[one], several[other])
            if alike and NameDifference.SHORT not in alike.whys:
                assert (one, other) in found, (several[one], several[other])
