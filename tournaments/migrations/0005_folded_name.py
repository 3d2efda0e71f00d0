from django.db import migrations, models

from players.models.folded import folded_name


def fold(apps, schema_editor):
    """Fold what events are looked up by."""
    events = apps.get_model("tournaments", "Tournament").objects
    for pk, name, place in events.values_list("pk", "name", "place"):
        events.filter(pk=pk).update(folded_name=folded_name(f"{name} {place}"))


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_played_as")]

    operations = [
        migrations.AddField("tournament", "folded_name", models.TextField(blank=True, default="", editable=False)),
        migrations.RunPython(fold, migrations.RunPython.noop),
    ]
