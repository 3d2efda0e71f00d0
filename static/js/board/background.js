// The static part of the drawing: wood, felt, points, trays, rulers, and the gradients that all parts share.
//
// No colours here: every part has a class, and board-themes.css has its looks by theme. Gradients are in the
// drawing's <defs>, with a prefix in their ids, so that a page can have several tables.

import { createSvg } from "./draw.js";
import { POINT } from "./geometry.js";

function createGradient(name, kind, attributes, count) {
  const createStop = (index) =>
    createSvg("stop", { class: `${name}-${index + 1}`, offset: count === 1 ? 0 : index / (count - 1) });
  return createSvg(kind, attributes, ...Array.from({ length: count }, (_, index) => createStop(index)));
}

const TOP_DOWN = { x1: 0, y1: 0, x2: 0, y2: 1 };
const FROM_ABOVE = { cx: 0.4, cy: 0.28, r: 0.86 };

/** The gradients of background and checkers. */
export function createDefinitions(id, geometry) {
  const glow = {
    gradientUnits: "userSpaceOnUse",
    cx: geometry.barX,
    cy: geometry.height * 0.25,
    r: geometry.height * 0.84,
  };
  const tones = ["light", "dark"].flatMap((tone) => [
    createGradient(`men-${tone}`, "radialGradient", { id: `${id}-${tone}`, ...FROM_ABOVE }, 3),
    createGradient(`rim-${tone}`, "linearGradient", { id: `${id}-${tone}-rim`, ...TOP_DOWN }, 2),
    createGradient(`dish-${tone}`, "linearGradient", { id: `${id}-${tone}-dish`, ...TOP_DOWN }, 2),
    createGradient(`die-${tone}`, "linearGradient", { id: `${id}-${tone}-die`, ...TOP_DOWN }, 2),
  ]);
  return createSvg(
    "defs",
    {},
    createGradient("wood", "linearGradient", { id: `${id}-wood`, ...TOP_DOWN }, 3),
    createGradient("bar", "linearGradient", { id: `${id}-bar`, x1: 0, y1: 0, x2: 1, y2: 0 }, 3),
    createGradient("felt", "radialGradient", { id: `${id}-felt`, ...glow }, 3),
    createGradient(
      "point-light",
      "linearGradient",
      { id: `${id}-point-light`, gradientUnits: "userSpaceOnUse", x1: 0, y1: 0, x2: 0, y2: geometry.height },
      3,
    ),
    createGradient(
      "point-dark",
      "linearGradient",
      { id: `${id}-point-dark`, gradientUnits: "userSpaceOnUse", x1: 0, y1: 0, x2: 0, y2: geometry.height },
      3,
    ),
    createGradient("brass", "linearGradient", { id: `${id}-brass`, ...TOP_DOWN }, 3),
    createGradient("fall", "linearGradient", { id: `${id}-fall`, ...TOP_DOWN }, 2),
    createGradient("fall", "linearGradient", { id: `${id}-side`, x1: 0, y1: 0, x2: 1, y2: 0 }, 2),
    createGradient("drop", "radialGradient", { id: `${id}-drop` }, 3),
    createClothPattern(id),
    ...tones,
  );
}

function createClothPattern(id) {
  const pattern = createSvg("pattern", {
    id: `${id}-weave`,
    width: 5,
    height: 5,
    patternUnits: "userSpaceOnUse",
    patternTransform: "rotate(24)",
  });
  pattern.append(
    createSvg("path", { class: "weave weave--up", d: "M0 1h2.4M2.5 3.5h2.4" }),
    createSvg("path", { class: "weave weave--down", d: "M1 2.2h2M3.6 4.7h1.4" }),
  );
  return pattern;
}

/** Everything that never moves. */
export function drawBackground(id, geometry) {
  const { width, height } = geometry;
  const parts = [
    createSvg("rect", { class: "frame", width, height, rx: geometry.tall ? 20 : 18, fill: `url(#${id}-wood)` }),
    ...drawGrain(geometry),
    createSvg("rect", {
      class: "frame-light",
      x: 1.25,
      y: 1.25,
      width: width - 2.5,
      height: height - 2.5,
      rx: geometry.tall ? 19 : 17,
    }),
    ...drawBar(id, geometry),
    ...geometry.trayBoxes().flatMap((box) => drawTray(id, box)),
    ...[geometry.left, geometry.right].flatMap((x) => drawFelt(id, geometry, x)),
    ...drawPoints(id, geometry),
    ...[geometry.left, geometry.right].flatMap((x) => drawShadow(id, geometry, x)),
    drawRulers(geometry),
  ];
  return createSvg(
    "svg",
    { class: "tabletop__ground", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    createDefinitions(id, geometry),
    ...parts,
  );
}

// Long fibres along the frame, the same each time.
function drawGrain({ width, height, tall, top, bottom, barX }) {
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const lines = { dark: "", light: "" };
  const addFibre = (from, to, at, isDown) => {
    const bend = (random() - 0.5) * 5;
    const length = to - from;
    const start = from + random() * length * 0.5;
    const end = Math.min(to, start + length * (0.3 + random() * 0.6));
    const third = (end - start) / 3;
    const [a, b, c] = [start + third, start + 2 * third, end];
    const tone = random() < 0.62 ? "dark" : "light";
    lines[tone] += isDown
      ? `M${at} ${start}C${at + bend} ${a} ${at - bend} ${b} ${at + bend / 2} ${c}`
      : `M${start} ${at}C${a} ${at + bend} ${b} ${at - bend} ${c} ${at + bend / 2}`;
  };
  const rail = top - 6;
  for (let count = 0; count < (tall ? 46 : 20); count += 1) {
    addFibre(14, width - 14, 4 + random() * rail, false);
    addFibre(14, width - 14, height - 4 - random() * rail, false);
  }
  const stile = tall ? 8 : 20;
  for (let count = 0; count < (tall ? 6 : 14); count += 1) {
    addFibre(top, bottom, 3 + random() * stile, true);
    addFibre(top, bottom, width - 3 - random() * (tall ? 8 : 20), true);
  }
  const half = tall ? 24 : 28;
  for (let count = 0; count < 18; count += 1) addFibre(8, height - 8, barX + (random() * 2 - 1) * half, true);
  return Object.entries(lines).map(([tone, d]) => createSvg("path", { class: `grain grain--${tone}`, d }));
}

function drawBar(id, { barX, barWidth, top, bottom, height, middle, tall }) {
  const x = barX - barWidth / 2;
  const parts = [
    createSvg("rect", {
      class: "bar",
      x,
      y: tall ? top : 0,
      width: barWidth,
      height: tall ? bottom - top : height,
      fill: `url(#${id}-bar)`,
    }),
  ];
  parts.push(createSvg("path", { class: "seam", d: `M${barX} ${top}V${bottom}` }));
  if (tall) return parts;
  // Brass hinges, clear of the checkers on the bar.
  for (const y of [top + 34, bottom - 34]) {
    parts.push(
      createSvg("rect", {
        class: "hinge",
        x: barX - 9,
        y: y - 17,
        width: 18,
        height: 34,
        rx: 2.5,
        fill: `url(#${id}-brass)`,
      }),
    );
    parts.push(
      createSvg("path", {
        class: "hinge-line",
        d: `M${barX} ${y - 17}v34M${barX - 4.6} ${y - 10}h.01M${barX + 4.6} ${y - 10}h.01M${barX - 4.6} ${y + 10}h.01M${barX + 4.6} ${y + 10}h.01`,
      }),
    );
  }
  parts.push(createSvg("path", { class: "hinge-line hinge-line--middle", d: `M${barX - 7} ${middle}h14` }));
  return parts;
}

function drawTray(id, { x, y, width, height }) {
  return [
    createSvg("rect", { class: "slot", x, y, width, height, rx: 5 }),
    createSvg("rect", {
      class: "shade",
      x,
      y,
      width,
      height: Math.min(26, height / 2),
      rx: 5,
      fill: `url(#${id}-fall)`,
    }),
    createSvg("rect", { class: "lip", x: x - 0.5, y: y - 0.5, width: width + 1, height: height + 1, rx: 5.5 }),
  ];
}

function drawFelt(id, { top, bottom }, x) {
  const box = { x, y: top, width: 6 * POINT, height: bottom - top, rx: 3 };
  return [
    createSvg("rect", {
      class: "lip",
      ...box,
      x: x - 1,
      y: top - 1,
      width: box.width + 2,
      height: box.height + 2,
      rx: 4,
    }),
    createSvg("rect", { class: "felt", ...box, fill: `url(#${id}-felt)` }),
    createSvg("rect", { class: "cloth", ...box, fill: `url(#${id}-weave)` }),
  ];
}

// The shadow of the frame on the felt, from above and slightly from the left.
function drawShadow(id, { top, bottom }, x) {
  return [
    createSvg("rect", { class: "shade", x, y: top, width: 6 * POINT, height: 22, fill: `url(#${id}-fall)` }),
    createSvg("rect", {
      class: "shade shade--side",
      x,
      y: top,
      width: 9,
      height: bottom - top,
      fill: `url(#${id}-side)`,
    }),
  ];
}

function drawPoints(id, geometry) {
  const paths = { light: "", dark: "" };
  const seams = { light: "", dark: "" };
  for (let at = 1; at <= 24; at += 1) {
    const { x, base, tip, width } = geometry.triangle(at);
    const tone = at % 2 ? "dark" : "light";
    paths[tone] += `M${x - width / 2} ${base}h${width}L${x} ${tip}z`;
    const inwards = at > 12 ? 1 : -1;
    seams[tone] += `M${x - width / 2 + 5} ${base}L${x} ${tip - inwards * 31}L${x + width / 2 - 5} ${base}`;
  }
  return ["light", "dark"].flatMap((tone) => [
    createSvg("path", { class: `point point--${tone}`, d: paths[tone], fill: `url(#${id}-point-${tone})` }),
    createSvg("path", { class: `stitch stitch--${tone}`, d: seams[tone] }),
  ]);
}

function drawRulers(geometry) {
  const group = createSvg("g", { class: "ruler" });
  for (let at = 1; at <= 24; at += 1) {
    group.append(createSvg("text", { x: geometry.pointX(at), y: geometry.rulerY(at > 12) }, String(geometry.pointNumber(at))));
  }
  return group;
}
