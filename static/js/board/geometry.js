// Coordinates of everything on the board, in the units of the drawing. No DOM, no colours.
//
// The wide board is that of `engine/svg.py`, point for point: a still picture and the table agree. The tall one,
// for a phone held upright, fills its width with points, is as high as the space allows, and folds the tray into the
// frame. Points are numbered from the side below ("at"), for checkers of both sides.

import { BAR, OFF } from "./position.js";

export const POINT = 58;
export const RADIUS = 0.46 * POINT;
export const STEP = 0.935 * POINT;
const HALF = 6 * POINT;
const SHARE = 0.42;

const WIDE = { width: 896, height: 760, frame: 26, side: 26, bar: 64, gap: 10, tray: 74, slot: 311 };
const TALL = { width: 780, side: 14, bar: 56, strip: 92 };
/** The height of the tall board, as a multiple of its width. */
export const TALL_RATIO = { least: 1.08, most: 1.62 };

export class Geometry {
  /** `below` is the lower side; `numbers` is the side whose numbers are shown; `ratio` is the height of a tall board. */
  constructor({ below = "white", homeLeft = false, numbers = below, tall = false, ratio = 1.4 } = {}) {
    Object.assign(this, { below, homeLeft, numbers, tall });
    Object.assign(this, tall ? createTallBoard(ratio, homeLeft) : createWideBoard(homeLeft));
    this.right = this.left + HALF + this.barWidth;
    this.barX = this.left + HALF + this.barWidth / 2;
    this.middle = this.height / 2;
    this.length = SHARE * (this.bottom - this.top);
    const room = this.middle - this.top - (tall ? 50 : 0);
    // No stack is drawn higher; its innermost checker shows the count.
    this.maxStack = tall ? Math.max(5, Math.min(7, Math.floor(room / STEP))) : 5;
    this.maxOnBar = tall ? Math.max(2, Math.min(5, Math.floor((room - 116) / STEP))) : 5;
  }

  /** The lower side's point at which `side` has its `point`; also the inverse. */
  toLowerPoint(side, point) {
    return side === this.below ? point : BAR - point;
  }

  isAbove(side) {
    return side !== this.below;
  }

  /** The number shown at a point of the lower side. */
  pointNumber(at) {
    return this.numbers === this.below ? at : BAR - at;
  }

  pointX(at) {
    const column = this.columnOf(at);
    return (column < 6 ? this.left : this.right) + ((column % 6) + 0.5) * POINT;
  }

  /** Counted from the left, 0 to 11. */
  columnOf(at) {
    const fromRight = at > 12 ? 24 - at : at - 1;
    return this.homeLeft ? fromRight : 11 - fromRight;
  }

  /** The base and the tip of a point's triangle. */
  triangle(at) {
    const up = at > 12;
    const base = up ? this.top : this.bottom;
    return { x: this.pointX(at), base, tip: base + (up ? this.length : -this.length), width: POINT - 3 };
  }

  /** The position of the checker number `index` of `side` on its `point`, from the edge inwards. */
  checkerSpot(side, point, index) {
    if (point === OFF) return this.offSpot(side, index);
    if (point === BAR) {
      const outwards = this.isAbove(side) ? -1 : 1;
      const step = Math.min(index, this.maxOnBar - 1);
      return { x: this.barX, y: this.middle + outwards * (1.5 * POINT + step * STEP), off: false };
    }
    const at = this.toLowerPoint(side, point);
    const away = STEP / 2 + Math.min(index, this.maxStack - 1) * STEP;
    return { x: this.pointX(at), y: at > 12 ? this.top + away : this.bottom - away, off: false };
  }

  /** How many checkers of a stack are drawn one above the other. */
  maxDrawn(point) {
    return point === OFF ? 15 : point === BAR ? this.maxOnBar : this.maxStack;
  }

  /** A checker that is borne off lies on its edge. */
  offSpot(side, index) {
    const above = this.isAbove(side);
    if (this.tall) return { x: this.trayX + 22 + index * 19, y: this.trayY(above), off: true };
    return {
      x: this.trayX + this.tray / 2,
      y: above ? this.top + 10 + 12 * index : this.bottom - 10 - 12 * index,
      off: true,
    };
  }

  trayY(above) {
    return above ? 32 : this.height - 32;
  }

  offCount(side, number) {
    const last = this.offSpot(side, number);
    return this.tall
      ? { x: this.trayX + HALF - 22, y: last.y + 8 }
      : { x: last.x, y: last.y + (this.isAbove(side) ? 11 : 0) };
  }

  /** The slab of a borne-off checker. */
  get slab() {
    return this.tall ? { width: 16, height: 46 } : { width: this.tray - 16, height: 10 };
  }

  /** The trays, the upper one first. */
  trayBoxes() {
    if (this.tall) {
      return [6, this.height - 58].map((y) => ({ x: this.trayX, y, width: HALF, height: 52 }));
    }
    const { slot: height, tray: width, trayX: x } = this;
    return [this.top, this.bottom - height].map((y) => ({ x, y, width, height }));
  }

  /** The half in which `side` rolls: the right one from its seat. */
  halfCentre(side) {
    return (this.isAbove(side) ? this.left : this.right) + HALF / 2;
  }

  diceSpots(side, number) {
    const size = this.tall ? 70 : 52;
    const apart = this.tall && number > 2 ? size + 10 : size + 16;
    const first = this.halfCentre(side) - ((number - 1) / 2) * apart;
    return Array.from({ length: number }, (_, index) => ({ x: first + index * apart, y: this.middle, size }));
  }

  /** The position of the cube: at its owner, in the middle, or before the player who is to answer. */
  cubeSpot({ owner = null, asked = null } = {}) {
    if (asked) return { x: this.halfCentre(asked), y: this.middle, size: this.tall ? 92 : 72 };
    const inwards = owner === null ? 0 : this.isAbove(owner) ? -1 : 1;
    if (!this.tall) return { x: this.trayX + this.tray / 2, y: this.middle + inwards * 74, size: 50 };
    return {
      x: this.barX,
      y: inwards ? this.middle + inwards * (this.middle - this.top - 32) : this.middle,
      size: 50,
    };
  }

  /** The positions of the numbers and pip counts. */
  rulerY(above) {
    if (!this.tall) return above ? 18 : this.height - 8;
    return above ? this.top - 9 : this.height - this.top + 25;
  }

  pipSpot(above) {
    if (!this.tall) return { x: this.barX, y: above ? 13 : this.height - 13 };
    return { x: this.barX, y: above ? this.top - 17 : this.height - this.top + 17 };
  }

  /** The sensitive rectangle of a place; a number is a point of the lower side. */
  placeBox(place) {
    const { left, top, bottom, middle } = this;
    const reach = middle - top - (this.tall ? 46 : 34);
    if (typeof place === "number") {
      const x = this.pointX(place) - POINT / 2;
      return { x, y: place > 12 ? top : bottom - reach, width: POINT, height: reach };
    }
    const above = place.endsWith("above");
    if (place.startsWith("bar")) {
      const y = above ? top : middle + 30;
      return { x: left + HALF, y, width: this.barWidth, height: middle - top - 30 };
    }
    const tray = this.trayBoxes()[above ? 0 : 1];
    if (!this.tall) return tray;
    return { x: tray.x, y: above ? 0 : this.height - TALL.strip, width: tray.width, height: TALL.strip };
  }

  /** What is at a spot: a point (a number), "bar-above", "tray-below" and so on, or null. */
  placeAt(x, y) {
    const end = y < this.middle ? "above" : "below";
    const tray = this.placeBox(`tray-${end}`);
    // A checker held over the rim is over the place that ends there.
    const level = Math.max(0, Math.min(this.height, y));
    if (isWithin(tray, x, level) || (!this.tall && isWithin({ ...tray, y: 0, height: this.height }, x, y)))
      return `tray-${end}`;
    if (Math.abs(x - this.barX) <= this.barWidth / 2) return `bar-${end}`;
    const column = columnAt(x, this.left, this.right);
    if (column === null) return null;
    const fromRight = this.homeLeft ? column : 11 - column;
    return end === "above" ? 24 - fromRight : fromRight + 1;
  }
}

function columnAt(x, left, right) {
  const start = x < left + HALF + 1 ? left : right;
  const inside = Math.floor((x - start) / POINT);
  if (inside < -1 || inside > 6) return null;
  // The frame beside the outermost point belongs to it.
  return (start === left ? 0 : 6) + Math.max(0, Math.min(5, inside));
}

function isWithin(box, x, y) {
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}

function createWideBoard(homeLeft) {
  const { width, height, frame, bar, gap, tray, slot } = WIDE;
  return {
    width,
    height,
    top: frame,
    bottom: height - frame,
    barWidth: bar,
    tray,
    slot,
    left: frame + (homeLeft ? tray + gap : 0),
    trayX: homeLeft ? frame : width - frame - tray,
  };
}

function createTallBoard(ratio, homeLeft) {
  const { width, side, bar, strip } = TALL;
  const height = Math.round(width * Math.max(TALL_RATIO.least, Math.min(TALL_RATIO.most, ratio)));
  return {
    width,
    height,
    top: strip,
    bottom: height - strip,
    barWidth: bar,
    left: side,
    trayX: side + (homeLeft ? 0 : HALF + bar),
  };
}
