// The score sheet on a phone: each tap is shown at once, even offline. Without this file it is a plain form.

import { listen } from "../live.js";
import { Face } from "./face.js";
import { reading, standsSo } from "./clock.js";
import { Queue } from "./queue.js";
import { after, cubes, isCrawford, isOver, score } from "./rules.js";

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const root = document.querySelector("[data-sheet]");
const form = root.querySelector("[data-form]");
const undo = root.querySelector(".sheet__undo");
const part = (name) => root.querySelector(`[data-${name}]`);
const words = read("sheet-words");
// The code of the answer to a tap during a pause of the event; the tap is repeated until the event goes on.
const PAUSED = 423;
const say = (name, values = {}) => words[name].replace(/%\((\w+)\)s/g, (_, key) => values[key]);
let written = read("sheet-data");
// The position that the page was rendered with; for another one the page is reloaded.
const drawn = written.position;
// True if the server has changes that are not loaded yet; and the number of the last request for them.
let isOld = false;
let asked = 0;

// How far this phone's clock is behind the server's, which counts.
let behind = written.now - Date.now();
const watch = () => Date.now() + behind;

// A table's code leads to one match after the other: taps are stored by match.
const queue = new Queue(`barpoint.sheet:${written.match}`, { send, changed });

form.addEventListener("change", offer);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const said = new FormData(form);
  const tap = { do: "game", winner: said.get("winner"), end: said.get("end"), cube: Number(said.get("cube") ?? 1) };
  put({ ...tap, number: now().games.length + 1 });
});
undo.addEventListener("submit", (event) => {
  event.preventDefault();
  put({ do: "undo", number: now().games.length });
});
listen(root.dataset.topic, look);
listen(root.dataset.clockTopic, look);
const face = part("clock") && new Face(part("clock"), { put, watch, words });
show();
queue.flush();

// The sheet as the server has it, with the taps not sent yet.
function now() {
  return queue.taps.reduce((sheet, tap) => after(sheet, tap) ?? sheet, written);
}

function put(said) {
  const about = { ...said, seats: written.seats };
  const tap = written.clock ? { ...about, at: Math.round(watch()) } : about;
  if (!after(now(), tap)) return;
  problem("");
  if (tap.do === "game") form.reset();
  queue.add({ ...tap, key: newKey() });
}

function take(sheet) {
  written = sheet;
  behind = sheet.now - Date.now();
}

function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function send(tap) {
  const body = new FormData();
  body.set("match", written.match);
  for (const [name, value] of Object.entries(tap)) body.set(name, value);
  const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
  const headers = { Accept: "application/json", "X-CSRFToken": token };
  const answer = await fetch(location.pathname, { method: "POST", body, headers, redirect: "manual" });
  if (answer.type === "opaqueredirect" || answer.status === 403) {
    problem(words.away);
    throw new Error("signed out");
  }
  if (![200, 404, 409, 410, 422, PAUSED].includes(answer.status)) throw new Error(`answered ${answer.status}`);
  const said = await answer.json();
  if (answer.status === PAUSED) {
    problem(said.problem);
    throw new Error("paused");
  }
  if (!said.sheet) {
    close(said);
    // If the match was decided otherwise, the taps are discarded; if it is kept elsewhere, they are not.
    if (said.code === "match_decided") return false;
    throw new Error(said.code);
  }
  if (said.sheet.seats !== written.seats) {
    // Their names are part of the page, which is of no more use: the message says so.
    written = { ...written, isOpen: false };
    problem(said.problem);
    return answer.ok;
  }
  const wasAdjourned = written.isAdjourned;
  take(said.sheet);
  if (written.isAdjourned !== wasAdjourned) location.reload();
  // Both players see the same clock: the same tap from two phones is no conflict.
  const isSo = Boolean(written.clock) && standsSo(written.clock, tap);
  problem(isSo ? "" : said.problem);
  return answer.ok || isSo;
}

function changed() {
  show();
  if (isOld) look();
}

// Another phone may keep the same sheet, or it is confirmed or ruled on. Unsent taps are sent first.
async function look() {
  isOld = true;
  if (queue.taps.length) return;
  asked += 1;
  const question = asked;
  try {
    const about = `${location.pathname}?match=${written.match}`;
    const answer = await fetch(about, { headers: { Accept: "application/json" }, redirect: "manual" });
    if (![200, 404, 409, 410].includes(answer.status)) return;
    const said = await answer.json();
    const { sheet } = said;
    if (question !== asked || queue.taps.length) return;
    isOld = false;
    if (!sheet) {
      close(said);
      return;
    }
    if (sheet.seats !== written.seats) {
      if (part("problem").hidden) location.reload();
      return;
    }
    // The board and the possible acts are part of the page.
    if (sheet.isAdjourned !== written.isAdjourned || (sheet.position && sheet.position !== drawn)) location.reload();
    take(sheet);
    show();
  } catch {
    // Offline: the next event or tap tries again.
  }
}

// The code no longer leads to this match: it is over, or kept elsewhere.
function close(said) {
  written = { ...written, isOpen: false, said: said.problem };
  show();
}

function problem(text) {
  part("problem").textContent = text;
  part("problem").hidden = !text;
}

function show() {
  const sheet = now();
  const [a, b] = score(sheet);
  root.querySelector('[data-points="a"]').textContent = a;
  root.querySelector('[data-points="b"]').textContent = b;
  const number = sheet.games.length + 1;
  part("game").textContent = isOver(sheet) ? words.over : say(isCrawford(sheet) ? "crawfordGame" : "game", { number });
  part("games").replaceChildren(...sheet.games.map((game, index) => row(game, sheet.clock?.left[index])));
  part("waiting").textContent = say("waiting", { count: queue.taps.length });
  part("waiting").hidden = !queue.taps.length;
  part("said").textContent = sheet.said;
  part("said").hidden = !sheet.said;
  if (part("position")) part("position").hidden = sheet.position !== drawn;
  const isPlayed = sheet.isOpen && !isOver(sheet);
  form.hidden = !isPlayed;
  if (part("adjourn")) {
    part("adjourn").hidden = !isPlayed;
    part("adjourn").querySelector("[name=number]").value = number;
  }
  undo.querySelector("button").hidden = !sheet.isOpen || !sheet.games.length;
  if (face) {
    part("clock").hidden = isOver(sheet);
    face.show(sheet.clock, sheet);
  }
  offer();
}

function row({ winner, points, end, cube }, left) {
  const item = document.createElement("li");
  item.className = `sheet__won sheet__won--${winner}`;
  item.textContent = `+${points}`;
  const name = words.players[winner === "a" ? 0 : 1];
  item.title = say(end, { name }) + (cube > 1 ? ` (${cube})` : "");
  if (left) {
    const times = document.createElement("small");
    times.textContent = left.map(reading).join(" \u2013 ");
    item.append(times);
  }
  return item;
}

// Hides ends of a game that the score makes impossible.
function offer() {
  const sheet = now();
  if (isOver(sheet)) return;
  const winner = form.elements.winner.value;
  const sides = winner ? [winner] : ["a", "b"];
  const at = (end) => new Set(sides.flatMap((side) => cubes(sheet, side, end)));
  for (const input of form.querySelectorAll("[name=end]")) input.disabled = !at(input.value).size;
  choose("end");
  const end = form.elements.end.value;
  if (part("cubes")) {
    draw(sheet);
    for (const input of form.querySelectorAll("[name=cube]")) input.disabled = !at(end).has(Number(input.value));
    choose("cube");
    part("cube-legend").textContent = end === "drop" ? words.cubeBefore : words.cube;
  }
  const cube = Number(form.elements.cube?.value || 1);
  const next = winner && after(sheet, { do: "game", number: sheet.games.length + 1, winner, end, cube });
  part("write").disabled = !next;
  tell(sheet, next, winner, end);
}

function choose(name) {
  const inputs = [...form.querySelectorAll(`[name=${name}]`)];
  if (inputs.some((input) => input.checked && !input.disabled)) return;
  const first = inputs.find((input) => !input.disabled);
  if (first) first.checked = true;
}

function draw(sheet) {
  const all = new Set(["a", "b"].flatMap((side) => sheet.ends.flatMap((end) => cubes(sheet, side, end))));
  const wanted = [...all].sort((one, other) => one - other);
  const there = [...form.querySelectorAll("[name=cube]")].map((input) => Number(input.value));
  if (String(there) === String(wanted)) return;
  const pattern = form.querySelector(".pick--cube");
  const labels = wanted.map((value, index) => {
    const label = pattern.cloneNode(true);
    const input = label.querySelector("input");
    Object.assign(input, { value, checked: index === 0, defaultChecked: index === 0, disabled: false });
    label.querySelector("span").textContent = value;
    return label;
  });
  form.querySelectorAll(".pick--cube").forEach((label) => label.remove());
  part("cubes").append(...labels);
}

function tell(sheet, next, winner, end) {
  const told = (each) => score(each).join("\u2013");
  if (!next) {
    part("sum").textContent = words.who;
    part("write").textContent = words.writeIt;
    return;
  }
  const name = words.players[winner === "a" ? 0 : 1];
  part("sum").textContent = `${say(end, { name })}. ${say("becomes", { before: told(sheet), after: told(next) })}`;
  part("write").textContent = say(isOver(next) ? "writeLast" : "write", { score: told(next) });
}
