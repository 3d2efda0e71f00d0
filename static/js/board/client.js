// A match over API and stream: its state, the possible acts, and commands that are carried out exactly once.
//
// A snapshot and the frames after it make the next snapshot (docs/journal.md). Frames arrive over the page's stream and
// in the answers to commands; the first copy counts, and gaps are filled from the journal. A command
// without a connection is stored, over a reload too, and sent under the same key until it is answered.
//
// Events: "frame" {frame, before}, "change", "refused" (a Problem), "presence", "connection", "sent", "checked".

import { listen } from "../live.js";
import { fold } from "./fold.js";
import { Problem, createKey, getJson, sendJson } from "./api.js";
import { ServerClock } from "./server_clock.js";
import { loadValue, saveValue } from "./storage.js";

const RETRY_MS = [500, 1000, 2000, 4000, 8000, 15000];
const POLL_MS = 5000;
// Browsers send their shares automatically; a longer delay is shown.
const SHARE_LATE_MS = 1500;
// The state of a player's chain.
const DICE_FACTS = ["promised", "unsealed", "forwent"];

export class Client extends EventTarget {
  constructor({ key, me, api, topics, whole, server_ms: serverTime }) {
    super();
    Object.assign(this, { key, me, api, topics, terms: whole.terms, players: whole.players });
    this.snapshot = whole.snapshot;
    this.presence = whole.presence;
    // Presence that arrived during a request, by side.
    this.presenceUpdates = new Set();
    this.askedSince = null;
    this.setActs(whole, whole.snapshot.head);
    this.storageKey = `barpoint.command.${key}.${me}`;
    this.pending = me ? loadValue(this.storageKey) : null;
    this.failures = 0;
    this.lastReceived = 0;
    this.lateRoll = null;
    this.serverClock = new ServerClock(this, serverTime);
    this.diceAgent = null;
  }

  get head() {
    return this.snapshot.head;
  }

  get opponent() {
    return this.me === "white" ? "black" : "white";
  }

  get isMine() {
    return this.me !== null && this.snapshot.owing.includes(this.me);
  }

  get isOver() {
    return this.snapshot.status === "finished" || this.snapshot.status === "void";
  }

  get isShareLate() {
    return this.snapshot.roll.asked !== null && this.lateRoll === this.snapshot.roll.number;
  }

  /** Whose turn it is: a roll is still the roller's while the other browser sends its share. */
  get sidesToAct() {
    const { roll, owing } = this.snapshot;
    return roll.asked && !this.isShareLate ? [roll.asked.by] : owing;
  }

  /** The viewer's possible acts; null while they are being loaded. */
  get you() {
    return this.acts.head === this.head ? this.acts.you : null;
  }

  /** The graph of the viewer's roll; null without a roll or while it is being loaded. */
  get turn() {
    return this.acts.head === this.head ? this.acts.turn : null;
  }

  /** "on", "off" (the stream is interrupted) or "offline". */
  get connection() {
    if (!navigator.onLine) return "offline";
    return document.documentElement.dataset.stream === "off" || this.failures > 1 ? "off" : "on";
  }

  start() {
    listen(this.topics.match, (event) => this.receiveEvent(event));
    listen(this.topics.presence, (event) => this.receivePresence(event));
    new MutationObserver(() => this.emitConnection()).observe(document.documentElement, { attributeFilter: ["data-stream"] });
    window.addEventListener("online", () => this.resume());
    window.addEventListener("offline", () => this.emitConnection());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.sendDueShares() : this.resume()));
    // The stream sends changes at once; without it the journal is polled.
    setInterval(() => this.connection !== "on" && !this.isOver && this.loadMissing(), POLL_MS);
    this.serverClock.start();
    this.flush();
    this.sendDueShares();
  }

  /** Attach the `DiceAgent`; before that no act is possible. */
  attachDiceAgent(Agent) {
    this.diceAgent = new Agent(this);
    this.emit("change");
    this.sendDueShares();
  }

  // -- changes

  receiveEvent(event) {
    if (event.name === "resync") this.loadMissing();
    if (event.name === "line") {
      this.serverClock.observeTime(event.data.line.at);
      this.applyFrames([event.data]);
    }
  }

  receivePresence(event) {
    if (event.name === "resync") {
      this.refresh();
      return;
    }
    this.presence = { ...this.presence, ...event.data };
    for (const presenceChanges of this.presenceUpdates) Object.assign(presenceChanges, event.data);
    this.emit("presence");
  }

  /** Fold frames into the state, each once. */
  applyFrames(frames) {
    let isNew = false;
    for (const frame of frames) {
      if (frame.line.seq <= this.head) continue;
      if (frame.line.seq > this.head + 1) {
        this.lastReceived = frames.at(-1).line.seq;
        this.loadMissing();
        break;
      }
      const before = this.snapshot;
      this.snapshot = fold(before, frame);
      if (this.settlesPending(frame.line)) this.clearPending();
      if (this.isMine && !before.owing.includes(this.me)) this.askedSince = performance.now();
      isNew = true;
      this.emit("frame", { frame, before });
    }
    if (isNew) this.handleProgress();
    return isNew;
  }

  handleProgress() {
    // Automatic acts first, so that the player is not asked for them.
    this.sendDueShares();
    this.emit("change");
    this.awaitShare();
    // A share is sent without loading the possible acts.
    if (this.isMine && !this.pending && !this.snapshot.roll.asked) this.scheduleRefresh();
  }

  awaitShare() {
    const { roll } = this.snapshot;
    clearTimeout(this.shareTimer);
    if (!roll.asked) return;
    this.shareTimer = setTimeout(() => {
      this.lateRoll = roll.number;
      this.emit("change");
    }, SHARE_LATE_MS);
  }

  async loadMissing() {
    if (this.loading) return this.loading;
    this.loading = this.loadJournal().finally(() => (this.loading = null));
    return this.loading;
  }

  async loadJournal() {
    try {
      for (let more = true; more; ) {
        const page = await getJson(`${this.api}journal/?after=${this.head}`);
        this.failures = 0;
        if (page.head < this.head) break;
        const frames = page.frames.filter((frame) => frame.line.seq > this.head);
        // Only in order: a gap here would be one in the journal.
        const isNext = frames[0]?.line.seq === this.head + 1;
        if (isNext) this.applyFrames(frames);
        more = isNext && (page.more || this.head < this.lastReceived);
      }
    } catch (problem) {
      this.handleFailure(problem);
    }
  }

  // Answers to the viewer's commands contain their possible acts; after others' acts they are loaded.
  scheduleRefresh() {
    clearTimeout(this.refreshTimer);
    this.refreshTimer = setTimeout(() => this.acts.head !== this.head && !this.pending && this.refresh(), 0);
  }

  async refresh() {
    const presenceChanges = {};
    this.presenceUpdates.add(presenceChanges);
    try {
      const match = await getJson(this.api);
      this.failures = 0;
      if (match.snapshot.head > this.head) await this.loadMissing();
      if (match.snapshot.head === this.head) {
        this.setActs(match, match.snapshot.head);
        // Presence that changed during the request is not in the answer.
        this.presence = { ...match.presence, ...presenceChanges };
        this.emit("presence");
        this.emit("change");
        this.sendDueShares();
      }
    } catch (problem) {
      this.handleFailure(problem);
      if (problem.isTemporary) this.retryLater("refresh", () => this.refresh());
    } finally {
      this.presenceUpdates.delete(presenceChanges);
    }
  }

  setActs({ you, turn }, head) {
    this.acts = { you, turn: turn ?? null, head };
  }

  // -- commands

  /** Send a command of the game; one at a time, stored until it is answered. */
  send(command, thinkingMs = null) {
    if (this.pending || this.diceAgent === null) return false;
    const body = { after: this.head, command, turn: true, shares: this.diceAgent.listShares(command.type), ...this.serverClock.describeNetwork(thinkingMs ?? this.measureThinking()) };
    this.pending = { key: createKey(), text: JSON.stringify(body), type: command.type, after: this.head };
    saveValue(this.storageKey, this.pending);
    this.emit("sent");
    this.flush();
    return true;
  }

  measureThinking() {
    return this.askedSince === null ? null : Math.max(0, Math.round(performance.now() - this.askedSince));
  }

  async flush() {
    if (!this.pending || this.flushing === this.pending.key) return;
    const { key, text } = this.pending;
    this.flushing = key;
    try {
      const answer = await sendJson(`${this.api}commands/`, text, key);
      this.clearPending(key);
      this.failures = 0;
      // The answer may be older than frames that have arrived over the stream.
      this.applyFrames(answer.frames);
      if (answer.head === this.head) {
        this.setActs(answer, answer.head);
        this.sendDueShares();
      } else if (answer.head > this.head) await this.loadMissing();
      this.emit("change");
      if (this.isMine && this.acts.head !== this.head) this.scheduleRefresh();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (problem.isTemporary) {
        this.handleFailure(problem);
        if (this.flushing === key) this.flushing = null;
        this.retryLater("flush", () => this.flush());
        return;
      }
      this.clearPending(key);
      await this.loadMissing();
      this.emit("refused", problem);
      this.refresh();
    } finally {
      if (this.flushing === key) this.flushing = null;
    }
  }

  /** Forget the pending command if it has this key; without a key, whichever it is. */
  clearPending(key = this.pending?.key) {
    if (!this.pending || this.pending.key !== key) return;
    this.pending = null;
    // Another tab may have begun a command.
    if (loadValue(this.storageKey)?.key === key) saveValue(this.storageKey, null);
  }

  // A line of this viewer after the position acted on: the waiting command was carried out, or is too late. Its answer may
  // be delayed, and must not hold up the next command.
  settlesPending({ by, seq, fact }) {
    return this.pending !== null && by === this.me && seq > this.pending.after && !DICE_FACTS.includes(fact.fact);
  }

  /** A command without a decision: commitments, heads, shares. The caller handles refusals. */
  sendAutomatic(command, shares = {}) {
    const text = JSON.stringify({ after: this.head, command, turn: true, shares, ...this.serverClock.describeNetwork(0) });
    return sendJson(`${this.api}commands/`, text, createKey()).then((answer) => {
      this.failures = 0;
      this.applyFrames(answer.frames);
      if (answer.head === this.head) this.setActs(answer, answer.head);
      this.emit("change");
      this.sendDueShares();
      return answer;
    });
  }

  sendDueShares() {
    this.diceAgent?.sendDue();
  }

  // -- the connection

  handleFailure(problem) {
    if (problem.status === 0 || problem.status >= 500) this.failures += 1;
    this.emitConnection();
    if (problem.status === 401 || problem.status === 403 || problem.status === 404) this.emit("refused", problem);
  }

  /** Try again later: each kind of request separately, with growing pauses. */
  retryLater(name, request) {
    this.timers ??= {};
    clearTimeout(this.timers[name]);
    this.timers[name] = setTimeout(request, RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)]);
  }

  resume() {
    this.failures = 0;
    this.emitConnection();
    this.flush();
    if (!this.isOver) this.loadMissing();
    this.sendDueShares();
  }

  emitConnection() {
    this.emit("connection");
  }

  emit(name, detail = null) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
