// A match that is typed or tapped: each line is sent to the server, which checks it and returns the state of the match.
//
// Offline, lines are stored under their keys, and sent later in order, once. The answer to a roll has the graph of its plays; the
// board takes the turn from it and sends the play as a line. This file knows no rules of the game.

import { Preferences } from "../board/prefs.js";
import { createKey } from "../board/api.js";
import { loadValue, saveValue } from "../board/storage.js";
import { Table } from "../board/table.js";
import { TEXTS, createTranslator, gettext } from "../board/texts.js";

Object.assign(TEXTS, {
  "typed.waiting": gettext("{n} not sent yet"),
  "typed.hand_in": gettext("It is handed in as soon as all of it is sent."),
});

const byId = (id) => document.getElementById(id);
const RETRY_MS = 3000;

class Transcription {
  constructor({ names, ...first }) {
    Object.assign(this, { first, waiting: loadValue(this.place) ?? [], isSending: false, isStopped: false, handIn: null, die: null, viewpoint: "white", shown: first });
    // The text that this page wrote into the field, and a refused line that waits while another is typed.
    Object.assign(this, { written: "", held: null });
    this.translate = createTranslator(names);
    this.form = byId("typed-entry");
    this.text = byId("typed-text");
    const onIntent = (intent) => this.meant(intent);
    this.table = new Table(byId("table"), { names, prefs: new Preferences(), onIntent });
    this.form.before(this.table.controls);
    this.table.controls.classList.add("typed__controls");
  }

  get place() {
    return `barpoint.typed:${location.pathname}${this.match}`;
  }

  get version() {
    return this.shown.version;
  }

  // The match of the table's code; "" for an account.
  get match() {
    return byId("typed-entry").elements.match.value;
  }

  get isAtEnd() {
    return this.shown.at >= this.shown.end;
  }

  start() {
    const { form, text } = this;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const what = event.submitter?.value ?? "enter";
      if (what === "enter") this.enter(text.value, { isTyped: true });
      else this.put({ do: what, at: this.shown.at });
    });
    form.addEventListener("click", ({ target }) => this.pressed(target.closest("button[type=button], [data-play]")));
    document.addEventListener("click", (event) => this.follow(event));
    document.addEventListener("keydown", (event) => this.key(event));
    document.querySelector("[data-turn]")?.addEventListener("click", () => this.turn());
    document.querySelectorAll("form:not(#typed-entry)").forEach((each) => {
      each.addEventListener("submit", (event) => {
        // Unsent lines belong to the record that is handed in.
        if (event.submitter?.value !== "hand-in" || (!this.waiting.length && this.held === null)) return;
        event.preventDefault();
        if (!this.isStopped) this.handIn = event.submitter;
        this.flush();
        this.tellWaiting();
      });
    });
    window.addEventListener("online", () => this.flush());
    // Text that was typed before this script was loaded, or refused without it, is kept.
    const isTyped = text.value !== text.defaultValue || byId("typed-problem").childElementCount > 0;
    this.show(this.first, { keepsText: isTyped });
    this.tellWaiting();
    this.flush();
    if (matchMedia("(pointer: fine)").matches && !document.querySelector("[autofocus]")) text.focus();
  }

  // -- the board

  pressed(button) {
    if (!button) return;
    const { die, word, play } = button.dataset;
    if (die) this.tapDie(die);
    else if (word) {
      button.closest("details")?.removeAttribute("open");
      this.enter(word);
    } else if (play) this.enter(`${this.rolled()} ${play}`);
  }

  // An offered play is sent with the roll that was typed.
  rolled() {
    return /^(?:[wb] +)?\d ?[-,/]? ?\d/i.exec(this.refused ?? this.text.value.trim())?.[0] ?? "";
  }

  tapDie(die) {
    if (this.die === null) this.die = die;
    else {
      const roll = this.die + die;
      this.die = null;
      this.enter(roll);
    }
    document.querySelectorAll("[data-die]").forEach((each) => each.setAttribute("aria-pressed", String(each.dataset.die === this.die)));
  }

  key(event) {
    const { text } = this;
    if (event.altKey || event.metaKey || event.target.closest?.("dialog[open], .typing")) return;
    const isTyping = event.target === text;
    const isElsewhere = !isTyping && event.target.closest?.("input, textarea, select");
    if (isElsewhere) return;
    if (event.ctrlKey) {
      if (event.key === "z" && !text.value) {
        event.preventDefault();
        this.put({ do: "undo" });
      }
      return;
    }
    if (event.key === "?") {
      event.preventDefault();
      const keys = byId("typed-keys");
      keys.open = !keys.open;
      if (keys.open) keys.scrollIntoView({ block: "nearest" });
    } else if (isTyping && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      const at = this.shown.at + (event.key === "ArrowUp" ? -1 : 1);
      if (at >= 0 && at <= this.shown.end) this.go(at);
    } else if (isTyping && event.key === "Escape") {
      if (this.takeHeld()) return;
      this.problem("");
      if (!this.isAtEnd || this.shown.nodes) this.go(this.shown.end);
      else text.value = "";
    }
  }

  follow(event) {
    const link = event.target.closest("a[data-at]");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.go(Number(link.dataset.at));
  }

  meant(intent) {
    if (intent.type !== "move") return;
    const { dice, turn } = this.shown.state;
    const steps = intent.steps.map(([source, target]) => `${source}/${target}`).join(" ");
    this.enter(`${this.isOpening ? `${turn[0]} ` : ""}${dice} ${steps || "cannot move"}`);
  }

  turn() {
    this.viewpoint = this.viewpoint === "white" ? "black" : "white";
    this.show(this.shown, { keepsText: true });
  }

  // -- requests

  enter(value, { isTyped = false } = {}) {
    let text = value.trim();
    if (!text) {
      if (isTyped) this.takeHeld();
      return;
    }
    // A play alone is sent with the current roll.
    if (this.shown.nodes && text.includes("/") && !/^(?:[wb] +)?\d ?[-,]? ?\d(?:[: ]|$)/i.test(text)) {
      text = `${this.isOpening ? `${this.shown.state.turn[0]} ` : ""}${this.shown.state.dice} ${text}`;
    }
    // A line opened for editing begins with the letter of its side.
    const line = { do: "enter", text };
    if (!this.isAtEnd) Object.assign(line, { at: this.shown.at, instead: byId("typed-instead").checked ? 1 : 0 });
    if (byId("typed-as-written").checked) line.as_written = 1;
    if (isTyped && this.held !== null) this.putBehindHeld(line);
    else this.put(line);
  }

  put(act) {
    this.problem("");
    const put = { ...act, key: createKey() };
    this.waiting = this.isStopped ? [put, ...this.waiting] : [...this.waiting, put];
    this.isStopped = false;
    // It replaces the line that was held back, and the field has the one after it.
    if (this.held === null) this.write("");
    this.held = null;
    this.keepWaiting();
    this.flush();
  }

  // A line that was typed while the one before it was refused is sent after that one.
  putBehindHeld(act) {
    this.waiting = [...this.waiting, { ...act, key: createKey() }];
    this.takeHeld();
    this.keepWaiting();
  }

  // Puts the refused line that was held back into the field; false if there is none.
  takeHeld() {
    if (this.held === null) return false;
    this.write(this.held);
    this.held = null;
    this.isStopped = this.waiting.length > 0;
    this.text.select();
    this.tellWaiting();
    return true;
  }

  write(text) {
    this.text.value = text;
    this.written = text;
  }

  keepWaiting() {
    saveValue(this.place, this.waiting.length ? this.waiting : null);
    this.tellWaiting();
  }

  async flush() {
    if (this.isSending || this.isStopped) return;
    clearTimeout(this.timer);
    this.isSending = true;
    try {
      while (this.waiting.length && !this.isStopped) {
        const [act] = this.waiting;
        const told = await this.send(act);
        this.waiting = this.waiting.filter((each) => each.key !== act.key);
        this.keepWaiting();
        this.took(act, told);
      }
    } catch {
      this.timer = setTimeout(() => this.flush(), RETRY_MS);
    } finally {
      this.isSending = false;
      this.tellWaiting();
    }
    if (this.handIn && !this.waiting.length) {
      const button = this.handIn;
      this.handIn = null;
      button.form.requestSubmit(button);
    }
  }

  async send(act) {
    const body = new FormData();
    const values = { at: this.shown.end, version: this.version, match: this.match, ...act };
    for (const [name, value] of Object.entries(values)) body.set(name, value);
    const token = this.form.querySelector("[name=csrfmiddlewaretoken]").value;
    const headers = { Accept: "application/json", "X-CSRFToken": token };
    const answer = await fetch(location.pathname, { method: "POST", body, headers, redirect: "manual" });
    if (answer.type === "opaqueredirect" || answer.status >= 500 || answer.status === 403 || answer.status === 429) throw new Error(String(answer.status));
    return answer.json();
  }

  took(act, told) {
    if (!told.problem) {
      this.refused = null;
      this.show(told, { keepsText: this.text.value !== this.written });
      if (!told.nodes) byId("typed-as-written").checked = false;
      return;
    }
    this.handIn = null;
    // A refused line is put back into the field, as soon as no other is typed there; those after it wait.
    this.held = act.text ?? null;
    this.isStopped = this.waiting.length > 0 || this.held !== null;
    this.refused = act.text ?? "";
    const { nodes } = this.shown;
    const isSame = told.version === this.version && nodes;
    // The code has expired: only this is shown, and the page stays.
    if (told.state) this.show(isSame ? { ...told, state: this.shown.state, nodes, me: this.shown.me } : told, { keepsText: true });
    if (told.problem.html) this.problem(told.problem.html);
    else this.problem("").append(Object.assign(document.createElement("p"), { className: "callout callout--warn", role: "alert", textContent: told.problem }));
    if (this.text.value === this.written) this.takeHeld();
  }

  async go(at) {
    const headers = { Accept: "application/json" };
    try {
      const answer = await fetch(`${location.pathname}?match=${this.match}&at=${at}`, { headers, cache: "no-store" });
      if (answer.ok) this.show(await answer.json());
    } catch {
      this.tellWaiting();
    }
  }

  // -- the page

  show(told, { keepsText = false } = {}) {
    this.shown = told;
    if (told.html) {
      const fresh = new DOMParser().parseFromString(told.html, "text/html").body.firstElementChild;
      byId("typed-sheet").replaceWith(document.adoptNode(fresh));
    }
    const { state, nodes, me } = told;
    // An opening roll is shown with the letter of its side.
    if (!nodes) this.isOpening = state.phase === "opening";
    this.form.elements.version.value = told.version;
    this.form.elements.at.value = told.at;
    document.querySelectorAll("[data-version]").forEach((each) => (each.value = told.version));
    document.querySelectorAll("[data-word]").forEach((each) => {
      if (!each.closest("[data-resign]")) each.hidden = !told.may.includes(each.dataset.word);
    });
    document.querySelector("[data-resign]").hidden = !told.may.includes("resign");
    document.querySelector("[data-earlier]").hidden = this.isAtEnd;
    document.querySelector(".typed__dice").hidden = !told.may.includes("roll");
    if (!keepsText) {
      const here = document.querySelector("#typed-sheet a[aria-current=step]");
      this.write(this.isAtEnd || nodes ? "" : (here?.textContent ?? ""));
      if (!this.isAtEnd && document.activeElement === this.text) this.text.select();
    }
    byId("typed-asked").textContent = told.asked;
    bring();
    this.table.show(state, { me, viewpoint: this.viewpoint, interactive: Boolean(nodes), turn: nodes, may: [], pips: true });
    this.table.release();
    this.table.controls.hidden = !nodes;
  }

  problem(html) {
    const room = byId("typed-problem");
    room.replaceChildren();
    if (html) room.append(...new DOMParser().parseFromString(html, "text/html").body.children);
    return room;
  }

  tellWaiting() {
    const lines = [...(this.held === null ? [] : [this.held]), ...this.waiting.map((each) => each.text ?? each.do)];
    const isStuck = lines.length && !this.isSending;
    const told = isStuck ? [`${this.translate("typed.waiting", { n: lines.length })}: ${lines.join(" · ")}`] : [];
    if (isStuck && this.handIn) told.push(this.translate("typed.hand_in"));
    byId("typed-waiting").textContent = told.join(". ");
  }
}

// Scrolls the sheet, never the page, to the line being edited, or to its end.
function bring() {
  const frame = document.querySelector(".typed__scroll");
  const cell = frame.querySelector("[aria-current=step]");
  frame.scrollTop = cell ? cell.offsetTop - frame.clientHeight / 2 : frame.scrollHeight;
}

new Transcription(JSON.parse(byId("typed-data").textContent)).start();
