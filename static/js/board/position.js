// A position as the server writes it: "white 24:2 13:5 8:3 6:5 black …".
//
// Each side counts its own points from 24 down to 1; 25 is the bar and 0 is borne off. White's point
// p is black's 25 - p. Moving a checker here checks no rules: the server decides what is legal.

export const OFF = 0;
export const BAR = 25;
export const SIDES = ["white", "black"];

/** The opponent. */
export const other = (side) => (side === "white" ? "black" : "white");

/** Parse the text of a board into counts by side and point. */
export function read(text) {
  const words = text.split(" ");
  const middle = words.indexOf("black");
  return { white: counts(words.slice(1, middle)), black: counts(words.slice(middle + 1)) };
}

function counts(words) {
  const found = new Uint8Array(26);
  for (const word of words) {
    const [name, number] = word.split(":");
    found[name === "bar" ? BAR : name === "off" ? OFF : Number(name)] = Number(number);
  }
  return found;
}

/** Write counts as the server does. */
export function write(position) {
  return SIDES.map((side) => `${side}${written(position[side])}`).join(" ");
}

function written(points) {
  let text = "";
  for (let point = BAR; point >= OFF; point -= 1) {
    if (points[point]) text += ` ${point === BAR ? "bar" : point === OFF ? "off" : point}:${points[point]}`;
  }
  return text;
}

/** True if a checker of `side` that moves to `target` hits a blot. */
export function hits(position, side, target) {
  return target !== OFF && position[other(side)][BAR - target] === 1;
}

/** The position after one checker has moved; a hit checker goes to the bar. */
export function stepped(position, side, source, target) {
  const enemy = other(side);
  const next = { white: position.white.slice(), black: position.black.slice() };
  next[side][source] -= 1;
  next[side][target] += 1;
  if (hits(position, side, target)) {
    next[enemy][BAR - target] -= 1;
    next[enemy][BAR] += 1;
  }
  return next;
}

/** The pip count of a side. */
export function pips(position, side) {
  return position[side].reduce((sum, number, point) => sum + number * point, 0);
}

/** True if neither side can hit the other any more. */
export function isRace(position) {
  const rearmost = (side) => position[side].reduce((last, number, point) => (number ? point : last), 0);
  return rearmost("white") + rearmost("black") < BAR;
}
