#!/bin/sh
# Create the secrets that compose.yaml requires, in ./secrets; existing ones are kept.
set -eu
folder=${1:-secrets}

# Containers read the files as different users, so only the folder's mode protects them.
umask 077
mkdir -p "$folder"
chmod 700 "$folder"

make_once() {
    [ -e "$folder/$1" ] || printf '%s' "$2" > "$folder/$1"
    chmod 644 "$folder/$1"
}

for name in secret_key postgres_password redis_password; do
    [ -e "$folder/$name" ] || made=$(openssl rand -hex 32)
    make_once "$name" "${made:-}"
done
# Empty: no earlier keys, and e-mails are written to a folder.
make_once secret_key_fallbacks ''
make_once email_url ''
