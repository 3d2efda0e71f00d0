// Temporary marks around the checkers: targets of a lifted one, points that can be made, the last play.

import { make, put } from "./draw.js";
import { RADIUS } from "./geometry.js";
import { BAR, OFF } from "./position.js";

const RING = RADIUS - 1;

export class Marks {
  /** `under` is below the checkers, `over` above them. */
  constructor(under, over) {
    Object.assign(this, { under, over });
    this.targets = over.appendChild(make("g", { class: "targets" }));
    this.hints = under.appendChild(make("g", { class: "hints" }));
    this.way = over.appendChild(make("g", { class: "trace" }));
  }

  /** Highlight the targets of a lifted checker of `side`, and its origins. */
  light(geometry, side, position, { targets, returns, lifted }) {
    const rings = [];
    for (const point of targets)
      rings.push(this.target(geometry, side, point, position[side][point], "target"));
    for (const point of returns)
      rings.push(this.target(geometry, side, point, position[side][point], "target target--back"));
    if (lifted !== null) {
      const { x, y } = geometry.man(side, lifted, position[side][lifted] - 1);
      this.ring = make("circle", { class: "lifted-ring", r: RADIUS + 1.5 });
      put(this.ring, x, y);
      rings.push(this.ring);
    }
    this.targets.replaceChildren(...rings);
  }

  target(geometry, side, point, index, name) {
    if (point === OFF) {
      const { x, y, width, height } = geometry.trays()[geometry.isAbove(side) ? 0 : 1];
      return make("rect", { class: name, x: x + 3, y: y + 3, width: width - 6, height: height - 6, rx: 5 });
    }
    const { x, y } = geometry.man(side, point, index);
    const ring = make("circle", { class: name, r: RING });
    put(ring, x, y);
    return ring;
  }

  dim() {
    this.targets.replaceChildren();
    this.ring = null;
  }

  /** Mark the points that two checkers can make at once, with two small dots at the tip. */
  offer(geometry, side, points) {
    const dots = [...points].map((point) => {
      const { x, tip, base } = geometry.triangle(geometry.at(side, point));
      const outwards = tip > base ? 1 : -1;
      const mark = make(
        "g",
        { class: "offer" },
        make("circle", { cx: -5.2, r: 3.4 }),
        make("circle", { cx: 5.2, r: 3.4 }),
      );
      put(mark, x, tip + outwards * 9);
      return mark;
    });
    this.hints.replaceChildren(...dots);
  }

  /** Show a play from the position before it: a ghost at each origin, an arrow to the target. */
  trace(geometry, side, before, after, steps) {
    const parts = [];
    const taken = new Map();
    const seen = new Map();
    for (const [source, target] of joined(steps)) {
      const left = before[side][source] - 1 - (taken.get(source) ?? 0);
      taken.set(source, (taken.get(source) ?? 0) + 1);
      const lies = Math.max(0, after[side][target] - 1 - (seen.get(target) ?? 0));
      seen.set(target, (seen.get(target) ?? 0) + 1);
      const from = geometry.man(side, source, Math.max(0, left));
      const to = geometry.man(side, target, lies);
      const ghost = make("circle", { class: "ghost", r: RADIUS - 2 });
      put(ghost, from.x, from.y);
      parts.push(ghost, ...arrow(from, to, geometry.middle));
    }
    this.way.replaceChildren(...parts);
  }

  forget() {
    this.way.replaceChildren();
  }
}

// A checker that moves on has one arrow, not two.
function joined(steps) {
  const found = [];
  for (const [source, target] of steps) {
    const run = found.find((each) => each[1] === source && source !== BAR);
    if (run) run[1] = target;
    else found.push([source, target]);
  }
  return found;
}

function arrow(from, to, middle) {
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
  const start = towards(from, bend, RADIUS - 2);
  const end = towards(to, bend, to.off ? 10 : RADIUS * 0.35);
  const d = `M${start.x} ${start.y}Q${bend.x} ${bend.y} ${end.x} ${end.y}`;
  const angle = Math.atan2(end.y - bend.y, end.x - bend.x);
  const wing = (turn) => `${end.x - 11 * Math.cos(angle + turn)} ${end.y - 11 * Math.sin(angle + turn)}`;
  const head = `M${wing(0.5)}L${end.x} ${end.y}L${wing(-0.5)}`;
  return [
    make("path", { class: "trace__halo", d: d + head }),
    make("path", { class: "trace__line", d: d + head }),
  ];
}

function towards(from, to, distance) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return {
    x: from.x + ((to.x - from.x) / length) * distance,
    y: from.y + ((to.y - from.y) / length) * distance,
  };
}
