// Dice and cube on the drawing: layout, the roll's animation, and labels.

import { cube, die, face, put, turnCube } from "./draw.js";

export class Dice {
  constructor(layer, id) {
    Object.assign(this, { layer, id });
    this.lying = [];
    this.rolling = 0;
  }

  /** Show `numbers` for `side`; `used` are dimmed, `active` marks the next. Without numbers the table is empty. */
  lay(geometry, side, tone, numbers, { used = [], active = -1, asks = "" } = {}) {
    const spots = side ? geometry.dice(side, numbers.length) : [];
    const key = `${tone} ${numbers.length}`;
    if (this.key !== key) {
      this.layer.replaceChildren(...numbers.map(() => die(this.id, tone)));
      this.key = key;
    }
    this.lying = numbers.map((number, index) => {
      const element = this.layer.children[index];
      const { x, y, size } = spots[index];
      element.classList.toggle("is-used", Boolean(used[index]));
      element.classList.toggle("is-active", index === active);
      element.classList.toggle("is-ready", asks === "confirm");
      element.classList.toggle("is-blank", asks === "roll");
      face(element, asks === "roll" ? 0 : number);
      put(element, x, y, ` scale(${size / 52})`);
      return { element, number, x, y, size };
    });
  }

  /** Animate the roll, from the right of the roller. */
  async roll(time, fromLeft) {
    if (!time) return;
    const turn = ++this.rolling;
    const duration = Math.max(420, time * 2.6);
    const swapping = setInterval(
      () => this.lying.forEach(({ element }) => face(element, 1 + Math.floor(Math.random() * 6))),
      70,
    );
    const throws = this.lying.map(({ element, x, y, size }, index) => {
      const scale = size / 52;
      const away = fromLeft ? -1 : 1;
      const at = (dx, dy, turned, big) => ({
        transform: `translate(${x + dx}px, ${y + dy}px) rotate(${turned}deg) scale(${scale * big})`,
      });
      const frames = [
        { ...at(away * (150 - 40 * index), 70 - 120 * index, away * -420, 1.18), opacity: 0 },
        { ...at(away * 60, 26 - 40 * index, away * -200, 1.12), opacity: 1, offset: 0.35 },
        { ...at(away * -9, index ? 6 : -5, away * 14, 1.02), offset: 0.78 },
        { ...at(0, 0, 0, 1) },
      ];
      return element
        .animate(frames, { duration: duration + 60 * index, easing: "cubic-bezier(.2,.6,.3,1)" })
        .finished.catch(() => {});
    });
    setTimeout(() => this.settle(swapping), duration * 0.72);
    await Promise.all(throws);
    if (turn === this.rolling) this.settle(swapping);
  }

  settle(swapping) {
    clearInterval(swapping);
    this.lying.forEach(({ element, number }) => face(element, number));
  }

  /** How far from its middle a die reacts to a touch. */
  get reach() {
    return this.lying.length ? this.lying[0].size / 2 + (this.lying[0].size > 52 ? 14 : 9) : 0;
  }

  /** True if a spot is on a die, or between two. */
  isUnder(x, y) {
    if (!this.lying.length) return false;
    const { x: first, y: middle } = this.lying[0];
    const last = this.lying.at(-1).x;
    const { reach } = this;
    return x >= first - reach && x <= last + reach && Math.abs(y - middle) <= reach;
  }
}

export class Cube {
  constructor(layer) {
    this.element = layer.appendChild(cube());
    this.spot = null;
  }

  /** Show the cube of the state; `inPlay` is false if the match has none. */
  lay(geometry, state, inPlay, time) {
    const { value = 1, owner = null, offered = null } = state.cube ?? {};
    const isCrawford = Boolean(state.game_is_crawford);
    this.element.toggleAttribute("hidden", !inPlay);
    this.element.classList.toggle("is-dead", isCrawford);
    this.element.classList.toggle("is-offered", Boolean(offered));
    const asked = offered ? (state.owing?.[0] ?? null) : null;
    turnCube(this.element, isCrawford ? "Cr" : String(offered ?? (value === 1 ? 64 : value)));
    const spot = geometry.cube({ owner: isCrawford ? null : owner, asked });
    const before = this.spot;
    this.spot = spot;
    put(this.element, spot.x, spot.y, ` scale(${spot.size / 50})`);
    if (!before || !time || (before.x === spot.x && before.y === spot.y)) return;
    const at = ({ x, y, size }) => ({ transform: `translate(${x}px, ${y}px) scale(${size / 50})` });
    this.element.animate([at(before), at(spot)], {
      duration: time * 1.6,
      easing: "cubic-bezier(.3,.05,.25,1)",
    });
  }

  isUnder(x, y) {
    if (!this.spot || this.element.hasAttribute("hidden")) return false;
    const reach = this.spot.size / 2 + 6;
    return Math.abs(x - this.spot.x) <= reach && Math.abs(y - this.spot.y) <= reach;
  }
}
