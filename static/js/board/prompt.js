// The sentence that says whose turn it is, and to do what.

import { opponentOf } from "./position.js";

/** The sentence for the players and for spectators. */
export function describePrompt(table) {
  const { state, translate, me, turn } = table;
  const isDeclined = me && state.declined === me && !turn?.made.length;
  return (isDeclined ? `${translate("ask.declined")} ` : "") + describeTask(table);
}

function describeTask(table) {
  const { state, translate, me, turn } = table;
  // While a share is awaited, the roll is still the roller's.
  const asked = state.roll?.asked?.by ?? null;
  const actor = asked ?? state.owing?.[0] ?? state.turn;
  const name = actor ? translate.sideName(actor, me) : "";
  const values = { name, dice: state.dice, value: (state.cube?.value ?? 1) * 2 };
  if (state.phase === "over") return translate("ask.over");
  if (table.isLocked || (asked !== null && asked === me)) return translate("ask.sent");
  if (table.armed) return table.armed.question;
  if (table.canMove) {
    if (turn.isDance) return translate("ask.dance", values);
    if (turn.isComplete) return translate("ask.confirm", { play: table.playText });
    return turn.made.length ? translate("ask.go-on", { play: table.playText }) : translate("ask.play", values);
  }
  if (state.phase === "opening") return translate("ask.opening");
  if (state.phase === "doubled") {
    const doubled = { name: translate.sideName(opponentOf(actor), me), value: state.cube.offered };
    if (!table.isAllowed("take")) return translate("ask.wait-cube", values);
    // The doubler is to answer: the opponent has beavered (R47).
    if (actor === state.turn) return translate("ask.beavered", doubled);
    return translate(table.isAllowed("beaver") ? "ask.cube-or-beaver" : "ask.cube", doubled);
  }
  if (state.phase === "resigning") {
    const { by, level } = state.resignation ?? { by: opponentOf(actor), level: 1 };
    return actor === me
      ? translate(`ask.resign.${level}`, { name: translate.sideName(by, me) })
      : translate("ask.wait-resign", values);
  }
  if (table.isAllowed("roll")) return translate(table.isAllowed("double") ? "ask.roll-or-double" : "ask.roll", values);
  if (actor === me) return translate("ask.mine");
  return translate(state.phase === "to-roll" ? "ask.wait-roll" : "ask.wait", values);
}
