// The static part of the drawing: wood, felt, points, trays, rulers, and the gradients that all parts share.
//
// No colours here: every part has a class, and board-themes.css has its looks by theme. Gradients are in the
// drawing's <defs>, with a prefix in their ids, so that a page can have several tables.

import { make } from "./draw.js";
import { POINT } from "./geometry.js";

function stops(name, kind, attributes, count) {
  const step = (index) =>
    make("stop", { class: `${name}-${index + 1}`, offset: count === 1 ? 0 : index / (count - 1) });
  return make(kind, attributes, ...Array.from({ length: count }, (_, index) => step(index)));
}

const DOWN = { x1: 0, y1: 0, x2: 0, y2: 1 };
const FROM_ABOVE = { cx: 0.4, cy: 0.28, r: 0.86 };

/** The gradients of ground and checkers. */
export function definitions(id, geometry) {
  const glow = {
    gradientUnits: "userSpaceOnUse",
    cx: geometry.barX,
    cy: geometry.height * 0.25,
    r: geometry.height * 0.84,
  };
  const tones = ["light", "dark"].flatMap((tone) => [
    stops(`men-${tone}`, "radialGradient", { id: `${id}-${tone}`, ...FROM_ABOVE }, 3),
    stops(`rim-${tone}`, "linearGradient", { id: `${id}-${tone}-rim`, ...DOWN }, 2),
    stops(`dish-${tone}`, "linearGradient", { id: `${id}-${tone}-dish`, ...DOWN }, 2),
    stops(`die-${tone}`, "linearGradient", { id: `${id}-${tone}-die`, ...DOWN }, 2),
  ]);
  return make(
    "defs",
    {},
    stops("wood", "linearGradient", { id: `${id}-wood`, ...DOWN }, 3),
    stops("bar", "linearGradient", { id: `${id}-bar`, x1: 0, y1: 0, x2: 1, y2: 0 }, 3),
    stops("felt", "radialGradient", { id: `${id}-felt`, ...glow }, 3),
    stops(
      "point-light",
      "linearGradient",
      { id: `${id}-point-light`, gradientUnits: "userSpaceOnUse", x1: 0, y1: 0, x2: 0, y2: geometry.height },
      3,
    ),
    stops(
      "point-dark",
      "linearGradient",
      { id: `${id}-point-dark`, gradientUnits: "userSpaceOnUse", x1: 0, y1: 0, x2: 0, y2: geometry.height },
      3,
    ),
    stops("brass", "linearGradient", { id: `${id}-brass`, ...DOWN }, 3),
    stops("fall", "linearGradient", { id: `${id}-fall`, ...DOWN }, 2),
    stops("fall", "linearGradient", { id: `${id}-side`, x1: 0, y1: 0, x2: 1, y2: 0 }, 2),
    stops("drop", "radialGradient", { id: `${id}-drop` }, 3),
    weave(id),
    ...tones,
  );
}

// A texture of cloth, too fine to be seen as a pattern.
function weave(id) {
  const pattern = make("pattern", {
    id: `${id}-weave`,
    width: 5,
    height: 5,
    patternUnits: "userSpaceOnUse",
    patternTransform: "rotate(24)",
  });
  pattern.append(
    make("path", { class: "weave weave--up", d: "M0 1h2.4M2.5 3.5h2.4" }),
    make("path", { class: "weave weave--down", d: "M1 2.2h2M3.6 4.7h1.4" }),
  );
  return pattern;
}

/** Everything that never moves. */
export function ground(id, geometry) {
  const { width, height } = geometry;
  const parts = [
    make("rect", { class: "frame", width, height, rx: geometry.tall ? 20 : 18, fill: `url(#${id}-wood)` }),
    ...grain(geometry),
    make("rect", {
      class: "frame-light",
      x: 1.25,
      y: 1.25,
      width: width - 2.5,
      height: height - 2.5,
      rx: geometry.tall ? 19 : 17,
    }),
    ...bar(id, geometry),
    ...geometry.trays().flatMap((box) => slot(id, box)),
    ...[geometry.left, geometry.right].flatMap((x) => bed(id, geometry, x)),
    ...triangles(id, geometry),
    ...[geometry.left, geometry.right].flatMap((x) => shade(id, geometry, x)),
    rulers(geometry),
  ];
  return make(
    "svg",
    { class: "tabletop__ground", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    definitions(id, geometry),
    ...parts,
  );
}

// Long fibres along the frame, the same each time.
function grain({ width, height, tall, top, bottom, barX }) {
  let seed = 7;
  const chance = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const lines = { dark: "", light: "" };
  const along = (from, to, at, isDown) => {
    const bend = (chance() - 0.5) * 5;
    const length = to - from;
    const start = from + chance() * length * 0.5;
    const end = Math.min(to, start + length * (0.3 + chance() * 0.6));
    const third = (end - start) / 3;
    const [a, b, c] = [start + third, start + 2 * third, end];
    const tone = chance() < 0.62 ? "dark" : "light";
    lines[tone] += isDown
      ? `M${at} ${start}C${at + bend} ${a} ${at - bend} ${b} ${at + bend / 2} ${c}`
      : `M${start} ${at}C${a} ${at + bend} ${b} ${at - bend} ${c} ${at + bend / 2}`;
  };
  const rail = top - 6;
  for (let count = 0; count < (tall ? 46 : 20); count += 1) {
    along(14, width - 14, 4 + chance() * rail, false);
    along(14, width - 14, height - 4 - chance() * rail, false);
  }
  const stile = tall ? 8 : 20;
  for (let count = 0; count < (tall ? 6 : 14); count += 1) {
    along(top, bottom, 3 + chance() * stile, true);
    along(top, bottom, width - 3 - chance() * (tall ? 8 : 20), true);
  }
  const half = tall ? 24 : 28;
  for (let count = 0; count < 18; count += 1) along(8, height - 8, barX + (chance() * 2 - 1) * half, true);
  return Object.entries(lines).map(([tone, d]) => make("path", { class: `grain grain--${tone}`, d }));
}

function bar(id, { barX, barWidth, top, bottom, height, middle, tall }) {
  const x = barX - barWidth / 2;
  const parts = [
    make("rect", {
      class: "bar",
      x,
      y: tall ? top : 0,
      width: barWidth,
      height: tall ? bottom - top : height,
      fill: `url(#${id}-bar)`,
    }),
  ];
  parts.push(make("path", { class: "seam", d: `M${barX} ${top}V${bottom}` }));
  if (tall) return parts;
  // Brass hinges, clear of the checkers on the bar.
  for (const y of [top + 34, bottom - 34]) {
    parts.push(
      make("rect", {
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
      make("path", {
        class: "hinge-line",
        d: `M${barX} ${y - 17}v34M${barX - 4.6} ${y - 10}h.01M${barX + 4.6} ${y - 10}h.01M${barX - 4.6} ${y + 10}h.01M${barX + 4.6} ${y + 10}h.01`,
      }),
    );
  }
  parts.push(make("path", { class: "hinge-line hinge-line--middle", d: `M${barX - 7} ${middle}h14` }));
  return parts;
}

function slot(id, { x, y, width, height }) {
  return [
    make("rect", { class: "slot", x, y, width, height, rx: 5 }),
    make("rect", {
      class: "shade",
      x,
      y,
      width,
      height: Math.min(26, height / 2),
      rx: 5,
      fill: `url(#${id}-fall)`,
    }),
    make("rect", { class: "lip", x: x - 0.5, y: y - 0.5, width: width + 1, height: height + 1, rx: 5.5 }),
  ];
}

function bed(id, { top, bottom }, x) {
  const box = { x, y: top, width: 6 * POINT, height: bottom - top, rx: 3 };
  return [
    make("rect", {
      class: "lip",
      ...box,
      x: x - 1,
      y: top - 1,
      width: box.width + 2,
      height: box.height + 2,
      rx: 4,
    }),
    make("rect", { class: "felt", ...box, fill: `url(#${id}-felt)` }),
    make("rect", { class: "cloth", ...box, fill: `url(#${id}-weave)` }),
  ];
}

// The shadow of the frame on the felt, from above and slightly from the left.
function shade(id, { top, bottom }, x) {
  return [
    make("rect", { class: "shade", x, y: top, width: 6 * POINT, height: 22, fill: `url(#${id}-fall)` }),
    make("rect", {
      class: "shade shade--side",
      x,
      y: top,
      width: 9,
      height: bottom - top,
      fill: `url(#${id}-side)`,
    }),
  ];
}

function triangles(id, geometry) {
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
    make("path", { class: `point point--${tone}`, d: paths[tone], fill: `url(#${id}-point-${tone})` }),
    make("path", { class: `stitch stitch--${tone}`, d: seams[tone] }),
  ]);
}

function rulers(geometry) {
  const group = make("g", { class: "ruler" });
  for (let at = 1; at <= 24; at += 1) {
    group.append(make("text", { x: geometry.x(at), y: geometry.ruler(at > 12) }, String(geometry.label(at))));
  }
  return group;
}
