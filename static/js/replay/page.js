// The page of a replay, and its frame for other sites: board, seats, score sheet and slider show one position of the match.
//
// Everything is in the page, so stepping needs no request. Other scripts can listen for "replay:shown" on the document, with the
// name of the entry, and send "replay:go" to show an entry.

import { formatDuration } from "../board/clock.js";
import "../board/late_texts.js";
import { parsePosition } from "../board/position.js";
import { Preferences } from "../board/prefs.js";
import { formatPlay } from "../board/play_texts.js";
import { Table } from "../board/table.js";
import { TEXTS, createTranslator, gettext } from "../board/texts.js";
import { Film } from "./film.js";
import { stepByKeys, stepBySwipe } from "./hands.js";
import { positionId, xgid } from "./ids.js";
import { Scrubber } from "./scrubber.js";

Object.assign(TEXTS, {
  "replay.chance": gettext("Chance to win the match at this score: {a} {x}%, {b} {y}%."),
  "replay.dropped": gettext("If this double is dropped: {a} {x}%, {b} {y}%."),
  "replay.play": gettext("Autoplay"),
  "replay.stop": gettext("Stop"),
  "replay.at": gettext("Game {game}, {words}"),
});

const byId = (id) => document.getElementById(id);
const STEADY_MS = 2000;
// Browsers allow a hundred changes of the address in half a minute; a slider makes more.
const SETTLED_MS = 250;

class Replay {
  constructor({ names, below, place, film, said }) {
    Object.assign(this, { names, said, viewpoint: below, place, drawn: null, timer: 0, runs: 0, isPlaying: false });
    // The hash of the address, as last read or written here.
    this.address = location.hash;
    this.film = new Film(film);
    this.translate = createTranslator(names);
    const room = byId("table");
    this.prefs = room.closest(".screen") ? framed(room) : new Preferences();
    const onIntent = (intent) => intent.type === "counted" && this.count(intent.pips);
    byId("still").remove();
    this.table = new Table(room, { names, prefs: this.prefs, onIntent });
    this.scrubber = new Scrubber(byId("scrubber"));
  }

  start() {
    const { scrubber, film } = this;
    scrubber.addEventListener("go", ({ detail }) => this.choose(detail));
    stepByKeys(scrubber, () => this.play(!this.isPlaying));
    stepBySwipe(byId("table"), scrubber);
    byId("sheet")?.addEventListener("click", (event) => this.follow(event));
    // Links below the board show positions, too; the board may be out of view there.
    document.querySelector(".replay__under")?.addEventListener("click", (event) => {
      if (this.follow(event)) byId("table").scrollIntoView({ block: "nearest" });
    });
    byId("autoplay")?.addEventListener("click", () => this.play(!this.isPlaying));
    byId("games")?.addEventListener("change", ({ target }) => this.choose(film.place(target.value)));
    byId("turn")?.addEventListener("click", () => this.turn());
    byId("taste")?.addEventListener("click", () => this.table.preferencesDialog.open());
    byId("print")?.addEventListener("click", () => window.print());
    window.addEventListener("hashchange", () => this.read());
    document.addEventListener("replay:go", ({ detail }) => this.choose(film.place(detail.key) ?? this.place));
    const autoplay = byId("autoplay");
    if (autoplay) autoplay.disabled = film.last === 0;
    this.read({ isFirst: true });
  }

  /** Show the entry that the address names: #g2m14. */
  read({ isFirst = false } = {}) {
    this.address = location.hash;
    const place = this.film.place(location.hash.slice(1));
    if (place !== null) this.choose(place, { isFirst });
    else if (isFirst) this.show(this.place, { atOnce: true });
  }

  follow(event) {
    const link = event.target.closest("a[data-key]");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return false;
    event.preventDefault();
    this.choose(this.film.place(link.dataset.key));
    return true;
  }

  /** Show an entry that the viewer has chosen; automatic play stops. */
  choose(place, { isFirst = false } = {}) {
    this.play(false);
    const isNext = !isFirst && Math.abs(place - this.place) === 1;
    this.show(place, { atOnce: !isNext });
  }

  // -- the board

  /** Show an entry. During an animation only the last request is remembered, and shown next. */
  async show(place, { atOnce = false } = {}) {
    this.place = place;
    this.wanted = { place, atOnce };
    this.tell();
    this.done ??= this.draw().finally(() => (this.done = null));
    return this.done;
  }

  async draw() {
    while (this.wanted) {
      const { place, atOnce } = this.wanted;
      const { entries } = this.film;
      // An act is animated from the position before it.
      const line = this.drawn !== null && place === this.drawn + 1 ? entries[this.drawn].act : null;
      this.wanted = null;
      this.drawn = place;
      await this.table.show(entries[place].state, this.options(place, { atOnce, line }));
    }
  }

  options(place, { atOnce, line }) {
    const { act } = this.film.entries[place];
    return {
      me: null,
      viewpoint: this.viewpoint,
      interactive: false,
      turn: null,
      may: [],
      cube: this.film.rules.cube,
      atOnce,
      line: line?.fact ? { fact: line } : null,
      // In automatic play the checkers show their moves.
      plan: act.fact === "played" && !this.isPlaying ? act : null,
    };
  }

  /** Turn the board round. */
  turn() {
    this.viewpoint = this.viewpoint === "white" ? "black" : "white";
    const seats = byId("seat-white").parentElement;
    for (const side of ["white", "black"]) {
      const seat = byId(`seat-${side}`);
      seat.classList.toggle("seat--below", side === this.viewpoint);
      seat.classList.toggle("seat--above", side !== this.viewpoint);
    }
    seats.append(byId(`seat-${this.viewpoint}`));
    this.show(this.place, { atOnce: true });
  }

  // -- automatic play

  play(isPlaying) {
    clearTimeout(this.timer);
    if (isPlaying === this.isPlaying) return;
    this.isPlaying = isPlaying && this.film.last > 0;
    this.runs += 1;
    const button = byId("autoplay");
    if (button) {
      button.textContent = this.translate(this.isPlaying ? "replay.stop" : "replay.play");
      button.setAttribute("aria-pressed", String(this.isPlaying));
    }
    if (this.isPlaying) this.playOn(this.place === this.film.last ? 0 : this.place + 1, this.runs);
    // When it stops the arrows are shown again.
    else this.show(this.place);
  }

  async playOn(place, run) {
    await this.show(place, { atOnce: place === 0 });
    if (run !== this.runs) return;
    if (place === this.film.last) this.play(false);
    else this.timer = setTimeout(() => this.playOn(place + 1, run), Number(byId("speed")?.value ?? STEADY_MS));
  }

  // -- the description of an entry

  tell() {
    const { film, place } = this;
    const entry = film.entries[place];
    const words = this.wordsOf(entry);
    write(byId("entry"), words);
    this.scrubber.show(place, film.last, this.translate("replay.at", { game: entry.game, words }));
    this.tellSeats(entry);
    this.tellChance(entry);
    this.mark(entry);
    this.tellCopies(entry);
    document.dispatchEvent(new CustomEvent("replay:shown", { detail: { key: entry.key, place } }));
  }

  // The page already describes acts that are not plays.
  wordsOf({ key, act: { side, steps, dice }, state }) {
    const words = this.said[key] ?? (formatPlay(parsePosition(state.board), side, steps) || this.translate("moves.none"));
    const told = dice ? `${dice} ${words}` : words;
    return side === null ? told : `${this.names[side]}: ${told}`;
  }

  tellSeats({ state, clocks }) {
    ["white", "black"].forEach((side, index) => {
      const seat = byId(`seat-${side}`);
      write(seat.querySelector(".seat__points"), String(state.score[index]));
      seat.classList.toggle("is-acting", state.owing.includes(side));
      if (clocks) write(seat.querySelector(".seat__reserve"), formatDuration(Math.max(0, clocks[side]), this.translate));
    });
  }

  count(pips) {
    for (const side of ["white", "black"]) write(byId(`seat-${side}`).querySelector(".seat__pips"), this.translate("pips", { n: pips[side] }));
  }

  tellChance({ chance, dropped }) {
    const line = byId("chance");
    if (!line) return;
    const told = [["replay.chance", chance], ["replay.dropped", dropped]].filter(([, white]) => white !== null);
    write(line, told.map(([key, white]) => this.translate(key, shares(white, this.names))).join(" "));
  }

  mark({ key, game }) {
    const sheet = byId("sheet");
    if (!sheet) return;
    sheet.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const cell = byId(`move-${key}`);
    cell.setAttribute("aria-current", "step");
    bring(cell, sheet);
    const found = this.film.games.findLast(({ number, first }) => number === game && this.film.place(`g${number}m${first}`) <= this.place);
    byId("games").value = `g${found.number}m${found.first}`;
  }

  tellCopies({ key, state }) {
    if (byId("xgid")) {
      byId("xgid").value = xgid(state, this.film.rules);
      byId("position-id").value = positionId(state);
      byId("link").value = new URL(`?at=${key}`, location.href.split(/[?#]/)[0]).href;
    }
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(key), SETTLED_MS);
  }

  // The address names the entry, so that a reload shows it again; the first one needs none.
  settle(key) {
    // The viewer has followed a link, and the browser is about to report it: not overwritten.
    if (location.hash !== this.address) return;
    if (location.hash.slice(1) !== key && (this.place || location.hash)) history.replaceState(null, "", `#${key}`);
    this.address = location.hash;
  }
}

function shares(white, { white: a, black: b }) {
  const x = Math.round(white * 100);
  return { a, x, b, y: 100 - x };
}

// Scrolls only the sheet, never the page.
function bring(cell, sheet) {
  const box = cell.getBoundingClientRect();
  const frame = sheet.getBoundingClientRect();
  if (box.top < frame.top) sheet.scrollTop -= frame.top - box.top + 8;
  if (box.bottom > frame.bottom) sheet.scrollTop += box.bottom - frame.bottom + 8;
}

// In a frame of another site the address decides the looks, not the viewer's preferences.
function framed(room) {
  const wanted = { theme: room.dataset.board, speed: 1, marks: room.dataset.board === "clear" };
  return new Preferences({ getItem: () => JSON.stringify(wanted), setItem() {} });
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const replay = new Replay(JSON.parse(byId("replay-data").textContent));
replay.start();
