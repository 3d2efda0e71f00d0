// Controls of a bracket: zoom and pan, a minimap for large ones, the paths of winner and loser, and keys. The picture is complete
// without this file. Panning is the browser's scrolling. During a zoom the picture is only transformed, once a frame and without
// reading its layout, and takes its new size at the end.

const LEAST = 0.1;
const MOST = 3;
const STEP = 1.25;
// From so many first matches on there is a minimap.
const MANY = 16;
const RESTS_MS = 180;
const MAP_SIDE = 168;
const SVG = "http://www.w3.org/2000/svg";
const PLACE = /translate\((\S+) (\S+)\)/;

export function steer() {
  for (const tools of document.querySelectorAll("[data-zoom]")) {
    const pane = document.getElementById(tools.dataset.zoom);
    if (pane) new Sheet(pane, tools);
  }
}

// A new text node makes browsers match all rules with :has again; changed data of the node does not.
function put(into, text) {
  if (into.firstChild?.nodeType === Node.TEXT_NODE) into.firstChild.data = text;
  else into.textContent = text;
}

class Sheet {
  constructor(pane, tools) {
    Object.assign(this, { pane, tools, scale: 1, shown: -1, frame: 0, hand: null });
    this.begin();
    tools.hidden = false;
    tools.addEventListener("click", ({ target }) => this.press(target.closest("button")?.value));
    pane.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    pane.addEventListener("keydown", (event) => this.key(event));
    pane.addEventListener("pointerover", ({ target }) => this.point(target.closest?.(".p")));
    pane.addEventListener("pointerleave", () => this.point(null));
    pane.addEventListener("focusin", ({ target }) => this.tell(target.closest?.(".p")));
    pane.addEventListener("focusout", () => this.tell(null));
    pane.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.drag();
    this.pinch();
    new ResizeObserver(() => this.resized()).observe(pane);
    // An update brings a new picture, which keeps size and position. One swap causes several events, and so does a refused one.
    let focused = "";
    document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
      if (detail.target === pane) focused = this.focused()?.dataset.c ?? "";
    });
    document.addEventListener("htmx:oobAfterSwap", ({ detail }) => {
      if (detail.target !== pane || this.cloth.isConnected) return;
      this.begin();
      this.focus(this.boxes.findIndex(({ dataset }) => dataset.c === focused));
    });
  }

  begin() {
    const { pane } = this;
    this.svg = pane.querySelector("svg");
    const { width, height } = this.svg.viewBox.baseVal;
    Object.assign(this, { width, height, shown: -1, ways: null, hand: null });
    // Of two boxes around the picture the outer has its size, and the inner is transformed. The style of the picture itself is
    // not changed, which would lay out all of its texts again.
    const boxes = ["sheet-held", "sheet-cloth"];
    [this.held, this.cloth] = boxes.map((className) => Object.assign(document.createElement("div"), { className }));
    this.svg.replaceWith(this.held);
    this.held.append(this.cloth);
    this.cloth.append(this.svg);
    this.boxes = [...this.svg.querySelectorAll(".p")];
    this.places = this.boxes.map((box) => {
      const [, x, y] = PLACE.exec(box.getAttribute("transform"));
      const { width: wide, height: high } = box.firstElementChild;
      return { x: +x, y: +y, wide: wide.baseVal.value, high: high.baseVal.value };
    });
    const first = Math.min(...this.places.map(({ x }) => x));
    const isLarge = this.places.filter(({ x }) => x === first).length > MANY;
    pane.classList.toggle("is-large", isLarge);
    if (isLarge) this.map();
    // Updates keep the size; a new picture has its own.
    this.take();
    this.resized();
    this.show();
  }

  // Size

  press(what) {
    if (what === "in") this.zoom(this.scale * STEP);
    else if (what === "out") this.zoom(this.scale / STEP);
    else if (what === "whole") this.zoom(1);
    else if (what === "fit") this.fit();
  }

  fit() {
    const { pane } = this;
    const style = getComputedStyle(pane);
    const wide = pane.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const high = pane.classList.contains("is-large") ? pane.clientHeight - 16 : innerHeight - 120;
    this.zoom(Math.min(1, wide / this.width, high / this.height));
  }

  // The point at (x, y) of the pane stays where it is.
  zoom(wanted, x, y) {
    const hand = this.take();
    const scale = Math.min(MOST, Math.max(LEAST, wanted));
    const ratio = scale / this.scale;
    const kept = (from, at, before, size, room) =>
      Math.max(0, Math.min((from + at - before) * ratio - at + before, size * scale + room.around - room.all));
    hand.left = kept(hand.left, x ?? hand.wide.all / 2, hand.wide.before, this.width, hand.wide);
    hand.top = kept(hand.top, y ?? hand.high.all / 2, hand.high.before, this.height, hand.high);
    this.scale = scale;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), RESTS_MS);
    this.moves();
  }

  // The layout is read once, when a move begins.
  take() {
    if (this.hand) return this.hand;
    const { pane, cloth } = this;
    const { left, top } = pane.getBoundingClientRect();
    const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(pane);
    const room = (all, before, after) => ({ all, before, around: before + after });
    const { scrollLeft, scrollTop } = pane;
    this.hand = {
      at: { left, top },
      wide: room(pane.clientWidth, parseFloat(paddingLeft), parseFloat(paddingRight)),
      high: room(pane.clientHeight, parseFloat(paddingTop), parseFloat(paddingBottom)),
      scrolled: { left: scrollLeft, top: scrollTop },
      left: scrollLeft,
      top: scrollTop,
    };
    cloth.style.willChange = "transform";
    return this.hand;
  }

  scrolled() {
    const { pane, hand } = this;
    if (hand) {
      const { scrollLeft: left, scrollTop: top } = pane;
      hand.left += left - hand.scrolled.left;
      hand.top += top - hand.scrolled.top;
      hand.scrolled = { left, top };
    }
    this.moves();
  }

  resized() {
    this.settle();
    this.room = { wide: this.pane.clientWidth, high: this.pane.clientHeight };
  }

  moves() {
    clearTimeout(this.moving);
    this.moving = setTimeout(() => {
      this.moving = 0;
      if (this.pointed !== undefined) this.tell(this.pointed ?? this.focused());
      this.pointed = undefined;
    }, RESTS_MS);
    this.later();
  }

  // While the picture moves no paths are shown, since this repaints all of it. With the pointer over no box, the paths of the focused
  // one are shown.
  point(box) {
    if (this.moving) this.pointed = box ?? null;
    else this.tell(box ?? this.focused());
  }

  settle() {
    const { pane, cloth, held, scale, hand } = this;
    clearTimeout(this.timer);
    this.hand = null;
    if (hand) {
      held.style.cssText = scale === 1 ? "" : `inline-size: ${this.width * scale}px; block-size: ${this.height * scale}px`;
      cloth.style.cssText = scale === 1 ? "" : `transform: scale(${scale})`;
      pane.scrollTo({ left: hand.left, top: hand.top, behavior: "instant" });
    }
    this.later();
  }

  wheel(event) {
    // A pinch on a touchpad is sent as Ctrl and wheel; the wheel alone scrolls.
    if (!event.ctrlKey) return;
    event.preventDefault();
    const { left, top } = this.take().at;
    const turned = Math.max(-60, Math.min(60, event.deltaY * (event.deltaMode ? 16 : 1)));
    this.zoom(this.scale * Math.exp(-turned / 200), event.clientX - left, event.clientY - top);
  }

  pinch() {
    const { pane } = this;
    let began = null;
    const between = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    pane.addEventListener("touchstart", ({ touches }) => {
      began = touches.length === 2 ? { far: between(touches), scale: this.scale } : null;
    }, { passive: true });
    pane.addEventListener("touchmove", (event) => {
      if (!began || event.touches.length !== 2) return;
      event.preventDefault();
      const { left, top } = this.take().at;
      const [one, other] = event.touches;
      const [x, y] = [(one.clientX + other.clientX) / 2 - left, (one.clientY + other.clientY) / 2 - top];
      this.zoom((began.scale * between(event.touches)) / began.far, x, y);
    }, { passive: false });
    pane.addEventListener("touchend", () => (began = null), { passive: true });
  }

  drag() {
    const { pane } = this;
    let from = null;
    pane.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "mouse" || event.button || event.target.closest("a")) return;
      this.settle();
      from = { x: event.clientX + pane.scrollLeft, y: event.clientY + pane.scrollTop };
    });
    pane.addEventListener("pointermove", (event) => {
      if (!from || !(event.buttons & 1)) return;
      if (!pane.hasPointerCapture(event.pointerId)) pane.setPointerCapture(event.pointerId);
      pane.classList.add("is-dragged");
      pane.scrollTo({ left: from.x - event.clientX, top: from.y - event.clientY, behavior: "instant" });
    });
    for (const end of ["pointerup", "pointercancel"]) {
      pane.addEventListener(end, () => {
        from = null;
        pane.classList.remove("is-dragged");
      });
    }
  }

  // Keys

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const sizes = { "+": "in", "=": "in", "-": "out", 0: "fit", 1: "whole" };
    const at = this.boxes.indexOf(this.focused());
    let done = true;
    if (sizes[event.key]) this.press(sizes[event.key]);
    else if (at < 0) {
      if (event.key === "Enter" && event.target === this.pane) this.focus(this.nearest());
      else done = false;
    } else if (event.key === "Escape") this.pane.focus({ preventScroll: true });
    else if (event.key === "ArrowRight") this.focus(this.goes(at, "w"));
    else if (event.key.toLowerCase() === "l") this.focus(this.goes(at, "l"));
    else if (event.key === "ArrowLeft") this.focus(this.before(at));
    else if (event.key === "ArrowDown") this.focus(this.beside(at, 1));
    else if (event.key === "ArrowUp") this.focus(this.beside(at, -1));
    else done = false;
    if (done) event.preventDefault();
  }

  focused() {
    return document.activeElement?.closest?.(".sheet-svg .p") ?? null;
  }

  focus(at) {
    const box = this.boxes[at];
    if (!box) return;
    this.settle();
    const said = [...box.querySelectorAll("text")].map(({ textContent }) => textContent);
    box.setAttribute("tabindex", "-1");
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", [box.dataset.c, said.join(", "), this.words(at)].filter(Boolean).join(". "));
    box.focus({ preventScroll: true });
    box.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  }

  nearest() {
    const { left, top } = this.pane.getBoundingClientRect();
    const seen = this.boxes.findIndex((box) => {
      const at = box.getBoundingClientRect();
      return at.left >= left && at.top >= Math.max(top, 0);
    });
    return Math.max(seen, 0);
  }

  goes(at, way) {
    const to = this.boxes[at].dataset[way];
    return /^\d+$/.test(to ?? "") ? Number(to) : -1;
  }

  before(at) {
    const left = this.boxes.findIndex((_, each) => this.goes(each, "w") === at);
    return left < 0 ? this.boxes.findIndex((_, each) => this.goes(each, "l") === at) : left;
  }

  beside(at, step) {
    const { x, y } = this.places[at];
    const column = this.places.map((place, each) => ({ ...place, each }))
      .filter((place) => place.x === x && (place.y - y) * step > 0)
      .sort((one, other) => (one.y - other.y) * step);
    return column[0]?.each ?? -1;
  }

  // Paths of winner and loser

  words(at) {
    const { winner, loser, out } = this.tools.dataset;
    const box = this.boxes[at];
    const name = (way) => {
      const to = this.goes(at, way);
      return to < 0 ? box.dataset[way] : this.boxes[to].dataset.c;
    };
    if (box.classList.contains("bye")) return "";
    const [won, lost] = [name("w"), name("l")];
    const said = [won && winner.replace("[place]", won), lost ? loser.replace("[place]", lost) : out];
    return said.filter(Boolean).join(", ");
  }

  tell(box) {
    const at = box ? this.boxes.indexOf(box) : -1;
    if (at === this.shown) return;
    this.shown = at;
    this.ways?.remove();
    this.ways = null;
    const line = this.tools.querySelector(".sheet-tools__ways");
    const said = at < 0 ? "" : this.words(at);
    put(line, said && `${box.dataset.c}: ${said}`);
    if (!said) return;
    this.ways = document.createElementNS(SVG, "g");
    this.ways.setAttribute("class", "leads");
    for (const way of ["w", "l"]) this.draw(at, this.goes(at, way), way);
    this.svg.append(this.ways);
  }

  draw(at, to, way) {
    if (to < 0) return;
    const [from, end] = [this.places[at], this.places[to]];
    const [x1, y1, x2, y2] = [from.x + from.wide, from.y + from.high / 2, end.x, end.y + end.high / 2];
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", `leads__${way}`);
    const bend = x2 > x1 ? (x2 - x1) / 2 : 60;
    path.setAttribute("d", `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`);
    const frame = document.createElementNS(SVG, "rect");
    const is = { class: `leads__${way}`, x: end.x, y: end.y, width: end.wide, height: end.high, rx: 8 };
    for (const [name, value] of Object.entries(is)) frame.setAttribute(name, value);
    this.ways.append(path, frame);
  }

  // Minimap

  later() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.show();
    });
  }

  show() {
    const { pane, scale, ratio, hand, room } = this;
    const { left, top } = hand ?? { left: pane.scrollLeft, top: pane.scrollTop };
    if (hand) {
      const { scrolled } = hand;
      this.cloth.style.transform = `translate(${scrolled.left - left}px, ${scrolled.top - top}px) scale(${scale})`;
    }
    if (this.seen) {
      const { style } = this.seen;
      style.transform = `translate(${(left / scale) * ratio}px, ${(top / scale) * ratio}px)`;
      const sides = [Math.min(this.width, room.wide / scale), Math.min(this.height, room.high / scale)];
      [style.inlineSize, style.blockSize] = sides.map((side) => `${side * ratio}px`);
    }
    const told = `${Math.round(scale * 100)} %`;
    if (told === this.told) return;
    this.told = told;
    put(this.tools.querySelector("[value=whole]"), told);
  }

  map() {
    this.ratio = Math.min(MAP_SIDE / this.width, MAP_SIDE / this.height);
    if (!this.seen) {
      const map = document.createElement("div");
      map.className = "sheet-map";
      map.setAttribute("aria-hidden", "true");
      this.canvas = document.createElement("canvas");
      this.seen = document.createElement("div");
      map.append(this.canvas, this.seen);
      this.pane.after(map);
      const go = (event) => {
        if (!(event.buttons & 1)) return;
        this.settle();
        const { left, top } = this.canvas.getBoundingClientRect();
        const to = (at, seen) => (at / this.ratio) * this.scale - seen / 2;
        this.pane.scrollTo({
          left: to(event.clientX - left, this.pane.clientWidth),
          top: to(event.clientY - top, this.pane.clientHeight),
          behavior: "instant",
        });
      };
      map.addEventListener("pointerdown", go);
      map.addEventListener("pointermove", go);
    }
    const { canvas, ratio } = this;
    const dots = devicePixelRatio || 1;
    canvas.width = this.width * ratio * dots;
    canvas.height = this.height * ratio * dots;
    Object.assign(canvas.style, { inlineSize: `${this.width * ratio}px`, blockSize: `${this.height * ratio}px` });
    const pen = canvas.getContext("2d");
    pen.scale(dots * ratio, dots * ratio);
    const colours = getComputedStyle(this.pane);
    const is = (name) => colours.getPropertyValue(name);
    this.places.forEach(({ x, y, wide, high }, at) => {
      const { classList } = this.boxes[at];
      const open = classList.contains("live") ? "--live" : classList.contains("ready") ? "--baize" : "";
      pen.fillStyle = is(open || (classList.contains("decided") ? "--ink-3" : "--line-2"));
      pen.fillRect(x, y, wide, Math.max(high, 1.5 / ratio));
    });
  }
}
