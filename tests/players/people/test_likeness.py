"""Which names may be one person's, whichever of them is looked at first."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from players.people.likeness import MOST_ALIKE, Named, Why, compare, find_nearest, find_pairs

SAME = [
    ("Zoë Ångström", "zoe  angstrom", (Why.SAME,)),
    ("Haddad, Nadia", "Nadia Haddad", (Why.ORDER,)),
    ("Jörg Müller", "Joerg Mueller", (Why.SAME,)),
    ("Jean-Luc Martin", "Jeanluc Martin", (Why.SPELLING,)),
    ("Søren Kjær", "Soren Kjaer", (Why.SAME,)),
    ("Jonas Berger", "Jnoas Berger", (Why.SPELLING,)),
    ("Nadia Haddad", "Nadia Hadad", (Why.SPELLING,)),
    ("Max Meier", "Max Meyer", (Why.SPELLING,)),
    ("N. Haddad", "Nadia Haddad", (Why.INITIAL,)),
    ("Bob Smith", "Robert Smith", (Why.NICKNAME,)),
    ("Uli Weiß", "Ulrich Weiss", (Why.NICKNAME,)),
    ("Ada Okafor", "Ada King Okafor", (Why.MIDDLE,)),
    ("Gus", "Gus Hansen", (Why.SHORT,)),
    ("Haddad N", "Nadia Hadad", (Why.ORDER, Why.SPELLING, Why.INITIAL)),
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
def test_names_that_may_be_one_persons(one: str, other: str, whys: tuple[Why, ...]) -> None:
    found = compare(one, other)
    assert found is not None
    assert found.whys == whys
    assert find_pairs([Named(1, one), Named(2, other)]) == {(1, 2): found}
    assert find_nearest(one, [Named(7, other)]) == [(7, found)]


@pytest.mark.parametrize(("one", "other"), TWO)
def test_names_of_two_people(one: str, other: str) -> None:
    assert compare(one, other) is None
    assert find_pairs([Named(1, one), Named(2, other)]) == {}


def test_the_nearer_name_is_surer() -> None:
    percents = [found.percent for one, other, _ in SAME[:-1] if (found := compare(one, other))]
    assert percents[0] == 100
    assert compare("Nadia Haddad", "Nadia Hadad") > compare("N. Haddad", "Nadia Haddad")  # type: ignore[operator]


def test_a_first_name_alone_says_something_where_only_one_person_has_it() -> None:
    people = [Named(1, "Gus"), Named(2, "Gus Hansen"), Named(3, "Ada Hansen")]
    assert list(find_pairs(people)) == [(1, 2)]
    assert find_pairs([*people, Named(4, "Gus Berg")]) == {}


def test_a_name_that_many_have_is_looked_at_by_the_other_name() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    people = [Named(n, f"{letters[n % 26]}{letters[n // 26]}vek Smith") for n in range(MOST_ALIKE * 3)]
    assert (900, 901) in find_pairs([*people, Named(900, "John Smith"), Named(901, "Jhon Smith")])
    # Two thousand numbered guests are two thousand people, and quickly seen.
    assert find_pairs(Named(n, f"Guest {n}") for n in range(2_000)) == {}


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
    assert compare(one, other) == compare(other, one)


@settings(deadline=None, max_examples=60)
@given(st.lists(names, min_size=2, max_size=12), st.randoms(use_true_random=False))
def test_it_does_not_matter_in_which_order_people_come(several: list[str], chance: object) -> None:
    people = [Named(number, name) for number, name in enumerate(several)]
    found = find_pairs(people)
    chance.shuffle(people)  # type: ignore[attr-defined]
    assert find_pairs(people) == found
    # What is found by shared words is what comparing everybody with everybody would find, but for first names alone.
    for one, other in found:
        assert compare(several[one], several[other]) == found[one, other]
    for one in range(len(several)):
        for other in range(one + 1, len(several)):
            alike = compare(several[one], several[other])
            if alike and Why.SHORT not in alike.whys:
                assert (one, other) in found, (several[one], several[other])
