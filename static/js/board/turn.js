// A turn being made: steps along the server's graph of legal plays, each of which can be undone.
//
// `nodes[i]` lists the edges from a partial turn: [source, target, die, next node]. Node 0 is the
// position before the turn; a node without edges is a complete play. This file knows no rules.

import { BAR, OFF, hitsBlot, isRace, moveChecker } from "./position.js";

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
    this.nodePath = [0];
  }

  /** The position after the steps so far. */
  get position() {
    return this.positions.at(-1);
  }

  get edges() {
    return this.nodes[this.nodePath.at(-1)];
  }

  /** True if nothing is left to play. */
  get isComplete() {
    return this.edges.length === 0;
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
    const unmatched = this.made.map(({ die }) => die);
    return this.dice.map((die) => {
      const index = unmatched.indexOf(die);
      if (index >= 0) unmatched.splice(index, 1);
      return index >= 0;
    });
  }

  /** The die that a single tap plays: the first unused one. */
  get activeDie() {
    return this.dice.find((_, index) => !this.used[index]);
  }

  /** Let the other die be played first. */
  swap() {
    if (this.made.length === 0) this.dice.reverse();
  }

  /** The points from which a checker may be lifted. */
  findSources() {
    return new Set(this.edges.map((edge) => edge[SOURCE]));
  }

  /** Where the checker on `source` can go, with one die or several: target -> the steps that lead there. */
  findTargets(source) {
    const found = new Map();
    let frontier = [{ point: source, node: this.nodePath.at(-1), path: [] }];
    while (frontier.length) {
      const next = [];
      for (const { point, node, path } of frontier) {
        for (const edge of this.sortActiveFirst(this.nodes[node])) {
          if (edge[SOURCE] !== point) continue;
          const longerPath = [...path, edge];
          if (!found.has(edge[TARGET])) found.set(edge[TARGET], longerPath);
          if (edge[TARGET] !== OFF) next.push({ point: edge[TARGET], node: edge[NEXT], path: longerPath });
        }
      }
      frontier = next;
    }
    return found;
  }

  /** The edges of a node with the active die first. */
  sortActiveFirst(edges) {
    return [...edges].sort((a, b) => (b[DIE] === this.activeDie) - (a[DIE] === this.activeDie));
  }

  /** Move the checker on `source` to `target`; returns the steps made, none if it is not possible. */
  moveTo(source, target) {
    const path = this.findTargets(source).get(target) ?? [];
    path.forEach((edge) => this.applyEdge(edge));
    return path.length;
  }

  /** Play the active die from `source`, or another if that one is not playable from there. */
  playActiveDie(source) {
    const edge = this.sortActiveFirst(this.edges).find((each) => each[SOURCE] === source);
    if (edge) this.applyEdge(edge);
    return edge ? 1 : 0;
  }

  /** Make `target` with two checkers at once if possible; returns how many steps that took. */
  makePoint(target) {
    for (const first of this.sortActiveFirst(this.edges)) {
      if (first[TARGET] !== target) continue;
      const second = this.nodes[first[NEXT]].find((edge) => edge[TARGET] === target);
      if (second) {
        this.applyEdge(first);
        this.applyEdge(second);
        return 2;
      }
    }
    return 0;
  }

  /** The points that two checkers can make at once. */
  findMakeablePoints() {
    const found = new Set();
    for (const first of this.edges) {
      const target = first[TARGET];
      if (target === OFF || found.has(target)) continue;
      if (this.nodes[first[NEXT]].some((edge) => edge[TARGET] === target)) found.add(target);
    }
    return found;
  }

  /** Bear off as many as possible, only in a race. Returns the steps made. */
  bearOff() {
    if (!isRace(this.position)) return 0;
    const best = this.findMostOff(this.nodePath.at(-1));
    best.forEach((edge) => this.applyEdge(edge));
    return best.length;
  }

  /** True if there is anything to bear off in this way. */
  canBearOff() {
    return isRace(this.position) && this.findMostOff(this.nodePath.at(-1)).length > 0;
  }

  findMostOff(node) {
    let best = [];
    let bestOff = 0;
    for (const edge of this.nodes[node]) {
      const path = [edge, ...this.findMostOff(edge[NEXT])];
      const off = path.filter((each) => each[TARGET] === OFF).length;
      if (off > bestOff) [best, bestOff] = [path, off];
    }
    return best;
  }

  applyEdge([source, target, die, next]) {
    const hit = hitsBlot(this.position, this.side, target);
    this.made.push({ source, target, die, hit });
    this.positions.push(moveChecker(this.position, this.side, source, target));
    this.nodePath.push(next);
  }

  undo() {
    if (this.made.length === 0) return false;
    this.made.pop();
    this.positions.pop();
    this.nodePath.pop();
    return true;
  }

  undoAll() {
    while (this.undo());
  }

  /** Where a checker that was moved to `point` can be dragged back to: source -> the index of that step. */
  findOrigins(point) {
    const found = new Map();
    for (let index = this.made.length - 1; index >= 0; index -= 1) {
      const step = this.made[index];
      if (step.target === point && !found.has(step.source) && this.findPathWithout(index))
        found.set(step.source, index);
    }
    return found;
  }

  /** Undo one step, anywhere in the turn. */
  undoStep(point, source) {
    const index = this.findOrigins(point).get(source);
    if (index === undefined) return false;
    const path = this.findPathWithout(index);
    this.undoAll();
    path.forEach((edge) => this.applyEdge(edge));
    return true;
  }

  /** The path of the turn without one step, if the rest is still playable; otherwise null. */
  findPathWithout(index) {
    const rest = this.made.filter((_, at) => at !== index);
    const path = [];
    let node = 0;
    for (const { source, target, die } of rest) {
      const edge = this.nodes[node].find(
        (each) => each[SOURCE] === source && each[TARGET] === target && each[DIE] === die,
      );
      if (!edge) return null;
      path.push(edge);
      node = edge[NEXT];
    }
    return path;
  }

  /** Make a typed or stored play, its steps in any order that fits; false, and unchanged, if there is none. */
  replay(pairs) {
    this.undoAll();
    // "6/2" does not hit on its way: that is written "6/5*/2". Hits are taken only if there is no other way.
    const edges = this.findPath(0, this.start, pairs, false) ?? this.findPath(0, this.start, pairs, true);
    edges?.forEach((edge) => this.applyEdge(edge));
    return Boolean(edges);
  }

  // Each pair is a moving checker: a step brings it nearer, until it has arrived.
  findPath(node, position, pairs, canHit) {
    if (pairs.length === 0) return [];
    for (const edge of this.nodes[node]) {
      const index = pairs.findIndex(([source, target]) => source === edge[SOURCE] && target <= edge[TARGET]);
      if (index < 0) continue;
      const [, target] = pairs[index];
      const hasArrived = edge[TARGET] === target;
      if (!hasArrived && !canHit && hitsBlot(position, this.side, edge[TARGET])) continue;
      const rest = pairs.filter((_, at) => at !== index);
      if (!hasArrived) rest.unshift([edge[TARGET], target]);
      const after = moveChecker(position, this.side, edge[SOURCE], edge[TARGET]);
      const found = this.findPath(edge[NEXT], after, rest, canHit);
      if (found) return [edge, ...found];
    }
    return null;
  }
}

export { BAR, OFF };
