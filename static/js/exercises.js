// The exercises in help: each is played on its board, or answered in notation in the form below it.

import { showDecision } from "./board/decision.js";

const decisions = JSON.parse(document.getElementById("tables").textContent);

// Boards are set up shortly before they scroll into view.
const watcher = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      watcher.unobserve(target);
      lay(target);
    }
  },
  { rootMargin: "100%" },
);
for (const section of document.querySelectorAll(".exercise")) watcher.observe(section);

function lay(section) {
  const form = section.querySelector("form");
  const table = showDecision(
    section.querySelector(".exercise__table"),
    section.querySelector(".exercise__acts"),
    decisions[section.id],
    { scope: section, onAnswer: check, onRefused: check },
  );
  // Another play can be tried after the answer.
  form.addEventListener("htmx:afterRequest", () => table.release());
  form.addEventListener("htmx:afterSettle", () => {
    form.querySelector("[role=status]").scrollIntoView({ block: "nearest" });
  });

  function check(play) {
    form.elements.play.value = play;
    form.requestSubmit();
  }
}
