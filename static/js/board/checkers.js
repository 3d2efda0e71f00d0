// The thirty checkers and their movements.
//
// Every checker is one element for the life of the table; only its transform changes, so that the browser
// moves it without repainting. Every animation can be ended at once.

import { createChecker, createSvg, moveTo, styleChecker } from "./draw.js";
import { RADIUS } from "./geometry.js";
import { BAR, OFF, SIDES, opponentOf } from "./position.js";

const SLOW_MS = { 0: 0, 1: 460, 2: 260, 3: 150 };
const EASE = "cubic-bezier(.3,.05,.25,1)";

/** The duration of a checker's step at the preferred speed. */
export function computeStepDuration(prefs) {
  const isMotionReduced = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
  return isMotionReduced || globalThis.document?.hidden ? 0 : SLOW_MS[prefs.get("speed")];
}

export class Checkers {
  /** Layers of the drawing, from below. */
  constructor(restingLayer, countLayer, movingLayer) {
    Object.assign(this, { restingLayer, countLayer, movingLayer });
    this.stacks = null;
    this.running = new Map();
    this.labels = new Map();
  }

  /** Create the missing checkers, and place all without animation. */
  setUp(position, geometry, id, tones) {
    this.finishAll();
    Object.assign(this, { geometry, tones });
    const unplaced = { white: [], black: [] };
    for (const side of SIDES) {
      if (this.stacks) unplaced[side] = this.stacks[side].flat();
      const count = position[side].reduce((sum, number) => sum + number, 0);
      while (unplaced[side].length > count) unplaced[side].pop().element.remove();
      while (unplaced[side].length < count) unplaced[side].push({ element: createChecker(), side, x: 0, y: 0 });
      for (const checker of unplaced[side]) {
        styleChecker(checker.element, id, tones[side], geometry.slab);
        this.restingLayer.append(checker.element);
      }
    }
    this.stacks = { white: [], black: [] };
    for (const side of SIDES) {
      for (let point = OFF; point <= BAR; point += 1)
        this.stacks[side][point] = unplaced[side].splice(0, position[side][point]);
    }
    this.placeAll();
  }

  /** True if the checkers are in this position. */
  isAt(position) {
    return SIDES.every((side) =>
      this.stacks[side].every((stack, point) => stack.length === position[side][point]),
    );
  }

  placeAll() {
    for (const side of SIDES) {
      this.stacks[side].forEach((stack, point) =>
        stack.forEach((checker, index) => this.placeChecker(checker, point, index)),
      );
    }
    this.renderCounts();
  }

  placeChecker(checker, point, index) {
    const { x, y, off } = this.geometry.checkerSpot(checker.side, point, index);
    Object.assign(checker, { x, y });
    checker.element.classList.toggle("is-off", off);
    checker.element.classList.remove("is-lifted");
    moveTo(checker.element, x, y);
    if (checker.element.parentNode !== this.restingLayer) this.restingLayer.append(checker.element);
  }

  /** Write counts where not all checkers can be seen. */
  renderCounts() {
    const needed = new Map();
    for (const side of SIDES) {
      this.stacks[side].forEach((stack, point) => {
        const drawn = this.geometry.maxDrawn(point);
        // A count is not written over a sign.
        const isCounted = point !== OFF && stack.length > drawn;
        stack.forEach((checker, index) => checker.element.classList.toggle("is-counted", isCounted && index >= drawn - 1));
        if (point === OFF ? stack.length : stack.length > drawn)
          needed.set(`${side}-${point}`, { side, point, number: stack.length, drawn });
      });
    }
    for (const [key, label] of this.labels) if (!needed.has(key)) label.textContent = "";
    for (const [key, { side, point, number, drawn }] of needed) {
      const label = this.labels.get(key) ?? this.countLayer.appendChild(createSvg("text"));
      this.labels.set(key, label);
      const { x, y } =
        point === OFF ? this.geometry.offCount(side, number) : this.geometry.checkerSpot(side, point, drawn - 1);
      label.setAttribute("class", point === OFF ? "count count--off" : `count count--${this.tones[side]}`);
      label.textContent = String(number);
      moveTo(label, x, point === OFF ? y : y + 7);
    }
  }

  topChecker(side, point) {
    return this.stacks[side][point].at(-1);
  }

  /** Animate steps, checker after checker, each along its path; `straight` for one that was dragged there. */
  async animateSteps(side, steps, time, { straight = false } = {}) {
    const tracks = new Map();
    const opponent = opponentOf(side);
    let elapsed = 0;
    for (const [source, target] of steps) {
      const checker = this.stacks[side][source].pop();
      if (!checker) continue;
      const stops = tracks.get(checker)?.stops;
      elapsed += straight ? 0 : time;
      if (stops && !straight) stops.push(this.nextSpot(side, target));
      else tracks.set(checker, { delay: straight ? 0 : elapsed - time, stops: [this.nextSpot(side, target)] });
      const hitChecker = target === OFF ? null : this.stacks[opponent][BAR - target].pop();
      if (hitChecker) {
        this.stacks[opponent][BAR].push(hitChecker);
        tracks.set(hitChecker, { delay: Math.max(0, elapsed - time * 0.25), stops: [this.nextSpot(opponent, BAR, -1)] });
      }
      this.stacks[side][target].push(checker);
    }
    await this.animateAll(tracks, time);
  }

  /** Animate to a position by the shortest paths, all at once: for undo, and for changes without steps. */
  async animateTo(position, time) {
    const tracks = new Map();
    for (const side of SIDES) {
      const unplaced = [];
      this.stacks[side].forEach((stack, point) => {
        while (stack.length > position[side][point]) unplaced.push(stack.pop());
      });
      this.stacks[side].forEach((stack, point) => {
        while (stack.length < position[side][point] && unplaced.length) {
          const checker = unplaced.shift();
          stack.push(checker);
          tracks.set(checker, { delay: 0, stops: [this.nextSpot(side, point, -1)] });
        }
      });
    }
    await this.animateAll(tracks, time);
  }

  // The place of the next checker on a point, or of the last one that is there.
  nextSpot(side, point, more = 0) {
    return this.geometry.checkerSpot(side, point, this.stacks[side][point].length + more);
  }

  async animateAll(tracks, time) {
    this.renderCounts();
    await Promise.all([...tracks].map(([checker, track]) => this.animateChecker(checker, track, time)));
  }

  async animateChecker(checker, { delay, stops }, time) {
    this.cancelAnimation(checker);
    if (!time) {
      this.finishChecker(checker);
      return;
    }
    const spots = [{ x: checker.x, y: checker.y }, ...stops];
    const lengths = stops.map((to, index) => Math.hypot(to.x - spots[index].x, to.y - spots[index].y));
    const totalDistance = lengths.reduce((sum, length) => sum + length, 0);
    if (totalDistance < 1) {
      this.finishChecker(checker);
      return;
    }
    let distance = 0;
    const frames = spots.map(({ x, y }, index) => {
      if (index) distance += lengths[index - 1];
      return { transform: `translate(${x}px, ${y}px)`, offset: distance / totalDistance, easing: EASE };
    });
    checker.element.classList.remove("is-off");
    if (!delay) checker.element.classList.add("is-lifted");
    this.movingLayer.append(checker.element);
    const duration = stops.length * time * (0.6 + Math.min(1, totalDistance / stops.length / 700) * 0.6);
    const animation = checker.element.animate(frames, { duration, delay, fill: "both" });
    this.running.set(checker, animation);
    await animation.finished.catch(() => {});
    if (this.running.get(checker) === animation) this.finishChecker(checker);
  }

  // It ends where the stacks say, even if its first target was another.
  finishChecker(checker) {
    this.cancelAnimation(checker);
    for (const [point, stack] of this.stacks[checker.side].entries()) {
      const index = stack.indexOf(checker);
      if (index >= 0) this.placeChecker(checker, point, index);
    }
  }

  cancelAnimation(checker) {
    const animation = this.running.get(checker);
    this.running.delete(checker);
    animation?.cancel();
  }

  /** True if a stack reaches this height, with a finger's width to spare. */
  isWithinStack(side, point, y) {
    const stack = this.stacks[side][point];
    if (!stack.length) return false;
    const last = this.geometry.checkerSpot(side, point, stack.length - 1).y;
    const first = this.geometry.checkerSpot(side, point, 0).y;
    return y >= Math.min(first, last) - 2 * RADIUS && y <= Math.max(first, last) + 1.4 * RADIUS;
  }

  /** End all animations at their targets. */
  finishAll() {
    for (const checker of [...this.running.keys()]) this.cancelAnimation(checker);
    if (this.stacks && this.geometry) this.placeAll();
  }

  /** Raise a checker above all others. */
  raise(checker) {
    checker.element.classList.add("is-lifted");
    if (checker.element.parentNode !== this.movingLayer) this.movingLayer.append(checker.element);
  }

  moveTo(checker, x, y) {
    this.cancelAnimation(checker);
    Object.assign(checker, { x, y });
    checker.element.classList.remove("is-off");
    moveTo(checker.element, x, y, " scale(1.07)");
  }

  /** Return a lifted checker to the top of its stack. */
  async returnChecker(side, point, time) {
    const checker = this.topChecker(side, point);
    if (checker) await this.animateChecker(checker, { delay: 0, stops: [this.nextSpot(side, point, -1)] }, time);
  }
}
