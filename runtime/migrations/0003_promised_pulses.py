"""Heartbeats say by when the next one comes. What was written before promised nothing."""

from datetime import UTC, datetime

from django.db import migrations, models

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class Migration(migrations.Migration):
    dependencies = [("runtime", "0002_presence")]

    operations = [
        migrations.AddField("node", "until", models.DateTimeField(default=LONG_AGO), preserve_default=False),
        migrations.AddField("pulse", "until", models.DateTimeField(default=LONG_AGO), preserve_default=False),
    ]
