// Requests to the API. Commands are sent exactly once: the same bytes under the same key until there is an answer.

const PATIENCE_MS = 15000;

/** An answer that is not a success. */
export class Problem extends Error {
  constructor(status, body = {}) {
    super(body.title ?? String(status));
    Object.assign(this, { status, code: body.code ?? "", body });
  }

  /** True if there was no answer, or a temporary error. */
  get isPassing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** A new random key. */
export function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** GET JSON. */
export function ask(address) {
  return answered(address, { headers: { Accept: "application/json" } });
}

/** POST text that is already JSON, or send it with another method. */
export function send(address, text, key = "", method = "POST") {
  const headers = { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": forgeryToken() };
  if (key) headers["Idempotency-Key"] = key;
  return answered(address, { method, body: text, headers });
}

async function answered(address, options) {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), PATIENCE_MS);
  try {
    // With `keepalive` the request survives leaving the page.
    const answer = await fetch(address, { credentials: "same-origin", cache: "no-store", keepalive: document.hidden, signal: silence.signal, ...options });
    if (answer.ok) return answer.status === 204 ? null : await answer.json();
    throw new Problem(answer.status, await answer.json().catch(() => ({})));
  } catch (error) {
    throw error instanceof Problem ? error : new Problem(0);
  } finally {
    clearTimeout(timer);
  }
}

// The CSRF token that the page has for htmx.
function forgeryToken() {
  try {
    return JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRFToken"] ?? "";
  } catch {
    return "";
  }
}
