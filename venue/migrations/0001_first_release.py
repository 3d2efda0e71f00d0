import django.db.models.deletion
import players.keys
import uuid
import venue.models.screens
from django.conf import settings
from django.db import migrations, models

from runtime.install.create_models import CreateModels


class Migration(migrations.Migration):
    """All tables as of the first release. What it replaces is for databases from before that release."""

    replaces = [
        ('venue', '0001_rooms'),
        ('venue', '0002_assignments'),
        ('venue', '0003_screens'),
        ('venue', '0004_queues'),
        ('venue', '0005_stream_queue'),
        ('venue', '0006_screens_speak'),
        ('venue', '0007_pushes'),
        ('venue', '0008_rehearsals'),
        ('venue', '0009_breaks'),
    ]

    initial = True

    dependencies = [
        ('players', '0001_first_release'),
        ('tournaments', '0001_first_release'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Room',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rooms', to='players.club')),
                    ('key', models.CharField(default=players.keys.new_key, editable=False, max_length=10, unique=True)),
                    ('name', models.CharField(max_length=80, verbose_name='name')),
                    ('created_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('created_at', models.DateTimeField(editable=False, verbose_name='created')),
                    ('kept_until', models.DateTimeField(blank=True, editable=False, null=True)),
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
                name='Table',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('room', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tables', to='venue.room')),
                    ('key', models.CharField(default=players.keys.new_key, editable=False, max_length=10, unique=True)),
                    ('label', models.CharField(max_length=12, verbose_name='label')),
                    ('position', models.PositiveSmallIntegerField(default=0)),
                    ('state', models.CharField(choices=[('free', 'Free'), ('held', 'Held'), ('broken', 'Broken')], default='free', max_length=6, verbose_name='state')),
                    ('tags', models.JSONField(blank=True, default=list, verbose_name='tags')),
                ],
                options={
                    'verbose_name': 'table',
                    'verbose_name_plural': 'tables',
                    'ordering': ('room', 'position'),
                    'constraints': [models.UniqueConstraint(fields=('room', 'label'), name='one_table_per_room_and_label'), models.CheckConstraint(condition=models.Q(('state__in', ['free', 'held', 'broken'])), name='table_state_is_known')],
                },
            ),
            migrations.CreateModel(
                name='QueueRun',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('room', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='queue_runs', to='venue.room')),
                    ('at', models.DateTimeField()),
                    ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('asked', models.JSONField()),
                    ('calls', models.JSONField()),
                ],
                options={
                    'verbose_name': 'answer of the queue',
                    'verbose_name_plural': 'answers of the queue',
                    'ordering': ('at', 'pk'),
                },
            ),
            migrations.CreateModel(
                name='Assignment',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('table', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='assignments', to='venue.table')),
                    ('pairing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='tournaments.pairing')),
                    ('called_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('called_at', models.DateTimeField(verbose_name='called')),
                    ('why', models.JSONField(blank=True, default=dict)),
                    ('run', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='assignments', to='venue.queuerun')),
                    ('unseen_at', models.DateTimeField(blank=True, editable=False, null=True)),
                    ('started_at', models.DateTimeField(blank=True, null=True, verbose_name='started')),
                    ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
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
                    ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chairs', to='venue.assignment')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chairs', to='players.player')),
                    ('seen_at', models.DateTimeField(blank=True, null=True, verbose_name='seen')),
                    ('here_at', models.DateTimeField(blank=True, null=True, verbose_name='here')),
                    ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                ],
                options={
                    'verbose_name': 'chair',
                    'verbose_name_plural': 'chairs',
                    'ordering': ('assignment', 'pk'),
                    'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at__isnull', True)), fields=('player',), name='one_open_chair_per_player'), models.UniqueConstraint(fields=('assignment', 'player'), name='two_chairs_two_players')],
                },
            ),
            migrations.CreateModel(
                name='Break',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='breaks', to='tournaments.tournament')),
                    ('begins_at', models.DateTimeField(verbose_name='begins')),
                    ('ends_at', models.DateTimeField(verbose_name='ends')),
                    ('name', models.CharField(blank=True, max_length=60, verbose_name='name')),
                    ('over_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ],
                options={
                    'verbose_name': 'break',
                    'verbose_name_plural': 'breaks',
                    'ordering': ('begins_at', 'pk'),
                    'indexes': [models.Index(condition=models.Q(('over_at__isnull', True)), fields=['ends_at'], name='break_to_end')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('begins_at'))), name='break_ends_after_it_begins')],
                },
            ),
            migrations.CreateModel(
                name='Overlay',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('table', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='overlay', to='venue.table')),
                    ('secret', models.CharField(default=venue.models.screens.new_secret, editable=False, max_length=40, unique=True)),
                    ('layout', models.CharField(choices=[('bar', 'A bar along the foot'), ('corner', 'A box in the corner'), ('sides', 'One player on each side')], default='bar', max_length=6, verbose_name='layout')),
                    ('delay', models.PositiveSmallIntegerField(default=0, verbose_name='delay')),
                ],
                options={
                    'verbose_name': 'overlay',
                    'verbose_name_plural': 'overlays',
                    'constraints': [models.CheckConstraint(condition=models.Q(('delay__lte', 120)), name='overlay_delay_is_bounded'), models.CheckConstraint(condition=models.Q(('layout__in', ['bar', 'corner', 'sides'])), name='overlay_layout_is_known')],
                },
            ),
            migrations.CreateModel(
                name='PushKey',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('private', models.CharField(editable=False, max_length=44)),
                    ('made_at', models.DateTimeField()),
                ],
                options={
                    'verbose_name': 'push key',
                    'verbose_name_plural': 'push keys',
                    'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='one_push_key')],
                },
            ),
            migrations.CreateModel(
                name='PushSubscription',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pushes', to=settings.AUTH_USER_MODEL)),
                    ('endpoint', models.CharField(max_length=1000, unique=True)),
                    ('public', models.CharField(max_length=100)),
                    ('auth', models.CharField(max_length=32)),
                    ('created_at', models.DateTimeField(verbose_name='created')),
                    ('told_at', models.DateTimeField(blank=True, null=True, verbose_name='last told')),
                    ('last_error', models.CharField(blank=True, default='', max_length=200, verbose_name='last error')),
                ],
                options={
                    'verbose_name': 'browser that is told of calls',
                    'verbose_name_plural': 'browsers that are told of calls',
                    'ordering': ('created_at', 'pk'),
                },
            ),
            migrations.CreateModel(
                name='EventRoom',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='played_in', to='tournaments.tournament')),
                    ('room', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='venue.room')),
                    ('mode', models.CharField(choices=[('automatic', 'Automatic: a free table gets the next match at once'), ('confirmed', 'One key: the next match is proposed, a director calls it'), ('by-hand', 'By hand: directors choose match and table')], default='automatic', max_length=9, verbose_name='calls')),
                ],
                options={
                    'verbose_name': "event's room",
                    'verbose_name_plural': "events' rooms",
                    'constraints': [models.CheckConstraint(condition=models.Q(('mode__in', ['automatic', 'confirmed', 'by-hand'])), name='call_mode_is_known')],
                },
            ),
            migrations.CreateModel(
                name='Rehearsal',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='rehearsal', to='tournaments.tournament')),
                    ('of', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='rehearsed_as', to='tournaments.tournament')),
                    ('seed', models.CharField(editable=False, max_length=32)),
                    ('made_at', models.DateTimeField(verbose_name='made')),
                    ('expires_at', models.DateTimeField(db_index=True, verbose_name='expires')),
                    ('goal', models.CharField(blank=True, choices=[('result', 'Next result'), ('round', 'What is open'), ('final', 'Up to the final'), ('end', 'To the end')], max_length=6)),
                    ('keys', models.JSONField(blank=True, default=list)),
                    ('pace', models.PositiveSmallIntegerField(default=0)),
                    ('next_at', models.DateTimeField(blank=True, null=True)),
                    ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'verbose_name': 'rehearsal',
                    'verbose_name_plural': 'rehearsals',
                    'indexes': [models.Index(condition=models.Q(('next_at__isnull', False)), fields=['next_at'], name='rehearsal_plays_next')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('next_at__isnull', True), models.Q(('goal', ''), _negated=True), _connector='OR'), name='rehearsal_plays_to_a_goal')],
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
                    ('club', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='screens', to='players.club')),
                    ('name', models.CharField(blank=True, max_length=80, verbose_name='name')),
                    ('room', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='screens', to='venue.room', verbose_name='room')),
                    ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='tournaments.tournament')),
                    ('programme', models.JSONField(default=list)),
                    ('seconds', models.PositiveSmallIntegerField(default=15, verbose_name='seconds a page')),
                    ('held', models.CharField(blank=True, choices=[('calls', 'Calls'), ('tables', 'Tables'), ('bracket', 'Bracket'), ('round', 'Round and pairings'), ('standings', 'Standings'), ('clock', 'Clock and expected end'), ('board', 'Live board'), ('announcement', 'Announcement'), ('picture', 'Picture of the club')], max_length=12, verbose_name='hold')),
                    ('announcement', models.CharField(blank=True, max_length=160, verbose_name='announcement')),
                    ('announced_until', models.DateTimeField(blank=True, null=True)),
                    ('speaks', models.BooleanField(db_default=False, default=False, verbose_name='calls by voice')),
                    ('bound_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('bound_at', models.DateTimeField(editable=False, null=True)),
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
                    ('pairing', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='wanted_on_stream', to='tournaments.pairing')),
                    ('position', models.PositiveSmallIntegerField(verbose_name='position')),
                ],
                options={
                    'verbose_name': 'match wanted on stream',
                    'verbose_name_plural': 'matches wanted on stream',
                    'ordering': ('position', 'pk'),
                },
            ),
        ]),
    ]
