// The player's dice chain: secrets that this browser draws and stores (bgdice/v1, docs/dice.md).
//
// The secret never leaves the browser. The server gets the commitment to its end, and one link for each roll. The chain is
// stored in localStorage by match and set, so that a reload or a second tab continues it.

import { hex, join, sha256, unhex } from "./sha256.js";

const LINK_BYTES = 32;
const KEPT = "barpoint.dice.";

/** The next link, towards the head. */
export const nextLink = (link) => sha256(join("bgdice/v1/chain", link));

/** True if `link` becomes `known` after so many steps. */
export function leadsTo(link, known, steps) {
  let found = link;
  for (let i = 0; i < steps; i += 1) found = nextLink(found);
  return hex(found) === hex(known);
}

/** The commitment to a chain, bound to match, part and person. */
export function commitment(match, part, user, head) {
  return hex(sha256(join(`bgdice/v1/commit|${match}|${part}|${user}|`, head)));
}

export class Chain {
  constructor(secret, length) {
    this.links = [secret];
    for (let i = 0; i < length; i += 1) this.links.push(nextLink(this.links.at(-1)));
  }

  get length() {
    return this.links.length - 1;
  }

  get head() {
    return this.links.at(-1);
  }

  /** The share of the step-th roll of the chain, counted from 1. */
  share(step) {
    if (step < 1 || step > this.length) throw new RangeError(`this chain serves ${this.length} rolls`);
    return this.links[this.length - step];
  }
}

/** The chains of one player in one match. */
export class Keeper {
  /** `part` is "A" for white, "B" for black; `user` is the player's key. */
  constructor({ match, part, user, store = window.localStorage }) {
    Object.assign(this, { match, part, user, store });
    this.chains = new Map();
  }

  /** Draw a chain for a set, or load the stored one; returns its commitment. */
  promise(set) {
    const secret = this.kept(set) ?? this.draw(set);
    return commitment(this.match, this.part, this.user, this.grown(set, secret).head);
  }

  /** The head, if the commitment is that of the stored chain. */
  head(set) {
    const chain = this.of(set);
    return chain && hex(chain.head);
  }

  /** The chain of this set, if this browser has it. */
  of(set) {
    const secret = this.kept(set);
    if (!secret) return null;
    const chain = this.grown(set, secret);
    const promised = set.commitments[this.part];
    const ours = commitment(this.match, this.part, this.user, chain.head);
    return promised === null || promised === ours ? chain : null;
  }

  /** Shares of the next rolls, by number, as a command carries them. */
  shares(set, next, count) {
    const chain = this.of(set);
    const found = {};
    if (!chain || set.commitments[this.part] === null) return found;
    const last = Math.min(next + count, set.first + chain.length);
    for (let number = next; number < last; number += 1) found[number] = hex(chain.share(number - set.first + 1));
    return found;
  }

  name(set) {
    return `${KEPT}${this.match}.${this.part}.${set.first}`;
  }

  kept(set) {
    const text = this.store.getItem(this.name(set));
    return text && text.length === 2 * LINK_BYTES ? unhex(text) : null;
  }

  draw(set) {
    const secret = crypto.getRandomValues(new Uint8Array(LINK_BYTES));
    this.store.setItem(this.name(set), hex(secret));
    return secret;
  }

  grown(set, secret) {
    const name = `${set.first}.${set.length}.${hex(secret)}`;
    if (!this.chains.has(name)) this.chains.set(name, new Chain(secret, set.length));
    return this.chains.get(name);
  }
}
