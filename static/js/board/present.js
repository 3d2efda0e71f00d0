// Shows one state after another: movements, announcements, buttons.
//
// Each state is shown when the animation of the one before has ended; if they arrive faster,
// they are not animated.

import { pips, read, stepped } from "./position.js";
import { expected } from "./expected.js";
import { sentence } from "./say.js";
import { Turn } from "./turn.js";

const TOO_MANY = 3;

export class Presenter {
  constructor(table) {
    Object.assign(this, { table, scene: table.scene, waiting: [], isBusy: false, since: 0, key: null });
  }

  show(state, options) {
    return new Promise((resolve) => {
      this.waiting.push({ state, options, resolve });
      if (!this.isRunning) this.run();
    });
  }

  async run() {
    this.isRunning = true;
    while (this.waiting.length) {
      const { state, options, resolve } = this.waiting.shift();
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
    const key = keyOf(state, options);
    const isSame = key === this.key;
    const time = isFirst || options.atOnce || this.waiting.length >= TOO_MANY ? 0 : scene.time;
    if (options.line && before) this.announce(options.line, before);
    if (isSame) {
      // A partial turn and a command under way are left alone.
      Object.assign(table, { state, options: { ...options, turn: options.turn ?? table.options.turn } });
      this.rebuild();
      this.refresh();
      return;
    }
    this.key = key;
    const kept = table.turn;
    table.letGo();
    table.disarm();
    Object.assign(table, { state, options, turn: null, isSent: false });
    const isNew = scene.fit(table.seen);
    if (isNew) this.newGround();
    const position = read(state.board);
    if (isFirst || isNew) scene.lay(before && !isFirst ? (kept?.position ?? read(before.board)) : position);
    if ("plan" in options && !options.line) scene.marks.forget();
    this.isBusy = true;
    this.refresh({ isStill: true });
    await this.move(options.line?.fact, before, position, time);
    if (!isFirst && !options.atOnce && hasRolled(before, state)) await this.roll(time);
    this.isBusy = false;
    this.begin();
    this.refresh();
    if (!isFirst && isAsked(state, options) && !isAsked(before, options)) table.sound.play("turn");
  }

  // Checkers move as the line says, or by the shortest paths without one.
  async move(fact, before, position, time) {
    const { scene, table } = this;
    const { men } = scene;
    if (fact?.fact === "played" && fact.steps?.length && before) {
      const start = read(before.board);
      if (!men.isAt(position)) {
        if (!men.isAt(start)) await men.settle(start, time * 0.5);
        if (time) table.sound.play("man");
        await men.play(fact.side, fact.steps, time);
      }
      if (men.isAt(position)) this.trace(fact, start);
    }
    if (!men.isAt(position)) {
      scene.marks.forget();
      await men.settle(position, time);
    }
  }

  trace({ side, steps }, start) {
    const after = steps.reduce((now, [source, target]) => stepped(now, side, source, target), start);
    this.scene.marks.trace(this.scene.geometry, side, start, after, steps);
  }

  async roll(time) {
    const { scene, table } = this;
    table.sound.play("dice");
    this.layDice();
    await scene.dice.roll(time, table.state.turn !== scene.geometry.below);
  }

  // The player's turn begins: its stored part is made again.
  begin() {
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
      position: read(state.board),
      side: state.turn,
      dice: numbers(state.dice),
      nodes: options.turn,
    });
    if (options.made?.length && table.turn.replay(options.made))
      this.scene.men.settle(table.turn.position, 0);
  }

  // The graph can arrive after its state.
  rebuild() {
    if (!this.table.turn && !this.isBusy && !this.table.isSent) this.begin();
  }

  announce(line, before) {
    const { table } = this;
    const said = sentence(line, before, table.say, table.me);
    if (line.fact.fact === "played") table.voice.last = said;
    table.speak(said);
  }

  /** Lay out everything again, for another size or other preferences. */
  fit() {
    const { table, scene } = this;
    if (!table.state) {
      if (scene.fit(table.seen)) this.newGround();
      return;
    }
    if (scene.fit(table.seen)) {
      table.grip.darken();
      this.newGround();
      scene.lay(table.position);
    }
    this.refresh();
  }

  newGround() {
    this.table.places.lay(this.scene.geometry);
  }

  /** Show dice, cube, counts, buttons and labels. */
  refresh({ isStill = false } = {}) {
    const { table, scene } = this;
    const { state, options, prefs } = table;
    if (!scene.geometry) return;
    const acts = state.phase === "over" ? null : state.owing?.length === 1 ? state.owing[0] : null;
    scene.count(table.position, acts, prefs.get("pips") && options.pips !== false);
    this.tellPips();
    scene.cube.lay(scene.geometry, state, table.hasCube, isStill ? scene.time : 0);
    if (!isStill) this.layDice();
    if (!isStill && options.plan) this.trace(options.plan, table.position);
    table.element.classList.toggle(
      "is-mine",
      table.canAct && (acts === table.me || state.owing?.includes(table.me)),
    );
    scene.marks.offer(
      scene.geometry,
      table.turn?.side ?? table.seen,
      table.canMove ? table.turn.pointsToMake() : [],
    );
    this.tellButtons();
    this.tellPlaces();
  }

  // Pip counts elsewhere on the page are those of the shown board, partial turns and earlier positions included.
  tellPips() {
    const { table } = this;
    const counted = { white: pips(table.position, "white"), black: pips(table.position, "black") };
    if (JSON.stringify(counted) === JSON.stringify(this.counted)) return;
    this.counted = counted;
    table.onIntent({ type: "counted", pips: counted });
  }

  // Labels wait until the press has been painted; but no place is without a label, and the one with the focus
  // is updated at once.
  tellPlaces() {
    const { places } = this.table;
    clearTimeout(this.telling);
    places.tellHeld();
    if (places.isTold) this.telling = setTimeout(() => places.tell(), 60);
    else places.tell();
  }

  layDice() {
    const { table, scene } = this;
    const { state, turn } = table;
    const { geometry, tones, dice } = scene;
    const asksRoll = table.may("roll") && state.phase === "to-roll";
    const isLying = Boolean(state.dice) && state.phase !== "doubled";
    const side = isLying ? state.turn : asksRoll ? table.me : null;
    const shown = turn ? turn.dice : isLying ? doubled(numbers(state.dice)) : asksRoll ? [0, 0] : [];
    const used = turn ? turn.used : [];
    const active = turn && !turn.isComplete ? used.indexOf(false) : -1;
    const asks = asksRoll ? "roll" : table.canConfirm ? "confirm" : "";
    dice.lay(geometry, side, side && tones[side], side ? shown : [], { used, active, asks });
    this.placeExtras(asks, isLying);
  }

  placeExtras(asks, isLying) {
    const { table, scene } = this;
    const { say, state } = table;
    const [first] = scene.dice.lying;
    let box = null;
    if (first && (asks || table.canMove)) {
      const last = scene.dice.lying.at(-1);
      const reach = scene.dice.reach;
      box = {
        x: first.x - reach,
        y: first.y - reach,
        width: last.x - first.x + 2 * reach,
        height: 2 * reach,
      };
    }
    const act = say(asks === "confirm" ? "dice.confirm" : "dice.swap");
    table.places.extra(
      "dice",
      scene.geometry,
      box,
      isLying ? say("dice.lie", { dice: state.dice, act }) : say("dice.roll"),
    );
    const { spot } = scene.cube;
    const reach = spot.size / 2 + 6;
    const cubeBox = table.may("double")
      ? { x: spot.x - reach, y: spot.y - reach, width: 2 * reach, height: 2 * reach }
      : null;
    table.places.extra("cube", scene.geometry, cubeBox, say("cube.double", { value: state.cube.value * 2 }));
  }

  tellButtons() {
    const { table, scene } = this;
    const { turn } = table;
    const open = {};
    for (const command of ["roll", "double", "take", "drop", "beaver"]) if (table.may(command)) open[command] = true;
    if (table.canMove) {
      open.undo = turn.made.length > 0;
      open.swap = turn.made.length === 0 && turn.dice[0] !== turn.dice[1];
      if (turn.made.length === 0 && turn.canBearOff()) open.bear = true;
      open.confirm = turn.isComplete;
    }
    table.acts.show(open, expected(table), { isDance: Boolean(turn?.isDance), armed: table.armed?.command });
    scene.cube.element.classList.toggle("is-armed", table.armed?.command === "double");
  }
}

// The key of a turn: other changes do not discard a partial turn.
function keyOf(state, { me, seen, interactive }) {
  return JSON.stringify([
    state.board,
    state.dice,
    state.turn,
    state.phase,
    state.game,
    state.cube,
    me,
    seen,
    Boolean(interactive),
  ]);
}

function hasRolled(before, state) {
  return Boolean(state.dice) && (before.dice !== state.dice || before.turn !== state.turn);
}

function isAsked(state, { me, interactive }) {
  return Boolean(interactive) && state.owing.includes(me);
}

function numbers(dice) {
  return [Number(dice[0]), Number(dice[1])];
}

function doubled([high, low]) {
  return high === low ? Array(4).fill(high) : [high, low];
}
