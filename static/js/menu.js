/* Menus are <details class="menu">; this closes them. A row of tabs that is too long for the screen is scrolled to the
   current tab. */

export function showTabs() {
  for (const tab of document.querySelectorAll(".tabs > [aria-current]")) {
    const row = tab.parentElement;
    row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
  }
  // A row that can be scrolled fades at its edge.
  for (const row of document.querySelectorAll(".tabs")) {
    fade(row);
    row.addEventListener("scroll", () => fade(row), { passive: true });
    new ResizeObserver(() => fade(row)).observe(row);
  }
  // Browsers scroll only until the edge of a focused tab is visible.
  document.addEventListener("focusin", (event) => {
    if (event.target.matches(".tabs > a")) event.target.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
}

function fade(row) {
  row.classList.toggle("tabs--before", row.scrollLeft > 2);
  row.classList.toggle("tabs--after", row.scrollLeft + row.clientWidth < row.scrollWidth - 2);
}

export function closeMenus() {
  document.addEventListener("click", (event) => closeAllBut(event.target.closest?.("details.menu")));
  document.addEventListener("keydown", (event) => {
    const menu = event.target.closest?.("details.menu[open]") ?? document.querySelector("details.menu[open]");
    if (!menu) return;
    if (event.key === "Escape") close(menu);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") step(menu, event);
  });
  document.addEventListener("focusin", (event) => closeAllBut(event.target.closest("details.menu")));
}

function closeAllBut(kept) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu !== kept) menu.open = false;
  }
}

function close(menu) {
  menu.open = false;
  menu.querySelector("summary").focus();
}

function step(menu, event) {
  if (!menu.contains(document.activeElement) || isTyping(event.target)) return;
  const places = [...menu.querySelectorAll(".menu__panel :is(a, button)")];
  const here = places.indexOf(document.activeElement);
  const next = event.key === "ArrowDown" ? Math.min(here + 1, places.length - 1) : here - 1;
  event.preventDefault();
  (places[next] ?? menu.querySelector("summary")).focus();
}

function isTyping(element) {
  return element.matches("input, textarea, select");
}
