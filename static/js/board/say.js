// Texts of a play: notation as in `engine/plays.py`, a sentence for a line of the journal, and the
// label of a point for screen readers. No DOM; the sentences are passed in.

import { BAR, OFF, hits, other, pips, read, stepped } from "./position.js";

/** "bar", "off" or the number. */
export function pointName(point) {
  return point === BAR ? "bar" : point === OFF ? "off" : String(point);
}

/** Steps as one word a checker, the rearmost first; a star where a blot is hit on the way. */
export function spelled(steps, hitPoints = []) {
  const left = new Set(hitPoints);
  const starred = new Set();
  const words = new Map();
  for (const run of runs(steps)) {
    // Intermediate points are written only where a blot is hit.
    const told = [run[0], ...run.slice(1, -1).filter((point) => left.has(point)), run.at(-1)];
    const key = told.join("/");
    if (left.has(run.at(-1))) starred.add(key);
    run.slice(1).forEach((point) => left.delete(point));
    words.set(key, { told, times: (words.get(key)?.times ?? 0) + 1 });
  }
  return [...words]
    .sort(([, a], [, b]) => compared(b.told, a.told))
    .map(([key, { told, times }]) => word(told, starred.has(key), times))
    .join(" ");
}

// The points that each checker touches, in any order of the steps: 20/17 and then 22/20 lead to the position of
// 22/17. Bearing off is written separately: "6/off" would not say whether one die or two were used.
function runs(steps) {
  const found = [];
  for (const [source, target] of [...steps].sort((one, two) => compared(two, one))) {
    const run = target === OFF ? undefined : found.find((each) => each.at(-1) === source);
    if (run) run.push(target);
    else found.push([source, target]);
  }
  return found;
}

function word(points, isStarred, times) {
  const stops = points.slice(1).map(pointName).join("*/");
  return `${pointName(points[0])}/${stops}${isStarred ? "*" : ""}${times > 1 ? `(${times})` : ""}`;
}

function compared(one, two) {
  for (let index = 0; index < Math.min(one.length, two.length); index += 1) {
    if (one[index] !== two[index]) return one[index] - two[index];
  }
  return one.length - two.length;
}

/** A play in notation, from the position before it. */
export function notation(position, side, steps) {
  const found = [];
  let now = position;
  for (const [source, target] of steps) {
    if (hits(now, side, target)) found.push(target);
    now = stepped(now, side, source, target);
  }
  return spelled(steps, found);
}

const TYPED = /^(bar|b|\d+)((?:\/(?:off|o|\d+)\*?)+)(?:\((\d)\))?$/i;

/** Parse "8/5 6/5", "bar/22*(2)", "24/18/13" into [source, target] pairs, or null. */
export function parsed(text) {
  const found = [];
  for (const typed of text.trim().replaceAll(/[,;]/g, " ").split(/\s+/)) {
    const match = TYPED.exec(typed);
    if (!match) return null;
    const stops = match[2].slice(1).replaceAll("*", "").split("/");
    const points = [match[1], ...stops].map(pointNumber);
    if (points.some((point, index) => index > 0 && point >= points[index - 1])) return null;
    if (points.some((point) => point > BAR)) return null;
    for (let time = Number(match[3] ?? 1); time > 0; time -= 1) {
      points.slice(1).forEach((point, index) => found.push([points[index], point]));
    }
  }
  return found;
}

function pointNumber(name) {
  const first = name[0].toLowerCase();
  return first === "b" ? BAR : first === "o" ? OFF : Number(name);
}

/** A sentence for a line of the journal; "" if it does not concern the board. */
export function sentence({ fact }, before, say, me = null) {
  const who = fact.side ?? null;
  const name = who === null ? "" : say.side(who, me);
  switch (fact.fact) {
    case "opened":
      return opening(fact, say, me);
    case "rolled":
      return say("said.rolled", { name, dice: fact.dice });
    case "played":
      return played(fact, before, say, name);
    case "doubled":
      return say("said.doubled", { name, value: (before.cube?.value ?? 1) * 2 });
    case "beavered":
      return say("said.beavered", { name });
    case "took":
      return say("said.took", { name, value: before.cube?.offered ?? 2 });
    case "dropped":
      return say("said.dropped", { name });
    case "resign-offered":
      return say(`said.resigns.${fact.level ?? 1}`, { name });
    case "resign-accepted":
      return say("said.resign-accepted", { name });
    case "resign-declined":
      return say("said.resign-declined", { name });
    case "conceded":
      return say("said.conceded", { name });
    case "flagged":
      return say("said.flagged", { name });
    case "ruled-position":
    case "taken-back":
      return say("said.changed");
    default:
      return "";
  }
}

function opening({ white, black }, say, me) {
  const dice = { white, black, mine: me === "black" ? black : white, theirs: me === "black" ? white : black };
  if (white === black) return say("said.tie", dice);
  return say("said.opened", { ...dice, name: say.side(white > black ? "white" : "black", me) });
}

function played(fact, before, say, name) {
  const steps = fact.steps ?? [];
  if (steps.length === 0) return say("said.danced", { name });
  return say("said.played", { name, play: notation(read(before.board), fact.side, steps) });
}

/** The label of a point: "your 8-point, 3 checkers; can go to 5, 2". Numbers are those of `seen`; `me` may be null. */
export function pointLabel(position, { seen, me }, point, targets, say) {
  const enemy = other(seen);
  const mine = position[seen][point];
  const theirs = position[enemy][BAR - point];
  const owner = mine ? seen : enemy;
  const label =
    mine || theirs
      ? say("place.held", {
          owner: say.owner(owner, me),
          point,
          checkers: say.count("checkers", mine || theirs),
        })
      : say("place.empty", { point });
  return label + goes(targets, say);
}

/** The label of a bar or a tray. */
export function endLabel(position, { me }, side, point, targets, say) {
  const checkers = say.count("checkers", position[side][point]);
  const name = point === BAR ? "place.bar" : "place.off";
  return say(name, { owner: say.owner(side, me), checkers }) + goes(targets, say);
}

function goes(targets, say) {
  if (!targets?.length) return "";
  return say("place.goes", { targets: targets.map((point) => say.point(point)).join(", ") });
}

/** Both pip counts, the viewer's first. */
export function pipWords(position, me, say) {
  return say("said.pips", {
    mine: pips(position, me),
    theirs: pips(position, other(me)),
    name: say.side(other(me), me),
  });
}
