/* A match game by game: points, score and the Crawford game are computed at once, and a row for the next game is added.
   Without this file the server does the same at each press of "Add a game". */

const WORTH = { drop: 1, single: 1, gammon: 2, backgammon: 3 };

const form = document.querySelector("form[data-games]");
if (form) watchForm(form);

function watchForm(form) {
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
  const { total, isOver } = computeRows(form);
  form.querySelector("[data-total]").textContent = formatScore(total);
  // No empty row after the last game.
  const last = rows(form).at(-1);
  if (isOver && last && !read(last) && rows(form).length > 1) last.remove();
  else if (!isOver && (!last || read(last))) append(form);
  else return;
  renumber(form);
  computeRows(form);
}

function computeRows(form) {
  const length = Number(form.dataset.length);
  const total = { a: Number(form.dataset.begunA), b: Number(form.dataset.begunB) };
  const isFined = total.a + total.b > 0;
  let wasCrawford = false;
  let hasGap = false;
  for (const row of rows(form)) {
    const game = hasGap ? null : read(row);
    // Penalty points may have been given after a game: one with the cube was not the Crawford game.
    const isPossible = !hasGap && !wasCrawford && form.dataset.crawford === "yes" && !(isFined && game?.hasCube);
    const isCrawford = isPossible && isOneShort(total, length);
    hasGap ||= !game;
    wasCrawford ||= isCrawford;
    if (game) total[game.winner] = Math.min(length, total[game.winner] + game.points);
    show(row, game, total, isCrawford);
  }
  return { total, isOver: Math.max(total.a, total.b) >= length };
}

// R54: there is no Crawford game if both are one point short.
function isOneShort({ a, b }, length) {
  return length > 1 && Math.max(a, b) === length - 1 && Math.min(a, b) < length - 1;
}

function show(row, game, total, isCrawford) {
  row.querySelector("[data-points]").textContent = game ? `+${game.points}` : "";
  row.querySelector("[data-score]").textContent = game ? formatScore(total) : "";
  row.querySelector("[data-crawford]").hidden = !isCrawford;
}

function formatScore({ a, b }) {
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

// Rows are numbered without gaps.
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
