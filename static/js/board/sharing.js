// Which of the player's shares of coming rolls are sent with a command (docs/dice.md, "Strict and sealed").
//
// While both are at the board, the player's share of a roll is held back as long as anyone could act on knowing it.
// If one of them is away, or in correspondence play, shares are sent ahead, so that the opponent need not wait.

// From this delay on, a turn is measured in days (matches/state/terms.py).
const CORRESPONDENCE_MS = 12 * 60 * 60 * 1000;
const ROLLS_AHEAD = 2;
// An opening roll can be a tie and need another share; the player need not press again for it.
const OPENING_AHEAD = 3;
// Sent with the roll itself: after these the roller can no longer double.
const ROLL_COMMANDS = ["roll", "share"];
// After these, the next roll is made with board and cube as they are then.
const DECIDING_COMMANDS = ["move", "take"];

/** The number of shares to send, from the next roll on. `isSomeoneAway`: not both are looking at the board. */
export function countShares(command, { snapshot, me, isSomeoneAway }) {
  const { phase, turn, cube } = snapshot;
  if (ROLL_COMMANDS.includes(command)) return isSomeoneAway ? countSharesAhead(phase) : 1;
  if (!DECIDING_COMMANDS.includes(command)) return 0;
  if (isSomeoneAway) return countSharesAhead(phase);
  const roller = command === "take" ? turn : opponentOf(me);
  // After a take the owner of the cube has nothing to decide before the roll.
  return roller !== me && (command === "take" || !cube.alive_for.includes(roller)) ? 1 : 0;
}

/** True if a turn is measured in days, so that players are not expected at the board. */
export function isCorrespondence(control) {
  if (!control) return false;
  return control.reserve + (control.timing === "simple" ? control.delay : 0) >= CORRESPONDENCE_MS;
}

export const opponentOf = (side) => (side === "white" ? "black" : "white");

const countSharesAhead = (phase) => (phase === "opening" ? OPENING_AHEAD : ROLLS_AHEAD);
