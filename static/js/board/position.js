// A position as the server writes it: "white 24:2 13:5 8:3 6:5 black …".
//
// Each side counts its own points from 24 down to 1; 25 is the bar and 0 is borne off. White's point
// p is black's 25 - p. Moving a checker here checks no rules: the server decides what is legal.

export const OFF = 0;
export const BAR = 25;
export const SIDES = ["white", "black"];

export const opponentOf = (side) => (side === "white" ? "black" : "white");

/** Parse the text of a board into counts by side and point. */
export function parsePosition(text) {
  const words = text.split(" ");
  const middle = words.indexOf("black");
  return { white: parseCounts(words.slice(1, middle)), black: parseCounts(words.slice(middle + 1)) };
}

function parseCounts(words) {
  const counts = new Uint8Array(26);
  for (const word of words) {
    const [name, number] = word.split(":");
    counts[name === "bar" ? BAR : name === "off" ? OFF : Number(name)] = Number(number);
  }
  return counts;
}

/** The inverse of `parsePosition`. */
export function formatPosition(position) {
  return SIDES.map((side) => `${side}${formatPoints(position[side])}`).join(" ");
}

function formatPoints(points) {
  let text = "";
  for (let point = BAR; point >= OFF; point -= 1) {
    if (points[point]) text += ` ${point === BAR ? "bar" : point === OFF ? "off" : point}:${points[point]}`;
  }
  return text;
}

/** True if a checker of `side` that moves to `target` hits a blot. */
export function hitsBlot(position, side, target) {
  return target !== OFF && position[opponentOf(side)][BAR - target] === 1;
}

/** The position after one checker has moved; a hit checker goes to the bar. */
export function moveChecker(position, side, source, target) {
  const opponent = opponentOf(side);
  const next = { white: position.white.slice(), black: position.black.slice() };
  next[side][source] -= 1;
  next[side][target] += 1;
  if (hitsBlot(position, side, target)) {
    next[opponent][BAR - target] -= 1;
    next[opponent][BAR] += 1;
  }
  return next;
}

export function countPips(position, side) {
  return position[side].reduce((sum, number, point) => sum + number * point, 0);
}

/** True if neither side can hit the other any more. */
export function isRace(position) {
  const rearmost = (side) => position[side].reduce((last, number, point) => (number ? point : last), 0);
  return rearmost("white") + rearmost("black") < BAR;
}
