"""Hooks, with which packages extend each other."""

from __future__ import annotations

from runtime.hooks import Hook, SingleHook


def test_a_hook_is_iterated_by_name_and_a_name_is_there_once() -> None:
    hook: Hook[int] = Hook()
    assert list(hook) == []
    hook.add("b", 1)
    hook.add("a", 2)
    hook.add("b", 3)
    assert list(hook) == [2, 3]
    assert hook.items() == [("a", 2), ("b", 3)]


def test_a_single_has_its_default_until_it_is_provided() -> None:
    single = SingleHook("nobody")
    assert single.get() == "nobody"
    single.provide("ratings")
    assert single.get() == "ratings"
