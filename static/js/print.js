// The print button; without a script, the browser's menu prints.
document.querySelector("[data-print]")?.addEventListener("click", () => window.print());
