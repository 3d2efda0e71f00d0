from django.db import migrations

from runtime import uids


class Migration(migrations.Migration):
    """Databases from before there was a `uid` in 0001_initial get the column, and each of their rows a name."""

    dependencies = [
        ('tournaments', '0001_initial'),
    ]

    operations = [
        migrations.RunPython(uids.add('tournaments', 'tournament', 'entry', 'pairing', 'report', 'ruling'), migrations.RunPython.noop),
    ]
