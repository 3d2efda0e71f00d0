// The link from a replay to the page of the position that is shown.

const link = document.getElementById("position-page");

/** The address of a position's page, as `opinion/positions/positions.py` builds it. */
export function addressOf(xgid, pages) {
  return `${pages}${xgid.replace(/^XGID=/, "").replaceAll(":", "_")}/`;
}

function follow() {
  const xgid = document.getElementById("xgid")?.value ?? "";
  const [letters] = xgid.replace(/^XGID=/, "").split(":");
  link.href = addressOf(xgid, link.dataset.pages);
  // At the end of a game there is no decision.
  link.hidden = !(/[a-o]/.test(letters) && /[A-O]/.test(letters));
}

if (link) {
  document.addEventListener("replay:shown", follow);
  follow();
}
