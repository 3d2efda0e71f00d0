// A game as a score sheet: numbered rows with columns for white and black. A side that acts out of turn begins a new row;
// a director's ruling has a row to itself.

import { describeMove } from "./move_texts.js";

const COLUMNS = { white: 1, black: 2 };
const FULL = 2;
const RULED = /^(ruled|voided)-|^taken-back$/;

export class Sheet {
  /** Add a heading for the game and an empty sheet; `entry` is the number of its first position, if known. */
  constructor({ state, entry, players, translate }) {
    Object.assign(this, { players, translate, number: 0, filledColumn: FULL, row: null });
    this.body = createElement("tbody");
    const table = createElement("table", { class: "moves__list" }, this.createHeader(), this.body);
    this.parts = [this.createTitle(state, entry), table];
  }

  createTitle(state, entry) {
    const score = `${state.score[0]}\u2013${state.score[1]}`;
    const words = `${this.translate("moves.game", { n: state.game })} ${this.translate("moves.score", { score })}`;
    const button = createElement("button", { class: "moves__move", type: "button" }, words);
    if (entry === null) button.disabled = true;
    else button.dataset.entry = String(entry);
    return createElement("h3", { class: "moves__game" }, button);
  }

  createHeader() {
    const sides = Object.keys(COLUMNS).map((side) => {
      const checker = createElement("span", { class: "seat__man seat__man--small", "data-side": side, "aria-hidden": "true" });
      return createElement("th", { scope: "col" }, checker, this.players[side].name);
    });
    const number = createElement("th", { scope: "col" }, createElement("span", { class: "visually-hidden" }, this.translate("moves.number")));
    return createElement("thead", {}, createElement("tr", {}, number, ...sides));
  }

  /** Write one line of the journal; `before` is the state before it, `dice` its roll. */
  addMove(line, before, { entry, side, dice }) {
    const isRuled = RULED.test(line.fact.fact);
    const column = isRuled ? FULL : COLUMNS[side];
    if (isRuled || column <= this.filledColumn) this.addRow();
    this.filledColumn = column;
    const cell = isRuled ? this.mergeCells() : this.row.children[column];
    cell.append(this.createMove(line, before, { entry, dice, name: isRuled ? "" : this.players[side].name }));
  }

  addRow() {
    this.number += 1;
    this.row = createElement("tr", {}, createElement("th", { scope: "row", class: "num" }, String(this.number)), createElement("td"), createElement("td"));
    this.body.append(this.row);
  }

  mergeCells() {
    this.row.lastElementChild.remove();
    this.row.lastElementChild.colSpan = FULL;
    return this.row.lastElementChild;
  }

  createMove(line, before, { entry, dice, name }) {
    const button = createElement("button", { class: "moves__move", type: "button", "data-entry": String(entry) });
    if (name) button.append(createElement("span", { class: "visually-hidden" }, `${name}: `));
    if (dice) button.append(createElement("span", { class: "moves__dice num" }, dice), " ");
    button.append(createElement("span", { class: "moves__words" }, describeMove(line, before, this.translate)));
    return button;
  }
}

function createElement(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
