// A slider with buttons, for a replay and for the list of moves of a live match. It works with indexes only.

export class Scrubber extends EventTarget {
  /** Calls `go` with an index; `last` is the greatest. */
  constructor(element) {
    super();
    this.element = element;
    this.range = element.querySelector("input");
    this.at = 0;
    this.last = 0;
    this.range.addEventListener("input", () => this.go(Number(this.range.value)));
    for (const button of element.querySelectorAll("[data-step]")) {
      button.addEventListener("click", () => this.step(button.dataset.step));
    }
  }

  step(name) {
    const places = { first: 0, back: this.at - 1, on: this.at + 1, last: this.last };
    this.go(places[name]);
  }

  go(place) {
    const wanted = Math.min(Math.max(0, place), this.last);
    if (wanted !== this.at) this.dispatchEvent(new CustomEvent("go", { detail: wanted }));
  }

  /** Show an index, and its description. */
  show(at, last, words = "") {
    Object.assign(this, { at, last });
    this.range.max = String(last);
    this.range.value = String(at);
    this.range.disabled = last === 0;
    this.range.setAttribute("aria-valuetext", words || `${at}/${last}`);
    const held = document.activeElement;
    for (const button of this.element.querySelectorAll("[data-step]")) {
      const isFirst = ["first", "back"].includes(button.dataset.step);
      button.disabled = isFirst ? at === 0 : at === last;
      // A focused button that becomes disabled would lose the focus: it goes to the slider.
      if (button.disabled && button === held) this.range.focus({ preventScroll: true });
    }
  }
}
