// The lifted checker: where it may go, and what is under a pointer.
//
// Points are the mover's here: 25 is its bar, 0 its tray.

import { BAR, OFF } from "./position.js";

export class Grip {
  constructor(table) {
    Object.assign(this, { table, scene: table.scene });
    this.drop();
  }

  // No checker is lifted.
  drop() {
    Object.assign(this, { point: null, targets: new Map(), returns: new Map() });
  }

  get isEmpty() {
    return this.point === null;
  }

  mayLift(point) {
    const { table } = this;
    return table.canMove && (table.turn.sources().has(point) || table.turn.returns(point).size > 0);
  }

  /** Lift the checker on a point: its targets are highlighted, and its origins if a step can be undone (R62). */
  lift(point) {
    const { turn } = this.table;
    Object.assign(this, { point, targets: turn.targets(point), returns: turn.returns(point) });
    const returns = [...this.returns.keys()].filter((each) => !this.targets.has(each));
    this.scene.light(turn.side, turn.position, { targets: this.targets.keys(), returns, lifted: point });
  }

  /** The lifted checker. */
  get man() {
    return this.scene.men.top(this.table.turn.side, this.point);
  }

  /** The checker rises from the board; the ring stays. */
  raise() {
    this.scene.marks.ring?.remove();
    this.scene.men.lift(this.man);
  }

  carry(x, y) {
    this.scene.men.carry(this.man, x, y);
  }

  may(point) {
    return this.targets.has(point) || this.returns.has(point);
  }

  /** Put it on a point: forwards as a move, back to its origin as an undo (R61). False if that is not possible. */
  put(point, { carried = false } = {}) {
    const { table, point: source } = this;
    if (source === null || !this.may(point)) return false;
    const goes = this.targets.has(point);
    this.darken();
    if (goes) table.moved(table.turn.go(source, point), { carried });
    else if (table.turn.takeBack(source, point)) table.changed("said.undone");
    return true;
  }

  /** Return it to where it was. */
  release() {
    const { point, table } = this;
    this.darken();
    if (point !== null) this.scene.men.back(table.turn.side, point, this.scene.time * 0.6);
  }

  darken() {
    // A finger may still be down.
    this.table.hands.gesture = null;
    this.drop();
    this.scene.marks.dim();
  }

  /** The highlighted spots, for a checker dropped near one. */
  lit() {
    const { side, position } = this.table.turn;
    const points = [...this.targets.keys(), ...this.returns.keys()];
    return points.map((point) => ({ point, ...this.scene.geometry.man(side, point, position[side][point]) }));
  }

  // -- hit testing

  /** What a pointer at a spot acts on. */
  under(x, y) {
    const { table, scene } = this;
    if (!table.canAct) return null;
    if (table.may("double") && scene.cube.isUnder(x, y)) return { kind: "cube" };
    const point = this.pointUnder(x, y);
    if (!this.isEmpty && point !== this.point && this.may(point)) return { kind: "target", point };
    if (scene.dice.isUnder(x, y)) return { kind: "dice" };
    if (!table.turn || point === null) return { kind: "felt" };
    if (point === OFF) return { kind: "tray", point };
    const isOnMan = point === BAR || scene.men.reaches(table.turn.side, point, y);
    return isOnMan && this.mayLift(point) ? { kind: "man", point } : { kind: "point", point };
  }

  /** The mover's point at a spot, or null. */
  pointUnder(x, y) {
    return this.pointOf(this.scene.geometry.under(x, y));
  }

  /** A place in the mover's numbers; null for the opponent's bar and tray. */
  pointOf(place) {
    const { geometry } = this.scene;
    const side = this.table.turn?.side ?? this.table.seen;
    if (place === null) return null;
    if (typeof place === "number") return geometry.at(side, place);
    if (place.endsWith("above") !== geometry.isAbove(side)) return null;
    return place.startsWith("bar") ? BAR : OFF;
  }
}
