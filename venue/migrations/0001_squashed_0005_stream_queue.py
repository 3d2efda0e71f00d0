import django.db.models.deletion
import players.keys
import uuid
import venue.models.overlays
from django.conf import settings
from django.db import migrations, models

from runtime.create_models import CreateModels


class Migration(migrations.Migration):
    """Everything up to 0005_stream_queue, written from the models; a new database begins here (docs/adr/0138)."""

    replaces = [('venue', '0001_rooms'), ('venue', '0002_assignments'), ('venue', '0003_screens'), ('venue', '0004_queues'), ('venue', '0005_stream_queue')]

    initial = True

    dependencies = [
        ('players', '0001_squashed_0010_approval'),
        ('tournaments', '0001_squashed_0013_approval'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Room',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('key', models.CharField(default=players.keys.new_key, editable=False, max_length=10, unique=True)),
                    ('name', models.CharField(max_length=80, verbose_name='name')),
                    ('created_at', models.DateTimeField(editable=False, verbose_name='created')),
                    ('kept_until', models.DateTimeField(blank=True, editable=False, null=True)),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rooms', to='players.club')),
                    ('created_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'verbose_name': 'room',
                    'verbose_name_plural': 'rooms',
                    'ordering': ('club', 'pk'),
                    'indexes': [models.Index(condition=models.Q(('kept_until__isnull', False)), fields=['kept_until'], name='room_keeps_a_table')],
                    'constraints': [models.UniqueConstraint(fields=('club', 'name'), name='one_room_per_club_and_name')],
                },
            ),
            migrations.CreateModel(
                name='QueueRun',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('at', models.DateTimeField()),
                    ('asked', models.JSONField()),
                    ('calls', models.JSONField()),
                    ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('room', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='queue_runs', to='venue.room')),
                ],
                options={
                    'verbose_name': 'answer of the queue',
                    'verbose_name_plural': 'answers of the queue',
                    'ordering': ('at', 'pk'),
                },
            ),
            migrations.CreateModel(
                name='EventRoom',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('mode', models.CharField(choices=[('automatic', 'Automatic: a free table gets the next match at once'), ('confirmed', 'One key: the next match is proposed, a director calls it'), ('by-hand', 'By hand: directors choose match and table')], default='automatic', max_length=9, verbose_name='calls')),
                    ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='played_in', to='tournaments.tournament')),
                    ('room', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='venue.room')),
                ],
                options={
                    'verbose_name': "event's room",
                    'verbose_name_plural': "events' rooms",
                    'constraints': [models.CheckConstraint(condition=models.Q(('mode__in', ['automatic', 'confirmed', 'by-hand'])), name='call_mode_is_known')],
                },
            ),
            migrations.CreateModel(
                name='Screen',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('key', models.CharField(default=players.keys.new_key, editable=False, max_length=10, unique=True)),
                    ('token_hash', models.CharField(editable=False, max_length=64, unique=True)),
                    ('code', models.CharField(blank=True, max_length=4, verbose_name='letters')),
                    ('code_until', models.DateTimeField(null=True)),
                    ('created_at', models.DateTimeField(editable=False, verbose_name='created')),
                    ('name', models.CharField(blank=True, max_length=80, verbose_name='name')),
                    ('programme', models.JSONField(default=list)),
                    ('seconds', models.PositiveSmallIntegerField(default=15, verbose_name='seconds a page')),
                    ('held', models.CharField(blank=True, choices=[('calls', 'Calls'), ('tables', 'Tables'), ('bracket', 'Bracket'), ('round', 'Round and pairings'), ('standings', 'Standings'), ('clock', 'Clock and expected end'), ('board', 'Live board'), ('announcement', 'Announcement'), ('picture', 'Picture of the club')], max_length=12, verbose_name='hold')),
                    ('announcement', models.CharField(blank=True, max_length=160, verbose_name='announcement')),
                    ('announced_until', models.DateTimeField(blank=True, null=True)),
                    ('bound_at', models.DateTimeField(editable=False, null=True)),
                    ('bound_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('club', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='screens', to='players.club')),
                    ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tournaments.tournament')),
                    ('room', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='screens', to='venue.room', verbose_name='room')),
                ],
                options={
                    'verbose_name': 'screen',
                    'verbose_name_plural': 'screens',
                    'ordering': ('club', 'name'),
                    'constraints': [models.UniqueConstraint(fields=('club', 'name'), name='one_screen_per_club_and_name'), models.UniqueConstraint(condition=models.Q(('code', ''), _negated=True), fields=('code',), name='letters_are_one_screens'), models.CheckConstraint(condition=models.Q(models.Q(('club__isnull', True), ('code_until__isnull', False), models.Q(('code', ''), _negated=True)), models.Q(('club__isnull', False), ('code', ''), ('code_until__isnull', True)), _connector='OR'), name='a_screen_waits_or_is_bound')],
                },
            ),
            migrations.CreateModel(
                name='StreamedMatch',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('position', models.PositiveSmallIntegerField(verbose_name='position')),
                    ('pairing', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='wanted_on_stream', to='tournaments.pairing')),
                ],
                options={
                    'verbose_name': 'match wanted on stream',
                    'verbose_name_plural': 'matches wanted on stream',
                    'ordering': ('position', 'pk'),
                },
            ),
            migrations.CreateModel(
                name='Table',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('key', models.CharField(default=players.keys.new_key, editable=False, max_length=10, unique=True)),
                    ('label', models.CharField(max_length=12, verbose_name='label')),
                    ('position', models.PositiveSmallIntegerField(default=0)),
                    ('state', models.CharField(choices=[('free', 'Free'), ('held', 'Held'), ('broken', 'Broken')], default='free', max_length=6, verbose_name='state')),
                    ('tags', models.JSONField(blank=True, default=list, verbose_name='tags')),
                    ('room', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='venue.room')),
                ],
                options={
                    'verbose_name': 'table',
                    'verbose_name_plural': 'tables',
                    'ordering': ('room', 'position'),
                    'constraints': [models.UniqueConstraint(fields=('room', 'label'), name='one_table_per_room_and_label'), models.CheckConstraint(condition=models.Q(('state__in', ['free', 'held', 'broken'])), name='table_state_is_known')],
                },
            ),
            migrations.CreateModel(
                name='Overlay',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('secret', models.CharField(default=venue.models.overlays.new_secret, editable=False, max_length=40, unique=True)),
                    ('layout', models.CharField(choices=[('bar', 'A bar along the foot'), ('corner', 'A box in the corner'), ('sides', 'One player on each side')], default='bar', max_length=6, verbose_name='layout')),
                    ('delay', models.PositiveSmallIntegerField(default=0, verbose_name='delay')),
                    ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='overlay', to='venue.table')),
                ],
                options={
                    'verbose_name': 'overlay',
                    'verbose_name_plural': 'overlays',
                    'constraints': [models.CheckConstraint(condition=models.Q(('delay__lte', 120)), name='overlay_delay_is_bounded'), models.CheckConstraint(condition=models.Q(('layout__in', ['bar', 'corner', 'sides'])), name='overlay_layout_is_known')],
                },
            ),
            migrations.CreateModel(
                name='Assignment',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('called_at', models.DateTimeField(verbose_name='called')),
                    ('why', models.JSONField(blank=True, default=dict)),
                    ('unseen_at', models.DateTimeField(blank=True, editable=False, null=True)),
                    ('started_at', models.DateTimeField(blank=True, null=True, verbose_name='started')),
                    ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                    ('called_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('pairing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='tournaments.pairing')),
                    ('run', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='assignments', to='venue.queuerun')),
                    ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='assignments', to='venue.table')),
                ],
                options={
                    'verbose_name': 'assignment',
                    'verbose_name_plural': 'assignments',
                    'ordering': ('called_at', 'pk'),
                    'indexes': [models.Index(condition=models.Q(('ended_at__isnull', True), ('started_at__isnull', True), ('unseen_at__isnull', True)), fields=['called_at'], name='assignment_to_be_seen')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('table',), name='one_open_assignment_per_table'), models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('pairing',), name='one_open_assignment_per_pairing')],
                },
            ),
            migrations.CreateModel(
                name='Chair',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('seen_at', models.DateTimeField(blank=True, null=True, verbose_name='seen')),
                    ('here_at', models.DateTimeField(blank=True, null=True, verbose_name='here')),
                    ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                    ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chairs', to='venue.assignment')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chairs', to='players.player')),
                ],
                options={
                    'verbose_name': 'chair',
                    'verbose_name_plural': 'chairs',
                    'ordering': ('assignment', 'pk'),
                    'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('player',), name='one_open_chair_per_player'), models.UniqueConstraint(fields=('assignment', 'player'), name='two_chairs_two_players')],
                },
            ),
        ]),
    ]
