// The page of a match: connects client, table, clocks, list of moves, chat and buttons. It shows only the state.
//
// What the first board does not need is loaded after it (`./deferred.js`): the list of moves, chat, resigning, and the scripts of all
// pages.

import { Client } from "./client.js";
import { Clocks } from "./clock.js";
import { Panel } from "./panel.js";
import { Preferences } from "./prefs.js";
import { Seats } from "./seats.js";
import { loadValue, saveValue } from "./storage.js";
import { Table } from "./table.js";
import { createTranslator } from "./texts.js";

const byId = (id) => document.getElementById(id);
const RECONNECT_SHOWN_MS = 1200;
const RETRY_MS = 4000;

class MatchPage {
  constructor(data) {
    this.data = data;
    this.me = data.me;
    this.language = document.documentElement.lang || "en";
    this.names = { white: data.whole.players.white.name, black: data.whole.players.black.name };
    this.translate = createTranslator(this.names);
    this.client = new Client(data);
    this.prefs = new Preferences();
    this.turnKey = `barpoint.turn.${data.key}.${data.me}`;
    this.title = document.title;
    this.shownEntry = null;
    const { translate, names, prefs } = this;
    const { habits: automaticUrl } = data.links;
    this.table = new Table(byId("table"), { names, prefs, automaticUrl, onIntent: (intent) => this.handleIntent(intent) });
    byId("acts").append(this.table.controls);
    const seats = { white: byId("seat-white"), black: byId("seat-black") };
    this.seats = new Seats(seats, { client: this.client, translate, isVisitor: data.is_visitor, watching: byId("watching") });
    this.clocks = new Clocks(seats, { client: this.client, translate, onLow: (text) => this.warnLowTime(text) });
    this.panel = new Panel({ ask: byId("ask"), buttons: byId("buttons"), page: this });
    this.moves = null;
    this.chat = null;
    this.rematch = null;
    byId("taste").addEventListener("click", () => this.table.preferencesDialog.open());
  }

  start() {
    const { client } = this;
    client.addEventListener("frame", ({ detail }) => this.showFrame(detail.frame));
    client.addEventListener("change", () => this.render());
    client.addEventListener("sent", () => this.panel.render());
    client.addEventListener("presence", () => this.seats.render());
    client.addEventListener("checked", () => this.renderDiceCheck());
    client.addEventListener("connection", () => this.renderConnection());
    client.addEventListener("refused", ({ detail }) => this.handleRefusal(detail));
    this.render();
    this.restorePending();
    client.start();
    // The board is painted before anything else is loaded.
    setTimeout(() => this.loadDeferred());
  }

  /** Load what the first board could do without: a player's part in the dice first. */
  async loadDeferred() {
    try {
      if (this.me !== null) this.client.attachDiceAgent((await import("./dice_agent.js")).DiceAgent);
      const { loadDeferred } = await import("./deferred.js");
      await loadDeferred(this);
    } catch (problem) {
      console.error(problem);
      this.reloadWhenOnline();
    }
  }

  // The connection was lost just then, and browsers do not retry a failed module: the page is reloaded when the server answers.
  reloadWhenOnline() {
    setTimeout(async () => {
      const answer = await fetch(location.href, { method: "HEAD" }).catch(() => null);
      if (answer?.ok) location.reload();
      else this.reloadWhenOnline();
    }, RETRY_MS);
  }

  // -- the table

  buildTableOptions(state) {
    const { client, me } = this;
    const { you } = client;
    const isCurrent = state === client.snapshot;
    const canAct = isCurrent && client.diceAgent !== null && state.status === "live" && !this.shownEntry && !this.panel.isChainMissing;
    return {
      me,
      interactive: canAct,
      turn: canAct && state.turn === me ? client.turn : null,
      // Between games the panel asks; and until the server has sent the possible acts, doubling is not offered.
      may: state.phase === "opening" || !canAct || client.diceAgent.isSending ? [] : (you?.may ?? this.listCertainActs(state)),
      isDeadDouble: you?.warnings?.double?.code === "dead-cube",
      cube: client.terms.rules.cube !== false && client.terms.rules.length !== 1,
      pips: client.terms.shows_pips !== false,
      made: this.loadTurn(state),
    };
  }

  listCertainActs({ phase, turn, owing, roll }) {
    if (phase === "doubled" && owing.includes(this.me)) return ["take", "drop"];
    return phase === "to-roll" && turn === this.me && !roll.asked ? ["roll"] : [];
  }

  showFrame(frame) {
    const { fact } = frame.line;
    if (fact.fact === "played" && fact.side === this.me) saveValue(this.turnKey, null);
    if (this.shownEntry) return;
    this.table.show(this.client.snapshot, { ...this.buildTableOptions(this.client.snapshot), line: frame.line });
  }

  render() {
    const { client } = this;
    const { snapshot } = client;
    this.panel.render();
    if (!this.shownEntry) this.table.show(snapshot, this.buildTableOptions(snapshot));
    this.seats.render();
    this.clocks.render();
    this.renderBadges(snapshot);
    this.renderTitle();
    this.renderDiceCheck();
    this.renderConnection();
    byId("take-home").hidden = !client.isOver;
    byId("match").toggleAttribute("data-over", client.isOver);
    const resign = byId("resign-open");
    if (resign) resign.hidden = client.isOver || snapshot.status !== "live";
  }

  // A command stored over a reload is still under way.
  async restorePending() {
    if (!this.client.pending) return;
    await this.table.show(this.client.snapshot, this.buildTableOptions(this.client.snapshot));
    if (!this.client.pending) return;
    this.table.isLocked = true;
    this.table.refresh();
  }

  handleIntent(intent) {
    if (intent.type === "counted") this.seats.showPips(intent.pips);
    else if (intent.type === "changed") this.saveTurn(intent.steps);
    else if (intent.type === "refused") import("./refusals.js").then(({ explainRefusal }) => explainRefusal(this, intent));
    else if (intent.type === "ask") this.table.announce(this.clocks.describe(this.me ?? "white", this.names));
    else if (intent.type === "move") this.sendCommand({ type: "move", steps: intent.steps }, intent.thought);
    else this.sendCommand({ type: intent.type });
  }

  sendCommand(command, thinkingMs = null) {
    if (!this.client.send(command, thinkingMs)) this.table.release();
    this.renderTitle();
    this.renderConnection();
  }

  // A partial turn survives a reload, the end of the tab, and a line that changes no board, such as a stopped clock.
  saveTurn(steps) {
    saveValue(this.turnKey, steps.length ? { at: createRollKey(this.client.snapshot), steps } : null);
  }

  loadTurn(state) {
    const made = loadValue(this.turnKey);
    return made && made.at === createRollKey(state) ? made.steps : undefined;
  }

  /** Show an earlier position; null is the current one. */
  showEntry(entry) {
    this.shownEntry = entry;
    if (entry) this.table.show(entry.state, { ...this.buildTableOptions(entry.state), me: this.me, interactive: false, turn: null, may: [] });
    this.render();
  }

  // -- texts around the board

  renderBadges({ crawford, phase, game_is_crawford: isCrawford }) {
    const { isOver } = this.client;
    byId("crawford").hidden = isOver || !(isCrawford || (crawford === "now" && phase === "opening"));
    byId("post-crawford").hidden = isOver || crawford !== "past" || isCrawford;
  }

  renderTitle() {
    const { client } = this;
    const isMine = client.sidesToAct.includes(this.me) && !client.snapshot.roll.asked && !client.pending;
    const isAwaited = client.isOver ? Boolean(this.rematch?.needsAnswer) : isMine;
    document.title = isAwaited ? `(1) ${this.title}` : this.title;
    if (isAwaited && this.wasAwaited === false) this.table.sound.play("turn");
    this.wasAwaited = isAwaited;
  }

  renderDiceCheck() {
    const { diceAgent } = this.client;
    if (!diceAgent) return;
    const mark = byId("dice-mark");
    mark.hidden = diceAgent.checked === 0 || diceAgent.problem !== null;
    mark.lastElementChild.textContent = this.translate.plural("dice.checked", diceAgent.checked);
    if (diceAgent.problem) {
      const alarm = byId("dice-alarm");
      const { number, why } = diceAgent.problem;
      alarm.hidden = false;
      alarm.firstElementChild.textContent = this.translate("dice.wrong", { n: number, why: this.translate(`dice.why.${why}`) });
    }
  }

  // Interruptions of a second are not shown.
  renderConnection() {
    clearTimeout(this.lineTimer);
    const { connection, pending } = this.client;
    const line = byId("line");
    if (connection === "on") {
      line.hidden = true;
      return;
    }
    const words = connection === "offline" ? this.translate(pending ? "ask.kept" : "line.offline") : this.translate("line.off");
    const show = () => {
      line.textContent = words;
      line.hidden = false;
    };
    if (connection === "offline" || !line.hidden) show();
    else this.lineTimer = setTimeout(() => this.client.connection !== "on" && show(), RECONNECT_SHOWN_MS);
  }

  warnLowTime(words) {
    this.table.sound.play("low");
    this.table.announce(words);
  }

  handleRefusal(problem) {
    this.showProblem(problem);
    this.table.release();
    this.render();
  }

  showProblem(problem) {
    if (problem.status === 401 || (problem.status === 403 && problem.code === "not_authenticated")) this.showMessage(this.translate("line.signed-out"), true);
    // Someone else was quicker, which the page already shows.
    else if (problem.code !== "stale") this.showMessage(problem.body.title ?? this.translate("line.refused"), true, problem.body);
  }

  async showMessage(text, isError = false, problem = {}) {
    (await import("./refusals.js")).showMessage(this, text, problem, { error: isError });
  }
}

// Identifies a roll of the match, as far as two turns can be told apart.
function createRollKey({ game, board, dice }) {
  return `${game} ${board} ${dice}`;
}

new MatchPage(JSON.parse(byId("match-data").textContent)).start();
