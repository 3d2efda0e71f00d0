// The player's part in the dice, sent automatically: the commitment, the head, and a share for each roll; and a check of all rolls.
//
// A secret leaves the browser only when the scheme requires it (docs/dice.md). A chain
// that was drawn in another browser cannot be used here: the page says so, and the player decides.

import { Keeper } from "./chain.js";
import { count, isCorrespondence } from "./sharing.js";
import { store } from "./store.js";

const RETRY_MS = 2000;

export class DiceHand {
  constructor(client) {
    this.client = client;
    this.part = client.me === "white" ? "A" : "B";
    this.given = new Set();
    this.forgone = null;
    this.checked = 0;
    this.problem = null;
    this.giving = 0;
    // The opening roll that was a tie: the next one needs no press.
    this.tied = null;
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

  /** True if the player gives secret shares in this set. */
  get hasChain() {
    // Only the server's answer says that the player went on without their chain; this holds for the rest of the set.
    if (this.stage === "ready" && this.client.you?.share_for === null) this.forgone = this.set.first;
    return this.set.commitments[this.part] !== null && this.forgone !== this.set.first;
  }

  /** True if the player's chain was drawn in another browser. */
  get isLost() {
    return !this.client.isOver && this.hasChain && this.keeper.of(this.set) === null;
  }

  /** True if one of the two is not looking at the board, or unreachable, or neither is expected there. */
  get isApart() {
    const { client } = this;
    if (document.hidden || client.connection !== "on") return true;
    return !client.presence[client.opponent] || isCorrespondence(client.terms.control);
  }

  /** The player's shares of the next rolls, for a command of this type. */
  shares(type) {
    if (this.stage !== "ready" || !this.hasChain) return {};
    const { snapshot, me } = this.client;
    const number = count(type, { snapshot, me, isApart: this.isApart });
    return this.keeper.shares(this.set, snapshot.roll.number, number);
  }

  /** Send what is due now, once. */
  attend() {
    const owed = this.owed();
    if (!owed || this.given.has(owed.name)) return;
    this.given.add(owed.name);
    this.give(owed);
  }

  owed() {
    const { client, set, stage, part } = this;
    const { roll, owing, phase, turn, status } = client.snapshot;
    if (status !== "waiting" && status !== "live") return null;
    if (stage === "promising" && set.commitments[part] === null && owing.includes(client.me)) {
      return { name: `promise.${set.first}`, command: () => this.promised() };
    }
    if (stage === "unsealing" && this.hasChain && set.known[part] === null) {
      const head = this.keeper.head(set);
      return head && { name: `open.${set.first}`, command: () => ({ type: "open", head }) };
    }
    if (roll.asked && roll.asked.by !== client.me && this.hasChain && !this.isLost) {
      return this.share(`share.${roll.asked.number}`);
    }
    if (this.tied === roll.number - 1 && phase === "opening" && owing.includes(client.me)) {
      return this.share(`again.${roll.number}`, "roll");
    }
    if (phase !== "to-roll" || stage !== "ready" || roll.asked || !this.hasChain || this.isLost) return null;
    if (turn === client.me) return this.mayRollItself ? this.share(`roll.${roll.number}`) : null;
    // A player who leaves the page leaves a share, so that the opponent can roll.
    return document.hidden ? this.share(`left.${roll.number}`) : null;
  }

  share(name, type = "share") {
    return { name, command: () => ({ type }), shares: () => this.shares(type) };
  }

  // If no double is possible there is nothing to decide: the server rolls for players who want this (R63), as soon as it
  // has the share.
  get mayRollItself() {
    const { me, snapshot } = this.client;
    return !snapshot.cube.alive_for.includes(me);
  }

  // Two tabs must not draw two chains for one commitment.
  promised() {
    const draw = () => ({ type: "promise", commitment: this.keeper.promise(this.set) });
    return navigator.locks ? navigator.locks.request(`barpoint.dice.${this.client.key}`, draw) : draw();
  }

  /** True if something is under way that needs no press. */
  get isGiving() {
    return this.giving > 0;
  }

  async give({ name, command, shares = () => ({}) }) {
    this.giving += 1;
    try {
      await this.client.order(await command(), shares());
    } catch (problem) {
      // Refused: another tab was first. No answer: tried again later.
      if (problem.isPassing) {
        setTimeout(() => {
          this.given.delete(name);
          this.attend();
        }, RETRY_MS);
      } else {
        this.client.refresh();
      }
    } finally {
      this.giving -= 1;
      this.client.emit("change");
    }
  }

  /** Go on without the lost chain. */
  async forgo() {
    try {
      await this.client.order({ type: "forgo", reason: "" });
    } catch (problem) {
      this.client.emit("refused", problem);
    }
    this.client.refresh();
  }

  watch({ frame, before }) {
    const { fact } = frame.line;
    if (fact.fact === "forwent" && fact.side === this.client.me) this.forgone = before.dice_set.first;
    if (fact.fact === "dice-begun") this.given.clear();
    const isTie = fact.fact === "opened" && fact.white === fact.black;
    if (frame.line.thrown) this.tied = isTie ? frame.line.thrown.number : null;
    if (frame.line.thrown) this.check(before.dice_set, frame.line);
  }

  // Not urgent: the module is loaded by the first roll.
  async check(set, line) {
    const { number } = line.thrown;
    const isMine = !this.wasSwapped(set, line.thrown);
    const { revealed } = await import("./dice_check.js");
    const why = revealed(set, line) || (isMine ? "" : "mine");
    if (why) this.problem ??= { number, why };
    this.checked += 1;
    this.client.emit("checked");
  }

  // A roll made with the player's share must contain the share that was sent.
  wasSwapped(set, thrown) {
    const chain = this.keeper.of(set);
    if (!chain || !this.hasChain) return false;
    const mine = this.keeper.shares(set, thrown.number, 1)[thrown.number];
    return mine !== undefined && thrown.links[this.part] !== mine;
  }
}
