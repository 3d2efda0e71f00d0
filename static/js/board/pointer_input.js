// Pointers: turns press, drag, tap and hold on the drawing into acts of the table.
//
// A press lifts the checker and highlights its targets; the release decides. At the origin it is a tap, which plays
// the checker or leaves it lifted, as preferred; on a target it moves there; elsewhere it returns (R60-R62).

import { POINT } from "./geometry.js";

const DRAG_AFTER = 6;
const HOLD_MS = 380;
// A click within this time belongs to the pointer that made it.
const CLICK_MS = 700;

export class PointerInput {
  constructor(table, element) {
    Object.assign(this, { table, lifted: table.lifted, element, gesture: null, released: 0 });
    element.addEventListener("pointerdown", (event) => this.handleDown(event));
    element.addEventListener("pointermove", (event) => this.handleMove(event));
    element.addEventListener("pointerup", (event) => this.handleUp(event));
    element.addEventListener("pointercancel", () => this.cancel());
    element.addEventListener("lostpointercapture", () => this.cancel());
    element.addEventListener("contextmenu", (event) => this.gesture && event.preventDefault());
  }

  isFromPointer(click) {
    return this.gesture !== null || click.timeStamp - this.released < CLICK_MS;
  }

  toBoardSpot(event) {
    const { width, height } = this.table.scene.geometry;
    const box = this.box;
    return {
      x: ((event.clientX - box.left) / box.width) * width,
      y: ((event.clientY - box.top) / box.height) * height,
    };
  }

  handleDown(event) {
    if (event.button !== 0 || !event.isPrimary || event.target.closest(".typing")) return;
    this.cancel();
    this.box = this.element.getBoundingClientRect();
    const { x, y } = this.toBoardSpot(event);
    const hit = this.lifted.hitTest(x, y);
    if (!hit) return;
    const gesture = { ...hit, x, y, at: event.timeStamp, pointer: event.pointerId };
    this.gesture = gesture;
    if (hit.kind === "man") {
      gesture.wasLifted = this.lifted.point === hit.point;
      this.lifted.lift(hit.point);
      const { checker } = this.lifted;
      gesture.offset = { x: checker.x - x, y: checker.y - y };
      this.capture(event.pointerId);
    }
  }

  capture(pointer) {
    try {
      this.element.setPointerCapture(pointer);
    } catch {
      // The finger has already left.
    }
  }

  handleMove(event) {
    const gesture = this.gesture;
    if (gesture?.pointer !== event.pointerId || gesture.kind !== "man") return;
    const { x, y } = this.toBoardSpot(event);
    if (!gesture.isDragged) {
      const threshold = (DRAG_AFTER / this.box.width) * this.table.scene.geometry.width;
      if (Math.hypot(x - gesture.x, y - gesture.y) < threshold) return;
      gesture.isDragged = true;
      this.lifted.raise();
    }
    this.lifted.dragTo(x + gesture.offset.x, y + gesture.offset.y);
  }

  handleUp(event) {
    const gesture = this.gesture;
    this.released = event.timeStamp;
    if (gesture?.pointer !== event.pointerId) return;
    this.gesture = null;
    const { x, y } = this.toBoardSpot(event);
    if (gesture.isDragged) {
      const point = this.findTarget(x + gesture.offset.x, y + gesture.offset.y, x, y);
      if (point === null || !this.lifted.dropOn(point, { isDragged: true })) this.rejectDrop(gesture.point, x, y);
    } else this.handleTap(gesture, x, y);
  }

  rejectDrop(source, x, y) {
    const target = this.lifted.pointAt(x, y);
    this.lifted.returnChecker();
    if (target !== null && target !== source) this.table.reportRefusal(source, target);
  }

  handleTap(gesture, x, y) {
    const { table } = this;
    if (gesture.kind === "man") {
      const playsAtOnce = table.prefs.get("tap") === "play" && this.released - gesture.at < HOLD_MS;
      if (gesture.wasLifted || playsAtOnce) table.playFromPoint(gesture.point);
      return;
    }
    const hit = this.lifted.hitTest(x, y);
    // The player dragged a checker that cannot move.
    const isHeld = gesture.kind === "point" && table.canMove && table.turn.position[table.turn.side][gesture.point] > 0;
    if (isHeld && hit?.point !== gesture.point) this.rejectDrop(gesture.point, x, y);
    if (!hit || hit.kind !== gesture.kind || hit.point !== gesture.point) return;
    // The cube is pressed by the click on its place.
    if (gesture.kind === "target") this.lifted.dropOn(gesture.point);
    else if (gesture.kind === "dice") table.pressDice();
    else if (gesture.kind === "tray") table.bearOff();
    else if (gesture.kind === "point") table.makePoint(gesture.point);
    else table.returnLifted();
  }

  // The target under the checker or the finger, or the nearest within a checker's width.
  findTarget(x, y, fingerX, fingerY) {
    const highlighted = this.lifted.listHighlighted();
    for (const [atX, atY] of [
      [x, y],
      [fingerX, fingerY],
    ]) {
      const point = this.lifted.pointAt(atX, atY);
      if (point !== null && highlighted.some((each) => each.point === point)) return point;
    }
    let best = null;
    let leastDistance = POINT * 1.15;
    for (const each of highlighted) {
      const distance = Math.hypot(each.x - x, each.y - y);
      if (distance < leastDistance) [best, leastDistance] = [each.point, distance];
    }
    return best;
  }

  cancel() {
    if (this.gesture?.isDragged) this.lifted.returnChecker();
    this.gesture = null;
  }
}
