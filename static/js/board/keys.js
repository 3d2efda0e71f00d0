// Keys: letters that act, a play that is typed, and the list of all of them.
//
// Letters act wherever the page is, unless somebody writes or has turned them off (WCAG 2.1.4). Where a page has several
// tables, each has a part of the page as its `scope`. Nothing answers an offer of the cube but T and P: Enter and Space
// never do.

export const LETTERS = {
  u: "undo",
  r: "roll",
  d: "double",
  t: "take",
  p: "drop",
  s: "swap",
  b: "bearOff",
  l: "sayLast",
  o: "sayPips",
  c: "sayClock",
};
const LISTED = [
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

export class Keys {
  constructor(table, say, scope = document) {
    Object.assign(this, { table, say, scope, dialog: null });
    this.form = this.typing();
    this.listener = (event) => this.key(event);
    scope.addEventListener("keydown", this.listener);
  }

  remove() {
    this.scope.removeEventListener("keydown", this.listener);
    this.dialog?.remove();
  }

  key(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    const target = event.target;
    if (target.closest?.("input, textarea, select, [contenteditable], dialog[open]")) return;
    const { table } = this;
    const isOurs = table.element.contains(target) || target === document.body || target.id === "main";
    // A question is left from wherever it was asked.
    if (event.key === "Escape") table.disarm();
    if (event.key === "Escape" && isOurs) table.letGo();
    else if (event.key === "Enter" && isOurs) this.enter(event);
    else if (table.prefs.get("keys")) this.letter(event, event.key.toLowerCase(), isOurs);
  }

  // On a place Enter is its press, unless there is nothing left to press: then it confirms.
  enter(event) {
    if (!this.table.canConfirm || !this.table.grip.isEmpty) return;
    event.preventDefault();
    this.table.confirm();
  }

  letter(event, letter, isOurs) {
    if (letter === "?") this.help();
    else if (letter === "b" && isOurs && this.table.canMove && !this.table.turn.canBearOff())
      this.write(letter);
    else if (LETTERS[letter]) event.repeat || this.table[LETTERS[letter]]();
    else if (/^\d$/.test(letter) && isOurs && this.table.canMove) this.write(letter);
    else return;
    event.preventDefault();
  }

  // -- typing a play

  typing() {
    const form = document.createElement("form");
    form.className = "typing";
    form.hidden = true;
    const label = document.createElement("label");
    label.textContent = this.say("type.label");
    this.input = document.createElement("input");
    Object.assign(this.input, {
      type: "text",
      autocomplete: "off",
      spellcheck: false,
      placeholder: this.say("type.hint"),
    });
    this.input.setAttribute("autocapitalize", "off");
    label.append(this.input);
    form.append(label);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.table.typed(this.input.value)) this.close();
    });
    this.input.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
    this.input.addEventListener("blur", () => (form.hidden = true));
    return form;
  }

  write(start) {
    this.form.hidden = false;
    this.input.value = start;
    this.input.focus({ preventScroll: true });
  }

  close() {
    this.form.hidden = true;
    this.table.places.focus();
  }

  // -- the list

  help() {
    this.dialog ??= this.list();
    this.dialog.showModal();
  }

  list() {
    const dialog = document.createElement("dialog");
    dialog.className = "dialog keys";
    const head = document.createElement("div");
    head.className = "dialog__head";
    const title = document.createElement("h2");
    title.textContent = this.say("help.title");
    title.id = "board-keys";
    dialog.setAttribute("aria-labelledby", title.id);
    head.append(title);
    const body = document.createElement("dl");
    body.className = "dialog__body keys__list";
    for (const [key, words] of LISTED) {
      const name = document.createElement("dt");
      const kbd = document.createElement("kbd");
      kbd.textContent = key;
      name.append(kbd);
      const text = document.createElement("dd");
      text.textContent = this.say(words);
      body.append(name, text);
    }
    const foot = document.createElement("form");
    foot.method = "dialog";
    foot.className = "dialog__foot";
    const close = document.createElement("button");
    close.className = "button";
    close.textContent = this.say("help.close");
    foot.append(close);
    dialog.append(head, body, foot);
    document.body.append(dialog);
    return dialog;
  }
}
