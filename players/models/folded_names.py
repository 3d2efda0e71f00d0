"""Folded names for searches: without capitals and accents, stored beside the name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.db import models

from players.names import fold

if TYPE_CHECKING:
    TextField = models.TextField[str, str]
else:
    TextField = models.TextField

COLUMN = "folded_name"
MOST_WORDS = 6


class FoldedName(TextField):
    """The folded `name_for_searches` after a space, so that " kor" matches where a word begins with "kor".

    Folded in Python, as databases differ in case folding and accents (SQLite folds ASCII only).
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"default": "", "blank": True, "editable": False, **options})

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """Become a plain text field in migrations, whose models have no `name_for_searches`."""
        name, _path, args, options = super().deconstruct()
        return name, "django.db.models.TextField", args, options

    def pre_save(self, model_instance: Any, add: bool) -> str:
        folded = fold_name(model_instance.name_for_searches)
        setattr(model_instance, self.attname, folded)
        return folded


class SearchableModel(models.Model):
    folded_name = FoldedName()

    class Meta:
        abstract = True

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **options: Any) -> None:
        """Save the folded name along with any other fields."""
        if update_fields is not None:
            update_fields = {*update_fields, COLUMN}
        super().save(*args, update_fields=update_fields, **options)

    @property
    def name_for_searches(self) -> str:
        raise NotImplementedError


def fold_name(name: str) -> str:
    """Return the stored form of a name.

    >>> fold_name("Zoë Ångström")
    ' zoe angstrom'
    """
    folded = fold(name)
    return f" {folded}" if folded else ""


def split_query(query: str) -> tuple[str, ...]:
    """Return the distinct words of a search, up to a limit.

    >>> split_query("Zoë  ZOE Ångström")
    ('zoe', 'angstrom')
    """
    return tuple(dict.fromkeys(fold(query).split()))[:MOST_WORDS]


def build_name_filter(query: str, path: str = "") -> models.Q:
    """Build the condition that each word of *query* is in the folded name, in any order.

    *path* leads to the model, such as `player__`.
    """
    found = models.Q()
    for word in split_query(query):
        found &= models.Q(**{f"{path}{COLUMN}__contains": word})
    return found


def build_name_order(query: str) -> models.Case:
    """Build the sort key: names that begin with *query*, then names with a word that does, then the rest."""
    folded = fold_name(query)
    return models.Case(
        models.When(**{f"{COLUMN}__startswith": folded}, then=0),
        models.When(**{f"{COLUMN}__contains": folded}, then=1),
        default=2,
        output_field=models.SmallIntegerField(),
    )
