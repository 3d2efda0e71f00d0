// A card of the deck: the play on the board is the answer, sent with the form.

import { showDecision } from "./board/decision.js";

const byId = (id) => document.getElementById(id);
const card = JSON.parse(byId("card-data").textContent);

showDecision(byId("table"), byId("acts"), card, { names: card.names, onAnswer: send });

function send(choice) {
  const field = Object.assign(document.createElement("input"), { type: "hidden", name: "choice", value: choice });
  byId("answer").append(field);
  byId("answer").submit();
}
