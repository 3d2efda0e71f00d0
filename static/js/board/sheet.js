// A game as a score sheet: numbered rows with columns for white and black. A side that acts out of turn begins a new row;
// a director's ruling has a row to itself.

import { noted } from "./notes.js";

const COLUMNS = { white: 1, black: 2 };
const FULL = 2;
const RULED = /^(ruled|voided)-|^taken-back$/;

export class Sheet {
  /** Add a heading for the game and an empty sheet; `entry` is the number of its first position, if known. */
  constructor({ state, entry, players, say }) {
    Object.assign(this, { players, say, number: 0, filled: FULL, row: null });
    this.body = element("tbody");
    const table = element("table", { class: "moves__list" }, this.columns(), this.body);
    this.parts = [this.title(state, entry), table];
  }

  title(state, entry) {
    const score = `${state.score[0]}\u2013${state.score[1]}`;
    const words = `${this.say("moves.game", { n: state.game })} ${this.say("moves.score", { score })}`;
    const button = element("button", { class: "moves__move", type: "button" }, words);
    if (entry === null) button.disabled = true;
    else button.dataset.entry = String(entry);
    return element("h3", { class: "moves__game" }, button);
  }

  columns() {
    const sides = Object.keys(COLUMNS).map((side) => {
      const man = element("span", { class: "seat__man seat__man--small", "data-side": side, "aria-hidden": "true" });
      return element("th", { scope: "col" }, man, this.players[side].name);
    });
    const number = element("th", { scope: "col" }, element("span", { class: "visually-hidden" }, this.say("moves.number")));
    return element("thead", {}, element("tr", {}, number, ...sides));
  }

  /** Write one line of the journal; `before` is the state before it, `dice` its roll. */
  write(line, before, { entry, side, dice }) {
    const isRuled = RULED.test(line.fact.fact);
    const column = isRuled ? FULL : COLUMNS[side];
    if (isRuled || column <= this.filled) this.begin();
    this.filled = column;
    const cell = isRuled ? this.whole() : this.row.children[column];
    cell.append(this.move(line, before, { entry, dice, name: isRuled ? "" : this.players[side].name }));
  }

  begin() {
    this.number += 1;
    this.row = element("tr", {}, element("th", { scope: "row", class: "num" }, String(this.number)), element("td"), element("td"));
    this.body.append(this.row);
  }

  whole() {
    this.row.lastElementChild.remove();
    this.row.lastElementChild.colSpan = FULL;
    return this.row.lastElementChild;
  }

  move(line, before, { entry, dice, name }) {
    const button = element("button", { class: "moves__move", type: "button", "data-entry": String(entry) });
    if (name) button.append(element("span", { class: "visually-hidden" }, `${name}: `));
    if (dice) button.append(element("span", { class: "moves__dice num" }, dice), " ");
    button.append(element("span", { class: "moves__words" }, noted(line, before, this.say)));
    return button;
  }
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
