import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import players.keys
import players.models.clubs
import uuid
from django.conf import settings
from django.db import migrations, models

from runtime.install.create_models import CreateModels


class Migration(migrations.Migration):
    """All tables as of the first release. What it replaces is for databases from before that release."""

    replaces = [
        ('players', '0001_initial'),
        ('players', '0002_uids'),
        ('players', '0003_folded_name'),
        ('players', '0004_club_felt'),
        ('players', '0005_merges'),
        ('players', '0006_two_people'),
        ('players', '0007_club_language'),
        ('players', '0008_club_texts'),
        ('players', '0009_follows'),
        ('players', '0010_approval'),
        ('players', '0011_logos'),
        ('players', '0012_rehearsals'),
        ('players', '0013_name_style'),
        ('players', '0014_evidence'),
        ('players', '0015_sign_in_language'),
    ]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='User',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('password', models.CharField(max_length=128, verbose_name='password')),
                    ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                    ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                    ('email', models.EmailField(max_length=254, unique=True, verbose_name='e-mail address')),
                    ('is_staff', models.BooleanField(default=False, verbose_name='back office')),
                    ('is_active', models.BooleanField(default=True, verbose_name='active')),
                    ('joined_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='joined')),
                    ('language', models.CharField(blank=True, choices=[('en', 'English'), ('de', 'German')], max_length=8, verbose_name='language')),
                    ('sign_in_language', models.CharField(blank=True, db_default='', default='', editable=False, max_length=8, verbose_name='language of the last sign-in')),
                    ('time_zone', models.CharField(blank=True, max_length=64, verbose_name='time zone')),
                    ('theme', models.CharField(choices=[('auto', 'As my device'), ('light', 'Light'), ('dark', 'Dark')], default='auto', max_length=8, verbose_name='theme')),
                    ('high_contrast', models.BooleanField(default=False, verbose_name='high contrast')),
                    ('mails_notices', models.BooleanField(default=True, verbose_name='notices by e-mail')),
                    ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                    ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                ],
                options={
                    'verbose_name': 'account',
                    'verbose_name_plural': 'accounts',
                    'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('email'), name='one_account_per_email')],
                },
            ),
            migrations.CreateModel(
                name='Player',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('folded_name', models.TextField(blank=True, default='', editable=False)),
                    ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('key', models.CharField(default=players.keys.new_key, editable=False, max_length=10, unique=True)),
                    ('user', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='player', to=settings.AUTH_USER_MODEL)),
                    ('name', models.CharField(blank=True, max_length=80, verbose_name='name')),
                    ('alias', models.CharField(blank=True, max_length=40, verbose_name='alias')),
                    ('shown_as', models.CharField(choices=[('name', 'My name'), ('alias', 'My alias')], default='name', max_length=8, verbose_name='shown as')),
                    ('hidden_from_search', models.BooleanField(default=False, verbose_name='hidden from search')),
                    ('merged_into', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged', to='players.player')),
                    ('erased_at', models.DateTimeField(blank=True, null=True, verbose_name='erased')),
                    ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='created')),
                ],
                options={
                    'verbose_name': 'player',
                    'verbose_name_plural': 'players',
                    'indexes': [models.Index(fields=['name'], name='players_pla_name_f5b1bf_idx')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('merged_into__isnull', True), models.Q(('merged_into', models.F('pk')), _negated=True), _connector='OR'), name='player_not_merged_into_itself'), models.CheckConstraint(condition=models.Q(('merged_into__isnull', True), ('user__isnull', True), _connector='OR'), name='merged_player_has_no_account'), models.CheckConstraint(condition=models.Q(models.Q(('shown_as', 'alias'), _negated=True), models.Q(('alias', ''), _negated=True), _connector='OR'), name='player_shown_by_alias_has_one'), models.CheckConstraint(condition=models.Q(('erased_at__isnull', True), models.Q(('alias', ''), ('name', ''), ('user__isnull', True)), _connector='OR'), name='erased_player_has_no_name'), models.CheckConstraint(condition=models.Q(('erased_at__isnull', False), models.Q(('name', ''), _negated=True), _connector='OR'), name='player_has_a_name')],
                },
            ),
            migrations.CreateModel(
                name='Export',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='exports', to=settings.AUTH_USER_MODEL)),
                    ('asked_at', models.DateTimeField()),
                    ('ready_at', models.DateTimeField(blank=True, null=True)),
                    ('content', models.BinaryField(default=b'')),
                ],
                options={
                    'verbose_name': 'data export',
                    'verbose_name_plural': 'data exports',
                    'constraints': [models.UniqueConstraint(condition=models.Q(('ready_at__isnull', True)), fields=('user',), name='one_open_export_per_user')],
                },
            ),
            migrations.CreateModel(
                name='FirstDirector',
                fields=[
                    ('id', models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                    ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('entered_at', models.DateTimeField()),
                ],
                options={
                    'verbose_name': 'first director',
                    'verbose_name_plural': 'first directors',
                    'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='one_first_director')],
                },
            ),
            migrations.CreateModel(
                name='Club',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('folded_name', models.TextField(blank=True, default='', editable=False)),
                    ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                    ('name', models.CharField(max_length=80, verbose_name='name')),
                    ('slug', models.SlugField(max_length=60, unique=True, verbose_name='address')),
                    ('city', models.CharField(blank=True, max_length=80, verbose_name='town')),
                    ('country', models.CharField(blank=True, max_length=60, verbose_name='country')),
                    ('about', models.TextField(blank=True, max_length=2000, verbose_name='about')),
                    ('time_zone', models.CharField(default='UTC', max_length=64, verbose_name='time zone')),
                    ('joining', models.CharField(choices=[('open', 'Anyone may join'), ('invitation', 'By invitation only')], default='open', max_length=12, verbose_name='joining')),
                    ('felt', models.CharField(choices=[('green', 'Green'), ('blue', 'Blue'), ('red', 'Red'), ('plum', 'Plum'), ('slate', 'Slate')], db_default='green', default='green', max_length=8, verbose_name='colour')),
                    ('name_style', models.CharField(choices=[('whole', 'Anna Meyer'), ('last-first', 'Meyer, Anna'), ('first-initial', 'A. Meyer'), ('last-initial', 'Anna M.')], db_default='whole', default='whole', max_length=16, verbose_name='names')),
                    ('logo_hash', models.CharField(blank=True, db_default='', default='', editable=False, max_length=64)),
                    ('language', models.CharField(blank=True, choices=[('en', 'English'), ('de', 'German')], db_default='', default='', max_length=8, verbose_name='language')),
                    ('approves_orders', models.BooleanField(db_default=False, default=False, verbose_name='final orders are approved')),
                    ('shows_evidence', models.BooleanField(db_default=False, default=False, verbose_name='evidence for directors')),
                    ('house_rules', models.TextField(blank=True, db_default='', default='', max_length=20000, verbose_name='house rules')),
                    ('terms', models.TextField(blank=True, db_default='', default='', max_length=20000, verbose_name='terms of use')),
                    ('privacy', models.TextField(blank=True, db_default='', default='', max_length=20000, verbose_name='privacy notice')),
                    ('rehearses', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='stand_ins', to='players.club')),
                    ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='created')),
                ],
                options={
                    'verbose_name': 'club',
                    'verbose_name_plural': 'clubs',
                    'ordering': ('name',),
                },
            ),
            migrations.CreateModel(
                name='ClubLogo',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='logo', to='players.club')),
                    ('content', models.BinaryField()),
                    ('changed_at', models.DateTimeField(verbose_name='changed')),
                ],
                options={
                    'verbose_name': 'logo of a club',
                    'verbose_name_plural': 'logos of clubs',
                },
            ),
            migrations.CreateModel(
                name='Membership',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='players.club')),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='players.player')),
                    ('role', models.CharField(choices=[('owner', 'Owner'), ('director', 'Director'), ('member', 'Member')], default='member', max_length=10, verbose_name='role')),
                    ('joined_at', models.DateTimeField(verbose_name='joined')),
                ],
                options={
                    'verbose_name': 'membership',
                    'verbose_name_plural': 'memberships',
                    'constraints': [models.UniqueConstraint(fields=('club', 'player'), name='one_membership_per_club_and_player')],
                },
            ),
            migrations.CreateModel(
                name='Invitation',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='players.club')),
                    ('token_hash', models.CharField(editable=False, max_length=64, unique=True)),
                    ('role', models.CharField(choices=[('owner', 'Owner'), ('director', 'Director'), ('member', 'Member')], default='member', max_length=10, verbose_name='role')),
                    ('guest', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='players.player')),
                    ('note', models.CharField(blank=True, max_length=80, verbose_name='note')),
                    ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('created_at', models.DateTimeField(verbose_name='created')),
                    ('expires_at', models.DateTimeField(verbose_name='expires')),
                    ('uses_left', models.PositiveSmallIntegerField(default=1, verbose_name='uses left')),
                    ('uses', models.PositiveSmallIntegerField(default=0, verbose_name='uses')),
                    ('revoked_at', models.DateTimeField(blank=True, null=True, verbose_name='revoked')),
                ],
                options={
                    'verbose_name': 'invitation',
                    'verbose_name_plural': 'invitations',
                    'constraints': [models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('created_at'))), name='invitation_expires_after_creation'), models.CheckConstraint(condition=models.Q(('guest__isnull', True), ('uses_left__lte', 1), _connector='OR'), name='a_guest_is_claimed_once')],
                },
            ),
            migrations.CreateModel(
                name='Follow',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='follows', to=settings.AUTH_USER_MODEL)),
                    ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='followers', to='players.player')),
                    ('since', models.DateTimeField(verbose_name='since')),
                ],
                options={
                    'verbose_name': 'follow',
                    'verbose_name_plural': 'follows',
                    'ordering': ('since', 'pk'),
                    'constraints': [models.UniqueConstraint(fields=('user', 'player'), name='one_follow_per_user_and_player')],
                },
            ),
            migrations.CreateModel(
                name='Merge',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kept', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='merges', to='players.player')),
                    ('dropped', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='merges_into_others', to='players.player')),
                    ('at', models.DateTimeField(verbose_name='merged')),
                    ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('moved', models.JSONField(default=dict)),
                    ('undone_at', models.DateTimeField(blank=True, null=True, verbose_name='undone')),
                    ('undone_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'verbose_name': 'merge',
                    'verbose_name_plural': 'merges',
                    'ordering': ('-at', '-pk'),
                    'constraints': [models.UniqueConstraint(condition=models.Q(('undone_at__isnull', True)), fields=('dropped',), name='one_standing_merge_per_dropped'), models.CheckConstraint(condition=models.Q(('kept', models.F('dropped')), _negated=True), name='nobody_merged_with_themselves')],
                },
            ),
            migrations.CreateModel(
                name='TwoPeople',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('one', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='players.player')),
                    ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='players.player')),
                    ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('at', models.DateTimeField(verbose_name='said')),
                ],
                options={
                    'verbose_name': 'two people',
                    'verbose_name_plural': 'two people',
                    'constraints': [models.UniqueConstraint(fields=('one', 'other'), name='two_people_once'), models.CheckConstraint(condition=models.Q(('one__lt', models.F('other'))), name='two_people_in_order')],
                },
            ),
            migrations.CreateModel(
                name='Notice',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL)),
                    ('dedupe_key', models.CharField(max_length=120)),
                    ('text', models.CharField(max_length=300, verbose_name='text')),
                    ('url', models.CharField(blank=True, max_length=200, verbose_name='address')),
                    ('created_at', models.DateTimeField(verbose_name='created')),
                    ('read_at', models.DateTimeField(blank=True, null=True, verbose_name='read')),
                ],
                options={
                    'verbose_name': 'notice',
                    'verbose_name_plural': 'notices',
                    'ordering': ('-created_at', '-pk'),
                    'indexes': [models.Index(condition=models.Q(('read_at__isnull', True)), fields=['user'], name='unread_notices')],
                    'constraints': [models.UniqueConstraint(fields=('user', 'dedupe_key'), name='one_notice_per_user_and_key')],
                },
            ),
            migrations.CreateModel(
                name='ApiToken',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL)),
                    ('name', models.CharField(max_length=60, verbose_name='name')),
                    ('token_hash', models.CharField(editable=False, max_length=64, unique=True)),
                    ('scope', models.CharField(choices=[('play', 'Everything I may do'), ('read', 'Only read')], default='play', max_length=8, verbose_name='scope')),
                    ('created_at', models.DateTimeField(verbose_name='created')),
                    ('last_used_at', models.DateTimeField(blank=True, null=True, verbose_name='last used')),
                    ('expires_at', models.DateTimeField(blank=True, null=True, verbose_name='expires')),
                ],
                options={
                    'verbose_name': 'API token',
                    'verbose_name_plural': 'API tokens',
                    'constraints': [models.CheckConstraint(condition=models.Q(('expires_at__isnull', True), ('expires_at__gt', models.F('created_at')), _connector='OR'), name='token_expires_after_creation')],
                },
            ),
            migrations.CreateModel(
                name='Webhook',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='players.club')),
                    ('key', models.CharField(default=players.keys.new_key, editable=False, max_length=10, unique=True)),
                    ('url', models.CharField(max_length=300, verbose_name='address')),
                    ('secret', models.CharField(default=players.models.clubs.new_secret, editable=False, max_length=64)),
                    ('created_by', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('created_at', models.DateTimeField(verbose_name='created')),
                    ('called_at', models.DateTimeField(blank=True, null=True, verbose_name='last called')),
                    ('last_error', models.CharField(blank=True, max_length=200, verbose_name='last error')),
                    ('failing_since', models.DateTimeField(blank=True, null=True, verbose_name='failing since')),
                    ('stopped_at', models.DateTimeField(blank=True, null=True, verbose_name='stopped')),
                ],
                options={
                    'verbose_name': 'webhook',
                    'verbose_name_plural': 'webhooks',
                    'constraints': [models.UniqueConstraint(fields=('club', 'url'), name='one_webhook_per_club_and_address')],
                },
            ),
        ]),
    ]
