"""A board without a clock has a deadline too: the days after which nobody need wait any more."""

from django.db import migrations, models
from django.db.models import Q


def limit_what_is_timed(apps, schema_editor):
    """Matches agreed before stand as they were agreed: those without a clock have no limit."""
    apps.get_model("matches", "Match").objects.filter(is_timed=True).update(is_limited=True)


class Migration(migrations.Migration):
    dependencies = [("matches", "0006_visitor")]

    operations = [
        migrations.RemoveConstraint(model_name="match", name="live_and_timed_has_a_deadline"),
        migrations.AddField(
            model_name="match",
            name="is_limited",
            field=models.BooleanField(default=False, verbose_name="with a deadline"),
            preserve_default=False,
        ),
        migrations.RunPython(limit_what_is_timed, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=~Q(status="live")
                | Q(deadline_at__isnull=False, is_limited=True)
                | Q(deadline_at__isnull=True, is_limited=False),
                name="live_and_limited_has_a_deadline",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=Q(is_limited=True) | Q(is_timed=False), name="what_is_timed_is_limited"
            ),
        ),
    ]
