// The rules of records/sheets/table_clock.py for a phone without a network; board/clock.js shows the time.
//
// A clock is {clock, control, credit, taps, last, before, left, prior}; a is white, b black. Times are milliseconds of the server's clock.

import { computeTimeLeft } from "../board/clock.js";

export const clockTaps = ["start", "press", "pause", "resume", "renew", "take-back"];

const SIDES = { a: "white", b: "black" };
const INDEX = { white: 0, black: 1 };
const SECOND = 1000;

export function turnOf({ clock }) {
  return Object.keys(SIDES).find((side) => SIDES[side] === clock.turn) ?? "";
}

/** The side whose flag has fallen by then, or "". */
export function fallen(held, at) {
  const { clock } = held;
  return clock.turn && elapsed(clock, Math.max(at, held.last)) >= allowance(held) ? turnOf(held) : "";
}

/** Reserve and free time of a side at a time, and whether its clock runs. */
export function shown(held, side, at) {
  return computeTimeLeft(held, held.control, SIDES[side], Math.max(at, held.last));
}

/** "10:00"; a second is counted until it is over. */
export function reading(milliseconds) {
  const seconds = Math.ceil(milliseconds / SECOND);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** The clock after a tap, or null if the tap is not possible now. */
export function tapped(held, { do: act, side, number, at }) {
  if (number !== held.taps + 1) return null;
  const moment = Math.max(at, held.last);
  if (act === "take-back") return tappedBack(held, moment);
  const clock = moved(held, act, side, moment);
  const prior = { clock: paused(held.clock, moment), ran: held.clock.since !== null };
  return clock && { ...held, clock, taps: held.taps + 1, last: moment, prior };
}

/** True if the clock already is as the tap would make it: another phone has made the same tap. */
export function standsSo({ clock }, { do: act, side }) {
  const isRunning = clock.since !== null;
  switch (act) {
    case "start":
      return clock.turn === SIDES[side];
    case "press":
      return Boolean(clock.turn) && clock.turn !== SIDES[side];
    case "pause":
      return Boolean(clock.turn) && !isRunning;
    case "resume":
      return isRunning;
    default:
      return false;
  }
}

// The time since the tap counts for neither side.
function tappedBack(held, at) {
  if (!held.prior) return null;
  const { clock, ran } = held.prior;
  return { ...held, clock: ran ? { ...clock, since: at } : clock, taps: held.taps + 1, last: at, prior: null };
}

function moved(held, act, side, at) {
  const { clock } = held;
  const isTheirs = turnOf(held) === side;
  switch (act) {
    case "start":
      return clock.turn ? null : started(clock, SIDES[side], at);
    case "press":
      if (!isTheirs || clock.since === null || fallen(held, at)) return null;
      return started(spent(held, at), other(clock.turn), at);
    case "pause":
      return clock.since === null ? null : paused(clock, at);
    case "resume":
      return clock.turn && clock.since === null ? { ...clock, since: at } : null;
    case "renew":
      return isTheirs && held.credit && fallen(held, at) ? started(put(clock, held.credit), clock.turn, at) : null;
    default:
      return null;
  }
}

/** The clock after a game: stopped; the game records the time that both have left. */
export function gameOver(held, at) {
  const moment = Math.max(at, held.last);
  const clock = held.clock.turn ? spent(held, moment) : held.clock;
  const before = [...held.before, paused(held.clock, moment)];
  return { ...held, clock, last: moment, before, left: [...held.left, clock.reserve], prior: null };
}

/** The clock at the end of the last game. */
export function gameBack(held) {
  const [before, left] = [held.before.slice(0, -1), held.left.slice(0, -1)];
  return { ...held, clock: held.before.at(-1), before, left, prior: null };
}

function started(clock, turn, at) {
  return { ...clock, turn, since: at, used: 0, lent: null };
}

function paused(clock, at) {
  if (clock.since === null) return clock;
  return { ...clock, since: null, used: clock.used + Math.max(0, at - clock.since) };
}

function spent(held, at) {
  const { clock, control } = held;
  const took = elapsed(clock, at);
  let reserve = clock.reserve[INDEX[clock.turn]] - took;
  if (took >= allowance(held)) reserve = 0;
  else if (control.timing === "fischer") reserve += control.delay;
  else reserve += Math.min(control.delay, took);
  return { ...put(clock, reserve), turn: null, since: null, used: 0, lent: null };
}

function put(clock, reserve) {
  return { ...clock, reserve: clock.reserve.map((each, index) => (index === INDEX[clock.turn] ? reserve : each)) };
}

function elapsed(clock, at) {
  return Math.max(0, clock.used + (clock.since === null ? 0 : Math.max(0, at - clock.since)));
}

function allowance({ clock, control }) {
  const reserve = clock.reserve[INDEX[clock.turn]];
  return control.timing === "simple" ? reserve + control.delay : reserve;
}

const other = (turn) => (turn === "white" ? "black" : "white");
