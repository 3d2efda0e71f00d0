// The board as shown: background, checkers, dice, cube, marks, and their animations.
//
// It shows the positions and steps that it is given, and decides nothing. The background is a separate drawing, which is not
// repainted while checkers move.

import { Cube, Dice } from "./dice.js";
import { createSvg } from "./draw.js";
import { Geometry } from "./geometry.js";
import { drawBackground } from "./background.js";
import { Marks } from "./marks.js";
import { Checkers, computeStepDuration } from "./checkers.js";
import { SIDES, countPips, opponentOf } from "./position.js";

let tableCount = 0;

export class Scene {
  constructor(element, prefs) {
    Object.assign(this, { element, prefs, geometry: null, id: `table${++tableCount}` });
    const layer = (name) => createSvg("g", { class: name });
    const [belowLayer, restingLayer, countLayer, diceLayer, aboveLayer, movingLayer] = [
      "under",
      "lying",
      "counts",
      "lots",
      "over",
      "flying",
    ].map(layer);
    this.pips = createSvg("g", { class: "pips" });
    this.svg = createSvg(
      "svg",
      { class: "tabletop__men", "aria-hidden": "true" },
      this.pips,
      belowLayer,
      restingLayer,
      countLayer,
      diceLayer,
      aboveLayer,
      movingLayer,
    );
    this.checkers = new Checkers(restingLayer, countLayer, movingLayer);
    this.marks = new Marks(belowLayer, aboveLayer);
    const dice = diceLayer.appendChild(layer("dice"));
    this.dice = new Dice(dice, this.id);
    this.cube = new Cube(diceLayer);
    element.append(this.svg);
  }

  get time() {
    return computeStepDuration(this.prefs);
  }

  /** Choose the geometry for the available size and the viewer; true if everything must be laid out again. */
  fit(me, room = this.measureRoom()) {
    const { prefs } = this;
    const viewer = me ?? "white";
    const homeLeft = prefs.get("home") === "left";
    // The viewer's checkers run counter-clockwise if their home is on the lower right, or the upper left (R06).
    const isBelow = (prefs.get("direction") === "counter-clockwise") !== homeLeft;
    const ratio = room.height / room.width;
    const tall = ratio > 1;
    const layout = {
      below: isBelow ? viewer : opponentOf(viewer),
      homeLeft,
      numbers: viewer,
      tall,
      ratio: tall ? Math.round(ratio * 50) / 50 : 1,
    };
    const tones = this.chooseTones(viewer);
    const key = JSON.stringify([layout, tones]);
    if (key === this.key) return false;
    this.key = key;
    this.tones = tones;
    this.element.dataset.light = tones.white === "light" ? "white" : "black";
    this.geometry = new Geometry(layout);
    this.draw();
    return true;
  }

  measureRoom() {
    const { clientWidth: width, clientHeight: height } = this.element;
    return width && height ? { width, height } : { width: 896, height: 760 };
  }

  chooseTones(viewer) {
    const mine = this.prefs.get("mine");
    const dealt = { white: "light", black: "dark" };
    if (mine === "as-dealt" || dealt[viewer] === mine) return dealt;
    return { white: dealt.black, black: dealt.white };
  }

  draw() {
    const { geometry } = this;
    this.background?.remove();
    this.background = drawBackground(this.id, geometry);
    this.element.prepend(this.background);
    this.svg.setAttribute("viewBox", `0 0 ${geometry.width} ${geometry.height}`);
    this.element.classList.toggle("is-tall", geometry.tall);
    this.pips.replaceChildren(
      ...SIDES.map((side) => {
        const { x, y } = geometry.pipSpot(geometry.isAbove(side));
        const [boxWidth, boxHeight] = geometry.tall ? [50, 30] : [46, 20];
        const box = { x: x - boxWidth / 2, y: y - boxHeight / 2, width: boxWidth, height: boxHeight, rx: boxHeight / 2 };
        return createSvg(
          "g",
          { "data-side": side },
          createSvg("rect", box),
          createSvg("text", { x, y: y + (geometry.tall ? 8 : 5) }),
        );
      }),
    );
    this.dice.key = null;
    this.cube.spot = null;
  }

  /** Place the checkers, without animation. */
  placeCheckers(position) {
    this.marks.clearHighlights();
    this.marks.clearPlay();
    this.checkers.setUp(position, this.geometry, this.id, this.tones);
  }

  /** Write the pip counts; that of the side to act is on gold. */
  showPips(position, actor, isShown) {
    for (const group of this.pips.children) {
      const { side } = group.dataset;
      group.classList.toggle("is-acting", actor === side);
      group.lastChild.textContent = isShown ? String(countPips(position, side)) : "";
      group.toggleAttribute("hidden", !isShown && actor !== side);
    }
  }

  highlight(side, position, options) {
    this.marks.highlight(this.geometry, side, position, options);
  }
}
