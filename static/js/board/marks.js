// Temporary marks around the checkers: targets of a lifted one, points that can be made, the last play.

import { createSvg, moveTo } from "./draw.js";
import { RADIUS } from "./geometry.js";
import { BAR, OFF } from "./position.js";

const RING = RADIUS - 1;

export class Marks {
  constructor(belowLayer, aboveLayer) {
    Object.assign(this, { belowLayer, aboveLayer });
    this.targetLayer = aboveLayer.appendChild(createSvg("g", { class: "targets" }));
    this.hintLayer = belowLayer.appendChild(createSvg("g", { class: "hints" }));
    this.playLayer = aboveLayer.appendChild(createSvg("g", { class: "trace" }));
  }

  /** Show rings at the targets and origins of a lifted checker of `side`. */
  highlight(geometry, side, position, { targets, origins, lifted }) {
    const rings = [];
    for (const point of targets)
      rings.push(this.createTarget(geometry, side, point, position[side][point], "target"));
    for (const point of origins)
      rings.push(this.createTarget(geometry, side, point, position[side][point], "target target--back"));
    if (lifted !== null) {
      const { x, y } = geometry.checkerSpot(side, lifted, position[side][lifted] - 1);
      this.ring = createSvg("circle", { class: "lifted-ring", r: RADIUS + 1.5 });
      moveTo(this.ring, x, y);
      rings.push(this.ring);
    }
    this.targetLayer.replaceChildren(...rings);
  }

  createTarget(geometry, side, point, index, name) {
    if (point === OFF) {
      const { x, y, width, height } = geometry.trayBoxes()[geometry.isAbove(side) ? 0 : 1];
      return createSvg("rect", { class: name, x: x + 3, y: y + 3, width: width - 6, height: height - 6, rx: 5 });
    }
    const { x, y } = geometry.checkerSpot(side, point, index);
    const ring = createSvg("circle", { class: name, r: RING });
    moveTo(ring, x, y);
    return ring;
  }

  clearHighlights() {
    this.targetLayer.replaceChildren();
    this.ring = null;
  }

  /** Mark the points that two checkers can make at once, with two small dots at the tip. */
  showMakeable(geometry, side, points) {
    const dots = [...points].map((point) => {
      const { x, tip, base } = geometry.triangle(geometry.toLowerPoint(side, point));
      const outwards = tip > base ? 1 : -1;
      const mark = createSvg(
        "g",
        { class: "offer" },
        createSvg("circle", { cx: -5.2, r: 3.4 }),
        createSvg("circle", { cx: 5.2, r: 3.4 }),
      );
      moveTo(mark, x, tip + outwards * 9);
      return mark;
    });
    this.hintLayer.replaceChildren(...dots);
  }

  /** Show a play from the position before it: a ghost at each origin, an arrow to the target. */
  showPlay(geometry, side, before, after, steps) {
    const parts = [];
    const taken = new Map();
    const arrived = new Map();
    for (const [source, target] of mergeSteps(steps)) {
      const sourceIndex = before[side][source] - 1 - (taken.get(source) ?? 0);
      taken.set(source, (taken.get(source) ?? 0) + 1);
      const targetIndex = Math.max(0, after[side][target] - 1 - (arrived.get(target) ?? 0));
      arrived.set(target, (arrived.get(target) ?? 0) + 1);
      const from = geometry.checkerSpot(side, source, Math.max(0, sourceIndex));
      const to = geometry.checkerSpot(side, target, targetIndex);
      const ghost = createSvg("circle", { class: "ghost", r: RADIUS - 2 });
      moveTo(ghost, from.x, from.y);
      parts.push(ghost, ...drawArrow(from, to, geometry.middle));
    }
    this.playLayer.replaceChildren(...parts);
  }

  clearPlay() {
    this.playLayer.replaceChildren();
  }
}

// A checker that moves on has one arrow, not two.
function mergeSteps(steps) {
  const found = [];
  for (const [source, target] of steps) {
    const path = found.find((each) => each[1] === source && source !== BAR);
    if (path) path[1] = target;
    else found.push([source, target]);
  }
  return found;
}

function drawArrow(from, to, middle) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  if (length < RADIUS * 1.5) return [];
  // Bent towards the middle of the board, where there is room.
  const bow = Math.min(70, length * 0.22);
  const centre = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const isLevel = Math.abs(dy) < Math.abs(dx) * 0.6;
  const bend = isLevel
    ? { x: centre.x, y: centre.y + Math.sign(middle - centre.y) * bow * 1.6 }
    : { x: centre.x + (dy > 0 ? -bow : bow) * 0.6, y: centre.y };
  const start = moveTowards(from, bend, RADIUS - 2);
  const end = moveTowards(to, bend, to.off ? 10 : RADIUS * 0.35);
  const d = `M${start.x} ${start.y}Q${bend.x} ${bend.y} ${end.x} ${end.y}`;
  const angle = Math.atan2(end.y - bend.y, end.x - bend.x);
  const wing = (turn) => `${end.x - 11 * Math.cos(angle + turn)} ${end.y - 11 * Math.sin(angle + turn)}`;
  const head = `M${wing(0.5)}L${end.x} ${end.y}L${wing(-0.5)}`;
  return [
    createSvg("path", { class: "trace__halo", d: d + head }),
    createSvg("path", { class: "trace__line", d: d + head }),
  ];
}

function moveTowards(from, to, distance) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return {
    x: from.x + ((to.x - from.x) / length) * distance,
    y: from.y + ((to.y - from.y) / length) * distance,
  };
}
