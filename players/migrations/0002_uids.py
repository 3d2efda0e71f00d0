from uuid import uuid4

from django.db import migrations, models

from runtime import uids


class Migration(migrations.Migration):
    """Each row gets a name that no row of another installation has, the rows that are there already included."""

    dependencies = [
        ('players', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='uid',
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='player',
            name='uid',
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.RunPython(uids.fill('players', 'club'), migrations.RunPython.noop),
        migrations.RunPython(uids.fill('players', 'player'), migrations.RunPython.noop),
        migrations.AlterField(
            model_name='club',
            name='uid',
            field=models.UUIDField(default=uuid4, editable=False, unique=True),
        ),
        migrations.AlterField(
            model_name='player',
            name='uid',
            field=models.UUIDField(default=uuid4, editable=False, unique=True),
        ),
    ]
