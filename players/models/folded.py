"""A name as searches compare it: without capitals and accents, kept beside the name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models

from players.names import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    TextField = models.TextField[str, str]
else:
    TextField = models.TextField

COLUMN = "folded_name"
MOST_WORDS = 6


class FoldedName(TextField):
    """What `name_for_searches` says, folded, after a space: so " kor" is in it where a word begins with "kor".

    Databases do not agree on what a capital or an accent is (SQLite knows ASCII alone), so we say it.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"default": "", "blank": True, "editable": False, **options})

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """Be an ordinary text in migrations: their models have no `name_for_searches`."""
        name, _path, args, options = super().deconstruct()
        return name, "django.db.models.TextField", args, options

    def pre_save(self, model_instance: Any, add: bool) -> str:
        """Fold the name that is saved."""
        folded = folded_name(model_instance.name_for_searches)
        setattr(model_instance, self.attname, folded)
        return folded


class Findable(models.Model):
    """A row that searches find by name."""

    folded_name = FoldedName()

    class Meta:
        abstract = True

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **options: Any) -> None:
        """Save the folded name with whatever else is saved."""
        if update_fields is not None:
            update_fields = {*update_fields, COLUMN}
        super().save(*args, update_fields=update_fields, **options)

    @property
    def name_for_searches(self) -> str:
        """Return what everyone may read of it and look it up by."""
        raise NotImplementedError


def folded_name(name: str) -> str:
    """Return what is kept of a name.

    >>> folded_name("Zoë Ångström")
    ' zoe angstrom'
    """
    folded = fold(name)
    return f" {folded}" if folded else ""


def words_of(query: str) -> tuple[str, ...]:
    """Return the words that are looked for, each once: more than a few say nothing more.

    >>> words_of("Zoë  ZOE Ångström")
    ('zoe', 'angstrom')
    """
    return tuple(dict.fromkeys(fold(query).split()))[:MOST_WORDS]


def holding(query: str) -> models.Q:
    """Return the condition that each word of *query* is in the folded name, in whatever order."""
    found = models.Q()
    for word in words_of(query):
        found &= models.Q(**{f"{COLUMN}__contains": word})
    return found


def nearest(query: str) -> models.Case:
    """Return what to sort by: names that begin with *query*, those with a word that does, the rest."""
    folded = folded_name(query)
    return models.Case(
        models.When(**{f"{COLUMN}__startswith": folded}, then=0),
        models.When(**{f"{COLUMN}__contains": folded}, then=1),
        default=2,
        output_field=models.SmallIntegerField(),
    )
