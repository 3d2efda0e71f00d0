// Pointers: turns press, drag, tap and hold on the drawing into acts of the table.
//
// A press lifts the checker and highlights its targets; the release decides. At the origin it is a tap, which plays
// the checker or leaves it lifted, as preferred; on a target it moves there; elsewhere it returns (R60-R62).

import { POINT } from "./geometry.js";

const DRAG_AFTER = 6;
const HOLD_MS = 380;
// A click within this time belongs to the pointer that made it.
const CLICK_MS = 700;

export class Hands {
  constructor(table, element) {
    Object.assign(this, { table, grip: table.grip, element, gesture: null, released: 0 });
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    element.addEventListener("pointerup", (event) => this.up(event));
    element.addEventListener("pointercancel", () => this.cancel());
    element.addEventListener("lostpointercapture", () => this.cancel());
    element.addEventListener("contextmenu", (event) => this.gesture && event.preventDefault());
  }

  made(click) {
    return this.gesture !== null || click.timeStamp - this.released < CLICK_MS;
  }

  /** Convert screen coordinates to those of the drawing. */
  spot(event) {
    const { width, height } = this.table.scene.geometry;
    const box = this.box;
    return {
      x: ((event.clientX - box.left) / box.width) * width,
      y: ((event.clientY - box.top) / box.height) * height,
    };
  }

  down(event) {
    if (event.button !== 0 || !event.isPrimary || event.target.closest(".typing")) return;
    this.cancel();
    this.box = this.element.getBoundingClientRect();
    const { x, y } = this.spot(event);
    const what = this.grip.under(x, y);
    if (!what) return;
    const gesture = { ...what, x, y, at: event.timeStamp, pointer: event.pointerId };
    this.gesture = gesture;
    if (what.kind === "man") {
      gesture.wasLifted = this.grip.point === what.point;
      this.grip.lift(what.point);
      const { man } = this.grip;
      gesture.offset = { x: man.x - x, y: man.y - y };
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

  move(event) {
    const gesture = this.gesture;
    if (gesture?.pointer !== event.pointerId || gesture.kind !== "man") return;
    const { x, y } = this.spot(event);
    if (!gesture.isDragged) {
      const far = (DRAG_AFTER / this.box.width) * this.table.scene.geometry.width;
      if (Math.hypot(x - gesture.x, y - gesture.y) < far) return;
      gesture.isDragged = true;
      this.grip.raise();
    }
    this.grip.carry(x + gesture.offset.x, y + gesture.offset.y);
  }

  up(event) {
    const gesture = this.gesture;
    this.released = event.timeStamp;
    if (gesture?.pointer !== event.pointerId) return;
    this.gesture = null;
    const { x, y } = this.spot(event);
    if (gesture.isDragged) {
      const point = this.nearest(x + gesture.offset.x, y + gesture.offset.y, x, y);
      if (point === null || !this.grip.put(point, { carried: true })) this.refuse(gesture.point, x, y);
    } else this.tap(gesture, x, y);
  }

  refuse(source, x, y) {
    const target = this.grip.pointUnder(x, y);
    this.grip.release();
    if (target !== null && target !== source) this.table.refuse(source, target);
  }

  tap(gesture, x, y) {
    const { table } = this;
    if (gesture.kind === "man") {
      const playsAtOnce = table.prefs.get("tap") === "play" && this.released - gesture.at < HOLD_MS;
      if (gesture.wasLifted || playsAtOnce) table.playFrom(gesture.point);
      return;
    }
    const same = this.grip.under(x, y);
    // The player dragged a checker that cannot move.
    const isHeld = gesture.kind === "point" && table.canMove && table.turn.position[table.turn.side][gesture.point] > 0;
    if (isHeld && same?.point !== gesture.point) this.refuse(gesture.point, x, y);
    if (!same || same.kind !== gesture.kind || same.point !== gesture.point) return;
    // The cube is pressed by the click on its place.
    if (gesture.kind === "target") this.grip.put(gesture.point);
    else if (gesture.kind === "dice") table.pressDice();
    else if (gesture.kind === "tray") table.bearOff();
    else if (gesture.kind === "point") table.make(gesture.point);
    else table.letGo();
  }

  // The target under the checker or the finger, or the nearest within a checker's width.
  nearest(x, y, fingerX, fingerY) {
    const lit = this.grip.lit();
    for (const [atX, atY] of [
      [x, y],
      [fingerX, fingerY],
    ]) {
      const point = this.grip.pointUnder(atX, atY);
      if (point !== null && lit.some((each) => each.point === point)) return point;
    }
    let best = null;
    let least = POINT * 1.15;
    for (const each of lit) {
      const away = Math.hypot(each.x - x, each.y - y);
      if (away < least) [best, least] = [each.point, away];
    }
    return best;
  }

  cancel() {
    if (this.gesture?.isDragged) this.grip.release();
    this.gesture = null;
  }
}
