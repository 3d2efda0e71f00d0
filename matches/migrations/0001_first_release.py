import django.db.models.deletion
import players.keys
import uuid
from django.db import migrations, models

from matches.migrations import _journal_stands
from runtime.install.create_models import CreateModels


class Migration(migrations.Migration):
    """All tables as of the first release. What it replaces is for databases from before that release."""

    replaces = [
        ('matches', '0001_initial'),
        ('matches', '0002_uids'),
        ('matches', '0003_shown_matches'),
    ]

    initial = True

    dependencies = [
        ('players', '0001_first_release'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Match',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('key', models.CharField(default=players.keys.new_key, editable=False, max_length=10, unique=True)),
                    ('white', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='matches_as_white', to='players.player')),
                    ('black', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='matches_as_black', to='players.player')),
                    ('white_key', models.CharField(editable=False, max_length=10)),
                    ('black_key', models.CharField(editable=False, max_length=10)),
                    ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='players.club')),
                    ('terms', models.JSONField()),
                    ('length', models.PositiveSmallIntegerField(verbose_name='length')),
                    ('is_timed', models.BooleanField(verbose_name='with a clock')),
                    ('is_limited', models.BooleanField(verbose_name='with a deadline')),
                    ('is_rated', models.BooleanField(default=False, verbose_name='rated')),
                    ('is_private', models.BooleanField(default=False, verbose_name='without spectators')),
                    ('has_bot', models.BooleanField(default=False, verbose_name='with a bot')),
                    ('created_at', models.DateTimeField(verbose_name='created')),
                    ('waits_until', models.DateTimeField(blank=True, null=True)),
                    ('salts', models.JSONField(default=list)),
                    ('deposits', models.JSONField(default=dict)),
                    ('status', models.CharField(choices=[('waiting', 'Waiting for the players'), ('live', 'Being played'), ('paused', 'Paused'), ('finished', 'Finished'), ('void', 'Void')], default='waiting', max_length=10, verbose_name='status')),
                    ('cache', models.JSONField()),
                    ('head', models.PositiveIntegerField(default=0)),
                    ('head_hash', models.CharField(max_length=64)),
                    ('white_score', models.BigIntegerField(default=0)),
                    ('black_score', models.BigIntegerField(default=0)),
                    ('winner', models.CharField(blank=True, choices=[('', 'Nobody'), ('white', 'White'), ('black', 'Black'), ('both', 'Both')], max_length=5, verbose_name='winner')),
                    ('due', models.CharField(blank=True, choices=[('', 'Nobody'), ('white', 'White'), ('black', 'Black'), ('both', 'Both')], max_length=5, verbose_name='waits for')),
                    ('deadline_at', models.DateTimeField(blank=True, null=True)),
                    ('moved_at', models.DateTimeField(verbose_name='last action')),
                    ('finished_at', models.DateTimeField(blank=True, null=True, verbose_name='finished')),
                ],
                options={
                    'verbose_name': 'match',
                    'verbose_name_plural': 'matches',
                    'indexes': [models.Index(condition=models.Q(('deadline_at__isnull', False)), fields=['deadline_at'], name='match_deadline'), models.Index(condition=models.Q(('due', ''), _negated=True), fields=['white', 'due'], name='match_due_white'), models.Index(condition=models.Q(('due', ''), _negated=True), fields=['black', 'due'], name='match_due_black'), models.Index(fields=['status', '-moved_at'], name='match_status_moved'), models.Index(condition=models.Q(('has_bot', False), ('is_private', False)), fields=['status', '-moved_at'], name='match_shown_moved'), models.Index(condition=models.Q(('has_bot', True)), fields=['due'], name='match_with_bot_due')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('white', models.F('black')), _negated=True), name='nobody_plays_against_themselves'), models.CheckConstraint(condition=models.Q(('status__in', ['waiting', 'live', 'paused', 'finished', 'void'])), name='match_status_is_known'), models.CheckConstraint(condition=models.Q(('deadline_at__isnull', True), ('status__in', ['waiting', 'live']), _connector='OR'), name='only_open_matches_have_deadlines'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'live'), _negated=True), models.Q(('deadline_at__isnull', False), ('is_limited', True)), models.Q(('deadline_at__isnull', True), ('is_limited', False)), _connector='OR'), name='live_and_limited_has_a_deadline'), models.CheckConstraint(condition=models.Q(('is_limited', True), ('is_timed', False), _connector='OR'), name='what_is_timed_is_limited'), models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', False), ('status__in', ['finished', 'void'])), models.Q(('finished_at__isnull', True), ('status__in', ['waiting', 'live', 'paused'])), _connector='OR'), name='ended_matches_say_when'), models.CheckConstraint(condition=models.Q(models.Q(('winner', ''), _negated=True), models.Q(('status', 'finished'), _negated=True), _connector='OR'), name='finished_matches_are_won')],
                },
            ),
            migrations.CreateModel(
                name='JournalEntry',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='journal', to='matches.match')),
                    ('seq', models.PositiveIntegerField()),
                    ('at', models.BigIntegerField()),
                    ('by', models.CharField(max_length=8)),
                    ('who', models.CharField(blank=True, max_length=10)),
                    ('fact', models.JSONField()),
                    ('lag', models.PositiveIntegerField(default=0)),
                    ('thrown', models.JSONField(blank=True, null=True)),
                    ('hash', models.CharField(max_length=64)),
                    ('actor', models.CharField(blank=True, max_length=24)),
                    ('key', models.CharField(blank=True, max_length=80)),
                    ('request', models.CharField(blank=True, max_length=16)),
                    ('lines', models.PositiveSmallIntegerField(default=0)),
                ],
                options={
                    'verbose_name': 'journal entry',
                    'verbose_name_plural': 'journal',
                    'constraints': [models.UniqueConstraint(fields=('match', 'seq'), name='one_journal_entry_per_number'), models.UniqueConstraint(condition=models.Q(('key', ''), _negated=True), fields=('match', 'actor', 'key'), name='one_command_per_actor_and_key')],
                },
            ),
            migrations.CreateModel(
                name='Absence',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='absences', to='matches.match')),
                    ('side', models.CharField(choices=[('', 'Nobody'), ('white', 'White'), ('black', 'Black'), ('both', 'Both')], max_length=5, verbose_name='side')),
                    ('since', models.DateTimeField(verbose_name='since')),
                ],
                options={
                    'verbose_name': 'absence',
                    'verbose_name_plural': 'absences',
                    'constraints': [models.UniqueConstraint(fields=('match', 'side'), name='one_absence_per_side'), models.CheckConstraint(condition=models.Q(('side__in', ['white', 'black'])), name='a_side_is_absent')],
                },
            ),
            migrations.CreateModel(
                name='Audience',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='audience', to='matches.match')),
                    ('watching', models.PositiveIntegerField(default=0)),
                ],
                options={
                    'verbose_name': 'audience',
                    'verbose_name_plural': 'audiences',
                },
            ),
            migrations.CreateModel(
                name='Challenge',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('key', models.CharField(default=players.keys.new_key, editable=False, max_length=10, unique=True)),
                    ('challenger', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='challenges_made', to='players.player')),
                    ('opponent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='challenges_received', to='players.player')),
                    ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='challenges', to='players.club')),
                    ('terms', models.JSONField()),
                    ('is_rated', models.BooleanField(default=False, verbose_name='rated')),
                    ('is_private', models.BooleanField(default=False, verbose_name='without spectators')),
                    ('side', models.CharField(choices=[('white', 'White'), ('black', 'Black'), ('random', 'By lot')], default='random', max_length=6, verbose_name='side')),
                    ('created_at', models.DateTimeField(verbose_name='created')),
                    ('expires_at', models.DateTimeField(verbose_name='expires')),
                    ('status', models.CharField(choices=[('open', 'Open'), ('accepted', 'Accepted'), ('declined', 'Declined'), ('withdrawn', 'Withdrawn'), ('expired', 'Expired')], default='open', max_length=9, verbose_name='status')),
                    ('match', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='challenge', to='matches.match')),
                    ('rematch_of', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rematches', to='matches.match')),
                ],
                options={
                    'verbose_name': 'challenge',
                    'verbose_name_plural': 'challenges',
                    'indexes': [models.Index(condition=models.Q(('status', 'open')), fields=['expires_at'], name='open_challenges')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['open', 'accepted', 'declined', 'withdrawn', 'expired'])), name='challenge_status_is_known'), models.CheckConstraint(condition=models.Q(('opponent__isnull', True), models.Q(('opponent', models.F('challenger')), _negated=True), _connector='OR'), name='nobody_challenges_themselves'), models.CheckConstraint(condition=models.Q(models.Q(('match__isnull', False), ('opponent__isnull', False), ('status', 'accepted')), models.Q(models.Q(('status', 'accepted'), _negated=True), ('match__isnull', True)), _connector='OR'), name='accepted_challenges_have_a_match'), models.UniqueConstraint(condition=models.Q(('rematch_of__isnull', False), ('status__in', ['open', 'accepted'])), fields=('rematch_of',), name='one_rematch_per_match')],
                },
            ),
            migrations.CreateModel(
                name='Bot',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('player', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='bot', to='players.player')),
                    ('slug', models.SlugField(max_length=40, unique=True)),
                    ('mind', models.CharField(default='club', max_length=40)),
                    ('is_active', models.BooleanField(default=True, verbose_name='may be challenged')),
                ],
                options={
                    'verbose_name': 'bot',
                    'verbose_name_plural': 'bots',
                },
            ),
            migrations.CreateModel(
                name='Habits',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='habits', to='players.player')),
                    ('auto_roll', models.BooleanField(default=True, verbose_name='roll for me where I cannot double')),
                    ('auto_pass', models.BooleanField(default=True, verbose_name='pass for me where I cannot move')),
                    ('auto_play', models.BooleanField(default=False, verbose_name='make the only play for me')),
                    ('mails_turn', models.BooleanField(default=False, verbose_name='it is my turn')),
                    ('mails_challenge', models.BooleanField(default=False, verbose_name='somebody challenges me or accepts')),
                    ('mails_result', models.BooleanField(default=False, verbose_name='a match ended without me')),
                    ('mails_call', models.BooleanField(default=False, verbose_name='my match is called')),
                ],
                options={
                    'verbose_name': 'habits',
                    'verbose_name_plural': 'habits',
                },
            ),
            migrations.CreateModel(
                name='ChatLine',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('key', models.CharField(default=players.keys.new_key, editable=False, max_length=10, unique=True)),
                    ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='talk', to='matches.match')),
                    ('room', models.CharField(choices=[('players', 'Players'), ('gallery', 'Spectators')], max_length=7, verbose_name='room')),
                    ('author', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chat_lines', to='players.player')),
                    ('text', models.CharField(max_length=300, verbose_name='text')),
                    ('at', models.DateTimeField(verbose_name='said')),
                    ('client_key', models.CharField(max_length=80)),
                    ('hidden_at', models.DateTimeField(blank=True, null=True, verbose_name='hidden')),
                    ('hidden_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='players.player')),
                ],
                options={
                    'verbose_name': 'chat line',
                    'verbose_name_plural': 'chat lines',
                    'indexes': [models.Index(fields=['match', 'room', 'at'], name='chat_match_room_at'), models.Index(fields=['author', 'at'], name='chat_author_at')],
                    'constraints': [models.UniqueConstraint(fields=('match', 'author', 'client_key'), name='one_line_per_client_key'), models.CheckConstraint(condition=models.Q(('room__in', ['players', 'gallery'])), name='chat_room_is_known')],
                },
            ),
            migrations.CreateModel(
                name='Mute',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mutes', to='players.player')),
                    ('muted', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='muted_by', to='players.player')),
                ],
                options={
                    'verbose_name': 'mute',
                    'verbose_name_plural': 'mutes',
                    'constraints': [models.UniqueConstraint(fields=('player', 'muted'), name='one_mute_per_pair'), models.CheckConstraint(condition=models.Q(('player', models.F('muted')), _negated=True), name='nobody_mutes_themselves')],
                },
            ),
            migrations.CreateModel(
                name='Report',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('line', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='matches.chatline')),
                    ('by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='players.player')),
                    ('reason', models.CharField(blank=True, max_length=300, verbose_name='reason')),
                    ('at', models.DateTimeField(verbose_name='reported')),
                ],
                options={
                    'verbose_name': 'report',
                    'verbose_name_plural': 'reports',
                    'constraints': [models.UniqueConstraint(fields=('line', 'by'), name='one_report_per_line_and_player')],
                },
            ),
            migrations.CreateModel(
                name='DiceTally',
                fields=[
                    ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='dice_tally', serialize=False, to='matches.match')),
                    ('head', models.PositiveIntegerField()),
                    ('strict', models.PositiveIntegerField(default=0)),
                    ('sealed', models.PositiveIntegerField(default=0)),
                    ('weaker', models.PositiveIntegerField(default=0)),
                    ('throws', models.JSONField()),
                    ('openings', models.JSONField()),
                    ('runs', models.JSONField()),
                ],
                options={
                    'verbose_name': 'tally of dice',
                    'verbose_name_plural': 'tallies of dice',
                },
            ),
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
        ]),
        migrations.RunPython(_journal_stands.guard, _journal_stands.unguard),
    ]
