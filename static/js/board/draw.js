// The movable parts as SVG: checkers, dice, the cube. men.css has their looks.

import { RADIUS } from "./geometry.js";

const SPACE = "http://www.w3.org/2000/svg";

export function createSvg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children.filter(Boolean));
  return element;
}

/** Move a child of <svg> to a spot of the drawing. */
export function moveTo(element, x, y, more = "") {
  element.style.transform = `translate(${x}px, ${y}px)${more}`;
}

/** A checker: flat, or as a slab on its edge in the tray. */
export function createChecker() {
  const circle = (name, r, more = {}) => createSvg("circle", { class: name, r, ...more });
  return createSvg(
    "g",
    { class: "man" },
    circle("man__shadow", RADIUS + 4.5, { cy: 3.5 }),
    circle("man__rim", RADIUS),
    circle("man__face", RADIUS - 1.8),
    circle("man__dish", 0.64 * RADIUS),
    circle("man__ring", 0.64 * RADIUS),
    circle("man__ring man__ring--outer", 0.84 * RADIUS),
    createSvg("path", {
      class: "man__gloss",
      d: `M${-0.66 * RADIUS} ${-0.46 * RADIUS}A${0.8 * RADIUS} ${0.8 * RADIUS} 0 0 1 ${0.3 * RADIUS} ${-0.74 * RADIUS}`,
    }),
    createSvg("path", { class: "man__sign man__sign--dark", d: "M-8 0H8M0-8V8" }),
    createSvg("circle", { class: "man__sign man__sign--light", r: 5.5 }),
    createSvg("rect", { class: "man__slab" }),
    createSvg("path", { class: "man__edge" }),
  );
}

/** Set a checker's tone, and its slab's size for the tray. */
export function styleChecker(element, id, tone, { width, height }) {
  element.setAttribute("class", `man man--${tone}${element.classList.contains("is-off") ? " is-off" : ""}`);
  const [shadow, rim, face, dish] = element.children;
  shadow.setAttribute("fill", `url(#${id}-drop)`);
  rim.setAttribute("fill", `url(#${id}-${tone}-rim)`);
  face.setAttribute("fill", `url(#${id}-${tone})`);
  dish.setAttribute("fill", `url(#${id}-${tone}-dish)`);
  const slab = element.querySelector(".man__slab");
  for (const [name, value] of Object.entries({ x: -width / 2, y: -height / 2, width, height, rx: 3 }))
    slab.setAttribute(name, value);
  const isFlat = width > height;
  element
    .querySelector(".man__edge")
    .setAttribute("d", isFlat ? `M${-width / 2 + 2} 0h${width - 4}` : `M0 ${-height / 2 + 2}v${height - 4}`);
}

const CORNERS = { tl: [-1, -1], tr: [1, -1], ml: [-1, 0], c: [0, 0], mr: [1, 0], bl: [-1, 1], br: [1, 1] };
const FACES = {
  0: "",
  1: "c",
  2: "tl br",
  3: "tl c br",
  4: "tl tr bl br",
  5: "tl tr c bl br",
  6: "tl tr ml mr bl br",
};

/** A die in the size of the wide board's; `showFace` turns it. */
export function createDie(id, tone) {
  const body = createSvg("g", { class: `die die--${tone}` });
  body.append(
    createSvg("rect", { class: "die__shadow", x: -25, y: -22, width: 50, height: 50, rx: 12 }),
    createSvg("rect", {
      class: "die__body",
      x: -26,
      y: -26,
      width: 52,
      height: 52,
      rx: 11,
      fill: `url(#${id}-${tone}-die)`,
    }),
    createSvg("rect", { class: "die__edge", x: -24.5, y: -24.5, width: 49, height: 49, rx: 9.5 }),
  );
  for (const [name, [x, y]] of Object.entries(CORNERS)) {
    body.append(createSvg("circle", { class: `spot spot--${name}`, cx: 14 * x, cy: 14 * y, r: 5.1 }));
  }
  return body;
}

/** Show a number on a die; 0 for none. */
export function showFace(element, number) {
  const shown = FACES[number].split(" ");
  for (const name of Object.keys(CORNERS))
    element.querySelector(`.spot--${name}`).toggleAttribute("hidden", !shown.includes(name));
}

/** The cube, drawn for a size of 50. */
export function createCube() {
  return createSvg(
    "g",
    { class: "cube" },
    createSvg("rect", { class: "cube__shadow", x: -24, y: -20, width: 48, height: 48, rx: 10 }),
    createSvg("rect", { class: "cube__body", x: -25, y: -25, width: 50, height: 50, rx: 8 }),
    createSvg("rect", { class: "cube__edge", x: -21.5, y: -21.5, width: 43, height: 43, rx: 6 }),
    createSvg("text", { class: "cube__value", y: 8.5 }),
  );
}

export function showCubeValue(element, value) {
  const text = element.querySelector(".cube__value");
  text.textContent = value;
  text.dataset.digits = String(value.length);
}
