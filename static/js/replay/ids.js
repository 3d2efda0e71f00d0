// The XGID and Position ID of a position, as `engine/formats/xgid.py` and `position_id.py` write them.

import { BAR, opponentOf, parsePosition } from "../board/position.js";

const SIGNS = { black: 1, white: -1 };
const TURNED = { 2: "D", 4: "B", 8: "R" };
const BITS_A_BYTE = 8;
const BYTES = 10;

/** The XGID of a state, under the rules of its match; black is the lower player. */
export function xgid(state, { length, cube: hasCube, jacoby, beavers }) {
  const { cube, score, turn, dice } = state;
  const rule = length ? Number(state.game_is_crawford) : Number(jacoby) + 2 * Number(beavers);
  const offer = cube.offered ? TURNED[cube.offered / cube.value] : null;
  const fields = [
    letters(parsePosition(state.board)),
    Math.log2(cube.value),
    SIGNS[cube.owner] ?? 0,
    SIGNS[turn ?? "white"],
    offer ?? dice ?? "00",
    score[1],
    score[0],
    rule,
    length,
    hasCube ? 10 : 0,
  ];
  return `XGID=${fields.join(":")}`;
}

function letters({ white, black }) {
  let text = "";
  for (let point = 0; point <= BAR; point += 1) {
    const mine = point ? black[point] : 0;
    const theirs = point < BAR ? white[BAR - point] : 0;
    text += mine ? String.fromCharCode(64 + mine) : theirs ? String.fromCharCode(96 + theirs) : "-";
  }
  return text;
}

/** The Position ID of a state: first the side not on roll, then the other; for each point as many ones as checkers, and a zero. */
export function positionId({ board, turn }) {
  const position = parsePosition(board);
  const onRoll = turn ?? "white";
  const bytes = new Uint8Array(BYTES);
  let place = 0;
  for (const side of [opponentOf(onRoll), onRoll]) {
    for (let point = 1; point <= BAR; point += 1) {
      for (let left = position[side][point]; left > 0; left -= 1, place += 1) {
        bytes[Math.floor(place / BITS_A_BYTE)] |= 1 << (place % BITS_A_BYTE);
      }
      place += 1;
    }
  }
  return btoa(String.fromCharCode(...bytes)).replace(/=+$/, "");
}
