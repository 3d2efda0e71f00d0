// What is loaded after the first board: the rest of the page, the list of moves, chat, resigning.

import { Hints } from "./hints.js";
import "./late_texts.js";
import { Moves } from "./moves.js";
import { Race } from "./race.js";
import { Rematch } from "./rematch.js";
import { bindResignation } from "./resign.js";

const byId = (id) => document.getElementById(id);

/** Set up everything that could wait. */
export async function loadDeferred(page) {
  const { client, translate, data } = page;
  const mainScript = import("../main.js");
  page.moves = new Moves(byId("moves"), { client, translate, scrubber: byId("scrubber"), onSelect: (entry) => page.showEntry(entry) });
  page.moves.load();
  bindResignation(page);
  page.hints = new Hints(page, { box: byId("hint"), switcher: byId("sound") });
  if (byId("guide")) {
    const { Guide } = await import("./guide.js");
    new Guide(page, byId("guide"));
  }
  if (byId("tutor")) {
    const { Tutor } = await import("./tutor.js");
    new Tutor(page, byId("tutor"));
  }
  if (page.me !== null) new Race(page, byId("play-out"));
  if (data.may_rematch) page.rematch = new Rematch(page);
  if (client.terms.leave && page.me !== null) {
    const { Away } = await import("./away.js");
    page.away = new Away(byId("away"), page);
  }
  if (byId("talk")) {
    const { Chat } = await import("./chat.js");
    const elements = { log: byId("talk"), form: byId("say") };
    const onProblem = (problem) => page.showProblem(problem);
    page.chat = new Chat(elements, { client, topics: data.topics.chat, rooms: data.rooms, translate, onProblem });
    page.chat.load();
  }
  watchScore(client);
  watchVoid(page);
  await mainScript;
  await waitForLoad();
  document.head.append(document.importNode(byId("later").content, true));
}

// Parts of the page that depend on the score are reloaded when it changes.
function watchScore(client) {
  const readScore = () => String(client.snapshot.score);
  let last = readScore();
  client.addEventListener("change", () => {
    if (readScore() === last) return;
    last = readScore();
    document.dispatchEvent(new CustomEvent("match:score"));
  });
}

// Why the match is void: pages that are loaded afterwards have the sentence from the server.
function watchVoid({ client, data, translate }) {
  client.addEventListener("frame", ({ detail }) => {
    const { by, fact } = detail.frame.line;
    if (fact.fact !== "voided-match") return;
    if (fact.reason === "decided-by-event") data.void_reason = translate("void.decided");
    else if (by === "director") data.void_reason = fact.reason;
  });
}

// htmx processes the page at its load event; loaded between the end of parsing and that event, it would never start.
function waitForLoad() {
  if (document.readyState === "complete") return Promise.resolve();
  return new Promise((resolve) => window.addEventListener("load", resolve, { once: true }));
}
