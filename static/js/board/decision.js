// A position that asks for a decision: it stands on the table, and what is done there is the answer, in the words a form sends.

import { Preferences } from "./prefs.js";
import { read } from "./position.js";
import { notation } from "./say.js";
import { Table } from "./table.js";
import { attempted } from "./why.js";
import { given } from "../replay/film.js";

// What a button of the table says of the cube.
const CUBE = { roll: "no double", double: "double", take: "take", drop: "pass" };

/** Lay a decision (matches/watch/decisions.py) in place of what `element` shows, with the table's buttons in `acts`.
 *
 * `onAnswer(words)` hears a play in notation or what was decided of the cube, `onRefused(play)` a play that is not legal. */
export function layDecision(element, acts, decision, { names, scope, onAnswer, onRefused = () => {} }) {
  const state = given({ number: 1, crawford: decision.crawford }, decision.position);
  element.replaceChildren();
  const table = new Table(element, { names, scope, prefs: new Preferences(), onIntent });
  acts.replaceChildren(table.controls);
  table.show(state, {
    me: decision.me,
    interactive: true,
    turn: decision.turn,
    may: decision.may,
    cube: decision.cube,
    pips: true,
  });
  return table;

  function onIntent(intent) {
    if (intent.type === "move") onAnswer(notation(read(state.board), decision.me, intent.steps));
    else if (CUBE[intent.type]) onAnswer(CUBE[intent.type]);
    else if (intent.type === "refused") {
      const play = attempted(table.turn, intent, true);
      if (play) onRefused(play);
    }
  }
}
