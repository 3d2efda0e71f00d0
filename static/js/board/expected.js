// The sentence that says whose turn it is, and to do what.

import { other } from "./position.js";

/** The sentence for the players and for spectators. */
export function expected(table) {
  const { state, say, me, turn } = table;
  // While a share is awaited, the roll is still the roller's.
  const asked = state.roll?.asked?.by ?? null;
  const actor = asked ?? state.owing?.[0] ?? state.turn;
  const name = actor ? say.side(actor, me) : "";
  const values = { name, dice: state.dice, value: (state.cube?.value ?? 1) * 2 };
  if (state.phase === "over") return say("ask.over");
  if (table.isSent || (asked !== null && asked === me)) return say("ask.sent");
  if (table.armed) return table.armed.question;
  if (table.canMove) {
    if (turn.isDance) return say("ask.dance", values);
    if (turn.isComplete) return say("ask.confirm", { play: table.soFar });
    return turn.made.length ? say("ask.go-on", { play: table.soFar }) : say("ask.play", values);
  }
  if (state.phase === "opening") return say("ask.opening");
  if (state.phase === "doubled") {
    const doubled = { name: say.side(other(actor), me), value: state.cube.offered };
    if (!table.may("take")) return say("ask.wait-cube", values);
    // The doubler is to answer: the opponent has beavered (R47).
    if (actor === state.turn) return say("ask.beavered", doubled);
    return say(table.may("beaver") ? "ask.cube-or-beaver" : "ask.cube", doubled);
  }
  if (state.phase === "resigning") {
    const { by, level } = state.resignation ?? { by: other(actor), level: 1 };
    return actor === me
      ? say(`ask.resign.${level}`, { name: say.side(by, me) })
      : say("ask.wait-resign", values);
  }
  if (table.may("roll")) return say(table.may("double") ? "ask.roll-or-double" : "ask.roll", values);
  if (actor === me) return say("ask.mine");
  return say(state.phase === "to-roll" ? "ask.wait-roll" : "ask.wait", values);
}
