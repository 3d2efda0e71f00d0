"""Sums per side of an analysis, stored as rows, so that SQL can add them over all matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Case, Count, F, FloatField, Q, Sum, Value, When
from django.db.models.functions import Coalesce

from opinion.judging.decisions import Kind
from opinion.judging.formulas import BLUNDER, ERROR
from opinion.models import Remark, SideSum

if TYPE_CHECKING:
    from django.db.models.expressions import Combinable

NOUGHT = Value(0.0, output_field=FloatField())


def _sum(what: Combinable) -> Coalesce:
    return Coalesce(Sum(what, output_field=FloatField()), NOUGHT)


def replace_sums(analysis_id: int) -> None:
    """Replace the sums of an analysis; the caller opens the transaction."""
    squared = Case(When(counted=True, then=F("error") * F("error")), default=NOUGHT)
    sums = {
        "number": Count("pk"),
        "counted": Count("pk", filter=Q(counted=True)),
        "plays": Count("pk", filter=Q(kind=Kind.PLAY.value, level__gt=0)),
        "errors": Count("pk", filter=Q(error__gte=ERROR)),
        "blunders": Count("pk", filter=Q(error__gte=BLUNDER)),
        "error": _sum(F("error")),
        "squares": _sum(squared),
        "cost": _sum(F("cost")),
        "luck": _sum(F("luck")),
        "luck_cost": _sum(F("luck_cost")),
    }
    rows = Remark.objects.filter(analysis=analysis_id).order_by().values("side", "fault")
    # Django refuses an annotation with the name of a field.
    found: Any = rows.annotate(**{f"sum_{name}": each for name, each in sums.items()})
    SideSum.objects.filter(analysis=analysis_id).delete()
    SideSum.objects.bulk_create(
        SideSum(
            analysis_id=analysis_id,
            side=row["side"],
            fault=row["fault"],
            **{name: row[f"sum_{name}"] for name in sums},
        )
        for row in found
    )
