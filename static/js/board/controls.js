// The buttons near the thumb, and the sentence that says what is expected. A page places `element`
// where it likes.

const BUTTONS = [
  // name, act, key, kind
  ["undo", "undo", "U", ""],
  ["swap", "swap", "S", ""],
  ["bear", "bearOff", "B", ""],
  ["double", "double", "D", ""],
  ["take", "take", "T", ""],
  ["beaver", "beaver", "", ""],
  ["drop", "drop", "P", "button--apart"],
  ["roll", "roll", "R", "button--primary"],
  ["confirm", "confirm", "", "button--primary"],
];

export class Controls {
  constructor(table, translate) {
    Object.assign(this, { table, translate, buttons: new Map() });
    this.element = document.createElement("div");
    this.element.className = "table-acts";
    this.prompt = document.createElement("p");
    this.prompt.className = "table-acts__prompt";
    const row = document.createElement("div");
    row.className = "table-acts__row";
    for (const [name, act, key, kind] of BUTTONS) row.append(this.createButton(name, act, key, kind));
    this.element.append(this.prompt, row);
  }

  createButton(name, act, key, kind) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `button button--large ${kind}`.trim();
    button.dataset.act = name;
    const label = document.createElement("span");
    label.textContent = this.translate(`do.${name}`);
    button.append(label);
    if (key) {
      button.setAttribute("aria-keyshortcuts", key);
      const hint = document.createElement("kbd");
      hint.setAttribute("aria-hidden", "true");
      hint.textContent = key;
      button.append(hint);
    }
    button.addEventListener("click", (event) => {
      // The second click of a double click must not answer a question.
      if (event.detail > 1 && this.table.armed) return;
      this.table[act]();
      // If a focused button disappears, the focus returns to the board.
      if (button.hidden || button.disabled) this.table.places.focus();
    });
    this.buttons.set(name, { button, label });
    return button;
  }

  /** Show the buttons named in `open` (name -> is it enabled?), and the sentence; `armed` waits for a second press. */
  show(open, prompt, { isDance = false, armed = null } = {}) {
    for (const [name, { button }] of this.buttons) {
      button.hidden = !(name in open);
      button.disabled = !open[name];
      button.classList.toggle("is-armed", name === armed);
    }
    this.buttons.get("confirm").label.textContent = this.translate(isDance ? "do.pass" : "do.confirm");
    if (this.prompt.textContent !== prompt) this.prompt.textContent = prompt;
  }
}
