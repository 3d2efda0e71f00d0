// The player's dice chain: secrets that this browser draws and stores (bgdice/v1, docs/dice.md).
//
// The secret never leaves the browser. The server gets the commitment to its end, and one link for each roll. The chain is
// stored in localStorage by match and set, so that a reload or a second tab continues it.

import { concatBytes, fromHex, sha256, toHex } from "./sha256.js";

const LINK_BYTES = 32;
const KEY_PREFIX = "barpoint.dice.";

/** The next link, towards the head. */
export const nextLink = (link) => sha256(concatBytes("bgdice/v1/chain", link));

/** True if `link` becomes `knownLink` after so many steps. */
export function leadsTo(link, knownLink, steps) {
  let found = link;
  for (let i = 0; i < steps; i += 1) found = nextLink(found);
  return toHex(found) === toHex(knownLink);
}

/** The commitment to a chain, bound to match, part and person. */
export function computeCommitment(match, part, user, head) {
  return toHex(sha256(concatBytes(`bgdice/v1/commit|${match}|${part}|${user}|`, head)));
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
  getShare(step) {
    if (step < 1 || step > this.length) throw new RangeError(`this chain serves ${this.length} rolls`);
    return this.links[this.length - step];
  }
}

/** The chains of one player in one match. */
export class ChainStore {
  /** `part` is "A" for white, "B" for black; `user` is the player's key. */
  constructor({ match, part, user, store = window.localStorage }) {
    Object.assign(this, { match, part, user, store });
    this.chains = new Map();
  }

  /** Draw a chain for a set, or load the stored one; returns its commitment. */
  createCommitment(set) {
    const secret = this.loadSecret(set) ?? this.drawSecret(set);
    return computeCommitment(this.match, this.part, this.user, this.buildChain(set, secret).head);
  }

  /** The head, if the commitment is that of the stored chain. */
  getHead(set) {
    const chain = this.getChain(set);
    return chain && toHex(chain.head);
  }

  /** The chain of this set, if this browser has it. */
  getChain(set) {
    const secret = this.loadSecret(set);
    if (!secret) return null;
    const chain = this.buildChain(set, secret);
    const promised = set.commitments[this.part];
    const own = computeCommitment(this.match, this.part, this.user, chain.head);
    return promised === null || promised === own ? chain : null;
  }

  /** Shares of the next rolls, by number, as a command carries them. */
  listShares(set, next, count) {
    const chain = this.getChain(set);
    const found = {};
    if (!chain || set.commitments[this.part] === null) return found;
    const last = Math.min(next + count, set.first + chain.length);
    for (let number = next; number < last; number += 1) found[number] = toHex(chain.getShare(number - set.first + 1));
    return found;
  }

  getStorageKey(set) {
    return `${KEY_PREFIX}${this.match}.${this.part}.${set.first}`;
  }

  loadSecret(set) {
    const text = this.store.getItem(this.getStorageKey(set));
    return text && text.length === 2 * LINK_BYTES ? fromHex(text) : null;
  }

  drawSecret(set) {
    const secret = crypto.getRandomValues(new Uint8Array(LINK_BYTES));
    this.store.setItem(this.getStorageKey(set), toHex(secret));
    return secret;
  }

  buildChain(set, secret) {
    const cacheKey = `${set.first}.${set.length}.${toHex(secret)}`;
    if (!this.chains.has(cacheKey)) this.chains.set(cacheKey, new Chain(secret, set.length));
    return this.chains.get(cacheKey);
  }
}
