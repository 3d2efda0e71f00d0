// Dice and cube on the drawing: layout, the roll's animation, and labels.

import { createCube, createDie, moveTo, showCubeValue, showFace } from "./draw.js";

export class Dice {
  constructor(layer, id) {
    Object.assign(this, { layer, id });
    this.shownDice = [];
    this.rollCount = 0;
  }

  /** Show `numbers` for `side`; `used` are dimmed, `active` marks the next. Without numbers the table is empty. */
  show(geometry, side, tone, numbers, { used = [], active = -1, action = "" } = {}) {
    const spots = side ? geometry.diceSpots(side, numbers.length) : [];
    const key = `${tone} ${numbers.length}`;
    if (this.key !== key) {
      this.layer.replaceChildren(...numbers.map(() => createDie(this.id, tone)));
      this.key = key;
    }
    this.shownDice = numbers.map((number, index) => {
      const element = this.layer.children[index];
      const { x, y, size } = spots[index];
      element.classList.toggle("is-used", Boolean(used[index]));
      element.classList.toggle("is-active", index === active);
      element.classList.toggle("is-ready", action === "confirm");
      element.classList.toggle("is-blank", action === "roll");
      showFace(element, action === "roll" ? 0 : number);
      moveTo(element, x, y, ` scale(${size / 52})`);
      return { element, number, x, y, size };
    });
  }

  /** Animate the roll, from the right of the roller. */
  async roll(time, fromLeft) {
    if (!time) return;
    const rollNumber = ++this.rollCount;
    const duration = Math.max(420, time * 2.6);
    const flicker = setInterval(
      () => this.shownDice.forEach(({ element }) => showFace(element, 1 + Math.floor(Math.random() * 6))),
      70,
    );
    const animations = this.shownDice.map(({ element, x, y, size }, index) => {
      const scale = size / 52;
      const direction = fromLeft ? -1 : 1;
      const transformAt = (dx, dy, angle, zoom) => ({
        transform: `translate(${x + dx}px, ${y + dy}px) rotate(${angle}deg) scale(${scale * zoom})`,
      });
      const frames = [
        { ...transformAt(direction * (150 - 40 * index), 70 - 120 * index, direction * -420, 1.18), opacity: 0 },
        { ...transformAt(direction * 60, 26 - 40 * index, direction * -200, 1.12), opacity: 1, offset: 0.35 },
        { ...transformAt(direction * -9, index ? 6 : -5, direction * 14, 1.02), offset: 0.78 },
        { ...transformAt(0, 0, 0, 1) },
      ];
      return element
        .animate(frames, { duration: duration + 60 * index, easing: "cubic-bezier(.2,.6,.3,1)" })
        .finished.catch(() => {});
    });
    setTimeout(() => this.stopFlicker(flicker), duration * 0.72);
    await Promise.all(animations);
    if (rollNumber === this.rollCount) this.stopFlicker(flicker);
  }

  stopFlicker(flicker) {
    clearInterval(flicker);
    this.shownDice.forEach(({ element, number }) => showFace(element, number));
  }

  /** How far from its middle a die reacts to a touch. */
  get reach() {
    return this.shownDice.length ? this.shownDice[0].size / 2 + (this.shownDice[0].size > 52 ? 14 : 9) : 0;
  }

  /** True if a spot is on a die, or between two. */
  contains(x, y) {
    if (!this.shownDice.length) return false;
    const { x: first, y: middle } = this.shownDice[0];
    const last = this.shownDice.at(-1).x;
    const { reach } = this;
    return x >= first - reach && x <= last + reach && Math.abs(y - middle) <= reach;
  }
}

export class Cube {
  constructor(layer) {
    this.element = layer.appendChild(createCube());
    this.spot = null;
  }

  /** Show the cube of the state; `inPlay` is false if the match has none. */
  show(geometry, state, inPlay, time) {
    const { value = 1, owner = null, offered = null } = state.cube ?? {};
    const isCrawford = Boolean(state.game_is_crawford);
    this.element.toggleAttribute("hidden", !inPlay);
    this.element.classList.toggle("is-dead", isCrawford);
    this.element.classList.toggle("is-offered", Boolean(offered));
    const askedSide = offered ? (state.owing?.[0] ?? null) : null;
    showCubeValue(this.element, isCrawford ? "Cr" : String(offered ?? (value === 1 ? 64 : value)));
    const spot = geometry.cubeSpot({ owner: isCrawford ? null : owner, asked: askedSide });
    const before = this.spot;
    this.spot = spot;
    moveTo(this.element, spot.x, spot.y, ` scale(${spot.size / 50})`);
    if (!before || !time || (before.x === spot.x && before.y === spot.y)) return;
    const transformAt = ({ x, y, size }) => ({ transform: `translate(${x}px, ${y}px) scale(${size / 50})` });
    this.element.animate([transformAt(before), transformAt(spot)], {
      duration: time * 1.6,
      easing: "cubic-bezier(.3,.05,.25,1)",
    });
  }

  contains(x, y) {
    if (!this.spot || this.element.hasAttribute("hidden")) return false;
    const reach = this.spot.size / 2 + 6;
    return Math.abs(x - this.spot.x) <= reach && Math.abs(y - this.spot.y) <= reach;
  }
}
