// Chat at the board: the messages, and a message of the viewer, sent once.

import { listen } from "../live.js";
import { createKey, getJson, sendJson } from "./api.js";

const RETRY_MS = 3000;

export class Chat {
  constructor({ log, form }, { client, topics, rooms, translate, onProblem }) {
    Object.assign(this, { log, form, client, rooms, translate, onProblem, shownKeys: new Set(), muted: new Set(), queue: null, unsent: null });
    for (const topic of topics) listen(topic, (event) => this.handleEvent(event));
    form.hidden = rooms.writes.length === 0;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.sendMessage();
    });
  }

  // Messages that arrive during the request are added after its answer.
  async load() {
    this.queue ??= [];
    try {
      const page = await getJson(`${this.client.api}chat/`);
      page.muted.forEach((key) => this.muted.add(key));
      page.lines.forEach((line) => this.addLine(line));
      this.showEmpty();
    } catch {
      setTimeout(() => this.load(), RETRY_MS);
    } finally {
      const events = this.queue ?? [];
      this.queue = null;
      events.forEach((event) => this.handleEvent(event));
    }
  }

  handleEvent(event) {
    const { name, data } = event;
    if (this.queue) {
      this.queue.push(event);
      return;
    }
    if (name === "said") this.addLine(data);
    if (name === "hidden") this.hideLine(data.key);
    if (name === "resync") this.load();
  }

  addLine(line) {
    if (this.shownKeys.has(line.key)) {
      if (line.hidden) this.hideLine(line.key);
      return;
    }
    if (this.muted.has(line.author.key)) return;
    this.shownKeys.add(line.key);
    this.log.querySelector(".talk__empty")?.remove();
    const row = document.createElement("p");
    row.className = "talk__line";
    row.dataset.key = line.key;
    const author = document.createElement("strong");
    author.textContent = line.author.name;
    const text = document.createElement("span");
    text.textContent = line.hidden ? this.translate("talk.hidden") : line.text;
    row.append(author, " ", text);
    const isBelow = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 40;
    this.log.append(row);
    if (isBelow) this.log.scrollTop = this.log.scrollHeight;
  }

  hideLine(key) {
    const text = this.log.querySelector(`[data-key="${CSS.escape(key)}"] span`);
    if (text) text.textContent = this.translate("talk.hidden");
  }

  showEmpty() {
    if (this.log.children.length) return;
    const row = document.createElement("p");
    row.className = "talk__empty muted";
    row.textContent = this.translate("talk.empty");
    this.log.append(row);
  }

  // The same message is repeated under the same key until it arrives; if refused, its text returns to the field, unless the next is being typed.
  async sendMessage() {
    const field = this.form.elements.text;
    const sent = field.value;
    const text = sent.trim();
    if (!text || this.isSending) return;
    this.isSending = true;
    if (this.unsent?.text !== text) this.unsent = { text, key: createKey() };
    const body = JSON.stringify({ ...this.unsent, room: this.rooms.writes[0] ?? "" });
    try {
      this.addLine(await sendJson(`${this.client.api}chat/`, body));
      this.unsent = null;
      if (field.value.startsWith(sent)) field.value = field.value.slice(sent.length);
      this.log.scrollTop = this.log.scrollHeight;
    } catch (problem) {
      this.onProblem(problem);
    } finally {
      this.isSending = false;
      if (document.activeElement === document.body || this.form.contains(document.activeElement)) field.focus();
    }
  }
}
