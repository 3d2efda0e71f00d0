# syntax=docker/dockerfile:1

# Name one with its digest to build the same image again: docs/operations.md, Compose.
ARG PYTHON_IMAGE=python:3.13-slim

FROM ${PYTHON_IMAGE} AS build

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/barpoint
ENV PATH=/opt/barpoint/bin:$PATH
COPY requirements/run.lock requirements/sqlite.lock requirements/opinion.lock /tmp/
RUN pip install --require-hashes --no-deps --only-binary :all: -r /tmp/run.lock
# A SQLite without the WAL-reset bug, on the platforms that have a wheel of it (docs/adr/0011).
RUN pip install --require-hashes --no-deps --only-binary :all: -r /tmp/sqlite.lock \
    || echo "No wheel of pysqlite3 for this platform; the system's SQLite is used."
# The engine that judges matches, on the platforms that have a wheel of it (docs/adr/0073); NOTICE says where its source is.
RUN pip install --require-hashes --no-deps --only-binary :all: -r /tmp/opinion.lock \
    || echo "No wheel of bgsage for this platform; matches are not analysed."


FROM ${PYTHON_IMAGE}

ENV PATH=/opt/barpoint/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DATA_DIR=/data \
    STATIC_ROOT=/srv/static \
    HOST=0.0.0.0
RUN useradd --system --uid 10001 --no-create-home --home-dir /nonexistent barpoint \
    && install -d -o barpoint -g barpoint /data /data/mail
COPY --from=build /opt/barpoint /opt/barpoint
WORKDIR /app
COPY . .
# The code belongs to root: the process that serves it cannot change it.
RUN python -m compileall -q . && SECRET_KEY=build python manage.py collectstatic --noinput

USER barpoint
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s --retries=3 \
    CMD ["python", "-c", "import os, urllib.parse, urllib.request as r; host = urllib.parse.urlsplit(os.environ.get('PUBLIC_URL') or 'http://localhost').hostname; port = os.environ.get('PORT') or '8000'; r.urlopen(r.Request(f'http://127.0.0.1:{port}/healthz', headers={'Host': host}), timeout=4)"]
ENTRYPOINT ["python", "manage.py"]
CMD ["serve"]
