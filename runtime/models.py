"""Tables of this app: outbox, processes and outages, sweeps, stream events."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Queue(models.TextChoices):
    """Queues of background work: a slow pairing must not delay a clock that runs out."""

    CLOCKS = "clocks"
    DEFAULT = "default"
    SLOW = "slow"


class Outbox(models.Model):
    """A consequence of a change that is still to be carried out: an e-mail, a notice, a job.

    Written in the transaction of the change. Effects in this database happen exactly once, others at least
    once.
    """

    kind = models.CharField(max_length=40)
    payload = models.JSONField(default=dict)
    # A second row with the same key is not written.
    dedupe_key = models.CharField(max_length=160, unique=True)
    queue = models.CharField(max_length=10, choices=Queue, default=Queue.DEFAULT)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    leased_until = models.DateTimeField(null=True, blank=True)
    lease = models.CharField(max_length=32, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    # How often it was requested; a worker compares it to see whether it was requested again during its run.
    requests = models.PositiveIntegerField(default=1, db_default=1)
    last_error = models.TextField(blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("outbox entry")
        verbose_name_plural = _("outbox")
        indexes = (
            models.Index(
                fields=["due_at"],
                condition=Q(done_at__isnull=True, failed_at__isnull=True),
                name="outbox_due",
            ),
            models.Index(fields=["done_at"], condition=Q(done_at__isnull=False), name="outbox_done"),
        )
        constraints = (
            models.CheckConstraint(
                condition=Q(done_at__isnull=True) | Q(failed_at__isnull=True), name="outbox_done_or_failed"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.dedupe_key}"


class Installation(models.Model):
    """Settings that all processes on this database must share; one row."""

    # The fingerprint of their SECRET_KEY.
    key = models.CharField(max_length=32)
    # Whether the web server has an EMAIL_URL.
    sends_mail = models.BooleanField(default=False, db_column="sends_letters")
    # PostgreSQL server and database in which it was last opened; "" for SQLite.
    home = models.CharField(max_length=80, blank=True, default="", db_default="")
    # When it became a held copy, which sends nothing (docs/adr/0046).
    held_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("installation")
        verbose_name_plural = _("installations")
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="one_installation")]

    def __str__(self) -> str:
        return self.key


class Node(models.Model):
    """A running process, as of its last heartbeat."""

    name = models.CharField(max_length=120, unique=True)
    role = models.CharField(max_length=12)
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    # Without another heartbeat by then it counts as dead.
    until = models.DateTimeField()

    class Meta:
        verbose_name = _("node")
        verbose_name_plural = _("nodes")

    def __str__(self) -> str:
        return self.name


class Pulse(models.Model):
    """The last sign of life of any process of a role. A time after *until* without one is an outage."""

    role = models.CharField(max_length=12, primary_key=True)
    seen_at = models.DateTimeField()
    # A gap that ends before this is not an outage.
    until = models.DateTimeField()

    class Meta:
        verbose_name = _("pulse")
        verbose_name_plural = _("pulses")

    def __str__(self) -> str:
        return self.role


class Outage(models.Model):
    """A period in which no process of a role was alive; it is subtracted from the clocks that ran."""

    role = models.CharField(max_length=12)
    from_at = models.DateTimeField()
    to_at = models.DateTimeField()

    class Meta:
        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        constraints = (
            models.UniqueConstraint(fields=["role", "from_at"], name="one_outage_per_role_and_start"),
            models.CheckConstraint(condition=Q(to_at__gt=F("from_at")), name="outage_ends_after_it_began"),
        )
        # Queries select the latest outages.
        indexes = (models.Index(fields=["role", "to_at"]),)

    def __str__(self) -> str:
        return f"{self.role} {self.from_at:%Y-%m-%d %H:%M:%S}"


class SweepRun(models.Model):
    """The last run of a sweep: prevents double runs and reveals missed ones."""

    name = models.CharField(max_length=40, primary_key=True)
    claimed_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    took_ms = models.PositiveIntegerField(default=0)
    found = models.PositiveIntegerField(default=0)
    last_error = models.TextField(blank=True)
    # Consecutive failures, and when to retry.
    failures = models.PositiveSmallIntegerField(default=0, db_default=0)
    retry_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("sweep")
        verbose_name_plural = _("sweeps")

    def __str__(self) -> str:
        return self.name


class Failure(models.Model):
    """A subject (a match, an event, a list) on which a sweep failed."""

    sweep = models.CharField(max_length=40)
    subject = models.CharField(max_length=40)
    attempts = models.PositiveSmallIntegerField()
    retry_at = models.DateTimeField()
    last_error = models.TextField()

    class Meta:
        verbose_name = _("failure of a sweep")
        verbose_name_plural = _("failures of sweeps")
        constraints = (models.UniqueConstraint(fields=["sweep", "subject"], name="one_failure_a_subject"),)

    def __str__(self) -> str:
        return f"{self.sweep} {self.subject}"


class Topic(models.Model):
    """A topic and the number of its last event."""

    name = models.CharField(max_length=80, primary_key=True)
    head = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name = _("topic")
        verbose_name_plural = _("topics")

    def __str__(self) -> str:
        return self.name


class TopicEvent(models.Model):
    """A recent event of a topic, stored for readers that reconnect."""

    topic = models.CharField(max_length=80)
    seq = models.PositiveBigIntegerField()
    name = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("topic event")
        verbose_name_plural = _("topic events")
        constraints = (
            models.UniqueConstraint(fields=["topic", "seq"], name="one_event_per_topic_and_number"),
        )
        indexes = (models.Index(fields=["created_at"]),)

    def __str__(self) -> str:
        return f"{self.topic} {self.seq}"


class Presence(models.Model):
    """Number of a process's readers of a topic; a process that dies leaves its rows behind."""

    topic = models.CharField(max_length=80)
    node = models.CharField(max_length=120)
    readers = models.PositiveIntegerField()
    seen_at = models.DateTimeField()

    class Meta:
        verbose_name = _("presence")
        verbose_name_plural = _("presences")
        constraints = (
            models.UniqueConstraint(fields=["topic", "node"], name="one_presence_per_topic_and_node"),
            models.CheckConstraint(condition=Q(readers__gt=0), name="presence_has_readers"),
        )
        indexes = (models.Index(fields=["node"]),)

    def __str__(self) -> str:
        return f"{self.topic} {self.node}"


class Attendance(models.Model):
    """A topic whose listener was notified of readers; deleted when it is notified that none are left."""

    topic = models.CharField(max_length=80, primary_key=True)
    since = models.DateTimeField()

    class Meta:
        verbose_name = _("attendance")
        verbose_name_plural = _("attendances")

    def __str__(self) -> str:
        return self.topic


class StoredAnswer(models.Model):
    """The response to a request with an Idempotency-Key."""

    actor = models.CharField(max_length=80)
    key = models.CharField(max_length=80)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    body = models.JSONField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("stored answer")
        verbose_name_plural = _("stored answers")
        constraints = (models.UniqueConstraint(fields=["actor", "key"], name="one_answer_per_actor_and_key"),)
        indexes = (models.Index(fields=["created_at"]),)

    def __str__(self) -> str:
        return f"{self.actor} {self.key}"
