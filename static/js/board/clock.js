// Both clocks: reserve and delay, by the server's time.
//
// Computed from the state alone, as engine/clock.py does; a tick only paints.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
// From this time on hours are left out.
const MANY_DAYS = 10;
const LOW_MS = 30 * SECOND;
const CUES_MS = [30 * SECOND, 10 * SECOND];

/** What a side has left at a moment: its reserve, and its turn's free time; null without a clock. */
export function left(state, control, side, now) {
  const { clock } = state;
  if (!clock || !control) return null;
  const index = side === "white" ? 0 : 1;
  const reserve = clock.reserve[index];
  const runs = clock.turn === side;
  const running = clock.since === null ? 0 : Math.max(0, now - clock.since);
  // Negative if more was excused than the turn has taken so far.
  const spent = runs ? Math.max(0, clock.used + running) : waiting(clock, side);
  const free = control.timing === "simple" ? control.delay : 0;
  return {
    reserve: Math.max(0, reserve - Math.max(0, spent - free)),
    delay: runs || waiting(clock, side) ? Math.max(0, free - spent) : free,
    isRunning: runs && clock.since !== null && now >= clock.since,
  };
}

// A turn that waits for an answer of the opponent is stopped.
function waiting(clock, side) {
  return clock.lent !== null && clock.turn !== null && clock.turn !== side ? Math.max(0, clock.lent) : 0;
}

/**
 * "9:41", "1:02:03", under ten seconds "7.3". From two hours on without seconds ("18:42 h"), from a day on in
 * words ("2 d 4 h", "10 days"), rounded down. `matches/state/clock_words.py` does the same.
 */
export function spelled(milliseconds, say) {
  if (milliseconds >= 2 * HOUR) return inHours(Math.floor(milliseconds / MINUTE), say);
  if (milliseconds > 0 && milliseconds < 10 * SECOND) {
    return (Math.ceil(milliseconds / 100) / 10).toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1 });
  }
  // A second is counted until it is over.
  const seconds = Math.ceil(milliseconds / SECOND);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function inHours(minutes, say) {
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (!days) return say("clock.hours", { time: `${hours}:${two(minutes % 60)}` });
  if (days >= MANY_DAYS || hours % 24 === 0) return say.count("clock.days", days);
  return say("clock.days-hours", { days, hours: hours % 24 });
}

/** The free time of a turn: in seconds, longer times as those of the reserve. */
export function spelledFree(milliseconds, say) {
  return milliseconds < MINUTE ? String(Math.ceil(milliseconds / SECOND)) : spelled(milliseconds, say);
}

const two = (number) => String(number).padStart(2, "0");

export class Clocks {
  /** `seats` are the two elements of the page; `onLow` is called when the player's time gets short. */
  constructor(seats, { client, say, onLow = () => {} }) {
    Object.assign(this, { seats, client, say, onLow, timer: 0, cued: null });
    document.addEventListener("visibilitychange", () => this.show());
  }

  /** Paint, repeatedly while a clock runs. */
  show() {
    clearTimeout(this.timer);
    if (!this.client.terms.control) return;
    const now = this.client.pulse.now();
    const { snapshot, terms } = this.client;
    let soonest = Infinity;
    for (const side of ["white", "black"]) {
      const time = left(snapshot, terms.control, side, now);
      if (!time) continue;
      this.paint(side, time);
      const { since, turn } = snapshot.clock;
      if (time.isRunning) soonest = Math.min(soonest, next(time));
      else if (turn === side && since !== null) soonest = Math.min(soonest, since - now);
      if (side === this.client.me) this.cue(time);
    }
    if (soonest < Infinity && !document.hidden && !this.client.isOver) {
      this.timer = setTimeout(() => this.show(), Math.max(30, Math.min(soonest, MINUTE)));
    }
  }

  paint(side, { reserve, delay, isRunning }) {
    const box = this.seats[side].querySelector(".seat__clock");
    box.hidden = false;
    write(box.querySelector(".seat__reserve"), spelled(reserve, this.say));
    const free = this.client.terms.control.timing === "simple" && isRunning && delay > 0;
    write(box.querySelector(".seat__delay"), free ? this.say("clock.delay", { n: spelledFree(delay, this.say) }) : "");
    // A time in words takes two lines if there is another beside it.
    box.classList.toggle("is-long", free && delay >= MINUTE && reserve >= 2 * HOUR);
    box.classList.toggle("is-running", isRunning);
    box.classList.toggle("is-low", reserve < LOW_MS && !this.client.isOver);
  }

  // Half a minute, and ten seconds: each announced once.
  cue({ reserve, delay, isRunning }) {
    const level = CUES_MS.filter((limit) => reserve + delay <= limit).length;
    if (isRunning && this.cued !== null && level > this.cued) this.onLow(this.say("clock.low", { time: spelled(reserve + delay, this.say) }));
    this.cued = level;
  }

  /** Both clocks in a sentence. */
  spoken(me, names) {
    const now = this.client.pulse.now();
    const other = me === "white" ? "black" : "white";
    const times = [me, other].map((side) => left(this.client.snapshot, this.client.terms.control, side, now));
    if (times.includes(null)) return this.say("clock.none");
    const [mine, theirs] = times.map(({ reserve }) => spelled(reserve, this.say));
    return this.say("clock.say", { mine, theirs, name: names[other] });
  }
}

// When the shown figure changes next.
function next({ reserve, delay }) {
  const shown = delay > 0 ? delay : reserve;
  if (shown >= 2 * HOUR) return shown % MINUTE || MINUTE;
  const unit = delay <= 0 && reserve < 10 * SECOND ? 100 : SECOND;
  return shown % unit || unit;
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
