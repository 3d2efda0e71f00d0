from uuid import uuid4

from django.db import migrations, models

from runtime import uids


class Migration(migrations.Migration):
    """Each row gets a name that no row of another installation has, the rows that are there already included."""

    dependencies = [
        ('matches', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='uid',
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.RunPython(uids.fill('matches', 'match'), migrations.RunPython.noop),
        migrations.AlterField(
            model_name='match',
            name='uid',
            field=models.UUIDField(default=uuid4, editable=False, unique=True),
        ),
    ]
