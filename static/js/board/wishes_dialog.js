// The dialog of the table's preferences; every choice is shown at once on the table behind it.

import { Habits } from "./habits.js";
import "./late_words.js";
import { CHOICES } from "./prefs.js";

// The control of each preference: a row of choices, a slider, or a checkbox.
const ROWS = [
  ["theme", "row"],
  ["men", "row"],
  ["mine", "row"],
  ["home", "row"],
  ["direction", "row"],
  ["tap", "row"],
  ["speed", "slider"],
  ["sound", "slider"],
  ["marks", "tick"],
  ["numbers", "tick"],
  ["pips", "tick"],
  ["keys", "tick"],
  ["confirm", "tick"],
];
// What the server does automatically for the player, at any table.
const HABITS = ["auto_roll", "auto_pass", "auto_play"];

export class WishesDialog {
  /** `prefs` are changed at each choice; `say` has the texts; `habits` is the address of the account's own, if any. */
  constructor(prefs, say, habits = null) {
    Object.assign(this, { prefs, say, habits: habits && new Habits(habits), dialog: null, told: Promise.resolve() });
  }

  open() {
    this.dialog ??= this.build();
    this.fill();
    this.dialog.showModal();
    if (this.habits) this.fillHabits(() => this.habits.read());
  }

  build() {
    const dialog = element("dialog", { class: "dialog wishes", "aria-labelledby": "table-wishes" });
    const head = element(
      "div",
      { class: "dialog__head" },
      element("h2", { id: "table-wishes" }, this.say("wish.title")),
    );
    this.body = element(
      "div",
      { class: "dialog__body wishes__body" },
      ...ROWS.map(([name, kind]) => this[kind](name)),
    );
    if (this.habits) this.body.append(this.ofHabits());
    const close = element("button", { class: "button button--primary" }, this.say("help.close"));
    dialog.append(head, this.body, element("form", { method: "dialog", class: "dialog__foot" }, close));
    this.body.addEventListener("input", (event) => this.choose(event.target));
    document.body.append(dialog);
    return dialog;
  }

  row(name) {
    const choices = CHOICES[name].map((value) => {
      const input = element("input", { type: "radio", name: `wish-${name}`, value, "data-wish": name });
      return element(
        "label",
        { class: "wish__choice" },
        input,
        element("span", {}, this.say(`wish.${name}.${value}`)),
      );
    });
    const set = element("fieldset", { class: "wish" }, element("legend", {}, this.say(`wish.${name}`)));
    set.append(element("div", { class: "wish__choices" }, ...choices));
    return set;
  }

  slider(name) {
    const input = element("input", { type: "range", min: 0, max: 3, step: 1, "data-wish": name });
    const said = element("output", { class: "meta" });
    return element(
      "label",
      { class: "wish wish--slider" },
      element("span", {}, this.say(`wish.${name}`)),
      input,
      said,
    );
  }

  tick(name) {
    const input = element("input", { type: "checkbox", "data-wish": name });
    return element(
      "label",
      { class: "wish wish--tick" },
      input,
      element("span", {}, this.say(`wish.${name}`)),
    );
  }

  choose(input) {
    const name = input.dataset.wish;
    if (input.dataset.habit) this.habit(input);
    if (!name) return;
    const value =
      input.type === "checkbox" ? input.checked : input.type === "range" ? Number(input.value) : input.value;
    this.prefs.set({ [name]: value });
    this.fill();
  }

  // Disabled until the server has answered, and if it does not.
  ofHabits() {
    const set = element("fieldset", { class: "wish", disabled: "" }, element("legend", {}, this.say("wish.habits")));
    const ticks = HABITS.map((name) => {
      const input = element("input", { type: "checkbox", "data-habit": name });
      return element("label", { class: "wish wish--tick" }, element("span", {}, this.say(`wish.${name}`)), input);
    });
    set.append(...ticks);
    this.fieldset = set;
    return set;
  }

  // Requests are sent one at a time, and only the last answer is shown: earlier ones do not have the later choices.
  async fillHabits(ask) {
    const asked = this.told.then(ask, ask);
    this.told = asked;
    const found = await asked.catch(() => null);
    if (this.told !== asked) return;
    this.fieldset.disabled = !found;
    for (const name of found ? HABITS : []) this.body.querySelector(`[data-habit="${name}"]`).checked = found[name];
  }

  habit({ dataset, checked }) {
    this.fillHabits(() => this.habits.change({ [dataset.habit]: checked }));
  }

  fill() {
    for (const input of this.body.querySelectorAll("[data-wish]")) {
      const name = input.dataset.wish;
      const value = this.prefs.get(name);
      if (input.type === "radio") input.checked = input.value === value;
      else if (input.type === "checkbox") input.checked = value;
      else this.slide(input, name, value);
    }
  }

  slide(input, name, value) {
    const words = this.say(`wish.${name}.${value}`);
    input.value = String(value);
    input.setAttribute("aria-valuetext", words);
    input.nextElementSibling.textContent = words;
  }
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}
