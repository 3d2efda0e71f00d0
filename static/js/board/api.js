// Requests to the API. Commands are sent exactly once: the same bytes under the same key until there is an answer.

const TIMEOUT_MS = 15000;

/** An answer that is not a success. */
export class Problem extends Error {
  constructor(status, body = {}) {
    super(body.title ?? String(status));
    Object.assign(this, { status, code: body.code ?? "", body });
  }

  /** True if there was no answer, or a temporary error. */
  get isTemporary() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export function createKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function getJson(url) {
  return request(url, { headers: { Accept: "application/json" } });
}

/** POST text that is already JSON, or send it with another method. */
export function sendJson(url, text, key = "", method = "POST") {
  const headers = { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": readCsrfToken() };
  if (key) headers["Idempotency-Key"] = key;
  return request(url, { method, body: text, headers });
}

async function request(url, options) {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TIMEOUT_MS);
  try {
    // With `keepalive` the request survives leaving the page.
    const response = await fetch(url, { credentials: "same-origin", cache: "no-store", keepalive: document.hidden, signal: abort.signal, ...options });
    if (response.ok) return response.status === 204 ? null : await response.json();
    throw new Problem(response.status, await response.json().catch(() => ({})));
  } catch (error) {
    throw error instanceof Problem ? error : new Problem(0);
  } finally {
    clearTimeout(timer);
  }
}

// The CSRF token that the page has for htmx.
function readCsrfToken() {
  try {
    return JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRFToken"] ?? "";
  } catch {
    return "";
  }
}
