import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('matches', '0005_dice_tally'),
        ('players', '0002_api_token'),
    ]

    operations = [
        migrations.CreateModel(
            name='Visitor',
            fields=[
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='visitor', serialize=False, to='players.player')),
                ('created_at', models.DateTimeField(verbose_name='created')),
            ],
            options={
                'verbose_name': 'visitor',
                'verbose_name_plural': 'visitors',
            },
        ),
    ]
