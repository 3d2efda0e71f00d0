import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('opinion', '0008_lessons'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='GivenAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.CharField(max_length=80, verbose_name='position')),
                ('choice', models.CharField(max_length=60, verbose_name='answer')),
                ('browser', models.CharField(blank=True, max_length=64)),
                ('at', models.DateTimeField(verbose_name='when')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='given_answers', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'answer to a position of the day',
                'verbose_name_plural': 'answers to positions of the day',
                'indexes': [models.Index(fields=['position', 'choice'], name='given_answers_by_choice')],
                'constraints': [models.UniqueConstraint(fields=('position', 'user'), name='one_answer_per_position_and_user'), models.UniqueConstraint(condition=models.Q(('browser', ''), _negated=True), fields=('position', 'browser'), name='one_answer_per_position_and_browser'), models.CheckConstraint(condition=models.Q(models.Q(('browser__gt', ''), ('user', None)), models.Q(('browser', ''), ('user__isnull', False)), _connector='OR'), name='answer_given_by_a_user_or_a_browser')],
            },
        ),
    ]
