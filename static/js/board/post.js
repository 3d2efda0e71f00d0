// Asking the API, and sending what must arrive exactly once: the same bytes under the same key until there is an answer.

const PATIENCE_MS = 15000;

/** What an answer says that is no "yes". */
export class Problem extends Error {
  constructor(status, body = {}) {
    super(body.title ?? String(status));
    Object.assign(this, { status, code: body.code ?? "", body });
  }

  /** Was there no answer at all, or one that will be another in a while? */
  get isPassing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** A key that nobody has used before. */
export function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** GET some JSON. */
export function ask(address) {
  return answered(address, { headers: { Accept: "application/json" } });
}

/** POST text that is JSON already, or send it by another method. */
export function send(address, text, key = "", method = "POST") {
  const headers = { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": forgeryToken() };
  if (key) headers["Idempotency-Key"] = key;
  return answered(address, { method, body: text, headers });
}

async function answered(address, options) {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), PATIENCE_MS);
  try {
    // What is sent as the page is left arrives all the same.
    const answer = await fetch(address, { credentials: "same-origin", cache: "no-store", keepalive: document.hidden, signal: silence.signal, ...options });
    if (answer.ok) return answer.status === 204 ? null : await answer.json();
    throw new Problem(answer.status, await answer.json().catch(() => ({})));
  } catch (error) {
    throw error instanceof Problem ? error : new Problem(0);
  } finally {
    clearTimeout(timer);
  }
}

// The page carries it for htmx.
function forgeryToken() {
  try {
    return JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRFToken"] ?? "";
  } catch {
    return "";
  }
}
