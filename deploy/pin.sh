#!/bin/sh
# Print the images of compose.yaml with the digests they have now: deploy/pin.sh >> .env
set -eu

pin() {
    docker pull --quiet "$2" > /dev/null
    digest=$(docker image inspect --format '{{index .RepoDigests 0}}' "$2")
    echo "$1=$2@${digest#*@}"
}

pin PYTHON_IMAGE "${PYTHON_IMAGE:-python:3.13-slim}"
pin POSTGRES_IMAGE "${POSTGRES_IMAGE:-postgres:17}"
pin REDIS_IMAGE "${REDIS_IMAGE:-redis:7}"
pin CADDY_IMAGE "${CADDY_IMAGE:-caddy:2}"
