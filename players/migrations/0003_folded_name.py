from django.db import migrations, models

from players.models.folded import folded_name


def fold_players(apps, schema_editor):
    """Fold the names that are there; who has left has none."""
    players = apps.get_model("players", "Player").objects
    rows = players.values_list("pk", "name", "alias", "shown_as")
    for pk, name, alias, shown_as in rows.iterator():
        players.filter(pk=pk).update(folded_name=folded_name(alias if shown_as == "alias" else name))


def fold_clubs(apps, schema_editor):
    """Fold what clubs are looked up by."""
    clubs = apps.get_model("players", "Club").objects
    for pk, name, city, country in clubs.values_list("pk", "name", "city", "country"):
        clubs.filter(pk=pk).update(folded_name=folded_name(f"{name} {city} {country}"))


class Migration(migrations.Migration):
    dependencies = [("players", "0002_uids")]

    operations = [
        migrations.AddField("player", "folded_name", models.TextField(blank=True, default="", editable=False)),
        migrations.AddField("club", "folded_name", models.TextField(blank=True, default="", editable=False)),
        migrations.RunPython(fold_players, migrations.RunPython.noop),
        migrations.RunPython(fold_clubs, migrations.RunPython.noop),
    ]
