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
// `viewpoint` is the side from which a spectator looks, `plan` ({side, steps}) is shown by arrows; with `atOnce` nothing is animated.
// show() returns a promise; calls are queued, and a state that is already shown leaves a partial turn alone.
//
// `onIntent(intent)` gets {type: "roll" | "double" | "take" | "drop" | "beaver"}, {type: "move", steps, thought},
// {type: "changed", steps} after each change of a partial turn, {type: "refused"} (refusals.js), {type: "counted", pips} when the pip counts of the
// shown board change, {type: "ask", what: "clock"}. After the intent of a command the table is locked until
// another state is shown; `release()` unlocks it after a refusal.
// `preferencesDialog.open()` shows the preferences, `keys.openHelp()` the list of shortcuts, `announce(sentence)` is for screen readers.

import { Controls } from "./controls.js";
import { LiftedChecker } from "./lifted_checker.js";
import { PointerInput } from "./pointer_input.js";
import { Keys } from "./keys.js";
import { Places } from "./places.js";
import { parsePosition } from "./position.js";
import { Preferences } from "./prefs.js";
import { Presenter } from "./present.js";
import { Scene } from "./scene.js";
import { Sound } from "./sound.js";
import { formatPlay, parsePlay } from "./play_texts.js";
import { Announcer } from "./announcer.js";
import { LazyPreferencesDialog } from "./lazy_prefs_dialog.js";
import { createTranslator } from "./texts.js";

// How long a question stays without an answer.
const ARMED_MS = 8000;

export class Table {
  constructor(
    element,
    {
      names = {},
      onIntent = () => {},
      prefs = new Preferences(),
      automaticUrl = null,
      sound = null,
      scope = document,
    } = {},
  ) {
    Object.assign(this, { element, onIntent, prefs });
    this.translate = createTranslator(names);
    this.sound = sound ?? new Sound(prefs);
    this.state = null;
    this.options = {};
    this.turn = null;
    this.isLocked = false;
    // The command that was pressed once and waits for the second press.
    this.armed = null;
    element.classList.add("tabletop");
    this.scene = new Scene(element, prefs);
    this.lifted = new LiftedChecker(this);
    this.places = new Places(this, this.translate);
    this.keys = new Keys(this, this.translate, scope);
    this.announcer = new Announcer(this);
    element.append(this.places.element, this.keys.form, this.announcer.element);
    this.preferencesDialog = new LazyPreferencesDialog(prefs, this.translate, automaticUrl);
    this.pointerInput = new PointerInput(this, element);
    this.acts = new Controls(this, this.translate);
    this.controls = this.acts.element;
    this.presenter = new Presenter(this);
    this.applyTheme();
    this.onPreference = () => this.refit();
    prefs.addEventListener("change", this.onPreference);
    this.resizeObserver = new ResizeObserver(() => this.refit());
    this.resizeObserver.observe(element);
  }

  show(state, options = {}) {
    return this.presenter.show(state, options);
  }

  /** Unlock the table after a command that was refused or lost. */
  release() {
    this.isLocked = false;
    this.refresh();
  }

  remove() {
    this.keys.remove();
    clearTimeout(this.armed?.timer);
    this.resizeObserver.disconnect();
    this.prefs.removeEventListener("change", this.onPreference);
    this.element.replaceChildren();
  }

  // -- possible acts

  get me() {
    return this.options.me ?? null;
  }

  /** The side whose numbers are shown. */
  get viewpoint() {
    return this.me ?? this.options.viewpoint ?? "white";
  }

  get position() {
    return this.turn?.position ?? parsePosition(this.state.board);
  }

  get canAct() {
    return Boolean(
      this.state && this.options.interactive && this.me && !this.isLocked && !this.presenter.isBusy,
    );
  }

  get canMove() {
    return this.canAct && this.turn !== null;
  }

  get canConfirm() {
    return this.canMove && this.turn.isComplete;
  }

  isAllowed(command) {
    const { phase, turn, owing } = this.state ?? {};
    if (!this.canAct) return false;
    if (this.options.may) return this.options.may.includes(command);
    if (command === "take" || command === "drop") return phase === "doubled" && owing.includes(this.me);
    if (command === "roll")
      return (phase === "to-roll" && turn === this.me) || (phase === "opening" && owing.includes(this.me));
    return command === "double" && phase === "to-roll" && turn === this.me && this.canTurnCube;
  }

  get canTurnCube() {
    const { cube, game_is_crawford: crawford } = this.state;
    return this.hasCube && !crawford && (cube.owner === null || cube.owner === this.me);
  }

  get hasCube() {
    return this.options.cube !== false;
  }

  // -- acts, by pointer, key or button

  roll() {
    if (this.isAllowed("roll")) this.send({ type: "roll" });
  }

  double() {
    this.requireSecondPress("double", this.options.isDeadDouble ? "again.dead" : "again.double");
  }

  take() {
    if (this.isAllowed("take")) this.send({ type: "take" });
  }

  drop() {
    this.requireSecondPress("drop", "again.drop");
  }

  /** Take, and turn the cube again at once (R47). */
  beaver() {
    this.requireSecondPress("beaver", "again.beaver");
  }

  /** Acts that could lose the game by accident need two presses; the first is answered with a question. */
  requireSecondPress(command, question) {
    if (!this.isAllowed(command)) return;
    if (this.armed?.command === command) {
      this.send({ type: command });
      return;
    }
    clearTimeout(this.armed?.timer);
    const value = (this.state.cube.offered ?? this.state.cube.value) * 2;
    const timer = setTimeout(() => this.disarm(), ARMED_MS);
    this.armed = { command, question: this.translate(question, { value }), timer };
    this.announce(this.armed.question);
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
    this.returnLifted();
    this.disarm();
    this.isLocked = true;
    this.onIntent(intent);
    this.refresh();
  }

  undo() {
    this.returnLifted();
    if (this.canMove && this.turn.undo()) this.showChange("said.undone");
  }

  swap() {
    if (!this.canMove || this.turn.made.length) return;
    this.turn.swap();
    this.refresh();
  }

  bearOff() {
    this.changeTurn(() => this.turn.bearOff());
  }

  /** Make a point with two checkers, or move there the only one that can with one die. */
  makePoint(point) {
    if (!this.changeTurn(() => this.turn.makePoint(point) || this.moveOnlyOne(point)) && this.canMove) this.reportRefusal(point);
  }

  moveOnlyOne(point) {
    const edges = this.turn.edges.filter((edge) => edge[1] === point);
    const sources = new Set(edges.map((edge) => edge[0]));
    return sources.size === 1 ? this.turn.moveTo(edges[0][0], point) : 0;
  }

  playFromPoint(point) {
    this.changeTurn(() => this.turn.playActiveDie(point));
  }

  changeTurn(act) {
    if (!this.canMove) return 0;
    const lifted = this.lifted.point;
    this.lifted.deselect();
    const made = act();
    if (made) this.showSteps(made);
    else if (lifted !== null) this.scene.checkers.returnChecker(this.turn.side, lifted, this.scene.time * 0.5);
    return made;
  }

  /** Make a typed play; false, with a message, if it is not legal. */
  playTyped(text) {
    const typed = text.trim();
    if (!this.canMove || !typed) return true;
    const pairs = parsePlay(typed);
    const isPlay = pairs !== null && this.turn.replay(pairs);
    if (isPlay) this.showChange();
    else {
      this.announceText(pairs === null ? "said.unreadable" : "said.not-a-play", { typed });
      this.onIntent({ type: "refused", typed });
    }
    return isPlay;
  }

  reportRefusal(source, target = null) {
    this.onIntent({ type: "refused", source, target });
  }

  showSteps(made, { isDragged = false } = {}) {
    const { turn, scene } = this;
    const steps = turn.made.slice(-made);
    scene.checkers.animateSteps(turn.side, turn.steps.slice(-made), scene.time * (isDragged ? 0.3 : 0.8), {
      straight: isDragged,
    });
    this.sound.play(steps.some((step) => step.hit) ? "hit" : "man");
    this.publishTurn();
  }

  /** Animate a turn that was changed by undo or typing, by the shortest paths. */
  showChange(textKey = null) {
    this.scene.checkers.animateTo(this.turn.position, this.scene.time * 0.6);
    this.sound.play("man");
    this.publishTurn(textKey);
  }

  // Announce the turn, notify the page, and send it if no confirmation is needed.
  publishTurn(textKey = null) {
    const { turn } = this;
    this.scene.marks.clearPlay();
    if (textKey) this.announceText(textKey);
    else this.announceText(turn.isComplete ? "said.complete" : "said.moved", { play: this.playText });
    this.onIntent({ type: "changed", steps: turn.steps });
    this.refresh();
    if (turn.isComplete && !this.needsConfirmation && !textKey) this.confirm();
  }

  get needsConfirmation() {
    return this.options.confirm ?? this.prefs.get("confirm");
  }

  get playText() {
    return this.turn ? formatPlay(this.turn.start, this.turn.side, this.turn.steps) : "";
  }

  returnLifted() {
    if (this.lifted.isEmpty) return;
    this.lifted.returnChecker();
    this.places.updateLabels();
  }

  // -- dice and cube

  pressDice() {
    if (this.isAllowed("roll")) this.roll();
    else if (this.canConfirm) this.confirm();
    else this.swap();
  }

  pressCube() {
    this.double();
  }

  // -- texts

  announceText(key, values = {}) {
    this.announcer.announce(this.translate(key, values));
  }

  announce(sentence) {
    this.announcer.announce(sentence);
  }

  announceLastPlay() {
    this.announcer.announceLastPlay();
  }

  announcePips() {
    this.announcer.announcePips();
  }

  announceClock() {
    this.onIntent({ type: "ask", what: "clock" });
  }

  // -- looks

  applyTheme() {
    this.element.dataset.board = this.prefs.get("theme");
    this.element.dataset.men = this.prefs.get("men");
    this.element.classList.toggle(
      "has-signs",
      this.prefs.get("marks") || this.prefs.get("theme") === "clear",
    );
    this.element.classList.toggle("has-no-rulers", !this.prefs.get("numbers"));
  }

  refit() {
    this.applyTheme();
    this.presenter.refit();
  }

  /** Update what depends on the turn and on the side to act. */
  refresh() {
    if (this.state) this.presenter.refresh();
  }
}
