// The rules of records/sheets/sheet.py for a phone without a network. A sheet is {length, begun, cube, crawford, jacoby, ends, games, clock}.

import { clockTaps, gameBack, gameOver, tapped } from "./clock.js";

const WORTH = { drop: 1, single: 1, gammon: 2, backgammon: 3 };

/** The sums of the points of both, from the first `count` games and the penalty points `begun`. */
export function points(sheet, count = sheet.games.length, begun = sheet.begun) {
  const found = { a: begun[0], b: begun[1] };
  for (const game of sheet.games.slice(0, count)) found[game.winner] += game.points;
  return found;
}

/** The score, with no more points than the length of the match. */
export function score(sheet) {
  const { a, b } = points(sheet);
  return [Math.min(a, sheet.length), Math.min(b, sheet.length)];
}

export function isOver(sheet) {
  return Math.max(...score(sheet)) >= sheet.length;
}

// R54: there is no Crawford game if both are one point short.
function isOneShort({ a, b }, length) {
  return length > 1 && Math.max(a, b) === length - 1 && Math.min(a, b) < length - 1;
}

/** True if the current game is the Crawford game (R51). */
export function isCrawford(sheet) {
  if (!sheet.crawford || isOver(sheet)) return false;
  // Penalty points may have been given after a game: one with the cube was not the Crawford game. If it is known,
  // a game has the points that both had then.
  const isLater = ({ cube, end }) => sheet.begun.some(Boolean) && (cube > 1 || end === "drop");
  for (const [count, game] of sheet.games.entries())
    if (!isLater(game) && isOneShort(points(sheet, count, game.begun ?? sheet.begun), sheet.length)) return false;
  return isOneShort(points(sheet), sheet.length);
}

/** The cube values at which the game can end in this way; for a drop, the value before the double. */
export function cubes(sheet, winner, end) {
  if (isOver(sheet) || !sheet.ends.includes(end)) return [];
  const hasCube = sheet.cube && !isCrawford(sheet);
  const found = new Set();
  for (const [value, owner] of hasCube ? turned(sheet) : [[1, null]]) {
    const isSo = end === "drop"
      ? hasCube && [null, winner].includes(owner) && mayDouble(sheet, winner, value)
      : !(sheet.jacoby && value === 1 && WORTH[end] > 1);
    if (isSo) found.add(value);
  }
  return [...found].sort((one, other) => one - other);
}

// R48: a cube that already wins the match is dead.
function mayDouble(sheet, side, value) {
  return sheet.length - points(sheet)[side] > value;
}

function* turned(sheet) {
  yield [1, null];
  for (const first of ["a", "b"]) {
    let [value, doubler] = [1, first];
    while (mayDouble(sheet, doubler, value)) {
      [value, doubler] = [2 * value, doubler === "a" ? "b" : "a"];
      yield [value, doubler];
    }
  }
}

/** The sheet after a tap, or null if the tap is not possible. */
export function after(sheet, tap) {
  if (clockTaps.includes(tap.do)) {
    const clock = sheet.clock && !isOver(sheet) ? tapped(sheet.clock, tap) : null;
    return clock && { ...sheet, clock };
  }
  if (tap.do === "undo") {
    if (!sheet.games.length || tap.number !== sheet.games.length) return null;
    return { ...sheet, games: sheet.games.slice(0, -1), clock: sheet.clock && gameBack(sheet.clock) };
  }
  if (tap.number !== sheet.games.length + 1 || !cubes(sheet, tap.winner, tap.end).includes(tap.cube)) return null;
  const { winner, end, cube } = tap;
  const games = [...sheet.games, { winner, end, cube, points: cube * WORTH[end] }];
  return { ...sheet, games, clock: sheet.clock && gameOver(sheet.clock, tap.at) };
}
