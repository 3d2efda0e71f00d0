// Both clocks: reserve and delay, by the server's time.
//
// Computed from the state alone, as engine/clock.py does; a tick only renders.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
// From so many days on, hours are left out.
const DAYS_ONLY_FROM = 10;
const LOW_MS = 30 * SECOND;
const WARNINGS_MS = [30 * SECOND, 10 * SECOND];

/** What a side has left at a moment: its reserve, and its turn's free time; null without a clock. */
export function computeTimeLeft(state, control, side, now) {
  const { clock } = state;
  if (!clock || !control) return null;
  const index = side === "white" ? 0 : 1;
  const reserve = clock.reserve[index];
  const isOnTurn = clock.turn === side;
  const elapsed = clock.since === null ? 0 : Math.max(0, now - clock.since);
  // Negative if more was excused than the turn has taken so far.
  const used = isOnTurn ? Math.max(0, clock.used + elapsed) : computeLentTime(clock, side);
  const free = control.timing === "simple" ? control.delay : 0;
  return {
    reserve: Math.max(0, reserve - Math.max(0, used - free)),
    delay: isOnTurn || computeLentTime(clock, side) ? Math.max(0, free - used) : free,
    isRunning: isOnTurn && clock.since !== null && now >= clock.since,
  };
}

// A turn that waits for an answer of the opponent is stopped.
function computeLentTime(clock, side) {
  return clock.lent !== null && clock.turn !== null && clock.turn !== side ? Math.max(0, clock.lent) : 0;
}

/**
 * "9:41", "1:02:03", under ten seconds "7.3". From two hours on without seconds ("18:42 h"), from a day on in
 * words ("2 d 4 h", "10 days"), rounded down. `matches/state/clock_words.py` does the same.
 */
export function formatDuration(milliseconds, translate) {
  if (milliseconds >= 2 * HOUR) return formatLongDuration(Math.floor(milliseconds / MINUTE), translate);
  if (milliseconds > 0 && milliseconds < 10 * SECOND) {
    return (Math.ceil(milliseconds / 100) / 10).toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1 });
  }
  // A second is counted until it is over.
  const seconds = Math.ceil(milliseconds / SECOND);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${padTwo(minutes)}:${padTwo(seconds % 60)}` : `${minutes}:${padTwo(seconds % 60)}`;
}

function formatLongDuration(minutes, translate) {
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (!days) return translate("clock.hours", { time: `${hours}:${padTwo(minutes % 60)}` });
  if (days >= DAYS_ONLY_FROM || hours % 24 === 0) return translate.plural("clock.days", days);
  return translate("clock.days-hours", { days, hours: hours % 24 });
}

/** The free time of a turn: in seconds, longer times as those of the reserve. */
export function formatFreeTime(milliseconds, translate) {
  return milliseconds < MINUTE ? String(Math.ceil(milliseconds / SECOND)) : formatDuration(milliseconds, translate);
}

const padTwo = (number) => String(number).padStart(2, "0");

export class Clocks {
  /** `seats` are the two elements of the page; `onLow` is called when the player's time gets short. */
  constructor(seats, { client, translate, onLow = () => {} }) {
    Object.assign(this, { seats, client, translate, onLow, timer: 0, warningLevel: null });
    document.addEventListener("visibilitychange", () => this.render());
  }

  render() {
    clearTimeout(this.timer);
    if (!this.client.terms.control) return;
    const now = this.client.serverClock.now();
    const { snapshot, terms } = this.client;
    let nextUpdate = Infinity;
    for (const side of ["white", "black"]) {
      const time = computeTimeLeft(snapshot, terms.control, side, now);
      if (!time) continue;
      this.renderClock(side, time);
      const { since, turn } = snapshot.clock;
      if (time.isRunning) nextUpdate = Math.min(nextUpdate, computeNextChange(time));
      else if (turn === side && since !== null) nextUpdate = Math.min(nextUpdate, since - now);
      if (side === this.client.me) this.warnWhenLow(time);
    }
    if (nextUpdate < Infinity && !document.hidden && !this.client.isOver) {
      this.timer = setTimeout(() => this.render(), Math.max(30, Math.min(nextUpdate, MINUTE)));
    }
  }

  renderClock(side, { reserve, delay, isRunning }) {
    const box = this.seats[side].querySelector(".seat__clock");
    box.hidden = false;
    setText(box.querySelector(".seat__reserve"), formatDuration(reserve, this.translate));
    const isFreeTimeShown = this.client.terms.control.timing === "simple" && isRunning && delay > 0;
    setText(box.querySelector(".seat__delay"), isFreeTimeShown ? this.translate("clock.delay", { n: formatFreeTime(delay, this.translate) }) : "");
    // A time in words takes two lines if there is another beside it.
    box.classList.toggle("is-long", isFreeTimeShown && delay >= MINUTE && reserve >= 2 * HOUR);
    box.classList.toggle("is-running", isRunning);
    box.classList.toggle("is-low", reserve < LOW_MS && !this.client.isOver);
  }

  // Half a minute, and ten seconds: each announced once.
  warnWhenLow({ reserve, delay, isRunning }) {
    const level = WARNINGS_MS.filter((limit) => reserve + delay <= limit).length;
    if (isRunning && this.warningLevel !== null && level > this.warningLevel) this.onLow(this.translate("clock.low", { time: formatDuration(reserve + delay, this.translate) }));
    this.warningLevel = level;
  }

  describe(me, names) {
    const now = this.client.serverClock.now();
    const other = me === "white" ? "black" : "white";
    const times = [me, other].map((side) => computeTimeLeft(this.client.snapshot, this.client.terms.control, side, now));
    if (times.includes(null)) return this.translate("clock.none");
    const [mine, theirs] = times.map(({ reserve }) => formatDuration(reserve, this.translate));
    return this.translate("clock.say", { mine, theirs, name: names[other] });
  }
}

function computeNextChange({ reserve, delay }) {
  const shown = delay > 0 ? delay : reserve;
  if (shown >= 2 * HOUR) return shown % MINUTE || MINUTE;
  const unit = delay <= 0 && reserve < 10 * SECOND ? 100 : SECOND;
  return shown % unit || unit;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
