// The lifted checker: where it may go, and what is under a pointer.
//
// Points are the mover's here: 25 is its bar, 0 its tray.

import { BAR, OFF } from "./position.js";

export class LiftedChecker {
  constructor(table) {
    Object.assign(this, { table, scene: table.scene });
    this.clear();
  }

  clear() {
    Object.assign(this, { point: null, targets: new Map(), origins: new Map() });
  }

  get isEmpty() {
    return this.point === null;
  }

  canLift(point) {
    const { table } = this;
    return table.canMove && (table.turn.findSources().has(point) || table.turn.findOrigins(point).size > 0);
  }

  /** Lift the checker on a point: its targets are highlighted, and its origins if a step can be undone (R62). */
  lift(point) {
    const { turn } = this.table;
    Object.assign(this, { point, targets: turn.findTargets(point), origins: turn.findOrigins(point) });
    const origins = [...this.origins.keys()].filter((each) => !this.targets.has(each));
    this.scene.highlight(turn.side, turn.position, { targets: this.targets.keys(), origins, lifted: point });
  }

  get checker() {
    return this.scene.checkers.topChecker(this.table.turn.side, this.point);
  }

  /** The checker rises from the board; the ring stays. */
  raise() {
    this.scene.marks.ring?.remove();
    this.scene.checkers.raise(this.checker);
  }

  dragTo(x, y) {
    this.scene.checkers.moveTo(this.checker, x, y);
  }

  canDropOn(point) {
    return this.targets.has(point) || this.origins.has(point);
  }

  /** Put it on a point: forwards as a move, back to its origin as an undo (R61). False if that is not possible. */
  dropOn(point, { isDragged = false } = {}) {
    const { table, point: source } = this;
    if (source === null || !this.canDropOn(point)) return false;
    const isForward = this.targets.has(point);
    this.deselect();
    if (isForward) table.showSteps(table.turn.moveTo(source, point), { isDragged });
    else if (table.turn.undoStep(source, point)) table.showChange("said.undone");
    return true;
  }

  returnChecker() {
    const { point, table } = this;
    this.deselect();
    if (point !== null) this.scene.checkers.returnChecker(table.turn.side, point, this.scene.time * 0.6);
  }

  deselect() {
    // A finger may still be down.
    this.table.pointerInput.gesture = null;
    this.clear();
    this.scene.marks.clearHighlights();
  }

  /** The highlighted spots, for a checker dropped near one. */
  listHighlighted() {
    const { side, position } = this.table.turn;
    const points = [...this.targets.keys(), ...this.origins.keys()];
    return points.map((point) => ({ point, ...this.scene.geometry.checkerSpot(side, point, position[side][point]) }));
  }

  // -- hit testing

  /** What a pointer at a spot acts on. */
  hitTest(x, y) {
    const { table, scene } = this;
    if (!table.canAct) return null;
    if (table.isAllowed("double") && scene.cube.contains(x, y)) return { kind: "cube" };
    const point = this.pointAt(x, y);
    if (!this.isEmpty && point !== this.point && this.canDropOn(point)) return { kind: "target", point };
    if (scene.dice.contains(x, y)) return { kind: "dice" };
    if (!table.turn || point === null) return { kind: "felt" };
    if (point === OFF) return { kind: "tray", point };
    const isOnChecker = point === BAR || scene.checkers.isWithinStack(table.turn.side, point, y);
    return isOnChecker && this.canLift(point) ? { kind: "man", point } : { kind: "point", point };
  }

  pointAt(x, y) {
    return this.toMoverPoint(this.scene.geometry.placeAt(x, y));
  }

  /** A place in the mover's numbers; null for the opponent's bar and tray. */
  toMoverPoint(place) {
    const { geometry } = this.scene;
    const side = this.table.turn?.side ?? this.table.viewpoint;
    if (place === null) return null;
    if (typeof place === "number") return geometry.toLowerPoint(side, place);
    if (place.endsWith("above") !== geometry.isAbove(side)) return null;
    return place.startsWith("bar") ? BAR : OFF;
  }
}
