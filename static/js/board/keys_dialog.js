// The dialog of keyboard shortcuts, loaded when it is opened.

import "./late_texts.js";

const SHORTCUTS = [
  ["← ↑ → ↓", "help.arrows"],
  ["Enter", "help.enter"],
  ["Space", "help.space"],
  ["Esc", "help.escape"],
  ["8/5 6/5", "help.type"],
  ["U", "help.undo"],
  ["S", "help.swap"],
  ["B", "help.bear"],
  ["R", "help.roll"],
  ["D", "help.double"],
  ["T", "help.take"],
  ["P", "help.drop"],
  ["L", "help.last"],
  ["O", "help.pips"],
  ["C", "help.clock"],
  ["?", "help.help"],
];

export function createKeysDialog(translate) {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog keys";
  const head = document.createElement("div");
  head.className = "dialog__head";
  const title = document.createElement("h2");
  title.textContent = translate("help.title");
  title.id = "board-keys";
  dialog.setAttribute("aria-labelledby", title.id);
  head.append(title);
  const body = document.createElement("dl");
  body.className = "dialog__body keys__list";
  for (const [key, words] of SHORTCUTS) {
    const name = document.createElement("dt");
    const kbd = document.createElement("kbd");
    kbd.textContent = key;
    name.append(kbd);
    const text = document.createElement("dd");
    text.textContent = translate(words);
    body.append(name, text);
  }
  const foot = document.createElement("form");
  foot.method = "dialog";
  foot.className = "dialog__foot";
  const close = document.createElement("button");
  close.className = "button";
  close.textContent = translate("help.close");
  foot.append(close);
  dialog.append(head, body, foot);
  document.body.append(dialog);
  return dialog;
}
