// Checks rolls in the browser: each when it is made, or all of a finished match (bgdice/v1, docs/dice.md).
//
// The same checks as engine/fair_check.py, in another language, so that both can be read.

import { computeCommitment, leadsTo } from "./chain.js";
import { concatBytes, fromHex, hmac, sha256, toHex } from "./sha256.js";

const FAIR_BELOW = 252;
const PARTIES = ["A", "B", "S"];

const toUint32Bytes = (number) => Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);

/** The replacement for a share that was not given. */
function deriveMissingShare(match, part, number, seed) {
  return seed === null
    ? sha256(concatBytes(`bgdice/v1/none|${match}|${part}|`, toUint32Bytes(number)))
    : sha256(concatBytes(`bgdice/v1/seed|${match}|${part}|`, toUint32Bytes(number), "|", seed));
}

/** The two dice of three shares. */
export function deriveDice(match, number, shares) {
  const head = concatBytes(`bgdice/v1/roll|${match}|`, toUint32Bytes(number), "|", shares.A, shares.B, "|");
  const faces = [];
  for (let block = 0; faces.length < 2; block += 1) {
    for (const byte of hmac(shares.S, concatBytes(head, toUint32Bytes(block)))) {
      if (byte < FAIR_BELOW) faces.push((byte % 6) + 1);
    }
  }
  return faces.slice(0, 2);
}

/** Check a new roll against what was known of the chains: "" or the problem. */
export function findRollProblem(set, line) {
  const { number, links } = line.thrown;
  const step = number - set.first + 1;
  const shares = {};
  for (const part of PARTIES) {
    const link = links[part];
    if (link === null) {
      // A player may have no chain; the server always has one.
      if (part === "S") return "link";
      shares[part] = deriveMissingShare(set.match, part, number, set.words[part]);
      continue;
    }
    shares[part] = fromHex(link);
    const known = set.known[part];
    if (!known || step < known.step || !leadsTo(shares[part], fromHex(known.link), step - known.step)) return "link";
  }
  const derived = deriveDice(set.match, number, shares);
  const { fact } = line;
  const shown = fact.fact === "opened" ? [fact.white, fact.black] : [...fact.dice].map(Number);
  const rolled = fact.fact === "opened" ? derived : derived.sort((one, other) => other - one);
  return rolled[0] === shown[0] && rolled[1] === shown[1] ? "" : "dice";
}

/** Steps through the rolls of a match and lists the problems of each. */
export class Checker {
  constructor(match, users) {
    this.match = match;
    this.users = users;
    this.seen = new Set();
    this.wasTie = false;
    this.number = 0;
    // Before the first set there are no commitments.
    this.set = { first: 1, length: 0 };
    this.known = {};
    // Not problems, but notable: sets that began before the one before them was used up.
    this.notes = [];
  }

  /** Begin a set of chains; returns the problems. */
  beginSet(set) {
    const problems = [];
    const isInOrder = this.set.length ? set.first > this.set.first : set.first === 1;
    if (!isInOrder) problems.push(["epoch-order", ""]);
    const { first, length } = this.set;
    if (length && set.first < first + length) this.notes.push({ n: set.first, why: set.reason });
    this.set = set;
    this.known = {};
    for (const part of PARTIES) {
      const head = set.heads[part];
      if (head === null) continue;
      if (set.commitments[part] !== computeCommitment(this.match, part, this.users[part], fromHex(head))) {
        problems.push(["wrong-commitment", part]);
      }
      if (this.seen.has(head)) problems.push(["equal-heads", part]);
      this.seen.add(head);
      this.known[part] = { link: fromHex(head), step: 0 };
    }
    return problems;
  }

  /** Check one roll: `{number, roller, links, dice, mode}`. */
  checkRoll(roll) {
    const problems = [];
    this.number += 1;
    if (roll.number !== this.number) problems.push(["wrong-number", ""]);
    if (this.wasTie && roll.roller !== null) problems.push(["tie-kept", ""]);
    this.wasTie = roll.roller === null && roll.dice[0] === roll.dice[1] && !roll.taken_back;
    const step = roll.number - this.set.first + 1;
    if (step > this.set.length) problems.push(["chain-used-up", ""]);
    const shares = {};
    for (const part of PARTIES) {
      const link = roll.links[part];
      if (link === null) {
        if (part === "S") problems.push(["wrong-link", part]);
        shares[part] = deriveMissingShare(this.match, part, roll.number, this.set.seeds?.[part] ?? null);
        continue;
      }
      shares[part] = fromHex(link);
      if (!this.verifyLink(part, step, shares[part])) problems.push(["wrong-link", part]);
      if (this.seen.has(link)) problems.push(["repeated-share", part]);
    }
    for (const part of PARTIES) if (roll.links[part] !== null) this.seen.add(roll.links[part]);
    if (new Set(PARTIES.map((part) => toHex(shares[part]))).size < PARTIES.length) problems.push(["equal-shares", ""]);
    const derived = deriveDice(this.match, roll.number, shares);
    if (derived[0] !== roll.dice[0] || derived[1] !== roll.dice[1]) problems.push(["wrong-dice", derived.join("-")]);
    const isShareMissing = roll.links.A === null || roll.links.B === null;
    return { number: roll.number, dice: roll.dice, derived, label: isShareMissing ? "weaker" : roll.mode, problems };
  }

  verifyLink(part, step, link) {
    const known = this.known[part];
    if (!known || step <= known.step || !leadsTo(link, known.link, step - known.step)) return false;
    this.known[part] = { link, step };
    return true;
  }
}

/** Check a whole document, as `/api/v1/matches/KEY/dice.json` returns it. */
export function checkLog(log) {
  const checker = new Checker(log.match, log.parties);
  const remainingSets = [...log.epochs];
  const rolls = [];
  const problems = [];
  for (const [index, roll] of log.rolls.entries()) {
    while (remainingSets.length && remainingSets[0].first <= index + 1) problems.push(...checker.beginSet(remainingSets.shift()));
    rolls.push(checker.checkRoll(roll));
  }
  for (const set of remainingSets) problems.push(...checker.beginSet(set));
  for (const roll of rolls) problems.push(...roll.problems);
  return { holds: problems.length === 0, rolls, problems, notes: checker.notes, digest: log.digest === computeDigest(log) };
}

/** The name that a document gives itself. */
export function computeDigest(log) {
  const { digest: _, ...body } = log;
  return toHex(sha256(concatBytes("bgdice/v1/log|", canonicalJson(body))));
}

function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const pairs = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${pairs.join(",")}}`;
}
