// One press prints the page; whoever has no script uses the browser's own menu.
document.querySelector("[data-print]")?.addEventListener("click", () => window.print());
