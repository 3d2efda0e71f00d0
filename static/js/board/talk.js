// Chat at the board: the messages, and a message of the viewer, sent once.

import { listen } from "../live.js";
import { ask, freshKey, send } from "./post.js";

const RETRY_MS = 3000;

export class Talk {
  constructor({ log, form }, { client, topics, rooms, say, onProblem }) {
    Object.assign(this, { log, form, client, rooms, say, onProblem, known: new Set(), muted: new Set(), waiting: null, unanswered: null });
    for (const topic of topics) listen(topic, (event) => this.receive(event));
    form.hidden = rooms.writes.length === 0;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.speak();
    });
  }

  // Messages that arrive during the request are added after its answer.
  async read() {
    this.waiting ??= [];
    try {
      const page = await ask(`${this.client.api}chat/`);
      page.muted.forEach((key) => this.muted.add(key));
      page.lines.forEach((line) => this.add(line));
      this.tellEmpty();
    } catch {
      setTimeout(() => this.read(), RETRY_MS);
    } finally {
      const told = this.waiting ?? [];
      this.waiting = null;
      told.forEach((event) => this.receive(event));
    }
  }

  receive(event) {
    const { name, data } = event;
    if (this.waiting) {
      this.waiting.push(event);
      return;
    }
    if (name === "said") this.add(data);
    if (name === "hidden") this.take(data.key);
    if (name === "resync") this.read();
  }

  add(line) {
    if (this.known.has(line.key)) {
      if (line.hidden) this.take(line.key);
      return;
    }
    if (this.muted.has(line.author.key)) return;
    this.known.add(line.key);
    this.log.querySelector(".talk__empty")?.remove();
    const row = document.createElement("p");
    row.className = "talk__line";
    row.dataset.key = line.key;
    const who = document.createElement("strong");
    who.textContent = line.author.name;
    const text = document.createElement("span");
    text.textContent = line.hidden ? this.say("talk.hidden") : line.text;
    row.append(who, " ", text);
    const isBelow = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 40;
    this.log.append(row);
    if (isBelow) this.log.scrollTop = this.log.scrollHeight;
  }

  take(key) {
    const text = this.log.querySelector(`[data-key="${CSS.escape(key)}"] span`);
    if (text) text.textContent = this.say("talk.hidden");
  }

  tellEmpty() {
    if (this.log.children.length) return;
    const row = document.createElement("p");
    row.className = "talk__empty muted";
    row.textContent = this.say("talk.empty");
    this.log.append(row);
  }

  // The same message is repeated under the same key until it arrives; if refused, its text returns to the field, unless the next is being typed.
  async speak() {
    const field = this.form.elements.text;
    const sent = field.value;
    const text = sent.trim();
    if (!text || this.isSpeaking) return;
    this.isSpeaking = true;
    if (this.unanswered?.text !== text) this.unanswered = { text, key: freshKey() };
    const body = JSON.stringify({ ...this.unanswered, room: this.rooms.writes[0] ?? "" });
    try {
      this.add(await send(`${this.client.api}chat/`, body));
      this.unanswered = null;
      if (field.value.startsWith(sent)) field.value = field.value.slice(sent.length);
      this.log.scrollTop = this.log.scrollHeight;
    } catch (problem) {
      this.onProblem(problem);
    } finally {
      this.isSpeaking = false;
      if (document.activeElement === document.body || this.form.contains(document.activeElement)) field.focus();
    }
  }
}
