// A turn being made: steps along the server's graph of legal plays, each of which can be undone.
//
// `nodes[i]` lists the edges from a partial turn: [source, target, die, next node]. Node 0 is the
// position before the turn; a node without edges is a complete play. This file knows no rules.

import { BAR, OFF, hits, isRace, stepped } from "./position.js";

const SOURCE = 0;
const TARGET = 1;
const DIE = 2;
const NEXT = 3;

export class Turn {
  /** `dice` are two numbers; `nodes` the graph. */
  constructor({ position, side, dice, nodes }) {
    this.start = position;
    this.side = side;
    this.nodes = nodes;
    this.dice = dice[0] === dice[1] ? Array(4).fill(dice[0]) : [...dice];
    this.made = [];
    this.positions = [position];
    this.places = [0];
  }

  /** The position after the steps so far. */
  get position() {
    return this.positions.at(-1);
  }

  /** The next possible steps. */
  get ways() {
    return this.nodes[this.places.at(-1)];
  }

  /** True if nothing is left to play. */
  get isComplete() {
    return this.ways.length === 0;
  }

  /** True if there is no choice from the start. */
  get isDance() {
    return this.nodes[0].length === 0;
  }

  /** The steps as a command needs them. */
  get steps() {
    return this.made.map(({ source, target }) => [source, target]);
  }

  /** Which dice have been used, in their order on the board. */
  get used() {
    const left = this.made.map(({ die }) => die);
    return this.dice.map((die) => {
      const at = left.indexOf(die);
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
  }

  /** The die that a single tap plays: the first unused one. */
  get active() {
    return this.dice.find((_, index) => !this.used[index]);
  }

  /** Let the other die be played first. */
  swap() {
    if (this.made.length === 0) this.dice.reverse();
  }

  /** The points from which a checker may be lifted. */
  sources() {
    return new Set(this.ways.map((way) => way[SOURCE]));
  }

  /** Where the checker on `source` can go, with one die or several: target -> the steps that lead there. */
  targets(source) {
    const found = new Map();
    let ends = [{ point: source, node: this.places.at(-1), path: [] }];
    while (ends.length) {
      const next = [];
      for (const { point, node, path } of ends) {
        for (const way of this.inOrder(this.nodes[node])) {
          if (way[SOURCE] !== point) continue;
          const longer = [...path, way];
          if (!found.has(way[TARGET])) found.set(way[TARGET], longer);
          if (way[TARGET] !== OFF) next.push({ point: way[TARGET], node: way[NEXT], path: longer });
        }
      }
      ends = next;
    }
    return found;
  }

  /** The edges of a node with the active die first. */
  inOrder(ways) {
    return [...ways].sort((a, b) => (b[DIE] === this.active) - (a[DIE] === this.active));
  }

  /** Move the checker on `source` to `target`; returns the steps made, none if it is not possible. */
  go(source, target) {
    const path = this.targets(source).get(target) ?? [];
    path.forEach((way) => this.make(way));
    return path.length;
  }

  /** Play the active die from `source`, or another if that one is not playable from there. */
  tap(source) {
    const way = this.inOrder(this.ways).find((each) => each[SOURCE] === source);
    if (way) this.make(way);
    return way ? 1 : 0;
  }

  /** Make `target` with two checkers at once if possible; returns how many steps that took. */
  makePoint(target) {
    for (const first of this.inOrder(this.ways)) {
      if (first[TARGET] !== target) continue;
      const second = this.nodes[first[NEXT]].find((way) => way[TARGET] === target);
      if (second) {
        this.make(first);
        this.make(second);
        return 2;
      }
    }
    return 0;
  }

  /** The points that two checkers can make at once. */
  pointsToMake() {
    const found = new Set();
    for (const first of this.ways) {
      const target = first[TARGET];
      if (target === OFF || found.has(target)) continue;
      if (this.nodes[first[NEXT]].some((way) => way[TARGET] === target)) found.add(target);
    }
    return found;
  }

  /** Bear off as many as possible, only in a race. Returns the steps made. */
  bearOff() {
    if (!isRace(this.position)) return 0;
    const best = this.mostOff(this.places.at(-1));
    best.forEach((way) => this.make(way));
    return best.length;
  }

  /** True if there is anything to bear off in this way. */
  canBearOff() {
    return isRace(this.position) && this.mostOff(this.places.at(-1)).length > 0;
  }

  mostOff(node) {
    let best = [];
    let bestOff = 0;
    for (const way of this.nodes[node]) {
      const path = [way, ...this.mostOff(way[NEXT])];
      const off = path.filter((each) => each[TARGET] === OFF).length;
      if (off > bestOff) [best, bestOff] = [path, off];
    }
    return best;
  }

  make([source, target, die, next]) {
    const hit = hits(this.position, this.side, target);
    this.made.push({ source, target, die, hit });
    this.positions.push(stepped(this.position, this.side, source, target));
    this.places.push(next);
  }

  /** Undo the last step. */
  undo() {
    if (this.made.length === 0) return false;
    this.made.pop();
    this.positions.pop();
    this.places.pop();
    return true;
  }

  /** Undo everything. */
  clear() {
    while (this.undo());
  }

  /** Where a checker that was moved to `point` can be dragged back to: source -> the index of that step. */
  returns(point) {
    const found = new Map();
    for (let index = this.made.length - 1; index >= 0; index -= 1) {
      const step = this.made[index];
      if (step.target === point && !found.has(step.source) && this.without(index))
        found.set(step.source, index);
    }
    return found;
  }

  /** Undo one step, anywhere in the turn. */
  takeBack(point, source) {
    const index = this.returns(point).get(source);
    if (index === undefined) return false;
    const kept = this.without(index);
    this.clear();
    kept.forEach((way) => this.make(way));
    return true;
  }

  /** The path of the turn without one step, if the rest is still playable; otherwise null. */
  without(index) {
    const rest = this.made.filter((_, at) => at !== index);
    const kept = [];
    let node = 0;
    for (const { source, target, die } of rest) {
      const way = this.nodes[node].find(
        (each) => each[SOURCE] === source && each[TARGET] === target && each[DIE] === die,
      );
      if (!way) return null;
      kept.push(way);
      node = way[NEXT];
    }
    return kept;
  }

  /** Make a typed or stored play, its steps in any order that fits; false, and unchanged, if there is none. */
  replay(pairs) {
    this.clear();
    // "6/2" does not hit on its way: that is written "6/5*/2". Hits are taken only if there is no other way.
    const ways = this.fitting(0, this.start, pairs, false) ?? this.fitting(0, this.start, pairs, true);
    ways?.forEach((way) => this.make(way));
    return Boolean(ways);
  }

  // Each pair is a moving checker: a step brings it nearer, until it has arrived.
  fitting(node, position, pairs, mayHit) {
    if (pairs.length === 0) return [];
    for (const way of this.nodes[node]) {
      const index = pairs.findIndex(([source, target]) => source === way[SOURCE] && target <= way[TARGET]);
      if (index < 0) continue;
      const [, target] = pairs[index];
      const isThere = way[TARGET] === target;
      if (!isThere && !mayHit && hits(position, this.side, way[TARGET])) continue;
      const rest = pairs.filter((_, at) => at !== index);
      if (!isThere) rest.unshift([way[TARGET], target]);
      const after = stepped(position, this.side, way[SOURCE], way[TARGET]);
      const found = this.fitting(way[NEXT], after, rest, mayHit);
      if (found) return [way, ...found];
    }
    return null;
  }
}

export { BAR, OFF };
