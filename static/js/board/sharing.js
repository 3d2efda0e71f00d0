// Which of my shares of the coming rolls go with a command (docs/dice.md, "Strict and sealed").
//
// While both sit at the board I keep back my share of a roll as long as somebody could act otherwise if they knew it.
// Where one of us is away, or it is correspondence play, shares are left in advance, so that nobody has to wait.

// From here on a turn is counted in days (matches/state/terms.py).
const CORRESPONDENCE_MS = 12 * 60 * 60 * 1000;
const ROLLS_AHEAD = 2;
// An opening roll may be a tie and takes one more each time: nobody is to press again for that.
const OPENING_AHEAD = 3;
// What is given with the roll itself: from here on the roller cannot double.
const ROLLING = ["roll", "share"];
// After these the next roll is made with the board and the cube as they then lie.
const ENDING_A_DECISION = ["move", "take"];

/** How many shares go along, from the next roll on. `isApart`: the two are not both looking at the board. */
export function count(command, { snapshot, me, isApart }) {
  const { phase, turn, cube } = snapshot;
  if (ROLLING.includes(command)) return isApart ? ahead(phase) : 1;
  if (!ENDING_A_DECISION.includes(command)) return 0;
  if (isApart) return ahead(phase);
  const roller = command === "take" ? turn : other(me);
  // A double that was taken leaves its owner nothing to decide before the roll.
  return roller !== me && (command === "take" || !cube.alive_for.includes(roller)) ? 1 : 0;
}

/** Is a turn counted in days, so that nobody is expected at the board? */
export function isCorrespondence(control) {
  if (!control) return false;
  return control.reserve + (control.timing === "simple" ? control.delay : 0) >= CORRESPONDENCE_MS;
}

export const other = (side) => (side === "white" ? "black" : "white");

const ahead = (phase) => (phase === "opening" ? OPENING_AHEAD : ROLLS_AHEAD);
