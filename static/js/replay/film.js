// A match as its replay page contains it: the acts, from which the positions are computed here. No DOM.
//
// An act is "w31 8/5 6/5" (white played a 3-1; 25 is the bar, 0 off), "b double", "w take", "b drop", "w beaver", the name
// of another fact ("b flagged", "w resign-offered", " ruled-position"), or "end". The position of an entry is the one
// before its act. If it does not follow from the entry before it, it is in `at` (matches/journal/replays.py).

import { formatPosition, moveChecker, opponentOf, parsePosition } from "../board/position.js";

const ACT = /^([wb]?)(?:(\d\d)| ?([a-z-]+))?(.*)$/;
const SIDES = { w: "white", b: "black" };
const FACTS = { double: "doubled", beaver: "beavered", take: "took", drop: "dropped" };

export class Film {
  constructor({ games, ...rules }) {
    this.rules = rules;
    this.games = games;
    this.entries = [];
    for (const game of games) this.entries.push(...entriesOf(game));
    this.places = new Map(this.entries.map(({ key }, place) => [key, place]));
  }

  get last() {
    return this.entries.length - 1;
  }

  /** The index of an entry by its name, or null. */
  place(key) {
    return this.places.get(key) ?? null;
  }
}

function entriesOf(game) {
  const entries = [];
  let before = null;
  game.acts.forEach((text, place) => {
    const act = parsed(text);
    const told = game.at[place];
    const state = told ? given(game, told) : after(before.state, before.act);
    if (act.dice) Object.assign(state, { dice: act.dice, phase: "to-play", turn: act.side, owing: [act.side] });
    const [chance, dropped] = game.chances[place] ?? [null, null];
    before = { key: `g${game.number}m${game.first + place}`, game: game.number, act, state, chance, dropped, clocks: clocksAt(game, place) };
    entries.push(before);
  });
  return entries;
}

function clocksAt({ clocks }, place) {
  return clocks ? { white: clocks[2 * place] * 100, black: clocks[2 * place + 1] * 100 } : null;
}

/** An act as a fact of the journal: {fact, side, steps, dice}. */
export function parsed(text) {
  const [, letter, dice, word, rest] = ACT.exec(text);
  const side = SIDES[letter] ?? null;
  if (!dice) return { fact: word === "end" ? null : (FACTS[word] ?? word), side, dice: null };
  const steps = rest.split(" ").filter(Boolean).map((step) => step.split("/").map(Number));
  return { fact: "played", side, steps, dice };
}

/** A position as the page writes it. */
export function given(game, { board, phase, score, turn = null, dice = null, cube = [1, null], offered = null, resignation = null }) {
  const [value, owner] = cube;
  const state = { status: "finished", board, phase, score, turn, dice, cube: { value, owner, offered }, resignation };
  return owed({ ...state, game: game.number, game_is_crawford: game.crawford, crawford: "none" });
}

// The position after an act.
function after(before, { fact, side, steps }) {
  const { cube } = before;
  const state = { ...before, dice: null, phase: "to-roll" };
  if (fact === "played") {
    const start = parsePosition(before.board);
    state.board = formatPosition(steps.reduce((now, [source, target]) => moveChecker(now, side, source, target), start));
    state.turn = opponentOf(side);
  } else if (fact === "took") {
    state.cube = { value: cube.offered, owner: opponentOf(before.turn), offered: null };
  } else {
    state.cube = { ...cube, offered: 2 * (cube.offered ?? cube.value) };
    state.phase = "doubled";
  }
  return owed(state);
}

function owed(state) {
  return { ...state, owing: owing(state) };
}

function owing({ phase, turn, cube, resignation }) {
  if (phase === "over" || phase === "opening" || turn === null) return [];
  if (phase === "resigning") return [opponentOf(resignation.by)];
  // After each double the other side is to answer (R47).
  if (phase === "doubled") return [Math.log2(cube.offered / cube.value) % 2 ? opponentOf(turn) : turn];
  return [turn];
}
