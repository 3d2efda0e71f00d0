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
  l: "announceLastPlay",
  o: "announcePips",
  c: "announceClock",
};

export class Keys {
  constructor(table, translate, scope = document) {
    Object.assign(this, { table, translate, scope, dialog: null });
    this.form = this.createForm();
    this.onKeyDown = (event) => this.handleKey(event);
    scope.addEventListener("keydown", this.onKeyDown);
  }

  remove() {
    this.scope.removeEventListener("keydown", this.onKeyDown);
    this.dialog?.remove();
  }

  handleKey(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    const target = event.target;
    if (target.closest?.("input, textarea, select, [contenteditable], dialog[open]")) return;
    const { table } = this;
    const isOnBoard = table.element.contains(target) || target === document.body || target.id === "main";
    // Escape closes a question, wherever it was opened.
    if (event.key === "Escape") table.disarm();
    if (event.key === "Escape" && isOnBoard) table.returnLifted();
    // A key that is held down must not answer a question.
    else if (event.key === "Enter" && event.repeat && table.armed) event.preventDefault();
    else if (event.key === "Enter" && isOnBoard) this.confirmByEnter(event);
    else if (table.prefs.get("keys")) this.handleLetter(event, event.key.toLowerCase(), isOnBoard);
  }

  // On a place Enter presses it, unless nothing is left to press: then it confirms.
  confirmByEnter(event) {
    if (!this.table.canConfirm || !this.table.lifted.isEmpty) return;
    event.preventDefault();
    this.table.confirm();
  }

  handleLetter(event, letter, isOnBoard) {
    if (letter === "?") this.openHelp();
    else if (letter === "b" && isOnBoard && this.table.canMove && !this.table.turn.canBearOff())
      this.openForm(letter);
    else if (LETTERS[letter]) event.repeat || this.table[LETTERS[letter]]();
    else if (/^\d$/.test(letter) && isOnBoard && this.table.canMove) this.openForm(letter);
    else return;
    event.preventDefault();
  }

  // -- typing a play

  createForm() {
    const form = document.createElement("form");
    form.className = "typing";
    form.hidden = true;
    const label = document.createElement("label");
    label.textContent = this.translate("type.label");
    this.input = document.createElement("input");
    Object.assign(this.input, {
      type: "text",
      autocomplete: "off",
      spellcheck: false,
      placeholder: this.translate("type.hint"),
    });
    this.input.setAttribute("autocapitalize", "off");
    label.append(this.input);
    form.append(label);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.table.playTyped(this.input.value)) this.closeForm();
    });
    this.input.addEventListener("keydown", (event) => event.key === "Escape" && this.closeForm());
    this.input.addEventListener("blur", () => (form.hidden = true));
    return form;
  }

  openForm(start) {
    this.form.hidden = false;
    this.input.value = start;
    this.input.focus({ preventScroll: true });
  }

  closeForm() {
    this.form.hidden = true;
    this.table.places.focus();
  }

  // -- the list

  async openHelp() {
    const { createKeysDialog } = await import("./keys_dialog.js");
    this.dialog ??= createKeysDialog(this.translate);
    this.dialog.showModal();
  }
}
