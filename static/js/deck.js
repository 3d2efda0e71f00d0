// A card of the deck: the position stands on the table, and what is done there is the answer. No network: it is sent as a form.

import { Preferences } from "./board/prefs.js";
import { read } from "./board/position.js";
import { notation } from "./board/say.js";
import { Table } from "./board/table.js";
import { given } from "./replay/film.js";

const byId = (id) => document.getElementById(id);
// What a button of the table says of the cube.
const CUBE = { roll: "no double", double: "double", take: "take", drop: "pass" };

const card = JSON.parse(byId("card-data").textContent);
const state = given({ number: 1, crawford: card.crawford }, card.position);
const table = new Table(byId("table"), {
  words: card.words,
  names: card.names,
  prefs: new Preferences(),
  onIntent: (intent) => answered(intent) && send(answered(intent)),
});

/** What an intent answers, or nothing. */
function answered({ type, steps }) {
  if (type === "move") return notation(read(state.board), card.me, steps);
  return CUBE[type] ?? null;
}

function send(choice) {
  const field = Object.assign(document.createElement("input"), { type: "hidden", name: "choice", value: choice });
  byId("answer").append(field);
  byId("answer").submit();
}

byId("still").remove();
byId("acts").append(table.controls);
table.show(state, {
  me: card.me,
  interactive: true,
  turn: card.turn,
  may: card.may,
  cube: card.cube,
  pips: true,
});
