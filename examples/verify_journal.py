"""A verifier of a match's journal in plain Python: python verify_journal.py match.journal.json"""

import json
import sys
from hashlib import sha256


def compute_hash(before, data):
    text = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(f"barpoint/journal/v1|{before}|{text}".encode()).hexdigest()


with open(sys.argv[1], encoding="utf-8") as file:
    journal = json.load(file)
link = compute_hash("", {name: journal[name] for name in ("match", "white", "black", "terms")})
for number, line in enumerate(journal["lines"], 1):
    given = line.pop("hash")
    link = compute_hash(link, line)
    if (link, number) != (given, line["seq"]):
        sys.exit(f"Line {number} was altered, or one before it.")
print(f"{len(journal['lines'])} lines hold. The last hash is {link}")
