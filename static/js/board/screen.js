// The page of a match that is only shown: in a frame of another site, or on a wall. No input, no chat, no storage.

import { Clocks } from "./clock.js";
import { expected } from "./expected.js";
import "./late_words.js";
import { isNoted, noted } from "./notes.js";
import { Panel } from "./panel.js";
import { Preferences } from "./prefs.js";
import { Seats } from "./seats.js";
import { Table } from "./table.js";
import { stayAwake } from "./wake.js";
import { Watch } from "./watch.js";
import { speaker } from "./words.js";

const byId = (id) => document.getElementById(id);
const OFF_SHOWN_MS = 1500;
const LAST = 7;

class Screen {
  constructor(data) {
    this.data = data;
    this.client = new Watch(data);
    this.names = { white: data.whole.players.white.name, black: data.whole.players.black.name };
    this.say = speaker(this.names);
    const { client, names, say } = this;
    const place = byId("table");
    this.table = new Table(place, { names, prefs: wishes(place), onIntent: (intent) => this.hear(intent) });
    const places = { white: byId("seat-white"), black: byId("seat-black") };
    this.seats = new Seats(places, { client, say, watching: byId("watching") });
    this.clocks = new Clocks(places, { client, say });
    this.panel = new Panel({ ask: byId("ask"), buttons: document.createElement("div"), page: this });
    this.lines = [];
  }

  start() {
    const { client } = this;
    client.addEventListener("frame", ({ detail }) => this.play(detail));
    client.addEventListener("change", () => this.show());
    client.addEventListener("presence", () => this.seats.show());
    client.addEventListener("connection", () => this.tellLine());
    window.addEventListener("resize", () => this.tellLast());
    this.show();
    client.start();
    if (document.body.dataset.wakes) stayAwake();
  }

  hear({ type, pips }) {
    if (type === "counted") this.seats.count(pips);
  }

  get options() {
    const { terms } = this.client;
    const cube = terms.rules.cube !== false && terms.rules.length !== 1;
    return { me: null, interactive: false, turn: null, may: [], cube, pips: terms.shows_pips !== false };
  }

  play({ frame, before }) {
    this.note(frame.line, before, frame.state);
    this.table.show(this.client.snapshot, { ...this.options, line: frame.line });
  }

  async show() {
    const { client } = this;
    const { snapshot } = client;
    this.seats.show();
    this.clocks.show();
    const isCrawford = snapshot.game_is_crawford || (snapshot.crawford === "now" && snapshot.phase === "opening");
    byId("crawford").hidden = !isCrawford || client.isOver;
    byId("post-crawford").hidden = snapshot.crawford !== "past" || snapshot.game_is_crawford || client.isOver;
    this.tellLast();
    await this.table.show(snapshot, this.options);
    byId("ask").textContent = this.panel.question()?.text ?? expected(this.table);
  }

  // -- the last moves, if there is room

  tellLast() {
    const { frames } = this.client;
    if (frames !== this.read) {
      this.read = frames;
      this.lines = [];
      frames.slice(1).forEach(({ line, state }, index) => this.note(line, frames[index].state, state));
    }
    const list = byId("last");
    list?.replaceChildren(...this.lines.slice(-LAST).map((each) => row(each)));
    while (list && list.children.length > 1 && list.scrollHeight > list.clientHeight + 1) list.firstChild.remove();
  }

  note(line, before, state) {
    const { fact } = line;
    if (!isNoted(line)) return;
    if (fact.fact === "opened") {
      const score = `${state.score[0]}\u2013${state.score[1]}`;
      const words = `${this.say("moves.game", { n: state.game })} ${this.say("moves.score", { score })}`;
      this.lines.push({ side: null, dice: "", words });
      return;
    }
    const dice = fact.fact === "played" ? (before.dice ?? "") : "";
    this.lines.push({ side: fact.side ?? null, dice, words: noted(line, before, this.say), name: this.names[fact.side] });
  }

  tellLine() {
    clearTimeout(this.timer);
    const line = byId("line");
    const isOn = this.client.connection === "on";
    if (isOn) line.hidden = true;
    else this.timer = setTimeout(() => (line.hidden = this.client.connection === "on"), OFF_SHOWN_MS);
  }
}

// The page decides the looks, not the viewer's preferences.
function wishes(place) {
  const wanted = { theme: place.dataset.board, speed: 1, marks: place.dataset.board === "clear" };
  return new Preferences({ getItem: () => JSON.stringify(wanted), setItem() {} });
}

function row({ side, dice, words, name }) {
  const item = document.createElement("li");
  item.className = side ? "last__move" : "last__game";
  if (side) {
    const man = document.createElement("span");
    man.className = "seat__man seat__man--small";
    man.dataset.side = side;
    const who = document.createElement("span");
    who.className = "visually-hidden";
    who.textContent = `${name}: `;
    const rolled = document.createElement("span");
    rolled.className = "last__dice num";
    rolled.textContent = dice;
    item.append(man, who, rolled);
  }
  const text = document.createElement("span");
  text.textContent = words;
  item.append(text);
  return item;
}

new Screen(JSON.parse(byId("match-data").textContent)).start();
