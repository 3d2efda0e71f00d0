/* A match game by game: points, score and Crawford's game follow at once, and a new row waits when one is written.
   Without this file the server does the same at each press of "Add a game". */

const WORTH = { drop: 1, single: 1, gammon: 2, backgammon: 3 };

const form = document.querySelector("form[data-games]");
if (form) follow(form);

function follow(form) {
  form.addEventListener("change", () => update(form));
  form.addEventListener("click", (event) => {
    const wanted = event.target.closest?.("button[name=do]")?.value;
    if (wanted !== "add" && wanted !== "remove") return;
    event.preventDefault();
    if (wanted === "add") append(form);
    else rows(form).findLast((row) => read(row))?.remove();
    update(form);
    if (wanted === "add") rows(form).at(-1).querySelector("input").focus();
  });
  update(form);
}

function update(form) {
  renumber(form);
  const { total, isOver } = tell(form);
  form.querySelector("[data-total]").textContent = told(total);
  // Nobody waits for a game after the last one.
  const last = rows(form).at(-1);
  if (isOver && last && !read(last) && rows(form).length > 1) last.remove();
  else if (!isOver && (!last || read(last))) append(form);
  else return;
  renumber(form);
  tell(form);
}

function tell(form) {
  const length = Number(form.dataset.length);
  const total = { a: Number(form.dataset.begunA), b: Number(form.dataset.begunB) };
  const isFined = total.a + total.b > 0;
  let wasCrawford = false;
  let hasGap = false;
  for (const row of rows(form)) {
    const game = hasGap ? null : read(row);
    // Penalty points may have come after a game: with the cube it was not the Crawford game.
    const isPossible = !hasGap && !wasCrawford && form.dataset.crawford === "yes" && !(isFined && game?.hasCube);
    const isCrawford = isPossible && isOneShort(total, length);
    hasGap ||= !game;
    wasCrawford ||= isCrawford;
    if (game) total[game.winner] = Math.min(length, total[game.winner] + game.points);
    show(row, game, total, isCrawford);
  }
  return { total, isOver: Math.max(total.a, total.b) >= length };
}

// R54: where both are one short, there is nothing left to protect.
function isOneShort({ a, b }, length) {
  return length > 1 && Math.max(a, b) === length - 1 && Math.min(a, b) < length - 1;
}

function show(row, game, total, isCrawford) {
  row.querySelector("[data-points]").textContent = game ? `+${game.points}` : "";
  row.querySelector("[data-score]").textContent = game ? told(total) : "";
  row.querySelector("[data-crawford]").hidden = !isCrawford;
}

function told({ a, b }) {
  return `${a} – ${b}`;
}

function read(row) {
  const winner = row.querySelector("input:checked")?.value;
  if (!winner) return null;
  const [cube, end] = row.querySelectorAll("select");
  const hasCube = Number(cube.value) > 1 || end.value === "drop";
  return { winner, points: Number(cube.value) * WORTH[end.value], hasCube };
}

function rows(form) {
  return [...form.querySelectorAll("[data-game]")];
}

function append(form) {
  const number = rows(form).length + 1;
  if (number > Number(form.dataset.most)) return;
  const pattern = form.querySelector("template").innerHTML.replaceAll("__n__", number);
  form.querySelector("ol").insertAdjacentHTML("beforeend", pattern);
}

// A row that was taken from the middle leaves no gap behind.
function renumber(form) {
  const found = rows(form);
  form.elements.rows.value = found.length;
  found.forEach((row, at) => {
    const number = String(at + 1);
    if (row.querySelector(".game__number").textContent === number) return;
    const before = row.querySelector(".game__number").textContent;
    const chosen = row.querySelector("input:checked");
    row.querySelector(".game__number").textContent = number;
    row.querySelector("legend").textContent = row.querySelector("legend").textContent.replace(before, number);
    for (const each of row.querySelectorAll("[name], [id], [for]")) {
      for (const name of ["name", "id", "for"]) {
        if (each.hasAttribute(name)) each.setAttribute(name, each.getAttribute(name).replace(`g${before}-`, `g${number}-`));
      }
    }
    if (chosen) chosen.checked = true;
  });
}
