"""Matches that are played over days wait for an agreed time: what was opened before has no call (ADR 117)."""

from django.db import migrations
from django.db.models import Q


def clear(apps, _editor):
    rows = apps.get_model("tournaments", "Pairing").objects.filter(
        Q(stage__format="league") | Q(stage__round_minutes__isnull=True, stage__round_days__isnull=False),
        state="ready", table="", match__isnull=True, a_here_at__isnull=True, b_here_at__isnull=True,
    )
    # When it has to be looked at next is worked out anew the next time that it is.
    rows.filter(called_at__isnull=False).update(called_at=None)


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0015_appointments")]
    operations = [migrations.RunPython(clear, migrations.RunPython.noop)]
