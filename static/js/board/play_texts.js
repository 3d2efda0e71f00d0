// Texts of a play: notation as in `engine/plays.py`, a sentence for a line of the journal, and the
// label of a point for screen readers. No DOM; the sentences are passed in.

import { BAR, OFF, countPips, hitsBlot, moveChecker, opponentOf, parsePosition } from "./position.js";

/** "bar", "off" or the number. */
export function formatPoint(point) {
  return point === BAR ? "bar" : point === OFF ? "off" : String(point);
}

/** Steps as one word a checker, the rearmost first; a star where a blot is hit on the way. */
export function formatSteps(steps, hitPoints = []) {
  const unseenHits = new Set(hitPoints);
  const starred = new Set();
  const words = new Map();
  for (const run of mergeSteps(steps)) {
    // Intermediate points are written only where a blot is hit.
    const points = [run[0], ...run.slice(1, -1).filter((point) => unseenHits.has(point)), run.at(-1)];
    const key = points.join("/");
    if (unseenHits.has(run.at(-1))) starred.add(key);
    run.slice(1).forEach((point) => unseenHits.delete(point));
    words.set(key, { points, times: (words.get(key)?.times ?? 0) + 1 });
  }
  return [...words]
    .sort(([, a], [, b]) => compareRuns(b.points, a.points))
    .map(([key, { points, times }]) => formatRun(points, starred.has(key), times))
    .join(" ");
}

// The points that each checker touches, in any order of the steps: 20/17 and then 22/20 lead to the position of
// 22/17. Bearing off is written separately: "6/off" would not say whether one die or two were used.
function mergeSteps(steps) {
  const runs = [];
  for (const [source, target] of [...steps].sort((one, two) => compareRuns(two, one))) {
    const run = target === OFF ? undefined : runs.find((each) => each.at(-1) === source);
    if (run) run.push(target);
    else runs.push([source, target]);
  }
  return runs;
}

function formatRun(points, isStarred, times) {
  const stops = points.slice(1).map(formatPoint).join("*/");
  return `${formatPoint(points[0])}/${stops}${isStarred ? "*" : ""}${times > 1 ? `(${times})` : ""}`;
}

function compareRuns(one, two) {
  for (let index = 0; index < Math.min(one.length, two.length); index += 1) {
    if (one[index] !== two[index]) return one[index] - two[index];
  }
  return one.length - two.length;
}

/** A play in notation, from the position before it. */
export function formatPlay(position, side, steps) {
  const hitPoints = [];
  let current = position;
  for (const [source, target] of steps) {
    if (hitsBlot(current, side, target)) hitPoints.push(target);
    current = moveChecker(current, side, source, target);
  }
  return formatSteps(steps, hitPoints);
}

const TYPED_MOVE = /^(bar|b|\d+)((?:\/(?:off|o|\d+)\*?)+)(?:\((\d)\))?$/i;

/** Parse "8/5 6/5", "bar/22*(2)", "24/18/13" into [source, target] pairs, or null. */
export function parsePlay(text) {
  const steps = [];
  for (const typed of text.trim().replaceAll(/[,;]/g, " ").split(/\s+/)) {
    const match = TYPED_MOVE.exec(typed);
    if (!match) return null;
    const stops = match[2].slice(1).replaceAll("*", "").split("/");
    const points = [match[1], ...stops].map(parsePoint);
    if (points.some((point, index) => index > 0 && point >= points[index - 1])) return null;
    if (points.some((point) => point > BAR)) return null;
    for (let time = Number(match[3] ?? 1); time > 0; time -= 1) {
      points.slice(1).forEach((point, index) => steps.push([points[index], point]));
    }
  }
  return steps;
}

function parsePoint(name) {
  const first = name[0].toLowerCase();
  return first === "b" ? BAR : first === "o" ? OFF : Number(name);
}

/** A sentence for a line of the journal; "" if it does not concern the board. */
export function describeLine({ fact }, before, translate, me = null) {
  const side = fact.side ?? null;
  const name = side === null ? "" : translate.sideName(side, me);
  switch (fact.fact) {
    case "opened":
      return describeOpening(fact, translate, me);
    case "rolled":
      return translate("said.rolled", { name, dice: fact.dice });
    case "played":
      return describePlay(fact, before, translate, name);
    case "doubled":
      return translate("said.doubled", { name, value: (before.cube?.value ?? 1) * 2 });
    case "beavered":
      return translate("said.beavered", { name });
    case "took":
      return translate("said.took", { name, value: before.cube?.offered ?? 2 });
    case "dropped":
      return translate("said.dropped", { name });
    case "resign-offered":
      return translate(`said.resigns.${fact.level ?? 1}`, { name });
    case "resign-accepted":
      return translate("said.resign-accepted", { name });
    case "resign-declined":
      return translate("said.resign-declined", { name });
    case "conceded":
      return translate("said.conceded", { name });
    case "flagged":
      return translate("said.flagged", { name });
    case "ruled-position":
    case "taken-back":
      return translate("said.changed");
    default:
      return "";
  }
}

function describeOpening({ white, black }, translate, me) {
  const dice = { white, black, mine: me === "black" ? black : white, theirs: me === "black" ? white : black };
  if (white === black) return translate("said.tie", dice);
  return translate("said.opened", { ...dice, name: translate.sideName(white > black ? "white" : "black", me) });
}

function describePlay(fact, before, translate, name) {
  const steps = fact.steps ?? [];
  if (steps.length === 0) return translate("said.danced", { name });
  return translate("said.played", { name, play: formatPlay(parsePosition(before.board), fact.side, steps) });
}

/** The label of a point: "your 8-point, 3 checkers; can go to 5, 2". Numbers are those of `viewpoint`; `me` may be null. */
export function describePoint(position, { viewpoint, me }, point, targets, translate) {
  const opponent = opponentOf(viewpoint);
  const mine = position[viewpoint][point];
  const theirs = position[opponent][BAR - point];
  const owner = mine ? viewpoint : opponent;
  const label =
    mine || theirs
      ? translate("place.held", {
          owner: translate.ownerName(owner, me),
          point,
          checkers: translate.plural("checkers", mine || theirs),
        })
      : translate("place.empty", { point });
  return label + describeTargets(targets, translate);
}

export function describeEnd(position, { me }, side, point, targets, translate) {
  const checkers = translate.plural("checkers", position[side][point]);
  const name = point === BAR ? "place.bar" : "place.off";
  return translate(name, { owner: translate.ownerName(side, me), checkers }) + describeTargets(targets, translate);
}

function describeTargets(targets, translate) {
  if (!targets?.length) return "";
  return translate("place.goes", { targets: targets.map((point) => translate.pointName(point)).join(", ") });
}

/** Both pip counts, the viewer's first. */
export function describePips(position, me, translate) {
  return translate("said.pips", {
    mine: countPips(position, me),
    theirs: countPips(position, opponentOf(me)),
    name: translate.sideName(opponentOf(me), me),
  });
}
