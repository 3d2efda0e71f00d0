// The page of a match that is only shown: in a frame of another site, or on a wall. No input, no chat, no storage.

import { Clocks } from "./clock.js";
import { describePrompt } from "./prompt.js";
import "./late_texts.js";
import { describeMove, isListed } from "./move_texts.js";
import { Panel } from "./panel.js";
import { Preferences } from "./prefs.js";
import { Seats } from "./seats.js";
import { Table } from "./table.js";
import { stayAwake } from "./wake.js";
import { SpectatorClient } from "./spectator_client.js";
import { createTranslator } from "./texts.js";

const byId = (id) => document.getElementById(id);
const OFF_SHOWN_MS = 1500;
const MAX_LINES = 7;

class Screen {
  constructor(data) {
    this.data = data;
    this.client = new SpectatorClient(data);
    this.names = { white: data.whole.players.white.name, black: data.whole.players.black.name };
    this.translate = createTranslator(this.names);
    const { client, names, translate } = this;
    const board = byId("table");
    this.table = new Table(board, { names, prefs: createPreferences(board), onIntent: (intent) => this.handleIntent(intent) });
    const seats = { white: byId("seat-white"), black: byId("seat-black") };
    this.seats = new Seats(seats, { client, translate, watching: byId("watching") });
    this.clocks = new Clocks(seats, { client, translate });
    this.panel = new Panel({ ask: byId("ask"), buttons: document.createElement("div"), page: this });
    this.lines = [];
  }

  start() {
    const { client } = this;
    client.addEventListener("frame", ({ detail }) => this.showFrame(detail));
    client.addEventListener("change", () => this.render());
    client.addEventListener("presence", () => this.seats.render());
    client.addEventListener("connection", () => this.renderConnection());
    window.addEventListener("resize", () => this.renderLastMoves());
    this.render();
    client.start();
    if (document.body.dataset.wakes) stayAwake();
  }

  handleIntent({ type, pips }) {
    if (type === "counted") this.seats.showPips(pips);
  }

  get options() {
    const { terms } = this.client;
    const cube = terms.rules.cube !== false && terms.rules.length !== 1;
    return { me: null, interactive: false, turn: null, may: [], cube, pips: terms.shows_pips !== false };
  }

  showFrame({ frame, before }) {
    this.addLine(frame.line, before, frame.state);
    this.table.show(this.client.snapshot, { ...this.options, line: frame.line });
  }

  async render() {
    const { client } = this;
    const { snapshot } = client;
    this.seats.render();
    this.clocks.render();
    const isCrawford = snapshot.game_is_crawford || (snapshot.crawford === "now" && snapshot.phase === "opening");
    byId("crawford").hidden = !isCrawford || client.isOver;
    byId("post-crawford").hidden = snapshot.crawford !== "past" || snapshot.game_is_crawford || client.isOver;
    this.renderLastMoves();
    await this.table.show(snapshot, this.options);
    byId("ask").textContent = this.panel.findQuestion()?.text ?? describePrompt(this.table);
  }

  // -- the last moves, if there is room

  renderLastMoves() {
    const { frames } = this.client;
    if (frames !== this.shownFrames) {
      this.shownFrames = frames;
      this.lines = [];
      frames.slice(1).forEach(({ line, state }, index) => this.addLine(line, frames[index].state, state));
    }
    const list = byId("last");
    list?.replaceChildren(...this.lines.slice(-MAX_LINES).map((each) => createRow(each)));
    while (list && list.children.length > 1 && list.scrollHeight > list.clientHeight + 1) list.firstChild.remove();
  }

  addLine(line, before, state) {
    const { fact } = line;
    if (!isListed(line)) return;
    if (fact.fact === "opened") {
      const score = `${state.score[0]}\u2013${state.score[1]}`;
      const words = `${this.translate("moves.game", { n: state.game })} ${this.translate("moves.score", { score })}`;
      this.lines.push({ side: null, dice: "", words });
      return;
    }
    const dice = fact.fact === "played" ? (before.dice ?? "") : "";
    this.lines.push({ side: fact.side ?? null, dice, words: describeMove(line, before, this.translate), name: this.names[fact.side] });
  }

  renderConnection() {
    clearTimeout(this.timer);
    const line = byId("line");
    const isOn = this.client.connection === "on";
    if (isOn) line.hidden = true;
    else this.timer = setTimeout(() => (line.hidden = this.client.connection === "on"), OFF_SHOWN_MS);
  }
}

// The page decides the looks, not the viewer's preferences.
function createPreferences(board) {
  const values = { theme: board.dataset.board, speed: 1, marks: board.dataset.board === "clear" };
  return new Preferences({ getItem: () => JSON.stringify(values), setItem() {} });
}

function createRow({ side, dice, words, name }) {
  const item = document.createElement("li");
  item.className = side ? "last__move" : "last__game";
  if (side) {
    const checker = document.createElement("span");
    checker.className = "seat__man seat__man--small";
    checker.dataset.side = side;
    const owner = document.createElement("span");
    owner.className = "visually-hidden";
    owner.textContent = `${name}: `;
    const rolled = document.createElement("span");
    rolled.className = "last__dice num";
    rolled.textContent = dice;
    item.append(checker, owner, rolled);
  }
  const text = document.createElement("span");
  text.textContent = words;
  item.append(text);
  return item;
}

new Screen(JSON.parse(byId("match-data").textContent)).start();
