// The player's part in the dice, sent automatically: the commitment, the head, and a share for each roll; and a check of all rolls.
//
// A secret leaves the browser only when the scheme requires it (docs/dice.md). A chain
// that was drawn in another browser cannot be used here: the page says so, and the player decides.

import { ChainStore } from "./chain.js";
import { countShares, isCorrespondence } from "./sharing.js";
import { store } from "./storage.js";

const RETRY_MS = 2000;

export class DiceAgent {
  constructor(client) {
    this.client = client;
    this.part = client.me === "white" ? "A" : "B";
    this.done = new Set();
    this.forgoneSet = null;
    this.checked = 0;
    this.problem = null;
    this.sending = 0;
    // The opening roll that was a tie: the next one needs no press.
    this.tiedRoll = null;
    const { match, parties } = client.snapshot.dice_set;
    this.chains = new ChainStore({ match, part: this.part, user: parties[this.part], store });
    client.addEventListener("frame", ({ detail }) => this.handleFrame(detail));
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
    if (this.stage === "ready" && this.client.you?.share_for === null) this.forgoneSet = this.set.first;
    return this.set.commitments[this.part] !== null && this.forgoneSet !== this.set.first;
  }

  /** True if the player's chain was drawn in another browser. */
  get isChainMissing() {
    return !this.client.isOver && this.hasChain && this.chains.getChain(this.set) === null;
  }

  /** True if one of the two is not looking at the board, or unreachable, or neither is expected there. */
  get isSomeoneAway() {
    const { client } = this;
    if (document.hidden || client.connection !== "on") return true;
    return !client.presence[client.opponent] || isCorrespondence(client.terms.control);
  }

  /** The player's shares of the next rolls, for a command of this type. */
  listShares(type) {
    if (this.stage !== "ready" || !this.hasChain) return {};
    const { snapshot, me } = this.client;
    const number = countShares(type, { snapshot, me, isSomeoneAway: this.isSomeoneAway });
    return this.chains.listShares(this.set, snapshot.roll.number, number);
  }

  /** Send what is due now, once. */
  sendDue() {
    const due = this.findDue();
    if (!due || this.done.has(due.name)) return;
    this.done.add(due.name);
    this.sendCommand(due);
  }

  findDue() {
    const { client, set, stage, part } = this;
    const { roll, owing, phase, turn, status } = client.snapshot;
    if (status !== "waiting" && status !== "live") return null;
    if (stage === "promising" && set.commitments[part] === null && owing.includes(client.me)) {
      return { name: `promise.${set.first}`, command: () => this.commitChain() };
    }
    if (stage === "unsealing" && this.hasChain && set.known[part] === null) {
      const head = this.chains.getHead(set);
      return head && { name: `open.${set.first}`, command: () => ({ type: "open", head }) };
    }
    if (roll.asked && roll.asked.by !== client.me && this.hasChain && !this.isChainMissing) {
      return this.buildShare(`share.${roll.asked.number}`);
    }
    if (this.tiedRoll === roll.number - 1 && phase === "opening" && owing.includes(client.me)) {
      return this.buildShare(`again.${roll.number}`, "roll");
    }
    if (phase !== "to-roll" || stage !== "ready" || roll.asked || !this.hasChain || this.isChainMissing) return null;
    if (turn === client.me) return this.canRollAutomatically ? this.buildShare(`roll.${roll.number}`) : null;
    // A player who leaves the page leaves a share, so that the opponent can roll.
    return document.hidden ? this.buildShare(`left.${roll.number}`) : null;
  }

  buildShare(name, type = "share") {
    return { name, command: () => ({ type }), shares: () => this.listShares(type) };
  }

  // If no double is possible there is nothing to decide: the server rolls for players who want this (R63), as soon as it
  // has the share.
  get canRollAutomatically() {
    const { me, snapshot } = this.client;
    return !snapshot.cube.alive_for.includes(me);
  }

  // Two tabs must not draw two chains for one commitment.
  commitChain() {
    const commit = () => ({ type: "promise", commitment: this.chains.createCommitment(this.set) });
    return navigator.locks ? navigator.locks.request(`barpoint.dice.${this.client.key}`, commit) : commit();
  }

  /** True if something is under way that needs no press. */
  get isSending() {
    return this.sending > 0;
  }

  async sendCommand({ name, command, shares = () => ({}) }) {
    this.sending += 1;
    try {
      await this.client.sendAutomatic(await command(), shares());
    } catch (problem) {
      // Refused: another tab was first. No answer: tried again later.
      if (problem.isTemporary) {
        setTimeout(() => {
          this.done.delete(name);
          this.sendDue();
        }, RETRY_MS);
      } else {
        this.client.refresh();
      }
    } finally {
      this.sending -= 1;
      this.client.emit("change");
    }
  }

  /** Go on without the lost chain. */
  async forgo() {
    try {
      await this.client.sendAutomatic({ type: "forgo", reason: "" });
    } catch (problem) {
      this.client.emit("refused", problem);
    }
    this.client.refresh();
  }

  handleFrame({ frame, before }) {
    const { fact } = frame.line;
    if (fact.fact === "forwent" && fact.side === this.client.me) this.forgoneSet = before.dice_set.first;
    if (fact.fact === "dice-begun") this.done.clear();
    const isTie = fact.fact === "opened" && fact.white === fact.black;
    if (frame.line.thrown) this.tiedRoll = isTie ? frame.line.thrown.number : null;
    if (frame.line.thrown) this.checkRoll(before.dice_set, frame.line);
  }

  // Not urgent: the module is loaded by the first roll.
  async checkRoll(set, line) {
    const { number } = line.thrown;
    const isMine = !this.isShareReplaced(set, line.thrown);
    const { findRollProblem } = await import("./dice_check.js");
    const why = findRollProblem(set, line) || (isMine ? "" : "mine");
    if (why) this.problem ??= { number, why };
    this.checked += 1;
    this.client.emit("checked");
  }

  // A roll made with the player's share must contain the share that was sent.
  isShareReplaced(set, thrown) {
    const chain = this.chains.getChain(set);
    if (!chain || !this.hasChain) return false;
    const mine = this.chains.listShares(set, thrown.number, 1)[thrown.number];
    return mine !== undefined && thrown.links[this.part] !== mine;
  }
}
