from uuid import uuid4

from django.db import migrations, models

from runtime import uids


class Migration(migrations.Migration):
    """Each row gets a name that no row of another installation has, the rows that are there already included."""

    dependencies = [
        ('tournaments', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournament',
            name='uid',
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='entry',
            name='uid',
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='pairing',
            name='uid',
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='report',
            name='uid',
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='ruling',
            name='uid',
            field=models.UUIDField(editable=False, null=True),
        ),
        migrations.RunPython(uids.fill('tournaments', 'tournament'), migrations.RunPython.noop),
        migrations.RunPython(uids.fill('tournaments', 'entry'), migrations.RunPython.noop),
        migrations.RunPython(uids.fill('tournaments', 'pairing'), migrations.RunPython.noop),
        migrations.RunPython(uids.fill('tournaments', 'report'), migrations.RunPython.noop),
        migrations.RunPython(uids.fill('tournaments', 'ruling'), migrations.RunPython.noop),
        migrations.AlterField(
            model_name='tournament',
            name='uid',
            field=models.UUIDField(default=uuid4, editable=False, unique=True),
        ),
        migrations.AlterField(
            model_name='entry',
            name='uid',
            field=models.UUIDField(default=uuid4, editable=False, unique=True),
        ),
        migrations.AlterField(
            model_name='pairing',
            name='uid',
            field=models.UUIDField(default=uuid4, editable=False, unique=True),
        ),
        migrations.AlterField(
            model_name='report',
            name='uid',
            field=models.UUIDField(default=uuid4, editable=False, unique=True),
        ),
        migrations.AlterField(
            model_name='ruling',
            name='uid',
            field=models.UUIDField(default=uuid4, editable=False, unique=True),
        ),
    ]
