/* Kinder pages of events; all of it works without this file.
   Pointing at a player lights the way through the bracket; what one is typing is not swept away by news. */

lightWays();
steerSheets();
chooseAtOnce();
keepWhatIsTyped();
dropWhatIsOld();
keepRoundsOpen();
askForWhatIsShown();

function lightWays() {
  let shown = "";
  document.addEventListener("pointerover", (event) => {
    const row = event.target.closest?.(".sheet-svg .p [data-n]");
    const number = row?.dataset.n ?? "";
    if (number === shown) return;
    light(shown, false);
    shown = number;
    light(shown, true);
  });
}

function light(number, isOn) {
  if (!number) return;
  for (const each of document.querySelectorAll(`.sheet-svg [data-n="${number}"]`)) {
    if (isOn && each.dataset.f === undefined) {
      each.dataset.f = "pointed";
      // The last part of a way lies above that of whoever lost there.
      if (each.parentElement.classList.contains("ways")) each.parentElement.append(each);
    } else if (!isOn && each.dataset.f === "pointed") delete each.dataset.f;
  }
}

// Zoom, minimap and the ways of winner and loser come after the picture, which is whole without them.
function steerSheets() {
  if (document.querySelector("[data-zoom]")) import("./bracket.js").then(({ steer }) => steer(), () => {});
}

function chooseAtOnce() {
  document.addEventListener("change", (event) => {
    if (event.target.matches?.(".follow__select, [data-at-once]")) event.target.form.requestSubmit();
  });
}

// News exchanges parts of the page: not the one somebody is writing in.
function keepWhatIsTyped() {
  let waiting = "";
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target } = event.detail;
    if (isBusy(target)) event.detail.shouldSwap = false;
    else if (target.contains(document.activeElement)) waiting = document.activeElement.id;
  });
  // The field that is next has the focus before news can come; htmx itself would give it only a moment later.
  document.addEventListener("htmx:afterSwap", (event) => {
    take(event.target.querySelector?.(".match__entry [autofocus]"));
  });
  // Who waits in an empty field waits in it still.
  document.addEventListener("htmx:oobAfterSwap", () => {
    take(document.getElementById(waiting));
    waiting = "";
  });
  // A part this page has no place for yet, as when a draw is published: the page is made anew.
  document.addEventListener("htmx:oobErrorNoTarget", () => {
    if (![...document.querySelectorAll("form")].some(isBusy)) location.reload();
  });
}

// News that were asked for before a form was answered may be older than its answer: they are asked for once more.
function dropWhatIsOld() {
  let answers = 0;
  document.addEventListener("htmx:beforeRequest", ({ detail: { xhr } }) => (xhr.answersBefore = answers));
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const { elt, verb } = detail.requestConfig;
    if (verb !== "get") answers += 1;
    else if (elt.matches("[data-live]") && detail.xhr.answersBefore < answers) {
      detail.shouldSwap = false;
      htmx.trigger(elt, "live");
    }
  });
}

// Whoever types quickly presses Enter before htmx has come round to the form.
function take(field) {
  if (!field) return;
  htmx.process(field.form ?? field);
  field.focus({ preventScroll: true });
}

function isBusy(element) {
  // What was just sent from here has its answer on the way, and the answer needs its place. What passes by itself needs none.
  const sent = "form.htmx-request:not([data-passes])";
  if (element.matches(sent) || element.querySelector(sent)) return true;
  const fields = [...element.querySelectorAll("input, textarea, select")];
  const focused = document.activeElement;
  // At the desk one waits in an empty field for the next result: news may come meanwhile, but not over what is wrong there.
  const waits = focused.matches(".match__entry input:not([aria-invalid])") && !focused.value;
  if (!waits && element.contains(focused) && focused.matches("input, textarea, select")) return true;
  // A report or a score that was refused comes back as it was typed, to be mended, even if one looks elsewhere first.
  if (element.querySelector(".mine__form [aria-invalid]")) return true;
  const refused = [...element.querySelectorAll(".match__entry [aria-invalid]")];
  if (refused.some((each) => each.value)) return true;
  return fields.some(
    (each) =>
      each.matches("input:not([type=hidden]), textarea") && !refused.includes(each) && each.value !== each.defaultValue,
  );
}

// A round that was opened or closed by hand stays so when the list is exchanged.
function keepRoundsOpen() {
  const chosen = new Map();
  document.addEventListener("click", (event) => {
    const round = event.target.closest?.("details:is(.round, .why)[id] > summary")?.parentElement;
    if (round) chosen.set(round.id, !round.open);
  });
  document.addEventListener("htmx:oobAfterSwap", () => {
    for (const [id, isOpen] of chosen) {
      const round = document.getElementById(id);
      if (round) round.open = isOpen;
    }
  });
}

// A wide screen shows the picture of a bracket and a narrow one its lists: news of the other need not come.
function askForWhatIsShown() {
  const wide = matchMedia("(min-width: 48rem)");
  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, parameters } = event.detail;
    if (elt.id !== "event-live" || !document.querySelector(".sheet-pane")) return;
    parameters.shows = wide.matches ? "picture" : "lists";
  });
  // What was not shown may be old.
  wide.addEventListener("change", () => {
    if (document.querySelector(".sheet-pane")) htmx.trigger("#event-live", "live");
  });
}
