// Texts of a list of moves for a line of the journal. No DOM.

import { parsePosition } from "./position.js";
import { formatPlay } from "./play_texts.js";

const LISTED = [
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
const RULINGS = { server: "moves.automatic", white: "moves.called-off", black: "moves.called-off" };

/** True if a list of moves shows this line. */
export function isListed({ fact }) {
  const isTie = fact.fact === "opened" && fact.white === fact.black;
  return LISTED.includes(fact.fact) && !isTie;
}

/** The text of a line; `before` is the state before it. */
export function describeMove({ by, fact }, before, translate) {
  switch (fact.fact) {
    case "played":
      return fact.steps?.length ? formatPlay(parsePosition(before.board), fact.side, fact.steps) : translate("moves.none");
    case "doubled":
      return translate("moves.double", { value: before.cube.value * 2 });
    case "beavered":
      return translate("moves.beaver");
    case "took":
      return translate("moves.take");
    case "dropped":
      return translate("moves.drop");
    case "resign-offered":
      return translate("moves.resigns", { what: translate(`what.${fact.level ?? 1}`) });
    case "resign-accepted":
      return translate("moves.accepts");
    case "resign-declined":
      return translate("moves.declines");
    case "conceded":
      return translate("moves.concedes");
    case "flagged":
      return translate("moves.flag");
    case "taken-back":
      return translate(by === "director" ? "moves.ruled" : "moves.taken-back");
    default:
      return translate(RULINGS[by] ?? "moves.ruled");
  }
}
