from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def copy_last_entries(apps, schema_editor):
    """Let each rating say what its last entry says."""
    entry = apps.get_model("rankings", "LedgerEntry").objects.filter(pk=OuterRef("last"))
    apps.get_model("rankings", "PlayerRating").objects.update(
        experience=Subquery(entry.values("experience")[:1]), last_at=Subquery(entry.values("at")[:1])
    )


class Migration(migrations.Migration):
    dependencies = [("rankings", "0011_friendlies")]

    operations = [
        migrations.AddField(
            model_name="ratinglist",
            name="version",
            field=models.PositiveIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddField(
            model_name="playerrating",
            name="experience",
            field=models.PositiveIntegerField(default=0, verbose_name="experience"),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="playerrating",
            name="last_at",
            field=models.DateTimeField(default="2000-01-01T00:00:00Z", verbose_name="last match"),
            preserve_default=False,
        ),
        migrations.RemoveIndex(model_name="playerrating", name="rating_by_list"),
        migrations.AddIndex(
            model_name="playerrating",
            index=models.Index(
                fields=["list", "-rating", "player", "experience", "last_at"], name="ratings_in_order"
            ),
        ),
        migrations.RunPython(copy_last_entries, migrations.RunPython.noop),
    ]
