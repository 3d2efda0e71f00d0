"""Every setting, read once from the environment; no other module reads it.

No variable is required. `DATABASE_URL` and `REDIS_URL` select PostgreSQL and Redis;
`PUBLIC_URL` with https enables the settings of a public site. docs/operations.md lists the rest.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from django.utils.translation import gettext_lazy as _

from config import environment as env
from config.logs import build_settings

BASE_DIR = Path(__file__).resolve().parent.parent
# A wheel contains templates and static files beside the code (setup.py); its data is elsewhere.
IS_CHECKOUT = (BASE_DIR / "manage.py").exists()
SITE_DIR = BASE_DIR if IS_CHECKOUT else BASE_DIR / "config" / "site"
START_COMMAND = "make run" if IS_CHECKOUT else "barpoint serve"
DATA_DIR = Path(
    env.read_string("DATA_DIR", str(BASE_DIR / "var" if IS_CHECKOUT else env.get_data_home()))
).resolve()

# Addresses and paths

HOST = env.read_string("HOST", "127.0.0.1")
PORT = env.read_integer("PORT", 8000, least=0)
PUBLIC_URL = env.read_origin("PUBLIC_URL", f"http://localhost:{PORT}")
# Without it, links in e-mails use the host of the request.
HAS_PUBLIC_URL = bool(env.read_string("PUBLIC_URL"))
IS_PUBLIC = PUBLIC_URL.startswith("https://")
PUBLIC_HOST = urlsplit(PUBLIC_URL).hostname or "localhost"
TRUSTED_PROXIES = env.read_integer("TRUSTED_PROXIES", 0, most=9)

DEBUG = env.read_flag("DEBUG")
# A database without a key file was restored: generating a new key would hide that the old one is missing.
EMBEDDED_DATABASE = DATA_DIR / "barpoint.sqlite3"
KEPT_KEY = None if env.read_string("SECRET_KEY") else DATA_DIR / "secret_key"
SECRET_KEY = env.read_secret("SECRET_KEY", DATA_DIR / "secret_key", is_kept=not EMBEDDED_DATABASE.exists())
SECRET_KEY_FALLBACKS = env.read_words("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = [PUBLIC_HOST, *env.read_words("ALLOWED_HOSTS")]
# Phones in the same network reach a club's laptop by IP address or host name.
IS_OPEN_TO_NETWORK = HOST not in {"127.0.0.1", "localhost", "::1"}
OWN_ADDRESSES = env.list_own_addresses() if IS_OPEN_TO_NETWORK and not IS_PUBLIC else []
if not IS_PUBLIC:
    ALLOWED_HOSTS += ["localhost", "127.0.0.1", "[::1]", *OWN_ADDRESSES]

# Processes, threads and limits

WEB_PROCESSES = env.read_integer("WEB_PROCESSES", 1, least=1, most=64)
WEB_THREADS = env.read_integer("WEB_THREADS", 8, least=1, most=64)
# Generous, since all phones in a hall may share one address. The first does not apply behind a trusted proxy.
CONNECTIONS_PER_ADDRESS = env.read_integer("CONNECTIONS_PER_ADDRESS", 1_000, least=10)
STREAMS_PER_ADDRESS = env.read_integer("STREAMS_PER_ADDRESS", 600, least=10)
# Storage quotas for submitted records (`records.base.quotas`).
RECORDS_MB_PER_PERSON_DAY = env.read_integer("RECORDS_MB_PER_PERSON_DAY", 64, least=1)
RECORDS_FILES_PER_PERSON_DAY = env.read_integer("RECORDS_FILES_PER_PERSON_DAY", 2_000, least=1)
RECORDS_MB_PER_CLUB_DAY = env.read_integer("RECORDS_MB_PER_CLUB_DAY", 256, least=1)
RECORDS_MB_PER_CLUB = env.read_integer("RECORDS_MB_PER_CLUB", 4_000, least=1, most=1_000_000)
# How long a request may hold the database; a job may take five times as long (runtime/transactions.py).
TRANSACTION_SECONDS = env.read_integer("TRANSACTION_SECONDS", 2, least=1, most=600)
# Touched at each heartbeat, for external monitoring.
PULSE_FILE = Path(env.read_string("PULSE_FILE")) if env.read_string("PULSE_FILE") else None
WORKER_CONCURRENCY = env.read_integer("WORKER_CONCURRENCY", 2, least=1, most=64)

# Analyse finished matches, if an engine is installed.
OPINION = env.read_flag("OPINION", default=True)

# Apps and middleware

INSTALLED_APPS = [
    "config",
    "runtime",
    "players",
    "matches",
    "tournaments",
    "fixtures",
    "careers",
    "rankings",
    "venue",
    "records",
    "money",
    "opinion",
    "help",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "config.apps.UsedStaticFiles",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "django_htmx",
    # Without Django REST framework: no page uses its template tags or static files.
    "drf_spectacular",
]

MIDDLEWARE = [
    "runtime.http.middleware.MachineMiddleware",
    "runtime.http.middleware.RequestLogMiddleware",
    "runtime.http.content_security.ContentSecurityMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "players.middleware.PrivacyMiddleware",
    "players.middleware.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "players.middleware.SignInMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "players.middleware.ViewerMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.pages.RefusalMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [SITE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["config.templatetags.look"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "players.access.context.viewer",
            ],
        },
    },
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# Databases and caches

DATABASE_URL = env.read_url(
    "DATABASE_URL", ("postgresql", "postgres", "sqlite"), credential="DATABASE_PASSWORD"
)
DATABASES = {
    "default": env.build_database_settings(
        DATABASE_URL,
        sqlite_path=EMBEDDED_DATABASE,
        connections=WEB_THREADS + WORKER_CONCURRENCY + 10,
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.read_url("REDIS_URL", ("redis", "rediss", "unix"), credential="REDIS_PASSWORD")
# Separate caches, so that filling one does not evict entries of another.
CACHES = {
    "default": env.build_cache_settings(REDIS_URL, "barpoint"),
    "limits": env.build_cache_settings(REDIS_URL, "barpoint-limits"),
    "attempts": env.build_cache_settings(REDIS_URL, "barpoint-attempts"),
}
# A second bound besides config/front/limits.py. The largest form is a pasted record; as many files are
# accepted as `records.submissions.limited_reading.MOST_FILES`.
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 500
# A check list has a field for each member of a club, and a manual draw one for each place.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000

# Static files, collected with hashed names

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.read_string("STATIC_ROOT", str(DATA_DIR / "static")))
STATICFILES_DIRS = [SITE_DIR / "static"]
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
# In cascade order; each group is served as one file (ADR 15).
STYLE_SHEETS = {
    "css/site.css": (
        "css/tokens.css",
        "css/tokens-checkers.css",
        "css/tokens-felt.css",
        "css/fonts.css",
        "css/base.css",
        "css/layout.css",
        "css/menus.css",
        "css/nav.css",
        "css/tabs.css",
        "css/find.css",
        "css/buttons.css",
        "css/forms.css",
        "css/controls.css",
        "css/ticks.css",
        "css/tables.css",
        "css/cards.css",
        "css/lists.css",
        "css/badges.css",
        "css/felt.css",
        "css/pieces.css",
        "css/heads.css",
        "css/boards.css",
        "css/feedback.css",
        "css/large-print.css",
        "css/print.css",
    ),
}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "runtime.install.statics.HashedStaticFiles"},
}

# Accounts

AUTH_USER_MODEL = "players.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
    "players.access.permissions.ClubRoles",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"

EMAIL_URL = env.read_url("EMAIL_URL", ("smtp", "smtps"))
globals().update(env.build_mail_settings(EMAIL_URL, folder=DATA_DIR / "mail"))
DEFAULT_FROM_EMAIL = env.read_string("EMAIL_FROM", f"Barpoint <barpoint@{PUBLIC_HOST}>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

ACCOUNT_ADAPTER = "players.accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_SIGNUP_FORM_CLASS = "players.accounts.account_forms.SignupForm"
ACCOUNT_FORMS = {
    "signup": "players.accounts.allauth_forms.Signup",
    "login": "players.accounts.allauth_forms.Login",
    "change_password": "players.accounts.allauth_forms.ChangePassword",
    "set_password": "players.accounts.allauth_forms.SetPassword",
    "reset_password": "players.accounts.allauth_forms.ForgottenPassword",
    "reset_password_from_key": "players.accounts.allauth_forms.NewPassword",
    "add_email": "players.accounts.allauth_forms.NewAddress",
    "reauthenticate": "players.accounts.allauth_forms.PasswordReauthentication",
}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
# Without a mail server no verification link can be sent.
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if EMAIL_URL else "optional"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
# Reveals unauthorised changes of a password or second factor.
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# Lets the owner in even after failed attempts of others (a second factor is still required).
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
# Wrong passwords and codes are limited by players/access/attempts.py (ADR 45); links and passkeys cannot be
# guessed. The remaining limits are per address, and high enough for a club behind one router.
ACCOUNT_RATE_LIMITS = {
    "login": None,
    "login_failed": None,
    "reset_password": "100/5m/ip",
    "reset_password_from_key": None,
    "signup": "150/5m/ip",
}
MFA_RATE_LIMITS = {"webauthn_login": None}
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if IS_PUBLIC else "http"
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
# Without a mail server no address can be verified, but second factors should still be available.
MFA_ALLOW_UNVERIFIED_EMAIL = not EMAIL_URL
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Barpoint"
# Half a minute of tolerance for slow typing and inaccurate clocks.
MFA_TOTP_TOLERANCE = 1
MFA_FORMS = {
    "authenticate": "players.accounts.allauth_forms.Code",
    "reauthenticate": "players.accounts.allauth_forms.CodeReauthentication",
    "add_webauthn": "players.accounts.allauth_forms.Passkey",
    "edit_webauthn": "players.accounts.allauth_forms.KeyName",
    "login_webauthn": "players.accounts.allauth_forms.PasskeyLogin",
    "authenticate_webauthn": "players.accounts.allauth_forms.PasskeyAfterPassword",
    "reauthenticate_webauthn": "players.accounts.allauth_forms.PasskeyReauthentication",
}
# Browsers offer passkeys only on https and on localhost.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not IS_PUBLIC

# Security of a public site

SECURE_SSL_REDIRECT = IS_PUBLIC
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if IS_PUBLIC else 0
# Other services may run on subdomains of the club.
SECURE_HSTS_INCLUDE_SUBDOMAINS = False
SECURE_HSTS_PRELOAD = False
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SECURE_REFERRER_POLICY = "same-origin"
# On plain http browsers ignore it and log a warning on every page.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if IS_PUBLIC else None
SESSION_COOKIE_SECURE = IS_PUBLIC
CSRF_COOKIE_SECURE = IS_PUBLIC
SESSION_COOKIE_NAME = "__Host-session" if IS_PUBLIC else "session"
CSRF_COOKIE_NAME = "__Host-csrf" if IS_PUBLIC else "csrf"
CSRF_COOKIE_HTTPONLY = True
DEVICE_COOKIE_NAME = "__Secure-device" if IS_PUBLIC else "device"
TABLE_COOKIE_NAME = "__Host-table" if IS_PUBLIC else "table"
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
CSRF_FAILURE_VIEW = "config.pages.csrf_failure"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "object-src": "'none'",
    "frame-ancestors": "'none'",
}

# Languages and time zone

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("de", _("German"))]
LANGUAGE_COOKIE_NAME = "language"
LOCALE_PATHS = [SITE_DIR / "locale", *env.find_package_folder("rest_framework", "locale")]
FORMAT_MODULE_PATH = ["config.formats"]
TIME_ZONE = env.read_time_zone("TIME_ZONE", "UTC")

# Background work (the reasons: docs/adr/0013, docs/adr/0007)

TASK_APPLICATION = "config.celery.app"
CELERY_BROKER_URL = env.build_broker_url(REDIS_URL)
CELERY_IMPORTS = ["config.background"]
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# No limit: without Redis, workers do the work they find in the database (runtime/work/sweeps.py).
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 60,
    "unacked_restore_interval": 2,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 2,
    "socket_keepalive": True,
    "health_check_interval": 25,
}
CELERY_TASK_QUEUES = {name: {"exchange": name, "routing_key": name} for name in ("clocks", "default", "slow")}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SOFT_TIME_LIMIT = 30
CELERY_TASK_TIME_LIMIT = 40
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_CREATE_MISSING_QUEUES = False
# A message for each idle process, and no count of messages: where Redis dies before an acknowledgement, Celery counts its
# message for ever, and with a prefetch of 1 would soon fetch nothing (ADR 179).
CELERY_WORKER_DISABLE_PREFETCH, CELERY_WORKER_PREFETCH_MULTIPLIER = True, 0
# Without it, and without gossip, workers subscribe to nothing: where Redis is killed their subscriptions would end them (ADR 179).
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_CONCURRENCY = WORKER_CONCURRENCY
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500
# Without it Celery opens a connection for each task. config/background.py checks the connection that is kept.
CELERY_DB_REUSE_MAX = CELERY_WORKER_MAX_TASKS_PER_CHILD
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_ACCEPT_CONTENT = ["json"]

# The API

REST_FRAMEWORK = {
    # Tokens first: they take precedence over cookies, and provide the WWW-Authenticate header of a 401.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "players.accounts.token_authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.wire.ShallowJSONParser"],
    "DEFAULT_PAGINATION_CLASS": "config.wire.ApiPagination",
    "DEFAULT_SCHEMA_CLASS": "config.schema.EndpointSchema",
    # The OpenAPI document is more complete than OPTIONS, which fails for views that parse bodies themselves.
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_THROTTLE_CLASSES": [
        "runtime.http.rate_limits.AnonThrottle",
        "runtime.http.rate_limits.UserThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {"anon": "120/min", "user": "600/min", "wide": "960/min"},
    "EXCEPTION_HANDLER": "config.problems.handle_error",
    "NUM_PROXIES": TRUSTED_PROXIES,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Barpoint",
    "DESCRIPTION": "Clubs, players, events and matches. Errors are problem+json with a stable code.",
    "VERSION": "v1",
    "SERVE_INCLUDE_SCHEMA": False,
    # Inline enums, without generated component names.
    "POSTPROCESSING_HOOKS": [],
}

LOGGING = build_settings(
    level=env.read_choice("LOG_LEVEL", ("INFO", "DEBUG", "WARNING", "ERROR", "CRITICAL")),
    shape=env.read_choice("LOG_FORMAT", ("console", "json")),
)
LOGGING_CONFIG = "config.logs.configure"
