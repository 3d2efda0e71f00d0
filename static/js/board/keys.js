// Keyboard shortcuts, typed plays, and the list of shortcuts.
//
// Letters work anywhere on the page, unless text is typed or they are switched off (WCAG 2.1.4). With several tables on a page,
// each has a part of it as its `scope`. An offered cube is answered only by T and P, never by Enter or
// Space.

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
    // Escape closes a question, wherever it was opened.
    if (event.key === "Escape") table.disarm();
    if (event.key === "Escape" && isOurs) table.letGo();
    // A key that is held down must not answer a question.
    else if (event.key === "Enter" && event.repeat && table.armed) event.preventDefault();
    else if (event.key === "Enter" && isOurs) this.enter(event);
    else if (table.prefs.get("keys")) this.letter(event, event.key.toLowerCase(), isOurs);
  }

  // On a place Enter presses it, unless nothing is left to press: then it confirms.
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

  async help() {
    const { listKeys } = await import("./keys_dialog.js");
    this.dialog ??= listKeys(this.say);
    this.dialog.showModal();
  }
}
