// The board for keyboards and screen readers: a button for every point, bar, tray, the dice and the cube.
//
// They are invisible and lie exactly over their places. One of them is in the tab order; the arrow keys lead
// to the others. The table decides what a press means.

import { BAR, OFF, opponentOf } from "./position.js";
import { describeEnd, describePoint } from "./play_texts.js";

const ROVING = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];

export class Places {
  /** `table` receives the presses, and answers what is possible. */
  constructor(table, translate) {
    this.table = table;
    this.element = document.createElement("div");
    this.element.className = "tabletop__places";
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", translate("board.name"));
    this.buttons = new Map();
    this.order = [];
    this.current = null;
    this.element.addEventListener("keydown", (event) => this.handleKey(event));
    this.element.addEventListener("focusin", (event) => this.setCurrent(event.target.dataset.place));
    this.element.addEventListener("click", (event) => this.handleClick(event));
  }

  /** Place the buttons where the geometry has their places. */
  layOut(geometry) {
    const upper = listRow(geometry, true);
    const lower = listRow(geometry, false);
    this.rows = [upper, lower];
    for (const place of [...upper, ...lower, "dice", "cube"]) {
      const button = this.buttons.get(place) ?? this.createButton(place);
      this.positionButton(button, geometry, isExtra(place) ? null : geometry.placeBox(place));
    }
    // In the document in reading order; arrows and numbers follow the mover's direction.
    this.element.replaceChildren(
      ...[...upper, ...lower, "dice", "cube"].map((place) => this.buttons.get(place)),
    );
    this.setCurrent(String(this.current ?? 24));
  }

  createButton(place) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "place";
    button.dataset.place = String(place);
    setLabel(button, String(place));
    if (!isExtra(place)) button.tabIndex = -1;
    this.buttons.set(place, button);
    return button;
  }

  positionButton(button, { width, height }, box) {
    if (!box) return;
    const percent = (value, whole) => `${((value / whole) * 100).toFixed(3)}%`;
    button.style.left = percent(box.x, width);
    button.style.top = percent(box.y, height);
    button.style.width = percent(box.width, width);
    button.style.height = percent(box.height, height);
  }

  /** Dice and cube move; `box` is null if there is nothing to press. */
  placeExtra(place, geometry, box, label) {
    const button = this.buttons.get(place);
    const hadFocus = document.activeElement === button;
    button.hidden = !box;
    if (box) {
      this.positionButton(button, geometry, box);
      setLabel(button, label);
    } else if (hadFocus) this.focus();
  }

  updateLabels() {
    this.hasLabels = true;
    for (const [place, button] of this.buttons) {
      if (!isExtra(place)) setLabel(button, describePlace(this.table, place));
    }
  }

  setCurrent(place) {
    const button = this.buttons.get(parsePlace(place));
    if (!button || isExtra(parsePlace(place))) return;
    this.buttons.get(this.current)?.setAttribute("tabindex", "-1");
    this.current = parsePlace(place);
    button.tabIndex = 0;
    this.updateCurrentLabel();
  }

  /** The focused place is updated at once, since screen readers announce it; so is the one under a pointer. */
  updateCurrentLabel() {
    const button = this.buttons.get(this.current);
    if (this.hasLabels && document.activeElement === button) setLabel(button, describePlace(this.table, this.current));
  }

  focus(place = this.current) {
    this.buttons.get(place)?.focus({ preventScroll: true });
  }

  handleKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const place = parsePlace(event.target.dataset.place);
    if (isExtra(place)) return;
    if (event.key === " ") {
      event.preventDefault();
      this.playFromPlace(place);
    } else if (ROVING.includes(event.key)) {
      event.preventDefault();
      this.focus(this.findNext(place, event.key));
    }
  }

  // A click without a pointer: Enter, Space, or a screen reader. The cube detects a double click by it.
  handleClick(event) {
    const place = event.target.closest("button")?.dataset.place;
    if (!place) return;
    const { armed, pointerInput } = this.table;
    if (place === "cube" ? event.detail < 2 || !armed : event.detail === 0 || !pointerInput.isFromPointer(event)) this.press(parsePlace(place));
  }

  /** Lift a checker, drop it, or make a point. */
  press(place) {
    const { table } = this;
    if (place === "dice") table.pressDice();
    else if (place === "cube") table.pressCube();
    else if (table.canMove) this.pressPoint(table.lifted.toMoverPoint(place));
  }

  pressPoint(point) {
    const { table } = this;
    const { lifted } = table;
    if (point === null) return;
    if (lifted.point === point) table.playFromPoint(point);
    else if (!lifted.isEmpty) {
      const source = lifted.point;
      if (!lifted.dropOn(point)) {
        table.returnLifted();
        table.reportRefusal(source, point);
      }
    } else if (point === OFF) table.bearOff();
    else if (!lifted.canLift(point)) table.makePoint(point);
    else this.lift(point);
  }

  lift(point) {
    const { lifted, translate } = this.table;
    lifted.lift(point);
    this.updateLabels();
    const targets = [...lifted.targets.keys(), ...lifted.origins.keys()]
      .map((each) => translate.pointName(each))
      .join(", ");
    this.table.announceText("said.lifted", { point: translate.pointName(point), targets });
  }

  playFromPlace(place) {
    const point = this.table.lifted.toMoverPoint(place);
    if (point) this.table.playFromPoint(point);
  }

  findNext(place, key) {
    const at = this.rows[0].includes(place) ? 0 : 1;
    const line = this.rows[at];
    const index = line.indexOf(place);
    if (key === "ArrowUp") return this.rows[0][index];
    if (key === "ArrowDown") return this.rows[1][index];
    if (key === "Home") return line[0];
    if (key === "End") return line.at(-1);
    return line[(index + (key === "ArrowRight" ? 1 : line.length - 1)) % line.length];
  }
}

function describePlace(table, place) {
  const { lifted, me, translate, scene, viewpoint, turn } = table;
  if (!table.state) return String(place);
  const { geometry } = scene;
  const point = lifted.toMoverPoint(place);
  const targets = point !== null && table.canMove ? [...turn.findTargets(point).keys()] : [];
  let label;
  if (typeof place === "number") {
    label = describePoint(table.position, { viewpoint, me }, geometry.toLowerPoint(viewpoint, place), targets, translate);
  } else {
    const side = place.endsWith("below") ? geometry.below : opponentOf(geometry.below);
    label = describeEnd(table.position, { me }, side, place.startsWith("bar") ? BAR : OFF, targets, translate);
  }
  if (lifted.isEmpty)
    return table.canMove && turn.findMakeablePoints().has(point) ? label + translate("place.make") : label;
  if (point === lifted.point) return label + translate("place.lifted");
  return lifted.canDropOn(point) ? label + translate("place.target") : label;
}

function listRow(geometry, isUpper) {
  const points = Array.from({ length: 12 }, (_, index) => index + (isUpper ? 13 : 1));
  points.sort((a, b) => geometry.columnOf(a) - geometry.columnOf(b));
  const end = isUpper ? "above" : "below";
  const line = [...points.slice(0, 6), `bar-${end}`, ...points.slice(6)];
  return geometry.homeLeft ? [`tray-${end}`, ...line] : [...line, `tray-${end}`];
}

function isExtra(place) {
  return place === "dice" || place === "cube";
}

function parsePlace(place) {
  return /^\d+$/.test(place) ? Number(place) : place;
}

function setLabel(button, label) {
  if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
}
