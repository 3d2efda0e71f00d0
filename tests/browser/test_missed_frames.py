"""Frames of a match that arrive while the page still requests earlier ones, and frames that it missed."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser import tables

FRAMES = """
  const state = { head: 1, status: "live", owing: ["black"], results: [], dice_set: null, roll: { asked: null } };
  const whole = { snapshot: state, terms: { control: null }, players: {}, presence: {}, you: null, turn: null };
  const frame = (seq) => ({
    line: { seq, at: 0, by: "black", fact: { fact: "played" } }, state: { ...state, head: seq },
  });
"""
PLAYER = """async () => {
  const { Client } = await import("/static/js/board/client.js");
  FRAMES
  const client = new Client({ key: "m", me: null, api: "/m/", topics: {}, whole, server_ms: 0 });
  const asked = [];
  window.fetch = async (address) => {
    await null;
    asked.push(address);
    const frames = asked.length === 1 ? [frame(2), frame(3)] : [frame(4)];
    // The next line is told before the answer is there.
    if (asked.length === 1) client.applyFrames([frame(4)]);
    return new Response(JSON.stringify({ head: frames.at(-1).line.seq, more: false, frames }));
  };
  await client.loadMissing();
  return [client.head, asked];
}"""
SCREEN = """async () => {
  const { SpectatorClient } = await import("/static/js/board/spectator_client.js");
  FRAMES
  const watch = window.watch = new SpectatorClient({ topics: {}, whole, frames: [], server_ms: 0 });
  watch.asked = 0;
  window.fetch = async () => {
    await null;
    watch.asked += 1;
    const head = watch.asked === 1 ? 3 : 4;
    if (watch.asked === 1) watch.applyFrame(frame(4));
    const data = { topics: {}, whole: { ...whole, snapshot: { ...state, head } }, frames: [], server_ms: 0 };
    return new Response(`<script id="match-data" type="application/json">${JSON.stringify(data)}<\\/script>`);
  };
  watch.reload();
}"""

TALK = """async () => {
  const { Chat } = await import("/static/js/board/chat.js");
  const log = document.createElement("div");
  const parts = { client: { api: "/m/" }, topics: [], rooms: { writes: [] }, translate: (name) => name };
  const chat = new Chat({ log, form: document.createElement("form") }, parts);
  const line = { key: "a", author: { key: "ben", name: "Ben" }, text: "You cheat", hidden: false };
  chat.addLine(line);
  const lines = [{ ...line, text: "", hidden: true }];
  window.fetch = async () => new Response(JSON.stringify({ lines, muted: [] }));
  await chat.load();
  return log.textContent;
}"""


def test_a_frame_that_comes_before_the_answer_is_fetched_after_it(site: str, page: Page) -> None:
    tables.serve(page, site)
    found = page.evaluate(PLAYER.replace("FRAMES", FRAMES))
    assert found == [4, ["/m/journal/?after=1", "/m/journal/?after=3"]]


def test_a_screen_asks_its_page_again_for_such_a_frame(site: str, page: Page) -> None:
    tables.serve(page, site)
    page.evaluate(SCREEN.replace("FRAMES", FRAMES))
    page.wait_for_function("() => watch.head === 4")
    assert page.evaluate("watch.asked") == 2


def test_a_message_that_was_removed_is_gone_when_the_chat_is_read_again(site: str, page: Page) -> None:
    tables.serve(page, site)
    assert page.evaluate(TALK) == "Ben talk.hidden"
