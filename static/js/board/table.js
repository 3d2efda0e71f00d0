// THE TABLE: board, dice, cube and input in one element, without any network.
//
//   const table = new Table(element, { names, onIntent, prefs, scope });
//   page.append(table.controls);                    // buttons and the sentence that says what is expected
//   table.show(state, { me, interactive, turn, line, may, cube, pips, confirm, made });
//
// `state` is a match's public state (matches/journal/live.py), `me` "white", "black" or null, `turn` the graph of the roll
// for the side to play (engine/turns.py), `line` the journal's line that led here, which is animated and announced. `may`
// lists the possible commands ("roll", "double", "take", "drop", "beaver"); `cube` and `pips` say whether the match has a cube and may
// show counts; `confirm: false` sends a whole play at once, against the preference; `made` are the steps of a stored partial turn.
// `seen` is the side from which a spectator looks, `plan` ({side, steps}) is shown by arrows; with `atOnce` nothing is animated.
// show() returns a promise; calls are queued, and a state that is already shown leaves a partial turn alone.
//
// `onIntent(intent)` gets {type: "roll" | "double" | "take" | "drop" | "beaver"}, {type: "move", steps, thought},
// {type: "changed", steps} after each change of a partial turn, {type: "refused"} (why.js), {type: "counted", pips} when the pip counts of the
// shown board change, {type: "ask", what: "clock"}. After the intent of a command the table is locked until
// another state is shown; `release()` unlocks it after a refusal.
// `wishes.open()` shows the dialog of preferences, `keys.help()` the list of shortcuts, `speak(sentence)` announces one.

import { Controls } from "./controls.js";
import { Grip } from "./grip.js";
import { Hands } from "./hands.js";
import { Keys } from "./keys.js";
import { Places } from "./places.js";
import { read } from "./position.js";
import { Preferences } from "./prefs.js";
import { Presenter } from "./present.js";
import { Scene } from "./scene.js";
import { Sound } from "./sound.js";
import { notation, parsed } from "./say.js";
import { Voice } from "./voice.js";
import { Wishes } from "./wishes.js";
import { speaker } from "./words.js";

// How long a question stays without an answer.
const ARMED_MS = 8000;

export class Table {
  constructor(
    element,
    {
      names = {},
      onIntent = () => {},
      prefs = new Preferences(),
      habits = null,
      sound = null,
      scope = document,
    } = {},
  ) {
    Object.assign(this, { element, onIntent, prefs });
    this.say = speaker(names);
    this.sound = sound ?? new Sound(prefs);
    this.state = null;
    this.options = {};
    this.turn = null;
    this.isSent = false;
    // The command that was pressed once and waits for the second press.
    this.armed = null;
    element.classList.add("tabletop");
    this.scene = new Scene(element, prefs);
    this.grip = new Grip(this);
    this.places = new Places(this, this.say);
    this.keys = new Keys(this, this.say, scope);
    this.voice = new Voice(this);
    element.append(this.places.element, this.keys.form, this.voice.element);
    this.wishes = new Wishes(prefs, this.say, habits);
    this.hands = new Hands(this, element);
    this.acts = new Controls(this, this.say);
    this.controls = this.acts.element;
    this.presenter = new Presenter(this);
    this.dress();
    this.onWish = () => this.refit();
    prefs.addEventListener("change", this.onWish);
    this.watcher = new ResizeObserver(() => this.refit());
    this.watcher.observe(element);
  }

  /** Show a state; see above. */
  show(state, options = {}) {
    return this.presenter.show(state, options);
  }

  /** Unlock the table after a command that was refused or lost. */
  release() {
    this.isSent = false;
    this.refresh();
  }

  /** Remove the table's shortcuts from the page. */
  remove() {
    this.keys.remove();
    clearTimeout(this.armed?.timer);
    this.watcher.disconnect();
    this.prefs.removeEventListener("change", this.onWish);
    this.element.replaceChildren();
  }

  // -- possible acts

  get me() {
    return this.options.me ?? null;
  }

  /** The side whose numbers are shown. */
  get seen() {
    return this.me ?? this.options.seen ?? "white";
  }

  get position() {
    return this.turn?.position ?? read(this.state.board);
  }

  get canAct() {
    return Boolean(
      this.state && this.options.interactive && this.me && !this.isSent && !this.presenter.isBusy,
    );
  }

  get canMove() {
    return this.canAct && this.turn !== null;
  }

  get canConfirm() {
    return this.canMove && this.turn.isComplete;
  }

  may(command) {
    const { phase, turn, owing } = this.state ?? {};
    if (!this.canAct) return false;
    if (this.options.may) return this.options.may.includes(command);
    if (command === "take" || command === "drop") return phase === "doubled" && owing.includes(this.me);
    if (command === "roll")
      return (phase === "to-roll" && turn === this.me) || (phase === "opening" && owing.includes(this.me));
    return command === "double" && phase === "to-roll" && turn === this.me && this.mayTurnCube;
  }

  get mayTurnCube() {
    const { cube, game_is_crawford: crawford } = this.state;
    return this.hasCube && !crawford && (cube.owner === null || cube.owner === this.me);
  }

  get hasCube() {
    return this.options.cube !== false;
  }

  // -- acts, by pointer, key or button

  roll() {
    if (this.may("roll")) this.send({ type: "roll" });
  }

  double() {
    this.askAgain("double", this.options.isDeadDouble ? "again.dead" : "again.double");
  }

  take() {
    if (this.may("take")) this.send({ type: "take" });
  }

  drop() {
    this.askAgain("drop", "again.drop");
  }

  /** Take, and turn the cube again at once (R47). */
  beaver() {
    this.askAgain("beaver", "again.beaver");
  }

  /** Acts that could lose the game by accident need two presses; the first is answered with a question. */
  askAgain(command, question) {
    if (!this.may(command)) return;
    if (this.armed?.command === command) {
      this.send({ type: command });
      return;
    }
    clearTimeout(this.armed?.timer);
    const value = (this.state.cube.offered ?? this.state.cube.value) * 2;
    const timer = setTimeout(() => this.disarm(), ARMED_MS);
    this.armed = { command, question: this.say(question, { value }), timer };
    this.speak(this.armed.question);
    this.refresh();
  }

  disarm() {
    if (!this.armed) return;
    clearTimeout(this.armed.timer);
    this.armed = null;
    this.refresh();
  }

  confirm() {
    if (this.canConfirm)
      this.send({
        type: "move",
        steps: this.turn.steps,
        thought: Math.round(performance.now() - this.presenter.since),
      });
  }

  send(intent) {
    this.letGo();
    this.disarm();
    this.isSent = true;
    this.onIntent(intent);
    this.refresh();
  }

  undo() {
    this.letGo();
    if (this.canMove && this.turn.undo()) this.changed("said.undone");
  }

  swap() {
    if (!this.canMove || this.turn.made.length) return;
    this.turn.swap();
    this.refresh();
  }

  bearOff() {
    this.after(() => this.turn.bearOff());
  }

  /** Make a point with two checkers, or move there the only one that can with one die. */
  make(point) {
    if (!this.after(() => this.turn.makePoint(point) || this.bring(point)) && this.canMove) this.refuse(point);
  }

  bring(point) {
    const ways = this.turn.ways.filter((way) => way[1] === point);
    const sources = new Set(ways.map((way) => way[0]));
    return sources.size === 1 ? this.turn.go(ways[0][0], point) : 0;
  }

  /** Play the next die from a point. */
  playFrom(point) {
    this.after(() => this.turn.tap(point));
  }

  after(act) {
    if (!this.canMove) return 0;
    const lifted = this.grip.point;
    this.grip.darken();
    const made = act();
    if (made) this.moved(made);
    else if (lifted !== null) this.scene.men.back(this.turn.side, lifted, this.scene.time * 0.5);
    return made;
  }

  /** Make a typed play; false, with a message, if it is not legal. */
  typed(text) {
    const typed = text.trim();
    if (!this.canMove || !typed) return true;
    const pairs = parsed(typed);
    const fits = pairs !== null && this.turn.replay(pairs);
    if (fits) this.changed();
    else {
      this.tell(pairs === null ? "said.unreadable" : "said.not-a-play", { typed });
      this.onIntent({ type: "refused", typed });
    }
    return fits;
  }

  /** The checker cannot go there. */
  refuse(source, target = null) {
    this.onIntent({ type: "refused", source, target });
  }

  /** The turn has so many more steps: animate them. */
  moved(made, { carried = false } = {}) {
    const { turn, scene } = this;
    const steps = turn.made.slice(-made);
    scene.men.play(turn.side, turn.steps.slice(-made), scene.time * (carried ? 0.3 : 0.8), {
      straight: carried,
    });
    this.sound.play(steps.some((step) => step.hit) ? "hit" : "man");
    this.told();
  }

  /** The turn was changed by undo or typing: animate by the shortest paths. */
  changed(words = null) {
    this.scene.men.settle(this.turn.position, this.scene.time * 0.6);
    this.sound.play("man");
    this.told(words);
  }

  // Announce it, notify the page, and send it if no confirmation is wanted.
  told(words = null) {
    const { turn } = this;
    this.scene.marks.forget();
    if (words) this.tell(words);
    else this.tell(turn.isComplete ? "said.complete" : "said.moved", { play: this.soFar });
    this.onIntent({ type: "changed", steps: turn.steps });
    this.refresh();
    if (turn.isComplete && !this.asksFirst && !words) this.confirm();
  }

  // True if a whole play needs confirmation.
  get asksFirst() {
    return this.options.confirm ?? this.prefs.get("confirm");
  }

  get soFar() {
    return this.turn ? notation(this.turn.start, this.turn.side, this.turn.steps) : "";
  }

  /** Return a lifted checker. */
  letGo() {
    if (this.grip.isEmpty) return;
    this.grip.release();
    this.places.tell();
  }

  // -- dice and cube

  pressDice() {
    if (this.may("roll")) this.roll();
    else if (this.canConfirm) this.confirm();
    else this.swap();
  }

  pressCube() {
    this.double();
  }

  // -- texts

  /** Announce a sentence. */
  tell(key, values = {}) {
    this.voice.speak(this.say(key, values));
  }

  speak(sentence) {
    this.voice.speak(sentence);
  }

  sayLast() {
    this.voice.sayLast();
  }

  sayPips() {
    this.voice.sayPips();
  }

  sayClock() {
    this.onIntent({ type: "ask", what: "clock" });
  }

  // -- looks

  dress() {
    this.element.dataset.board = this.prefs.get("theme");
    this.element.dataset.men = this.prefs.get("men");
    this.element.classList.toggle(
      "has-signs",
      this.prefs.get("marks") || this.prefs.get("theme") === "clear",
    );
    this.element.classList.toggle("has-no-rulers", !this.prefs.get("numbers"));
  }

  refit() {
    this.dress();
    this.presenter.fit();
  }

  /** Update what depends on the turn and on the side to act. */
  refresh() {
    if (this.state) this.presenter.refresh();
  }
}
