"""Requests for the same row, and the failures of sweeps with their pauses."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("runtime", "0004_sends_mail")]

    operations: ClassVar = [
        migrations.AddField("outbox", "requests", models.PositiveIntegerField(default=1, db_default=1)),
        migrations.AddField("sweeprun", "failures", models.PositiveSmallIntegerField(default=0, db_default=0)),
        migrations.AddField("sweeprun", "retry_at", models.DateTimeField(null=True, blank=True)),
        migrations.CreateModel(
            name="Failure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sweep", models.CharField(max_length=40)),
                ("subject", models.CharField(max_length=40)),
                ("attempts", models.PositiveSmallIntegerField()),
                ("retry_at", models.DateTimeField()),
                ("last_error", models.TextField()),
            ],
            options={
                "verbose_name": "failure of a sweep",
                "verbose_name_plural": "failures of sweeps",
                "constraints": [models.UniqueConstraint(fields=("sweep", "subject"), name="one_failure_a_subject")],
            },
        ),
    ]
