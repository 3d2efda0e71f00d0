// Texts of a list of moves for a line of the journal. No DOM.

import { read } from "./position.js";
import { notation } from "./say.js";

const SHOWN = [
  "opened",
  "played",
  "doubled",
  "beavered",
  "took",
  "dropped",
  "resign-offered",
  "resign-accepted",
  "resign-declined",
  "conceded",
  "flagged",
  "ruled-position",
  "ruled-score",
  "ruled-game",
  "ruled-match",
  "taken-back",
  "voided-game",
  "voided-match",
];

// Rulings without a director: by the server, or by a player who calls off the match before it begins.
const AUTHORS = { server: "moves.automatic", white: "moves.called-off", black: "moves.called-off" };

/** True if a list of moves shows this line. */
export function isNoted({ fact }) {
  const isTie = fact.fact === "opened" && fact.white === fact.black;
  return SHOWN.includes(fact.fact) && !isTie;
}

/** The text of a line; `before` is the state before it. */
export function noted({ by, fact }, before, say) {
  switch (fact.fact) {
    case "played":
      return fact.steps?.length ? notation(read(before.board), fact.side, fact.steps) : say("moves.none");
    case "doubled":
      return say("moves.double", { value: before.cube.value * 2 });
    case "beavered":
      return say("moves.beaver");
    case "took":
      return say("moves.take");
    case "dropped":
      return say("moves.drop");
    case "resign-offered":
      return say("moves.resigns", { what: say(`what.${fact.level ?? 1}`) });
    case "resign-accepted":
      return say("moves.accepts");
    case "resign-declined":
      return say("moves.declines");
    case "conceded":
      return say("moves.concedes");
    case "flagged":
      return say("moves.flag");
    case "taken-back":
      return say(by === "director" ? "moves.ruled" : "moves.taken-back");
    default:
      return say(AUTHORS[by] ?? "moves.ruled");
  }
}
