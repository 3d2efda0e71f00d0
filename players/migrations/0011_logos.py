import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('players', '0010_approval'),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='logo_hash',
            field=models.CharField(blank=True, db_default='', default='', editable=False, max_length=64),
        ),
        migrations.CreateModel(
            name='ClubLogo',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.BinaryField()),
                ('changed_at', models.DateTimeField(verbose_name='changed')),
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='logo', to='players.club')),
            ],
            options={
                'verbose_name': 'logo of a club',
                'verbose_name_plural': 'logos of clubs',
            },
        ),
    ]
