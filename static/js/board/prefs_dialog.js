// The dialog of the table's preferences; every choice is shown at once on the table behind it.

import { AutomaticActs } from "./automatic_acts.js";
import "./late_texts.js";
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
const AUTOMATIC_ACTS = ["auto_roll", "auto_pass", "auto_play"];

export class PreferencesDialog {
  /** `prefs` are changed at each choice; `automaticUrl` is the address of the account's automatic acts, if any. */
  constructor(prefs, translate, automaticUrl = null) {
    Object.assign(this, { prefs, translate, automaticActs: automaticUrl && new AutomaticActs(automaticUrl), dialog: null, lastRequest: Promise.resolve() });
  }

  open() {
    this.dialog ??= this.build();
    this.showValues();
    this.dialog.showModal();
    if (this.automaticActs) this.showAutomaticActs(() => this.automaticActs.load());
  }

  build() {
    const dialog = createElement("dialog", { class: "dialog wishes", "aria-labelledby": "table-wishes" });
    const head = createElement(
      "div",
      { class: "dialog__head" },
      createElement("h2", { id: "table-wishes" }, this.translate("wish.title")),
    );
    this.body = createElement(
      "div",
      { class: "dialog__body wishes__body" },
      ...ROWS.map(([name, kind]) => this[kind](name)),
    );
    if (this.automaticActs) this.body.append(this.createAutomaticActs());
    const close = createElement("button", { class: "button button--primary" }, this.translate("help.close"));
    dialog.append(head, this.body, createElement("form", { method: "dialog", class: "dialog__foot" }, close));
    this.body.addEventListener("input", (event) => this.choose(event.target));
    document.body.append(dialog);
    return dialog;
  }

  row(name) {
    const choices = CHOICES[name].map((value) => {
      const input = createElement("input", { type: "radio", name: `wish-${name}`, value, "data-wish": name });
      return createElement(
        "label",
        { class: "wish__choice" },
        input,
        createElement("span", {}, this.translate(`wish.${name}.${value}`)),
      );
    });
    const fieldset = createElement("fieldset", { class: "wish" }, createElement("legend", {}, this.translate(`wish.${name}`)));
    fieldset.append(createElement("div", { class: "wish__choices" }, ...choices));
    return fieldset;
  }

  slider(name) {
    const input = createElement("input", { type: "range", min: 0, max: 3, step: 1, "data-wish": name });
    const output = createElement("output", { class: "meta" });
    return createElement(
      "label",
      { class: "wish wish--slider" },
      createElement("span", {}, this.translate(`wish.${name}`)),
      input,
      output,
    );
  }

  tick(name) {
    const input = createElement("input", { type: "checkbox", "data-wish": name });
    return createElement(
      "label",
      { class: "wish wish--tick" },
      input,
      createElement("span", {}, this.translate(`wish.${name}`)),
    );
  }

  choose(input) {
    const name = input.dataset.wish;
    if (input.dataset.habit) this.changeAutomaticAct(input);
    if (!name) return;
    const value =
      input.type === "checkbox" ? input.checked : input.type === "range" ? Number(input.value) : input.value;
    this.prefs.set({ [name]: value });
    this.showValues();
  }

  // Disabled until the server has answered, and if it does not.
  createAutomaticActs() {
    const fieldset = createElement("fieldset", { class: "wish", disabled: "" }, createElement("legend", {}, this.translate("wish.habits")));
    const ticks = AUTOMATIC_ACTS.map((name) => {
      const input = createElement("input", { type: "checkbox", "data-habit": name });
      return createElement("label", { class: "wish wish--tick" }, createElement("span", {}, this.translate(`wish.${name}`)), input);
    });
    fieldset.append(...ticks);
    this.fieldset = fieldset;
    return fieldset;
  }

  // Requests are sent one at a time, and only the last answer is shown: earlier ones do not have the later choices.
  async showAutomaticActs(request) {
    const answer = this.lastRequest.then(request, request);
    this.lastRequest = answer;
    const found = await answer.catch(() => null);
    if (this.lastRequest !== answer) return;
    this.fieldset.disabled = !found;
    for (const name of found ? AUTOMATIC_ACTS : []) this.body.querySelector(`[data-habit="${name}"]`).checked = found[name];
  }

  changeAutomaticAct({ dataset, checked }) {
    this.showAutomaticActs(() => this.automaticActs.update({ [dataset.habit]: checked }));
  }

  showValues() {
    for (const input of this.body.querySelectorAll("[data-wish]")) {
      const name = input.dataset.wish;
      const value = this.prefs.get(name);
      if (input.type === "radio") input.checked = input.value === value;
      else if (input.type === "checkbox") input.checked = value;
      else this.showSlider(input, name, value);
    }
  }

  showSlider(input, name, value) {
    const words = this.translate(`wish.${name}.${value}`);
    input.value = String(value);
    input.setAttribute("aria-valuetext", words);
    input.nextElementSibling.textContent = words;
  }
}

function createElement(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}
