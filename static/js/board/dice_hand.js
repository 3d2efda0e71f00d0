// One's own part in the dice, given without a word: the promise, the head, a share for each roll; and an eye on them all.
//
// Only what is the player's to give leaves the browser, and only when the scheme asks for it (docs/dice.md). A chain
// that was drawn in another browser cannot be given here: that is said, and the player decides.

import { Keeper } from "./chain.js";
import { revealed } from "./dice_check.js";
import { store } from "./store.js";

const RETRY_MS = 2000;
const ROLLS_AHEAD = 2;

export class DiceHand {
  constructor(client) {
    this.client = client;
    this.part = client.me === "white" ? "A" : "B";
    this.given = new Set();
    this.forgone = null;
    this.checked = 0;
    this.problem = null;
    const { match, parties } = client.snapshot.dice_set;
    this.keeper = new Keeper({ match, part: this.part, user: parties[this.part], store });
    client.addEventListener("frame", ({ detail }) => this.watch(detail));
  }

  get set() {
    return this.client.snapshot.dice_set;
  }

  get stage() {
    return this.client.snapshot.roll.stage;
  }

  /** Do I give secret shares in this set? */
  get hasChain() {
    const { you } = this.client;
    if (this.set.commitments[this.part] === null || this.forgone === this.set.first) return false;
    return !(this.stage === "ready" && you && you.share_for === null);
  }

  /** Was my chain drawn in another browser? */
  get isLost() {
    return !this.client.isOver && this.hasChain && this.keeper.of(this.set) === null;
  }

  /** My shares of the next rolls, as a command carries them. */
  shares() {
    if (this.stage !== "ready" || !this.hasChain) return {};
    return this.keeper.shares(this.set, this.client.snapshot.roll.number, ROLLS_AHEAD);
  }

  /** Give what is owed now, once. */
  attend() {
    const owed = this.owed();
    if (!owed || this.given.has(owed.name)) return;
    this.given.add(owed.name);
    this.give(owed);
  }

  owed() {
    const { client, set, stage, part } = this;
    const { roll, owing, status } = client.snapshot;
    if (status !== "waiting" && status !== "live") return null;
    if (stage === "promising" && set.commitments[part] === null && owing.includes(client.me)) {
      return { name: `promise.${set.first}`, command: () => this.promised() };
    }
    if (stage === "unsealing" && this.hasChain && set.known[part] === null) {
      const head = this.keeper.head(set);
      return head && { name: `open.${set.first}`, command: () => ({ type: "open", head }) };
    }
    if (roll.asked && roll.asked.by !== client.me && this.hasChain && !this.isLost) {
      return { name: `share.${roll.asked.number}`, command: () => ({ type: "share" }), shares: () => this.shares() };
    }
    return null;
  }

  // Two tabs must not draw two chains for one promise.
  promised() {
    const draw = () => ({ type: "promise", commitment: this.keeper.promise(this.set) });
    return navigator.locks ? navigator.locks.request(`barpoint.dice.${this.client.key}`, draw) : draw();
  }

  async give({ name, command, shares = () => ({}) }) {
    try {
      await this.client.order(await command(), shares());
    } catch (problem) {
      // Refused: another tab was first. Not answered: once more in a while.
      if (problem.isPassing) {
        setTimeout(() => {
          this.given.delete(name);
          this.attend();
        }, RETRY_MS);
      } else {
        this.client.refresh();
      }
    }
  }

  /** Go on without the chain that is lost. */
  forgo() {
    return this.client.order({ type: "forgo", reason: "" }).then(() => this.client.refresh());
  }

  watch({ frame, before }) {
    const { fact } = frame.line;
    if (fact.fact === "forwent" && fact.side === this.client.me) this.forgone = before.dice_set.first;
    if (fact.fact === "dice-begun") this.given.clear();
    if (!frame.line.thrown) return;
    const why = revealed(before.dice_set, frame.line);
    if (why) this.problem ??= { number: frame.line.thrown.number, why };
    else if (this.wasSwapped(before.dice_set, frame.line.thrown)) this.problem ??= { number: frame.line.thrown.number, why: "mine" };
    this.checked += 1;
  }

  // What was made with my share must be the share that I gave.
  wasSwapped(set, thrown) {
    const chain = this.keeper.of(set);
    if (!chain || !this.hasChain) return false;
    const mine = this.keeper.shares(set, thrown.number, 1)[thrown.number];
    return mine !== undefined && thrown.links[this.part] !== mine;
  }
}
