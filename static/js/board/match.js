// The page of a match: connects client, table, clocks, list of moves, chat and buttons. It shows only the state.
//
// What the first board does not need is loaded after it (`./later.js`): the list of moves, chat, resigning, and the scripts of all
// pages.

import { Client } from "./client.js";
import { Clocks } from "./clock.js";
import { Panel } from "./panel.js";
import { Preferences } from "./prefs.js";
import { Seats } from "./seats.js";
import { keep, kept } from "./store.js";
import { Table } from "./table.js";
import { speaker } from "./words.js";

const byId = (id) => document.getElementById(id);
const RECONNECT_SHOWN_MS = 1200;
const RETRY_MS = 4000;

class MatchPage {
  constructor(data) {
    this.data = data;
    this.me = data.me;
    this.language = document.documentElement.lang || "en";
    this.names = { white: data.whole.players.white.name, black: data.whole.players.black.name };
    this.say = speaker(this.names);
    this.client = new Client(data);
    this.prefs = new Preferences();
    this.halfMade = `barpoint.turn.${data.key}.${data.me}`;
    this.title = document.title;
    this.walked = null;
    const { say, names, prefs } = this;
    const { habits } = data.links;
    this.table = new Table(byId("table"), { names, prefs, habits, onIntent: (intent) => this.act(intent) });
    byId("acts").append(this.table.controls);
    const places = { white: byId("seat-white"), black: byId("seat-black") };
    this.seats = new Seats(places, { client: this.client, say, isVisitor: data.is_visitor, watching: byId("watching") });
    this.clocks = new Clocks(places, { client: this.client, say, onLow: (said) => this.warn(said) });
    this.panel = new Panel({ ask: byId("ask"), buttons: byId("buttons"), page: this });
    this.moves = null;
    this.talk = null;
    this.rematch = null;
    byId("taste").addEventListener("click", () => this.table.wishes.open());
  }

  start() {
    const { client } = this;
    client.addEventListener("frame", ({ detail }) => this.play(detail.frame));
    client.addEventListener("change", () => this.show());
    client.addEventListener("sent", () => this.panel.show());
    client.addEventListener("presence", () => this.seats.show());
    client.addEventListener("checked", () => this.tellDice());
    client.addEventListener("connection", () => this.tellLine());
    client.addEventListener("refused", ({ detail }) => this.refused(detail));
    this.show();
    this.waitForKept();
    client.start();
    // The board is painted before anything else is loaded.
    setTimeout(() => this.furnish());
  }

  /** Load what the first board could do without: a player's part in the dice first. */
  async furnish() {
    try {
      if (this.me !== null) this.client.equip((await import("./dice_hand.js")).DiceHand);
      const { furnish } = await import("./later.js");
      await furnish(this);
    } catch (problem) {
      console.error(problem);
      this.beginAgain();
    }
  }

  // The connection was lost just then, and browsers do not retry a failed module: the page is reloaded when the server answers.
  beginAgain() {
    setTimeout(async () => {
      const answer = await fetch(location.href, { method: "HEAD" }).catch(() => null);
      if (answer?.ok) location.reload();
      else this.beginAgain();
    }, RETRY_MS);
  }

  // -- the table

  options(state) {
    const { client, me } = this;
    const { you } = client;
    const isNow = state === client.snapshot;
    const canAct = isNow && client.hand !== null && state.status === "live" && !this.walked && !this.panel.isLost;
    return {
      me,
      interactive: canAct,
      turn: canAct && state.turn === me ? client.turn : null,
      // Between games the panel asks; and until the server has sent the possible acts, doubling is not offered.
      may: state.phase === "opening" || !canAct || client.hand.isGiving ? [] : (you?.may ?? this.surely(state)),
      isDeadDouble: you?.warnings?.double?.code === "dead-cube",
      cube: client.terms.rules.cube !== false && client.terms.rules.length !== 1,
      pips: client.terms.shows_pips !== false,
      made: this.madeAt(state),
    };
  }

  surely({ phase, turn, owing, roll }) {
    if (phase === "doubled" && owing.includes(this.me)) return ["take", "drop"];
    return phase === "to-roll" && turn === this.me && !roll.asked ? ["roll"] : [];
  }

  /** Show a new line as it happens. */
  play(frame) {
    const { fact } = frame.line;
    if (fact.fact === "played" && fact.side === this.me) keep(this.halfMade, null);
    if (this.walked) return;
    this.table.show(this.client.snapshot, { ...this.options(this.client.snapshot), line: frame.line });
  }

  /** Show the current state. */
  show() {
    const { client } = this;
    const { snapshot } = client;
    this.panel.show();
    if (!this.walked) this.table.show(snapshot, this.options(snapshot));
    this.seats.show();
    this.clocks.show();
    this.tellBadges(snapshot);
    this.tellTitle();
    this.tellDice();
    this.tellLine();
    byId("take-home").hidden = !client.isOver;
    byId("match").toggleAttribute("data-over", client.isOver);
    const resign = byId("resign-open");
    if (resign) resign.hidden = client.isOver || snapshot.status !== "live";
  }

  // A command stored over a reload is still under way.
  async waitForKept() {
    if (!this.client.pending) return;
    await this.table.show(this.client.snapshot, this.options(this.client.snapshot));
    if (!this.client.pending) return;
    this.table.isSent = true;
    this.table.refresh();
  }

  act(intent) {
    if (intent.type === "counted") this.seats.count(intent.pips);
    else if (intent.type === "changed") this.keepTurn(intent.steps);
    else if (intent.type === "refused") import("./why.js").then(({ why }) => why(this, intent));
    else if (intent.type === "ask") this.table.speak(this.clocks.spoken(this.me ?? "white", this.names));
    else if (intent.type === "move") this.command({ type: "move", steps: intent.steps }, intent.thought);
    else this.command({ type: intent.type });
  }

  /** Send a command; if refused, the table is released. */
  command(command, thought = null) {
    if (!this.client.send(command, thought)) this.table.release();
    this.tellTitle();
    this.tellLine();
  }

  // A partial turn survives a reload, the end of the tab, and a line that changes no board, such as a stopped clock.
  keepTurn(steps) {
    keep(this.halfMade, steps.length ? { at: rollOf(this.client.snapshot), steps } : null);
  }

  madeAt(state) {
    const made = kept(this.halfMade);
    return made && made.at === rollOf(state) ? made.steps : undefined;
  }

  /** Show an earlier position; null is the current one. */
  look(entry) {
    this.walked = entry;
    if (entry) this.table.show(entry.state, { ...this.options(entry.state), me: this.me, interactive: false, turn: null, may: [] });
    this.show();
  }

  // -- texts around the board

  tellBadges({ crawford, phase, game_is_crawford: isCrawford }) {
    const { isOver } = this.client;
    byId("crawford").hidden = isOver || !(isCrawford || (crawford === "now" && phase === "opening"));
    byId("post-crawford").hidden = isOver || crawford !== "past" || isCrawford;
  }

  tellTitle() {
    const { client } = this;
    const isMine = client.acting.includes(this.me) && !client.snapshot.roll.asked && !client.pending;
    const isAsked = client.isOver ? Boolean(this.rematch?.isAsked) : isMine;
    document.title = isAsked ? `(1) ${this.title}` : this.title;
    if (isAsked && this.wasAsked === false) this.table.sound.play("turn");
    this.wasAsked = isAsked;
  }

  tellDice() {
    const { hand } = this.client;
    if (!hand) return;
    const mark = byId("dice-mark");
    mark.hidden = hand.checked === 0 || hand.problem !== null;
    mark.lastElementChild.textContent = this.say.count("dice.checked", hand.checked);
    if (hand.problem) {
      const alarm = byId("dice-alarm");
      const { number, why } = hand.problem;
      alarm.hidden = false;
      alarm.firstElementChild.textContent = this.say("dice.wrong", { n: number, why: this.say(`dice.why.${why}`) });
    }
  }

  // Interruptions of a second are not shown.
  tellLine() {
    clearTimeout(this.lineTimer);
    const { connection, pending } = this.client;
    const line = byId("line");
    if (connection === "on") {
      line.hidden = true;
      return;
    }
    const words = connection === "offline" ? this.say(pending ? "ask.kept" : "line.offline") : this.say("line.off");
    const show = () => {
      line.textContent = words;
      line.hidden = false;
    };
    if (connection === "offline" || !line.hidden) show();
    else this.lineTimer = setTimeout(() => this.client.connection !== "on" && show(), RECONNECT_SHOWN_MS);
  }

  warn(words) {
    this.table.sound.play("low");
    this.table.speak(words);
  }

  refused(problem) {
    this.explain(problem);
    this.table.release();
    this.show();
  }

  /** Show why something was refused. */
  explain(problem) {
    if (problem.status === 401 || (problem.status === 403 && problem.code === "not_authenticated")) this.toast(this.say("line.signed-out"), true);
    // Someone else was quicker, which the page already shows.
    else if (problem.code !== "stale") this.toast(problem.body.title ?? this.say("line.refused"), true, problem.body);
  }

  /** Show a message. */
  async toast(text, isError = false, problem = {}) {
    (await import("./why.js")).tell(this, text, problem, { error: isError });
  }
}

// Identifies a roll of the match, as far as two turns can be told apart.
function rollOf({ game, board, dice }) {
  return `${game} ${board} ${dice}`;
}

new MatchPage(JSON.parse(byId("match-data").textContent)).start();
