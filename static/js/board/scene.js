// The board as shown: ground, checkers, dice, cube, marks, and their animations.
//
// It shows the positions and steps that it is given, and decides nothing. The ground is a separate drawing, which is not
// repainted while checkers move.

import { Cube, Dice } from "./dice.js";
import { make } from "./draw.js";
import { Geometry } from "./geometry.js";
import { ground } from "./ground.js";
import { Marks } from "./marks.js";
import { Men, stepTime } from "./motion.js";
import { SIDES, other, pips } from "./position.js";

let tables = 0;

export class Scene {
  constructor(element, prefs) {
    Object.assign(this, { element, prefs, geometry: null, id: `table${++tables}` });
    const layer = (name) => make("g", { class: name });
    const [under, lying, counts, dice, over, flying] = [
      "under",
      "lying",
      "counts",
      "lots",
      "over",
      "flying",
    ].map(layer);
    this.pips = make("g", { class: "pips" });
    this.svg = make(
      "svg",
      { class: "tabletop__men", "aria-hidden": "true" },
      this.pips,
      under,
      lying,
      counts,
      dice,
      over,
      flying,
    );
    this.men = new Men(lying, counts, flying);
    this.marks = new Marks(under, over);
    const lots = dice.appendChild(layer("dice"));
    this.dice = new Dice(lots, this.id);
    this.cube = new Cube(dice);
    element.append(this.svg);
  }

  get time() {
    return stepTime(this.prefs);
  }

  /** Choose the geometry for the available size and the viewer; true if everything must be laid out again. */
  fit(me, room = this.room()) {
    const { prefs } = this;
    const own = me ?? "white";
    const homeLeft = prefs.get("home") === "left";
    // The viewer's checkers run counter-clockwise if their home is on the lower right, or the upper left (R06).
    const isBelow = (prefs.get("direction") === "counter-clockwise") !== homeLeft;
    const ratio = room.height / room.width;
    const tall = ratio > 1;
    const wanted = {
      below: isBelow ? own : other(own),
      homeLeft,
      numbers: own,
      tall,
      ratio: tall ? Math.round(ratio * 50) / 50 : 1,
    };
    const tones = this.tonesFor(own);
    const key = JSON.stringify([wanted, tones]);
    if (key === this.key) return false;
    this.key = key;
    this.tones = tones;
    this.element.dataset.light = tones.white === "light" ? "white" : "black";
    this.geometry = new Geometry(wanted);
    this.build();
    return true;
  }

  room() {
    const { clientWidth: width, clientHeight: height } = this.element;
    return width && height ? { width, height } : { width: 896, height: 760 };
  }

  tonesFor(own) {
    const mine = this.prefs.get("mine");
    const dealt = { white: "light", black: "dark" };
    if (mine === "as-dealt" || dealt[own] === mine) return dealt;
    return { white: dealt.black, black: dealt.white };
  }

  build() {
    const { geometry } = this;
    this.ground?.remove();
    this.ground = ground(this.id, geometry);
    this.element.prepend(this.ground);
    this.svg.setAttribute("viewBox", `0 0 ${geometry.width} ${geometry.height}`);
    this.element.classList.toggle("is-tall", geometry.tall);
    this.pips.replaceChildren(
      ...SIDES.map((side) => {
        const { x, y } = geometry.pips(geometry.isAbove(side));
        const [wide, high] = geometry.tall ? [50, 30] : [46, 20];
        const box = { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: high / 2 };
        return make(
          "g",
          { "data-side": side },
          make("rect", box),
          make("text", { x, y: y + (geometry.tall ? 8 : 5) }),
        );
      }),
    );
    this.dice.key = null;
    this.cube.spot = null;
  }

  /** Place the checkers, without animation. */
  lay(position) {
    this.marks.dim();
    this.marks.forget();
    this.men.lay(position, this.geometry, this.id, this.tones);
  }

  /** Write the pip counts; that of the side to act is on gold. */
  count(position, acts, isShown) {
    for (const group of this.pips.children) {
      const { side } = group.dataset;
      group.classList.toggle("is-acting", acts === side);
      group.lastChild.textContent = isShown ? String(pips(position, side)) : "";
      group.toggleAttribute("hidden", !isShown && acts !== side);
    }
  }

  /** Highlight what a lifted checker can do. */
  light(side, position, lit) {
    this.marks.light(this.geometry, side, position, lit);
  }
}
