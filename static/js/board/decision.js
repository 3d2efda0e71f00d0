// A position with a decision: the play made on the board is the answer, in the notation that the form sends.

import { Preferences } from "./prefs.js";
import { parsePosition } from "./position.js";
import { formatPlay } from "./play_texts.js";
import { Table } from "./table.js";
import { describeAttempt } from "./refusals.js";
import { given } from "../replay/film.js";

// The cube decisions of the table's buttons.
const CUBE = { roll: "no double", double: "double", take: "take", drop: "pass" };

/** Show a decision (`serialize_decision` of matches/journal/replays.py) in place of `element`, with the table's buttons in `acts`.
 *
 * `onAnswer(words)` gets a play in notation or a cube decision, `onRefused(play)` an illegal play. */
export function showDecision(element, acts, decision, { names, scope, onAnswer, onRefused = () => {} }) {
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
    if (intent.type === "move") onAnswer(formatPlay(parsePosition(state.board), decision.me, intent.steps));
    else if (CUBE[intent.type]) onAnswer(CUBE[intent.type]);
    else if (intent.type === "refused") {
      const play = describeAttempt(table.turn, intent, true);
      if (play) onRefused(play);
    }
  }
}
