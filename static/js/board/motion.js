// The thirty checkers and their movements.
//
// Every checker is one element for the life of the table; only its transform changes, so that the browser
// moves it without repainting. Every animation can be ended at once.

import { dress, make, man, put } from "./draw.js";
import { RADIUS } from "./geometry.js";
import { BAR, OFF, SIDES, other } from "./position.js";

const SLOW_MS = { 0: 0, 1: 460, 2: 260, 3: 150 };
const EASE = "cubic-bezier(.3,.05,.25,1)";

/** The duration of a checker's step at the preferred speed. */
export function stepTime(prefs) {
  const wantsCalm = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
  return wantsCalm || globalThis.document?.hidden ? 0 : SLOW_MS[prefs.get("speed")];
}

export class Men {
  /** `lying` and `flying` are layers of the drawing, `counts` the one between them. */
  constructor(lying, counts, flying) {
    Object.assign(this, { lying, counts, flying });
    this.stacks = null;
    this.running = new Map();
    this.labels = new Map();
  }

  /** Place everything again, without animation. */
  lay(position, geometry, id, tones) {
    this.finish();
    Object.assign(this, { geometry, tones });
    const spare = { white: [], black: [] };
    for (const side of SIDES) {
      if (this.stacks) spare[side] = this.stacks[side].flat();
      const needed = position[side].reduce((sum, number) => sum + number, 0);
      while (spare[side].length > needed) spare[side].pop().element.remove();
      while (spare[side].length < needed) spare[side].push({ element: man(), side, x: 0, y: 0 });
      for (const each of spare[side]) {
        dress(each.element, id, tones[side], geometry.slab);
        this.lying.append(each.element);
      }
    }
    this.stacks = { white: [], black: [] };
    for (const side of SIDES) {
      for (let point = OFF; point <= BAR; point += 1)
        this.stacks[side][point] = spare[side].splice(0, position[side][point]);
    }
    this.rest();
  }

  /** True if the checkers are in this position. */
  isAt(position) {
    return SIDES.every((side) =>
      this.stacks[side].every((stack, point) => stack.length === position[side][point]),
    );
  }

  /** Move every checker to its place. */
  rest() {
    for (const side of SIDES) {
      this.stacks[side].forEach((stack, point) =>
        stack.forEach((each, index) => this.putDown(each, point, index)),
      );
    }
    this.count();
  }

  putDown(each, point, index) {
    const { x, y, off } = this.geometry.man(each.side, point, index);
    Object.assign(each, { x, y });
    each.element.classList.toggle("is-off", off);
    each.element.classList.remove("is-lifted");
    put(each.element, x, y);
    if (each.element.parentNode !== this.lying) this.lying.append(each.element);
  }

  /** Write counts where not all checkers can be seen. */
  count() {
    const wanted = new Map();
    for (const side of SIDES) {
      this.stacks[side].forEach((stack, point) => {
        const drawn = this.geometry.drawn(point);
        // A count is not written over a sign.
        const isCounted = point !== OFF && stack.length > drawn;
        stack.forEach((each, index) => each.element.classList.toggle("is-counted", isCounted && index >= drawn - 1));
        if (point === OFF ? stack.length : stack.length > drawn)
          wanted.set(`${side}-${point}`, { side, point, number: stack.length, drawn });
      });
    }
    for (const [key, label] of this.labels) if (!wanted.has(key)) label.textContent = "";
    for (const [key, { side, point, number, drawn }] of wanted) {
      const label = this.labels.get(key) ?? this.counts.appendChild(make("text"));
      this.labels.set(key, label);
      const { x, y } =
        point === OFF ? this.geometry.offCount(side, number) : this.geometry.man(side, point, drawn - 1);
      label.setAttribute("class", point === OFF ? "count count--off" : `count count--${this.tones[side]}`);
      label.textContent = String(number);
      put(label, x, point === OFF ? y : y + 7);
    }
  }

  top(side, point) {
    return this.stacks[side][point].at(-1);
  }

  /** Animate steps, checker after checker, each along its path; `straight` for one that was dragged there. */
  async play(side, steps, time, { straight = false } = {}) {
    const tracks = new Map();
    const enemy = other(side);
    let clock = 0;
    for (const [source, target] of steps) {
      const each = this.stacks[side][source].pop();
      if (!each) continue;
      const stops = tracks.get(each)?.stops;
      clock += straight ? 0 : time;
      if (stops && !straight) stops.push(this.spot(side, target));
      else tracks.set(each, { delay: straight ? 0 : clock - time, stops: [this.spot(side, target)] });
      const struck = target === OFF ? null : this.stacks[enemy][BAR - target].pop();
      if (struck) {
        this.stacks[enemy][BAR].push(struck);
        tracks.set(struck, { delay: Math.max(0, clock - time * 0.25), stops: [this.spot(enemy, BAR, -1)] });
      }
      this.stacks[side][target].push(each);
    }
    await this.run(tracks, time);
  }

  /** Animate to a position by the shortest paths, all at once: for undo, and for changes without steps. */
  async settle(position, time) {
    const tracks = new Map();
    for (const side of SIDES) {
      const spare = [];
      this.stacks[side].forEach((stack, point) => {
        while (stack.length > position[side][point]) spare.push(stack.pop());
      });
      this.stacks[side].forEach((stack, point) => {
        while (stack.length < position[side][point] && spare.length) {
          const each = spare.shift();
          stack.push(each);
          tracks.set(each, { delay: 0, stops: [this.spot(side, point, -1)] });
        }
      });
    }
    await this.run(tracks, time);
  }

  // The place of the next checker on a point, or of the last one that is there.
  spot(side, point, more = 0) {
    return this.geometry.man(side, point, this.stacks[side][point].length + more);
  }

  async run(tracks, time) {
    this.count();
    await Promise.all([...tracks].map(([each, track]) => this.fly(each, track, time)));
  }

  async fly(each, { delay, stops }, time) {
    this.stop(each);
    if (!time) {
      this.arrive(each);
      return;
    }
    const spots = [{ x: each.x, y: each.y }, ...stops];
    const lengths = stops.map((to, index) => Math.hypot(to.x - spots[index].x, to.y - spots[index].y));
    const way = lengths.reduce((sum, length) => sum + length, 0);
    if (way < 1) {
      this.arrive(each);
      return;
    }
    let gone = 0;
    const frames = spots.map(({ x, y }, index) => {
      if (index) gone += lengths[index - 1];
      return { transform: `translate(${x}px, ${y}px)`, offset: gone / way, easing: EASE };
    });
    each.element.classList.remove("is-off");
    if (!delay) each.element.classList.add("is-lifted");
    this.flying.append(each.element);
    const duration = stops.length * time * (0.6 + Math.min(1, way / stops.length / 700) * 0.6);
    const animation = each.element.animate(frames, { duration, delay, fill: "both" });
    this.running.set(each, animation);
    await animation.finished.catch(() => {});
    if (this.running.get(each) === animation) this.arrive(each);
  }

  // It ends where the stacks say, even if its first target was another.
  arrive(each) {
    this.stop(each);
    for (const [point, stack] of this.stacks[each.side].entries()) {
      const index = stack.indexOf(each);
      if (index >= 0) this.putDown(each, point, index);
    }
  }

  stop(each) {
    const animation = this.running.get(each);
    this.running.delete(each);
    animation?.cancel();
  }

  /** True if a stack reaches this height, with a finger's width to spare. */
  reaches(side, point, y) {
    const stack = this.stacks[side][point];
    if (!stack.length) return false;
    const last = this.geometry.man(side, point, stack.length - 1).y;
    const first = this.geometry.man(side, point, 0).y;
    return y >= Math.min(first, last) - 2 * RADIUS && y <= Math.max(first, last) + 1.4 * RADIUS;
  }

  /** End all animations at their targets. */
  finish() {
    for (const each of [...this.running.keys()]) this.stop(each);
    if (this.stacks && this.geometry) this.rest();
  }

  /** Raise a checker above all others. */
  lift(each) {
    each.element.classList.add("is-lifted");
    if (each.element.parentNode !== this.flying) this.flying.append(each.element);
  }

  /** Move a lifted checker to a spot. */
  carry(each, x, y) {
    this.stop(each);
    Object.assign(each, { x, y });
    each.element.classList.remove("is-off");
    put(each.element, x, y, " scale(1.07)");
  }

  /** Return a lifted checker to the top of its stack. */
  async back(side, point, time) {
    const each = this.top(side, point);
    if (each) await this.fly(each, { delay: 0, stops: [this.spot(side, point, -1)] }, time);
  }
}
