"""Two clients that play over HTTP and know only what the API sends them."""

from __future__ import annotations

import json
import random
from hashlib import sha256
from typing import Any
from uuid import uuid4

from django.http import HttpResponse
from django.test import Client

from players.models import User


def link_after(link: bytes) -> bytes:
    return sha256(b"bgdice/v1/chain" + link).digest()


class Caller:
    """One account that calls: by session, or with a token."""

    def __init__(self, user: User | None, *, token: str = "", seed: int = 1) -> None:
        self.client = Client()
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        if user is not None and not token:
            self.client.force_login(user)
        self.rng = random.Random(seed)
        self.sent = 0
        # A random prefix of idempotency keys: the server remembers keys longer than this client lives.
        self.name = uuid4().hex

    def get(self, path: str, *, status: int = 200, **query: Any) -> Any:
        answer = self.client.get(f"/api/v1/{path}", query or None, headers=self.headers)
        assert answer.status_code == status, answer.content.decode()
        return json.loads(answer.content)

    def list(self, path: str, **query: Any) -> Any:
        """Every row of a list, page by page."""
        found, page = [], 1
        while True:
            answer = self.get(path, page=page, page_size=200, **query)
            found += answer["results"]
            if answer["next"] is None:
                return found
            page += 1

    def post(
        self, path: str, body: object, *, key: str | None = None, status: int | None = 200, **environ: Any
    ) -> Any:
        answer = self.send(path, body, key=key, **environ)
        assert status is None or answer.status_code == status, answer.content.decode()
        return json.loads(answer.content)

    def patch(self, path: str, body: object, *, key: str | None = None, status: int = 200) -> Any:
        answer = self.send(path, body, key=key, method="PATCH")
        assert answer.status_code == status, answer.content.decode()
        return json.loads(answer.content)

    def send(
        self, path: str, body: object, *, key: str | None = None, method: str = "POST", **environ: Any
    ) -> HttpResponse:
        self.sent += 1
        name = f"{self.name}-{self.sent:06d}" if key is None else key
        headers = {**self.headers, **({"Idempotency-Key": name} if name else {})}
        return self.client.generic(  # type: ignore[return-value]
            method,
            f"/api/v1/{path}",
            json.dumps(body),
            content_type="application/json",
            headers=headers,
            **environ,
        )


class Bot(Caller):
    """A caller who plays one match at random, with its own hash chain or without."""

    def __init__(self, user: User, match: str, *, has_chain: bool = True, **more: Any) -> None:
        super().__init__(user, **more)
        self.match = match
        self.has_chain = has_chain
        self.chains: dict[int, list[bytes]] = {}

    def look(self) -> Any:
        return self.get(f"matches/{self.match}/")

    def give(self, after: int, command: dict[str, Any], *, status: int | None = 200, **more: Any) -> Any:
        key = more.pop("key", None)
        body = {"after": after, "command": command, **more}
        return self.post(f"matches/{self.match}/commands/", body, status=status, key=key)

    def chain(self, dice: dict[str, Any]) -> list[bytes]:
        """The chain for a set, back to front: the head is link 0, and link i serves the i-th roll."""
        if dice["first"] not in self.chains:
            links = [self.rng.randbytes(32)]
            for _ in range(dice["length"]):
                links.append(link_after(links[-1]))
            self.chains[dice["first"]] = links[::-1]
        return self.chains[dice["first"]]

    def shares(self, seen: dict[str, Any], count: int = 2) -> dict[str, str]:
        number, dice = seen["you"]["share_for"], seen["snapshot"]["dice_set"]
        if number is None or seen["snapshot"]["roll"]["stage"] != "ready":
            return {}
        last = dice["first"] + dice["length"]
        return {
            str(each): self.chain(dice)[each - dice["first"] + 1].hex()
            for each in range(number, min(number + count, last))
        }

    def decide(self, seen: dict[str, Any]) -> dict[str, Any] | None:
        """Choose a command, or None if it is not this client's turn."""
        may, table = seen["you"]["may"], seen["snapshot"]
        if seen["you"]["side"] not in table["owing"]:
            return None
        if "promise" in may:
            return {"type": "promise", **self.commitment(seen)}
        if "open" in may:
            return {"type": "open", "head": self.chain(table["dice_set"])[0].hex()}
        if "move" in may:
            play = self.rng.choice(seen["plays"])
            if self.rng.random() < 0.5:
                return {"type": "move", "play": play["play"]}
            return {"type": "move", "steps": play["steps"]}
        if "double" in may and self.rng.random() < 0.1:
            return {"type": "double"}
        if "take" in may:
            return {"type": self.rng.choice(["take", "take", "drop"])}
        if "accept" in may:
            return {"type": self.rng.choice([each for each in ("accept", "decline") if each in may])}
        return {"type": "roll"} if "roll" in may else {"type": "share"}

    def commitment(self, seen: dict[str, Any]) -> dict[str, str]:
        if not self.has_chain:
            return {}
        dice = seen["snapshot"]["dice_set"]
        part = "A" if seen["you"]["side"] == "white" else "B"
        told = f"bgdice/v1/commit|{dice['match']}|{part}|{dice['parties'][part]}|"
        return {"commitment": sha256(told.encode() + self.chain(dice)[0]).hexdigest()}

    def act(self) -> Any:
        """Look, and do something if it is time; return the answer."""
        seen = self.look()
        command = self.decide(seen)
        if command is None:
            return None
        return self.give(seen["snapshot"]["head"], command, shares=self.shares(seen))


def play_out(*bots: Bot, most: int = 3000) -> Any:
    """Play until the match is over, and return the last state that a client saw."""
    for _ in range(most):
        for bot in bots:
            bot.act()
        seen = bots[0].look()
        if seen["snapshot"]["status"] in {"finished", "void"}:
            return seen
    raise AssertionError("the match does not end")
