// The board for keyboards and screen readers: a button for every point, bar, tray, the dice and the cube.
//
// They are invisible and lie exactly over their places. One of them is in the tab order; the arrow keys lead
// to the others. The table decides what a press means.

import { BAR, OFF, other } from "./position.js";
import { endLabel, pointLabel } from "./say.js";

const ROVING = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];

export class Places {
  /** `table` receives the presses, and answers what is possible. */
  constructor(table, say) {
    this.table = table;
    this.element = document.createElement("div");
    this.element.className = "tabletop__places";
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", say("board.name"));
    this.buttons = new Map();
    this.order = [];
    this.current = null;
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("focusin", (event) => this.hold(event.target.dataset.place));
    this.element.addEventListener("click", (event) => this.click(event));
  }

  /** Place the buttons where the geometry has their places. */
  lay(geometry) {
    const upper = row(geometry, true);
    const lower = row(geometry, false);
    this.rows = [upper, lower];
    for (const place of [...upper, ...lower, "dice", "cube"]) {
      const button = this.buttons.get(place) ?? this.make(place);
      this.box(button, geometry, isExtra(place) ? null : geometry.box(place));
    }
    // In the document in reading order; arrows and numbers follow the mover's direction.
    this.element.replaceChildren(
      ...[...upper, ...lower, "dice", "cube"].map((place) => this.buttons.get(place)),
    );
    this.hold(String(this.current ?? 24));
  }

  make(place) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "place";
    button.dataset.place = String(place);
    name(button, String(place));
    if (!isExtra(place)) button.tabIndex = -1;
    this.buttons.set(place, button);
    return button;
  }

  box(button, { width, height }, box) {
    if (!box) return;
    const share = (value, whole) => `${((value / whole) * 100).toFixed(3)}%`;
    button.style.left = share(box.x, width);
    button.style.top = share(box.y, height);
    button.style.width = share(box.width, width);
    button.style.height = share(box.height, height);
  }

  /** Dice and cube move; `box` is null if there is nothing to press. */
  extra(place, geometry, box, label) {
    const button = this.buttons.get(place);
    const hadFocus = document.activeElement === button;
    button.hidden = !box;
    if (box) {
      this.box(button, geometry, box);
      name(button, label);
    } else if (hadFocus) this.focus();
  }

  /** Update the label of every place. */
  tell() {
    this.isTold = true;
    for (const [place, button] of this.buttons) {
      if (!isExtra(place)) name(button, labelOf(this.table, place));
    }
  }

  hold(place) {
    const button = this.buttons.get(named(place));
    if (!button || isExtra(named(place))) return;
    this.buttons.get(this.current)?.setAttribute("tabindex", "-1");
    this.current = named(place);
    button.tabIndex = 0;
    this.tellHeld();
  }

  /** The focused place is updated at once, since screen readers announce it; so is the one under a pointer. */
  tellHeld() {
    const held = this.buttons.get(this.current);
    if (this.isTold && document.activeElement === held) name(held, labelOf(this.table, this.current));
  }

  focus(place = this.current) {
    this.buttons.get(place)?.focus({ preventScroll: true });
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const place = named(event.target.dataset.place);
    if (isExtra(place)) return;
    if (event.key === " ") {
      event.preventDefault();
      this.play(place);
    } else if (ROVING.includes(event.key)) {
      event.preventDefault();
      this.focus(this.next(place, event.key));
    }
  }

  // A click without a pointer: Enter, Space, or a screen reader. The cube detects a double click by it.
  click(event) {
    const place = event.target.closest("button")?.dataset.place;
    if (!place) return;
    const { armed, hands } = this.table;
    if (place === "cube" ? event.detail < 2 || !armed : event.detail === 0 || !hands.made(event)) this.press(named(place));
  }

  /** A place was pressed: lift, drop, or make a point. */
  press(place) {
    const { table } = this;
    if (place === "dice") table.pressDice();
    else if (place === "cube") table.pressCube();
    else if (table.canMove) this.pressPoint(table.grip.pointOf(place));
  }

  pressPoint(point) {
    const { table } = this;
    const { grip } = table;
    if (point === null) return;
    if (grip.point === point) table.playFrom(point);
    else if (!grip.isEmpty) {
      const source = grip.point;
      if (!grip.put(point)) {
        table.letGo();
        table.refuse(source, point);
      }
    } else if (point === OFF) table.bearOff();
    else if (!grip.mayLift(point)) table.make(point);
    else this.lift(point);
  }

  lift(point) {
    const { grip, say } = this.table;
    grip.lift(point);
    this.tell();
    const targets = [...grip.targets.keys(), ...grip.returns.keys()]
      .map((each) => say.point(each))
      .join(", ");
    this.table.tell("said.lifted", { point: say.point(point), targets });
  }

  // Play the next die from here.
  play(place) {
    const point = this.table.grip.pointOf(place);
    if (point) this.table.playFrom(point);
  }

  next(place, key) {
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

// Labels of places.
function labelOf(table, place) {
  const { grip, me, say, scene, seen, turn } = table;
  if (!table.state) return String(place);
  const { geometry } = scene;
  const point = grip.pointOf(place);
  const targets = point !== null && table.canMove ? [...turn.targets(point).keys()] : [];
  let label;
  if (typeof place === "number") {
    label = pointLabel(table.position, { seen, me }, geometry.at(seen, place), targets, say);
  } else {
    const side = place.endsWith("below") ? geometry.below : other(geometry.below);
    label = endLabel(table.position, { me }, side, place.startsWith("bar") ? BAR : OFF, targets, say);
  }
  if (grip.isEmpty)
    return table.canMove && turn.pointsToMake().has(point) ? label + say("place.make") : label;
  if (point === grip.point) return label + say("place.lifted");
  return grip.may(point) ? label + say("place.target") : label;
}

function row(geometry, isUpper) {
  const points = Array.from({ length: 12 }, (_, index) => index + (isUpper ? 13 : 1));
  points.sort((a, b) => geometry.column(a) - geometry.column(b));
  const end = isUpper ? "above" : "below";
  const line = [...points.slice(0, 6), `bar-${end}`, ...points.slice(6)];
  return geometry.homeLeft ? [`tray-${end}`, ...line] : [...line, `tray-${end}`];
}

function isExtra(place) {
  return place === "dice" || place === "cube";
}

function named(place) {
  return /^\d+$/.test(place) ? Number(place) : place;
}

function name(button, label) {
  if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
}
