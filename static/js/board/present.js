// Shows one state after another: movements, announcements, buttons.
//
// Each state is shown when the animation of the one before has ended; if they arrive faster,
// they are not animated.

import { countPips, moveChecker, parsePosition } from "./position.js";
import { describePrompt } from "./prompt.js";
import { describeLine } from "./play_texts.js";
import { Turn } from "./turn.js";

const MAX_WAITING = 3;

export class Presenter {
  constructor(table) {
    Object.assign(this, { table, scene: table.scene, queue: [], isBusy: false, since: 0, key: null });
  }

  show(state, options) {
    return new Promise((resolve) => {
      this.queue.push({ state, options, resolve });
      if (!this.isRunning) this.runQueue();
    });
  }

  async runQueue() {
    this.isRunning = true;
    while (this.queue.length) {
      const { state, options, resolve } = this.queue.shift();
      try {
        await this.present(state, options);
      } catch (error) {
        console.error(error);
      }
      resolve();
    }
    this.isRunning = false;
  }

  async present(state, options) {
    const { table, scene } = this;
    const before = table.state;
    const isFirst = before === null;
    const key = createTurnKey(state, options);
    const isSame = key === this.key;
    const time = isFirst || options.atOnce || this.queue.length >= MAX_WAITING ? 0 : scene.time;
    if (options.line && before) this.announceLine(options.line, before);
    if (isSame) {
      // A partial turn and a command under way are left alone.
      Object.assign(table, { state, options: { ...options, turn: options.turn ?? table.options.turn } });
      this.ensureTurn();
      this.refresh();
      return;
    }
    this.key = key;
    const turn = table.turn;
    table.returnLifted();
    table.disarm();
    Object.assign(table, { state, options, turn: null, isLocked: false });
    const isNew = scene.fit(table.viewpoint);
    if (isNew) this.layOutPlaces();
    const position = parsePosition(state.board);
    if (isFirst || isNew) scene.placeCheckers(before && !isFirst ? (turn?.position ?? parsePosition(before.board)) : position);
    if ("plan" in options && !options.line) scene.marks.clearPlay();
    this.isBusy = true;
    this.refresh({ isAnimating: true });
    await this.moveCheckers(options.line?.fact, before, position, time);
    if (!isFirst && !options.atOnce && hasRolled(before, state)) await this.animateRoll(time);
    this.isBusy = false;
    this.beginTurn();
    this.refresh();
    if (!isFirst && isPlayerAsked(state, options) && !isPlayerAsked(before, options)) table.sound.play("turn");
  }

  // Checkers move as the line says, or by the shortest paths without one.
  async moveCheckers(fact, before, position, time) {
    const { scene, table } = this;
    const { checkers } = scene;
    if (fact?.fact === "played" && fact.steps?.length && before) {
      const start = parsePosition(before.board);
      if (!checkers.isAt(position)) {
        if (!checkers.isAt(start)) await checkers.animateTo(start, time * 0.5);
        if (time) table.sound.play("man");
        await checkers.animateSteps(fact.side, fact.steps, time);
      }
      if (checkers.isAt(position)) this.showPlay(fact, start);
    }
    if (!checkers.isAt(position)) {
      scene.marks.clearPlay();
      await checkers.animateTo(position, time);
    }
  }

  showPlay({ side, steps }, start) {
    const after = steps.reduce((now, [source, target]) => moveChecker(now, side, source, target), start);
    this.scene.marks.showPlay(this.scene.geometry, side, start, after, steps);
  }

  async animateRoll(time) {
    const { scene, table } = this;
    table.sound.play("dice");
    this.showDice();
    await scene.dice.roll(time, table.state.turn !== scene.geometry.below);
  }

  // The player's turn begins: its stored part is made again.
  beginTurn() {
    const { table } = this;
    const { state, options } = table;
    this.since = performance.now();
    if (
      !options.turn ||
      !options.interactive ||
      state.phase !== "to-play" ||
      state.turn !== table.me ||
      !state.dice
    )
      return;
    table.turn = new Turn({
      position: parsePosition(state.board),
      side: state.turn,
      dice: parseDice(state.dice),
      nodes: options.turn,
    });
    if (options.made?.length && table.turn.replay(options.made))
      this.scene.checkers.animateTo(table.turn.position, 0);
  }

  // The graph can arrive after its state.
  ensureTurn() {
    if (!this.table.turn && !this.isBusy && !this.table.isLocked) this.beginTurn();
  }

  announceLine(line, before) {
    const { table } = this;
    const sentence = describeLine(line, before, table.translate, table.me);
    if (line.fact.fact === "played") table.announcer.last = sentence;
    table.announce(sentence);
  }

  /** Lay out everything again, for another size or other preferences. */
  refit() {
    const { table, scene } = this;
    if (!table.state) {
      if (scene.fit(table.viewpoint)) this.layOutPlaces();
      return;
    }
    if (scene.fit(table.viewpoint)) {
      table.lifted.deselect();
      this.layOutPlaces();
      scene.placeCheckers(table.position);
    }
    this.refresh();
  }

  layOutPlaces() {
    this.table.places.layOut(this.scene.geometry);
  }

  refresh({ isAnimating = false } = {}) {
    const { table, scene } = this;
    const { state, options, prefs } = table;
    if (!scene.geometry) return;
    const actor = state.phase === "over" ? null : state.owing?.length === 1 ? state.owing[0] : null;
    scene.showPips(table.position, actor, prefs.get("pips") && options.pips !== false);
    this.reportPips();
    scene.cube.show(scene.geometry, state, table.hasCube, isAnimating ? scene.time : 0);
    if (!isAnimating) this.showDice();
    if (!isAnimating && options.plan) this.showPlay(options.plan, table.position);
    table.element.classList.toggle(
      "is-mine",
      table.canAct && (actor === table.me || state.owing?.includes(table.me)),
    );
    scene.marks.showMakeable(
      scene.geometry,
      table.turn?.side ?? table.viewpoint,
      table.canMove ? table.turn.findMakeablePoints() : [],
    );
    this.renderButtons();
    this.updateLabels();
  }

  // Pip counts elsewhere on the page are those of the shown board, partial turns and earlier positions included.
  reportPips() {
    const { table } = this;
    const counts = { white: countPips(table.position, "white"), black: countPips(table.position, "black") };
    if (JSON.stringify(counts) === JSON.stringify(this.shownPips)) return;
    this.shownPips = counts;
    table.onIntent({ type: "counted", pips: counts });
  }

  // Labels wait until the press has been painted; but no place is without a label, and the one with the focus
  // is updated at once.
  updateLabels() {
    const { places } = this.table;
    clearTimeout(this.labelTimer);
    places.updateCurrentLabel();
    if (places.hasLabels) this.labelTimer = setTimeout(() => places.updateLabels(), 60);
    else places.updateLabels();
  }

  showDice() {
    const { table, scene } = this;
    const { state, turn } = table;
    const { geometry, tones, dice } = scene;
    const canRoll = table.isAllowed("roll") && state.phase === "to-roll";
    const isShown = Boolean(state.dice) && state.phase !== "doubled";
    const side = isShown ? state.turn : canRoll ? table.me : null;
    const shown = turn ? turn.dice : isShown ? expandDouble(parseDice(state.dice)) : canRoll ? [0, 0] : [];
    const used = turn ? turn.used : [];
    const active = turn && !turn.isComplete ? used.indexOf(false) : -1;
    const action = canRoll ? "roll" : table.canConfirm ? "confirm" : "";
    dice.show(geometry, side, side && tones[side], side ? shown : [], { used, active, action });
    this.placeExtras(action, isShown);
  }

  placeExtras(action, isShown) {
    const { table, scene } = this;
    const { translate, state } = table;
    const [first] = scene.dice.shownDice;
    let box = null;
    if (first && (action || table.canMove)) {
      const last = scene.dice.shownDice.at(-1);
      const reach = scene.dice.reach;
      box = {
        x: first.x - reach,
        y: first.y - reach,
        width: last.x - first.x + 2 * reach,
        height: 2 * reach,
      };
    }
    const act = translate(action === "confirm" ? "dice.confirm" : "dice.swap");
    table.places.placeExtra(
      "dice",
      scene.geometry,
      box,
      isShown ? translate("dice.lie", { dice: state.dice, act }) : translate("dice.roll"),
    );
    const { spot } = scene.cube;
    const reach = spot.size / 2 + 6;
    const cubeBox = table.isAllowed("double")
      ? { x: spot.x - reach, y: spot.y - reach, width: 2 * reach, height: 2 * reach }
      : null;
    table.places.placeExtra("cube", scene.geometry, cubeBox, translate("cube.double", { value: state.cube.value * 2 }));
  }

  renderButtons() {
    const { table, scene } = this;
    const { turn } = table;
    const open = {};
    for (const command of ["roll", "double", "take", "drop", "beaver"]) if (table.isAllowed(command)) open[command] = true;
    if (table.canMove) {
      open.undo = turn.made.length > 0;
      open.swap = turn.made.length === 0 && turn.dice[0] !== turn.dice[1];
      if (turn.made.length === 0 && turn.canBearOff()) open.bear = true;
      open.confirm = turn.isComplete;
    }
    table.acts.show(open, describePrompt(table), { isDance: Boolean(turn?.isDance), armed: table.armed?.command });
    scene.cube.element.classList.toggle("is-armed", table.armed?.command === "double");
  }
}

// The key of a turn: other changes do not discard a partial turn.
function createTurnKey(state, { me, viewpoint, interactive }) {
  return JSON.stringify([
    state.board,
    state.dice,
    state.turn,
    state.phase,
    state.game,
    state.cube,
    me,
    viewpoint,
    Boolean(interactive),
  ]);
}

function hasRolled(before, state) {
  return Boolean(state.dice) && (before.dice !== state.dice || before.turn !== state.turn);
}

function isPlayerAsked(state, { me, interactive }) {
  return Boolean(interactive) && state.owing.includes(me);
}

function parseDice(dice) {
  return [Number(dice[0]), Number(dice[1])];
}

function expandDouble([high, low]) {
  return high === low ? Array(4).fill(high) : [high, low];
}
